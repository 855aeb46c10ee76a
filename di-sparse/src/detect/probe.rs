//! Dense probing: the entries of a dense matrix at one point that are not zero. The last resort.

use super::{Known, Validity};
use crate::Pattern;
use di_runtime::backend::Backend;
use di_runtime::batch::WIDEST;
use di_runtime::bound::{Evaluate, Float, Function, Input, Key, Output, Room};
use di_runtime::capability::Operator;
use di_runtime::compressed::{Reader, Seeds};
use di_runtime::error::{Error, settle};
use di_runtime::function::{Call, NumberValued, Primal, XRef};
use di_runtime::matrix::Matrix;
use di_runtime::operators::{hessian, jacobian};
use di_runtime::prep::{NoPrep, result_shape};
use di_runtime::primitive::{Plan, Space, Workspace};
use di_runtime::scalar::Real;
use di_runtime::value::{Container, Family};

/// How [`probe_jacobian`] and [`probe_hessian`] compute the matrix, and which entries count as zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    atol: f64,
    whole: bool,
}

impl Probe {
    /// The whole dense matrix at once; entries up to `atol` are zeros.
    pub fn direct(atol: f64) -> Self {
        Probe { atol, whole: true }
    }

    /// A few columns or rows at a time, none of which is kept: for matrices that are too large for memory.
    pub fn iterative(atol: f64) -> Self {
        Probe { atol, whole: false }
    }

    /// Not-a-number is no zero.
    fn is_zero<R: Real>(self, value: R) -> bool {
        value.to_f64().abs() <= self.atol
    }
}

/// The entries of the Jacobian at `x` that are larger than the probe's `atol`, or NaN.
///
/// An entry that happens to be zero at `x` is missed; preps verify the pattern at other points. Cost: a dense
/// Jacobian; memory for it, or with [`Probe::iterative`] for 8 of its columns or rows (whichever the backend computes
/// fast).
///
/// # Errors
/// Those of the dense Jacobian; [`Error::Function`] if the function fails.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{Probe, probe_jacobian};
///
/// let f = di::closure(|x: &[f64]| vec![x[0] * x[1], 2.0 * x[2]]);
/// let known = probe_jacobian(&f, &AutoFiniteDiff::new(), &[1.0, 2.0, 4.0], Probe::iterative(1e-6))?;
/// assert!(known.pattern().entries().eq([(0, 0), (0, 1), (1, 2)]));
/// # Ok::<(), di::Error>(())
/// ```
pub fn probe_jacobian<F, B, X>(f: F, dense: &B, x: &X, probe: Probe) -> Result<Known, Error>
where
    F: Function,
    B: Backend<Key<F>, Matrix = Matrix<Float<F>>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let pattern = if probe.whole {
        larger_than(&jacobian(f, NoPrep, dense, x)?, probe)?
    } else {
        let mut f = f.bind();
        settle(|| {
            let mut spare = Default::default();
            let y = result_shape(&mut f, x, &mut spare);
            let (m, n) = (<Output<F>>::len(&y), <Input<F>>::len(&x.shape()));
            let columns = dense.mode().pushforward_is_fast();
            let (operator, count) = if columns {
                (Operator::Pushforward, n)
            } else {
                (Operator::Pullback, m)
            };
            let seeds = one_by_one(count);
            let plan = Plan {
                operator,
                x: &x.shape(),
                y: &y,
                batch: count.clamp(1, WIDEST),
                seeds: Some(&seeds),
                lasting: false,
            };
            let view = x.view(&mut spare);
            let mut space = space(dense, &plan, f.call(), view)?;
            let mut large = Large::new(probe, count, columns);
            let mut room = Room::default();
            let mut value = f.take(&mut room);
            let slot = F::Bound::slot(&mut value, &mut room);
            let call = f.call();
            if columns {
                dense.compressed_columns(&mut space, call, view, &seeds, slot, &mut large)?;
            } else {
                dense.compressed_rows(&mut space, call, view, &seeds, slot, &mut large)?;
            }
            F::Bound::finish(&mut value, &mut room, Operator::Jacobian, &y)?;
            Ok(Pattern::from_entries((m, n), large.entries)?)
        })?
    };
    Ok(Known::new(pattern, false, Validity::ThisPoint))
}

/// The entries of the Hessian at `x` that are larger than the probe's `atol`, or NaN; see [`probe_jacobian`].
///
/// Cost: a dense Hessian, or as many products with it.
///
/// # Errors
/// Those of the dense Hessian; [`Error::Function`] if the function fails.
pub fn probe_hessian<F, B, X>(f: F, dense: &B, x: &X, probe: Probe) -> Result<Known, Error>
where
    F: Function,
    Key<F>: NumberValued,
    B: Backend<Key<F>, Matrix = Matrix<Float<F>>>,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    let pattern = if probe.whole {
        larger_than(&hessian(f, NoPrep, dense, x)?, probe)?
    } else {
        let f = f.bind();
        settle(|| {
            let mut spare = Default::default();
            let n = <Input<F>>::len(&x.shape());
            let seeds = one_by_one(n);
            let plan = Plan {
                operator: Operator::Hvp,
                x: &x.shape(),
                y: &(),
                batch: n.clamp(1, WIDEST),
                seeds: Some(&seeds),
                lasting: false,
            };
            let view = x.view(&mut spare);
            let mut space = space(dense, &plan, f.call(), view)?;
            let mut large = Large::new(probe, n, true);
            dense.compressed_hessian(&mut space, f.call(), view, &seeds, None, &mut large)?;
            Ok(Pattern::from_entries((n, n), large.entries)?)
        })?
    };
    Ok(Known::new(
        pattern.symmetrized()?,
        true,
        Validity::ThisPoint,
    ))
}

fn larger_than<R: Real>(matrix: &Matrix<R>, probe: Probe) -> Result<Pattern, Error> {
    let entries = matrix.indexed_iter();
    let entries = entries.filter(|(_, value)| !probe.is_zero(**value));
    let entries = entries.map(|(entry, _)| entry);
    Ok(Pattern::from_entries(matrix.shape(), entries)?)
}

/// What the sweeps work in.
fn space<K: Primal, B: Backend<K>>(
    dense: &B,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<Space<K, B>, Error> {
    Ok(Workspace::new(
        dense.scratch(plan, call, x)?,
        plan.x,
        plan.y,
    ))
}

/// Each line alone.
fn one_by_one(count: usize) -> Seeds {
    Seeds::new((0..count as u32).collect::<Vec<_>>())
}

/// Collects entries that are not zero.
struct Large {
    probe: Probe,
    /// Number of colors: a sweep may have more lanes.
    count: usize,
    /// Is a color a column?
    columns: bool,
    entries: Vec<(usize, usize)>,
}

impl Large {
    fn new(probe: Probe, count: usize, columns: bool) -> Self {
        Large {
            probe,
            count,
            columns,
            entries: Vec::new(),
        }
    }
}

impl<R: Real> Reader<R> for Large {
    fn take<const W: usize>(&mut self, first: usize, lines: &[[R; W]]) {
        for (line, entries) in lines.iter().enumerate() {
            for (color, value) in (first..self.count).zip(entries) {
                if !self.probe.is_zero(*value) {
                    let entry = if self.columns {
                        (line, color)
                    } else {
                        (color, line)
                    };
                    self.entries.push(entry);
                }
            }
        }
    }
}
