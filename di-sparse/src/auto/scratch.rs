//! What a sparse prep works in: made once by detection and coloring.

use std::sync::Arc;

use di_runtime::backend::Backend;
use di_runtime::capability::{Capabilities, Mode, Operator};
use di_runtime::compressed::Seeds;
use di_runtime::error::Error;
use di_runtime::function::{Call, NumberValued, Primal, Slot, XLanesMut, XRef};
use di_runtime::pool::mix;
use di_runtime::primitive::{Plan, Space};
use di_runtime::value::Family;

use super::reads::{Into, MOST_LINES, Reads};
use super::structure::Structure;
use super::verify::Check;
use super::{AutoSparse, Verify};
use crate::color::{Recovery, Source};
use crate::detect::{Detected, Point};
use crate::graph::NONE;
use crate::mixed::space;
use crate::{Coloring, ColoringAlgorithm, Detector, Layout, Part, Partition, Pattern, Validity};

/// Scratch of [`AutoSparse`].
pub struct Scratch<K: Primal, B: Backend<K>> {
    structure: Arc<Structure>,
    /// Sums of columns, also of Hessians.
    columns: Option<Direction<K, B>>,
    rows: Option<Direction<K, B>>,
    substitution: Option<Substitution<K::Real>>,
    /// Values, once they are known not to change; empty before.
    settled: Vec<K::Real>,
    check: Option<Check<K, B>>,
}

/// Sweeps in one direction.
struct Direction<K: Primal, B: Backend<K>> {
    /// Boxed: arrays of fixed size lie in it as they are.
    space: Box<Space<K, B>>,
    seeds: Seeds,
    reads: Reads,
}

/// Steps of an elimination, and what they work in.
#[derive(Clone)]
struct Substitution<R> {
    plan: Arc<Steps>,
    /// Sums that were read, one for each step.
    found: Vec<R>,
    values: Vec<R>,
    sums: Vec<R>,
}

struct Steps {
    /// Value, sum and parent's sum.
    steps: Vec<(u32, u32, u32)>,
    /// For each stored entry.
    value_of: Vec<u32>,
}

impl<K: Primal, B: Backend<K>> Clone for Direction<K, B> {
    fn clone(&self) -> Self {
        Direction {
            space: self.space.clone(),
            seeds: self.seeds.clone(),
            reads: self.reads.clone(),
        }
    }
}

impl<K: Primal, B: Backend<K>> Clone for Scratch<K, B> {
    fn clone(&self) -> Self {
        Scratch {
            structure: Arc::clone(&self.structure),
            columns: self.columns.clone(),
            rows: self.rows.clone(),
            substitution: self.substitution.clone(),
            settled: self.settled.clone(),
            check: self.check.clone(),
        }
    }
}

/// Colors up to which no other direction is looked at.
const FEW: usize = 8;

/// Sweeps that one reverse sweep is worth.
const REVERSE: usize = 2;

impl<B: Capabilities, D, C: ColoringAlgorithm> AutoSparse<B, D, C> {
    /// Colors what suits the engine: columns, rows, or both.
    fn color(&self, pattern: &Pattern) -> Result<Coloring, crate::Error> {
        let partition = match (self.partition, self.dense.mode()) {
            (Some(partition), _) => Some(partition),
            (None, Mode::Forward) => Some(Partition::Columns),
            (None, Mode::Reverse) => Some(Partition::Rows),
            (None, Mode::ForwardOrReverse | Mode::Symbolic | Mode::None) => None,
        };
        match partition {
            Some(Partition::Columns) => self.coloring.columns(pattern),
            Some(Partition::Rows) => self.coloring.rows(pattern),
            Some(Partition::Symmetric) => self.coloring.symmetric(pattern),
            Some(Partition::Bidirectional) => self.coloring.bidirectional(pattern),
            None => self.cheapest(pattern),
        }
    }

    fn cheapest(&self, pattern: &Pattern) -> Result<Coloring, crate::Error> {
        let cost = |coloring: &Coloring| coloring.column_count() + REVERSE * coloring.row_count();
        let columns = self.coloring.columns(pattern);
        // rows need as many colors as the fullest column has entries
        let worth = |columns: &Coloring| cost(columns) > REVERSE * fullest_column(pattern);
        let rows = match &columns {
            Ok(columns) if cost(columns) <= FEW || !worth(columns) => None,
            Ok(_) | Err(_) => Some(self.coloring.rows(pattern)),
        };
        let mut all: Vec<Coloring> = Vec::new();
        let mut first = None;
        for coloring in [Some(columns), rows].into_iter().flatten() {
            match coloring {
                Ok(coloring) => all.push(coloring),
                Err(error) => first = first.or(Some(error)),
            }
        }
        // given colors may determine one direction alone
        if all.iter().all(|coloring| cost(coloring) > 2 * FEW)
            && let Ok(both) = self.coloring.bidirectional(pattern)
        {
            all.push(both);
        }
        match (all.into_iter().min_by_key(cost), first) {
            (Some(best), _) => Ok(best),
            (None, Some(error)) => Err(error),
            (None, None) => self.coloring.columns(pattern),
        }
    }
}

/// Entries of the fullest column.
fn fullest_column(pattern: &Pattern) -> usize {
    let mut entries = vec![0usize; pattern.shape().1];
    pattern
        .indices()
        .iter()
        .for_each(|j| entries[*j as usize] += 1);
    entries.into_iter().max().unwrap_or(0)
}

impl<K: Primal, B: Backend<K>> Scratch<K, B> {
    /// [`Backend::buffers`] of both directions.
    pub(super) fn buffers(&self, dense: &B) -> u64 {
        let directions = [&self.columns, &self.rows].into_iter().flatten();
        directions
            .map(|d| dense.buffers(&d.space.scratch))
            .fold(0, mix)
    }

    /// Sums by substitution: how many there are.
    pub(super) fn steps(&self) -> Option<usize> {
        self.substitution.as_ref().map(|s| s.found.len())
    }

    /// Entries, or sums if there is a substitution, that the sweeps yield.
    pub(super) fn targets(&self) -> Vec<u32> {
        let directions = [&self.columns, &self.rows].into_iter().flatten();
        directions.flat_map(|d| d.reads.targets()).collect()
    }

    /// The values from what all shares have found, and whether they agree with a derivative in a direction.
    pub(super) fn finish_jacobian(
        &mut self,
        dense: &B,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        y: Slot<'_, K, K::Real>,
        found: &[K::Real],
        values: &mut [K::Real],
    ) -> Result<(), Error> {
        match &mut self.substitution {
            Some(substitution) => {
                substitution.found.copy_from_slice(found);
                substitution.run(values);
            }
            None => values.copy_from_slice(found),
        }
        if let Some(check) = &mut self.check {
            let sizes = || self.substitution.as_ref().map(Substitution::sizes);
            check.jacobian(dense, &self.structure.layout, (call, x), y, values, sizes)?;
        }
        Ok(())
    }

    /// The same of a Hessian.
    pub(super) fn finish_hessian(
        &mut self,
        dense: &B,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        found: &[K::Real],
        values: &mut [K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        match &mut self.substitution {
            Some(substitution) => {
                substitution.found.copy_from_slice(found);
                substitution.run(values);
            }
            None => values.copy_from_slice(found),
        }
        if let Some(check) = &mut self.check {
            let sizes = || self.substitution.as_ref().map(Substitution::sizes);
            check.hessian(dense, &self.structure, (call, x), values, sizes)?;
        }
        Ok(())
    }

    /// Sums of columns and rows of a Jacobian, each at its target.
    pub(super) fn sweep_jacobian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        targets: &mut [K::Real],
    ) -> Result<(), Error> {
        use di_runtime::function::Kind;
        if let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.columns
            && (self.rows.is_none() || !reads.is_empty())
        {
            let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
            let mut reader = Into { reads, targets };
            dense.compressed_columns(space, call, x, seeds, slot, &mut reader)?;
        }
        if let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.rows
        {
            let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
            let mut reader = Into { reads, targets };
            dense.compressed_rows(space, call, x, seeds, slot, &mut reader)?;
        }
        Ok(())
    }

    /// Sums of columns of a Hessian, each at its target.
    pub(super) fn sweep_hessian_alone(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        targets: &mut [K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        if let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.columns
        {
            let mut reader = Into { reads, targets };
            dense.compressed_hessian_alone(space, call, x, seeds, &mut reader)?;
        }
        Ok(())
    }

    pub(super) fn new<D: Detector<K>, C: ColoringAlgorithm>(
        backend: &AutoSparse<B, D, C>,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let hessian = plan.operator == Operator::Hessian;
        let at = Point {
            call,
            x: K::X::shorten::<K::Real>(x),
            x_shape: plan.x,
            y_shape: plan.y,
        };
        let Detected {
            pattern,
            validity,
            constant,
        } = if hessian {
            backend.detector.hessian(at)?
        } else {
            backend.detector.jacobian(at)?
        };
        let coloring = if hessian {
            backend.coloring.symmetric(&pattern)?
        } else {
            backend.color(&pattern)?
        };
        let part = if hessian { backend.part } else { Part::Full };
        let layout = Layout::new(&pattern, backend.storage, part);
        // data that the program may depend on beside the floats of x
        let bare = !K::DATA
            && K::Fixed::len(&K::Fixed::shape::<K::Real>(call.fixed)) == 0
            && !K::X::PASSIVE
            && !K::Fixed::PASSIVE;
        let doubtful = validity == Validity::ThisPoint || !bare;
        let verify = match backend.verify {
            Verify::Always => true,
            Verify::Never => false,
            Verify::Auto => doubtful || cfg!(debug_assertions),
        };
        let structure = Structure {
            constant: hessian
                && constant
                && backend.reuse
                && bare
                && validity == Validity::EveryPoint,
            coloring,
            layout,
            validity,
        };
        let (structure, all) = (Arc::new(structure), (0, 1));
        let mut scratch = Scratch::of_structure(&backend.dense, structure, plan, (call, x), all)?;
        if verify {
            let required = doubtful || backend.verify == Verify::Always;
            scratch.check = Some(Check::new(&backend.dense, plan, (call, x), required)?);
        }
        Ok(scratch)
    }

    /// Of share number `share.0` of `share.1` of the colors; nothing else is written to.
    pub(super) fn of_structure(
        dense: &B,
        structure: Arc<Structure>,
        plan: &Plan<'_, K>,
        (call, x): (Call<'_, K>, XRef<'_, K, K::Real>),
        share: (usize, usize),
    ) -> Result<Self, Error> {
        let coloring = &structure.coloring;
        let count = coloring.column_count() as u32;
        let mut by_columns = Vec::new();
        let mut by_rows = Vec::new();
        let mut read = |source: Source, target: usize| {
            let (color, target) = (source.color, target as u32);
            match color.checked_sub(count) {
                None => by_columns.push((color, source.line, target)),
                Some(color) => by_rows.push((color, source.line, target)),
            }
        };
        let substitution = match coloring.recovery() {
            Recovery::Direct(by_row) => {
                let layout = &structure.layout;
                let entries = layout.places().zip(layout.triplets());
                for (target, (place, entry)) in entries.enumerate() {
                    read(coloring.source(by_row, place, entry), target);
                }
                None
            }
            Recovery::Substitution(elimination) => {
                for (target, step) in elimination.steps.iter().enumerate() {
                    read(step.source, target);
                }
                let zeros = |n| vec![K::Real::default(); n];
                let places = structure.layout.places();
                let steps = elimination.steps.iter();
                Some(Substitution {
                    plan: Arc::new(Steps {
                        steps: steps.map(|s| (s.value, s.sum, s.parent)).collect(),
                        value_of: places.map(|place| elimination.value_of[place]).collect(),
                    }),
                    found: zeros(elimination.steps.len()),
                    values: zeros(elimination.values),
                    sums: zeros(elimination.sums),
                })
            }
        };
        let (m, n) = coloring.sparsity_pattern().shape();
        for (what, found) in [
            ("rows of a sparse matrix", m),
            ("columns of a sparse matrix", n),
        ] {
            if found >= MOST_LINES {
                return Err(crate::Error::TooLarge { what, found }.into());
            }
        }
        type Sources = Vec<(u32, u32, u32)>;
        let direction =
            |operator, colors: &[u32], mut sources: Sources, lines| -> Result<_, Error> {
                let seeds = Seeds::new(shared(colors, &mut sources, share));
                let plan = Plan {
                    batch: seeds.count().clamp(1, di_runtime::batch::WIDEST),
                    seeds: Some(&seeds),
                    ..*plan
                };
                Ok(Direction {
                    space: Box::new(space(dense, &plan, operator, call, x)?),
                    reads: Reads::new(sources, lines),
                    seeds,
                })
            };

        let hessian = plan.operator == Operator::Hessian;
        let forward = if hessian {
            Operator::Hvp
        } else {
            Operator::Pushforward
        };
        // without any color the value is still wanted, and comes from one direction
        let by_rows_alone =
            coloring.column_colors().is_empty() && !coloring.row_colors().is_empty();
        let columns = (!by_rows_alone)
            .then(|| direction(forward, coloring.column_colors(), by_columns, m))
            .transpose()?;
        let rows = (by_rows_alone || coloring.row_count() > 0)
            .then(|| direction(Operator::Pullback, coloring.row_colors(), by_rows, n))
            .transpose()?;
        Ok(Scratch {
            structure,
            columns,
            rows,
            substitution,
            settled: Vec::new(),
            check: None,
        })
    }

    pub(super) fn structure(&self) -> &Arc<Structure> {
        &self.structure
    }

    /// Values of the stored entries of a Jacobian, and the value of the function.
    pub(super) fn jacobian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error> {
        use di_runtime::function::Kind;
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        if self.substitution.is_some() {
            let mut substitution = self.substitution.take();
            let found = substitution.as_mut().map(|s| &mut s.found[..]);
            let swept = self.sweep_jacobian(dense, call, x, slot, found.unwrap_or_default());
            self.substitution = substitution;
            swept?;
        } else {
            self.sweep_jacobian(dense, call, x, slot, values)?;
        }
        if let Some(substitution) = &mut self.substitution {
            substitution.run(values);
        }
        if let Some(check) = &mut self.check {
            let sizes = || self.substitution.as_ref().map(Substitution::sizes);
            check.jacobian(dense, &self.structure.layout, (call, x), y, values, sizes)?;
        }
        Ok(())
    }

    /// Values of the stored entries of a Hessian; the value of the function, and its gradient if it is asked for.
    pub(super) fn hessian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        values: &mut [K::Real],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        self.sweep_hessian(dense, call, x, g, true, values)
    }

    /// The value is that of the function only if `valued`.
    fn sweep_hessian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        valued: bool,
        values: &mut [K::Real],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.columns
        else {
            unreachable!("Hessians are found by columns");
        };
        let targets = match &mut self.substitution {
            Some(substitution) => &mut substitution.found[..],
            None => &mut *values,
        };
        let mut reader = Into { reads, targets };
        let mut y = K::Real::default();
        if valued {
            y = dense.compressed_hessian(space, call, x, seeds, g, &mut reader)?;
        } else {
            dense.compressed_hessian_alone(space, call, x, seeds, &mut reader)?;
        }
        if let Some(substitution) = &mut self.substitution {
            substitution.run(values);
        }
        if let Some(check) = &mut self.check {
            let sizes = || self.substitution.as_ref().map(Substitution::sizes);
            check.hessian(dense, &self.structure, (call, x), values, sizes)?;
        }
        if self.structure.constant && self.settled.is_empty() {
            self.settled = values.to_vec();
        }
        Ok(y)
    }

    /// The same without value and gradient: a copy if the Hessian does not change.
    pub(super) fn hessian_alone(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        if self.structure.constant && !self.settled.is_empty() {
            values.copy_from_slice(&self.settled);
            return Ok(());
        }
        self.sweep_hessian(dense, call, x, None, false, values)?;
        Ok(())
    }
}

/// The colors of a share, counted from 0, and what is read by them.
fn shared(
    colors: &[u32],
    sources: &mut Vec<(u32, u32, u32)>,
    (share, shares): (usize, usize),
) -> Vec<u32> {
    let used = colors.iter().filter(|color| **color != NONE);
    let count = used.max().map_or(0, |color| *color as usize + 1);
    let (first, end) = (share * count / shares, (share + 1) * count / shares);
    let (first, end) = (first as u32, end as u32);
    let own = |color: u32| color >= first && color < end;
    sources.retain(|source| own(source.0));
    sources.iter_mut().for_each(|source| source.0 -= first);
    let map = |color: &u32| if own(*color) { *color - first } else { NONE };
    colors.iter().map(map).collect()
}

impl<R: di_runtime::scalar::Real> Substitution<R> {
    fn run(&mut self, values: &mut [R]) {
        for ((value, sum, parent), found) in self.plan.steps.iter().zip(&self.found) {
            let mut v = *found;
            if *sum != NONE {
                v = v - std::mem::take(&mut self.sums[*sum as usize]);
            }
            if *parent != NONE {
                let sum = &mut self.sums[*parent as usize];
                *sum = *sum + v;
            }
            self.values[*value as usize] = v;
        }
        for (value, of) in values.iter_mut().zip(&self.plan.value_of) {
            *value = self.values[*of as usize];
        }
    }

    /// For each stored entry the sum of the sizes that it was computed from.
    fn sizes(&self) -> Vec<f64> {
        let (mut sizes, mut sums) = (vec![0.0; self.values.len()], vec![0.0; self.sums.len()]);
        for ((value, sum, parent), found) in self.plan.steps.iter().zip(&self.found) {
            let mut size = found.to_f64().abs();
            if *sum != NONE {
                size += std::mem::take(&mut sums[*sum as usize]);
            }
            if *parent != NONE {
                sums[*parent as usize] += size;
            }
            sizes[*value as usize] = size;
        }
        let sizes = self.plan.value_of.iter().map(|of| sizes[*of as usize]);
        sizes.collect()
    }
}
