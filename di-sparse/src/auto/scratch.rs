//! What a sparse prep works in: made once by detection and coloring.

use std::sync::Arc;

use di_runtime::backend::Backend;
use di_runtime::capability::{Capabilities, Mode, Operator};
use di_runtime::compressed::Seeds;
use di_runtime::error::{Error, has_failed};
use di_runtime::function::{Call, Kind, NumberValued, Primal, Slot, XLanesMut, XRef};
use di_runtime::pool::mix;
use di_runtime::primitive::Plan;
use di_runtime::scalar::Real;
use di_runtime::value::Family;

use super::reads::{MOST_LINES, Reads};
use super::structure::Structure;
use super::sweeps::{Direction, Sweeps, Valued};
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
    sweeps: Sweeps<K, B>,
    substitution: Option<Substitution<K::Real>>,
    /// Values, once they are known not to change; empty before.
    settled: Vec<K::Real>,
    check: Option<Check<K, B>>,
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

impl<K: Primal, B: Backend<K>> Clone for Scratch<K, B> {
    fn clone(&self) -> Self {
        Scratch {
            structure: Arc::clone(&self.structure),
            sweeps: self.sweeps.clone(),
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
        let directions = self.sweeps.directions();
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
        let directions = self.sweeps.directions();
        directions.flat_map(|d| d.reads.targets()).collect()
    }

    /// Sweeps alone, for a share of the colors.
    pub(super) fn sweeps(&mut self) -> &mut Sweeps<K, B> {
        &mut self.sweeps
    }

    /// Where sweeps put what they find: the values, or what they are made of.
    fn found<'a>(
        substitution: &'a mut Option<Substitution<K::Real>>,
        values: &'a mut [K::Real],
    ) -> &'a mut [K::Real] {
        match substitution {
            Some(substitution) => &mut substitution.found,
            None => values,
        }
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
        Self::found(&mut self.substitution, values).copy_from_slice(found);
        self.recover_jacobian(dense, call, x, y, values)
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
        Self::found(&mut self.substitution, values).copy_from_slice(found);
        self.recover_hessian(dense, call, x, values)
    }

    /// The values from what was found, verified.
    fn recover_jacobian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error> {
        if let Some(substitution) = &mut self.substitution {
            substitution.run(values);
        }
        let sizes = || self.substitution.as_ref().map(Substitution::sizes);
        match &mut self.check {
            Some(check) => {
                check.jacobian(dense, &self.structure.layout, (call, x), y, values, sizes)
            }
            None => Ok(()),
        }
    }

    /// The same of a Hessian.
    fn recover_hessian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        values: &mut [K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        if let Some(substitution) = &mut self.substitution {
            substitution.run(values);
        }
        let sizes = || self.substitution.as_ref().map(Substitution::sizes);
        match &mut self.check {
            Some(check) => check.hessian(dense, &self.structure, (call, x), values, sizes),
            None => Ok(()),
        }
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
        let settled = if structure.constant {
            structure.layout.len()
        } else {
            0
        };
        Ok(Scratch {
            structure,
            sweeps: Sweeps { columns, rows },
            substitution,
            settled: Vec::with_capacity(settled),
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
        let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
        let found = Self::found(&mut self.substitution, values);
        self.sweeps.jacobian(dense, call, x, slot, found)?;
        self.recover_jacobian(dense, call, x, y, values)
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
        self.find_hessian(dense, call, x, Some(Valued(g)), values)
    }

    fn find_hessian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        valued: Option<Valued<'_, K>>,
        values: &mut [K::Real],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let found = Self::found(&mut self.substitution, values);
        let y = self.sweeps.hessian(dense, call, x, valued, found)?;
        self.recover_hessian(dense, call, x, values)?;
        // at a point that is no number they are none either, and a function that failed gave anything
        let settles = self.structure.constant && self.settled.is_empty() && !has_failed();
        if settles && values.iter().all(|v| v.to_f64().is_finite()) {
            self.settled.extend_from_slice(values);
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
        self.find_hessian(dense, call, x, None, values)?;
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

impl<R: Real> Substitution<R> {
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
