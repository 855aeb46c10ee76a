//! A derivative in a random direction, computed without the pattern and compared with what the entries make of it.

use di_runtime::backend::Backend;
use di_runtime::capability::Operator;
use di_runtime::error::Error;
use di_runtime::function::{Call, NumberValued, Primal, Slot, XOwned, XRef, YOwned};
use di_runtime::primitive::{Plan, Space};
use di_runtime::scalar::Real;
use di_runtime::value::Family;

use super::structure::Structure;
use crate::Layout;
use crate::mixed::space;

/// What verification works in.
pub(super) struct Check<K: Primal, B: Backend<K>> {
    space: Box<Space<K, B>>,
    /// By a pullback instead of a pushforward.
    transposed: bool,
    x: XOwned<K, K::Real>,
    /// For Hessians.
    product: XOwned<K, K::Real>,
    y: YOwned<K, K::Real>,
    /// The direction, the derivative, and what the entries make of it with its size.
    direction: Vec<f64>,
    derivative: Vec<f64>,
    sums: Vec<(f64, f64)>,
}

impl<K: Primal, B: Backend<K>> Clone for Check<K, B> {
    fn clone(&self) -> Self {
        Check {
            space: self.space.clone(),
            transposed: self.transposed,
            x: self.x.clone(),
            product: self.product.clone(),
            y: self.y.clone(),
            direction: self.direction.clone(),
            derivative: self.derivative.clone(),
            sums: self.sums.clone(),
        }
    }
}

/// Differences that are larger than this, beside the sum of absolute values, are no errors of rounding; engines that
/// take differences are as good as that.
fn tolerance<R: Real>() -> f64 {
    R::EPSILON.to_f64().sqrt().sqrt()
}

impl<K: Primal, B: Backend<K>> Check<K, B> {
    pub(super) fn new(
        dense: &B,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let transposed = plan.operator == Operator::Jacobian
            && !(B::HAS_PUSHFORWARD && dense.mode().pushforward_is_fast());
        let operator = match plan.operator {
            Operator::Hessian => Operator::Hvp,
            _ if transposed => Operator::Pullback,
            _ => Operator::Pushforward,
        };
        let plan = Plan { batch: 1, ..*plan };
        let (n, m) = (K::X::len(plan.x), K::Y::len(plan.y));
        let (from, to) = if transposed { (m, n) } else { (n, m) };
        let to = if operator == Operator::Hvp { n } else { to };
        Ok(Check {
            space: Box::new(space(dense, &plan, operator, call, x)?),
            transposed,
            x: K::X::store(plan.x, K::Real::default()),
            product: K::X::store(plan.x, K::Real::default()),
            y: K::Y::store(plan.y, K::Real::default()),
            direction: direction(from),
            derivative: vec![0.0; to],
            sums: vec![(0.0, 0.0); to],
        })
    }

    pub(super) fn jacobian(
        &mut self,
        dense: &B,
        layout: &Layout,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
        values: &[K::Real],
    ) -> Result<(), Error> {
        if self.transposed {
            write::<K::Y, K::Real>(&mut self.y, &self.direction);
            let from = K::Y::lanes(&self.y);
            let to = K::X::lanes_mut(&mut self.x);
            dense.pullback(&mut self.space, call, x, &[from], y, &mut [to])?;
            read::<K::X, K::Real>(&self.x, &mut self.derivative);
        } else {
            write::<K::X, K::Real>(&mut self.x, &self.direction);
            let from = K::X::lanes(&self.x);
            let to = K::Y::lanes_mut(&mut self.y);
            dense.pushforward(&mut self.space, call, x, &[from], y, &mut [to])?;
            read::<K::Y, K::Real>(&self.y, &mut self.derivative);
        }
        self.sums.fill((0.0, 0.0));
        for ((i, j), value) in layout.triplets().zip(values) {
            let (to, from) = if self.transposed { (j, i) } else { (i, j) };
            add(&mut self.sums[to], value.to_f64() * self.direction[from]);
        }
        self.compare()
    }

    pub(super) fn hessian(
        &mut self,
        dense: &B,
        structure: &Structure,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        values: &[K::Real],
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        write::<K::X, K::Real>(&mut self.x, &self.direction);
        let from = K::X::lanes(&self.x);
        let to = K::X::lanes_mut(&mut self.product);
        dense.hvp(&mut self.space, call, x, &[from], None, &mut [to])?;
        read::<K::X, K::Real>(&self.product, &mut self.derivative);
        self.sums.fill((0.0, 0.0));
        let layout = structure.layout();
        let half = layout.len() < structure.sparsity_pattern().len();
        for ((i, j), value) in layout.triplets().zip(values) {
            add(&mut self.sums[i], value.to_f64() * self.direction[j]);
            if half && i != j {
                add(&mut self.sums[j], value.to_f64() * self.direction[i]);
            }
        }
        self.compare()
    }

    fn compare(&self) -> Result<(), Error> {
        let tolerance = tolerance::<K::Real>();
        let sizes = self.sums.iter().map(|(_, size)| *size);
        let largest = sizes.filter(|size| size.is_finite()).fold(0.0, f64::max);
        for (line, (found, (sum, size))) in self.derivative.iter().zip(&self.sums).enumerate() {
            let bound = tolerance * (size + found.abs()) + 1e-3 * tolerance * largest;
            // what is no number says nothing
            if (found - sum).abs() > bound {
                return Err(crate::Error::Verification { line }.into());
            }
        }
        Ok(())
    }
}

fn add((sum, size): &mut (f64, f64), term: f64) {
    *sum += term;
    *size += term.abs();
}

fn write<F: Family, R: Real>(storage: &mut F::Owned<R>, direction: &[f64]) {
    let mut entries = direction.iter();
    F::each_mut(F::lanes_mut(storage), &mut |to: &mut R| {
        if let Some(v) = entries.next() {
            *to = R::from_f64(*v);
        }
    });
}

fn read<F: Family, R: Real>(storage: &F::Owned<R>, derivative: &mut [f64]) {
    let mut entries = derivative.iter_mut();
    F::each(F::lanes(storage), &mut |v: R| {
        if let Some(to) = entries.next() {
            *to = v.to_f64();
        }
    });
}

/// Numbers between 0.5 and 1.5, of either sign; always the same, so that a failure can be repeated.
fn direction(n: usize) -> Vec<f64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let size = 0.5 + (state >> 11) as f64 / (1u64 << 53) as f64;
        if state & 1 == 0 { size } else { -size }
    };
    // exactly representable in single precision, so that both sides use the same numbers
    (0..n).map(|_| f64::from(next() as f32)).collect()
}
