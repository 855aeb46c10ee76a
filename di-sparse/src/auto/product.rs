//! One product of a Jacobian, its transpose or a Hessian with a vector, in the numbers of verification.

use di_runtime::backend::Backend;
use di_runtime::capability::Operator;
use di_runtime::error::Error;
use di_runtime::function::{Call, NumberValued, Primal, Slot, XOwned, XRef, YOwned};
use di_runtime::primitive::{Plan, Space};
use di_runtime::scalar::Real;
use di_runtime::value::Family;

use crate::mixed::space;

/// Vectors and scratch of a product.
pub(super) struct Product<K: Primal, B: Backend<K>> {
    space: Box<Space<K, B>>,
    operator: Operator,
    x: XOwned<K, K::Real>,
    /// Of a Hessian.
    hessian: XOwned<K, K::Real>,
    y: YOwned<K, K::Real>,
}

impl<K: Primal, B: Backend<K>> Clone for Product<K, B> {
    fn clone(&self) -> Self {
        Product {
            space: self.space.clone(),
            operator: self.operator,
            x: self.x.clone(),
            hessian: self.hessian.clone(),
            y: self.y.clone(),
        }
    }
}

impl<K: Primal, B: Backend<K>> Product<K, B> {
    /// By a pushforward, a pullback or an hvp.
    pub(super) fn new(
        dense: &B,
        plan: &Plan<'_, K>,
        operator: Operator,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let plan = Plan { batch: 1, ..*plan };
        Ok(Product {
            space: Box::new(space(dense, &plan, operator, call, x)?),
            operator,
            x: K::X::store(plan.x, K::Real::default()),
            hessian: K::X::store(plan.x, K::Real::default()),
            y: K::Y::store(plan.y, K::Real::default()),
        })
    }

    /// With the transpose of its matrix.
    pub(super) fn transposed(
        &self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let operator = if self.is_transposed() {
            Operator::Pushforward
        } else {
            Operator::Pullback
        };
        let plan = Plan {
            operator,
            x: &self.space.x,
            y: &self.space.y,
            batch: 1,
            seeds: None,
            lasting: false,
        };
        Product::new(dense, &plan, operator, call, x)
    }

    /// With the transpose?
    pub(super) fn is_transposed(&self) -> bool {
        self.operator == Operator::Pullback
    }

    /// Lengths of the vector and of the product.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let (n, m) = (K::X::len(&self.space.x), K::Y::len(&self.space.y));
        match self.operator {
            Operator::Hvp => (n, n),
            Operator::Pullback => (m, n),
            _ => (n, m),
        }
    }

    pub(super) fn jacobian(
        &mut self,
        dense: &B,
        direction: &[f64],
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        y: Slot<'_, K, K::Real>,
    ) -> Result<(), Error> {
        if self.is_transposed() {
            write::<K::Y, K::Real>(&mut self.y, direction);
            let (from, to) = (K::Y::lanes(&self.y), K::X::lanes_mut(&mut self.x));
            dense.pullback(&mut self.space, call, x, &[from], y, &mut [to])
        } else {
            write::<K::X, K::Real>(&mut self.x, direction);
            let (from, to) = (K::X::lanes(&self.x), K::Y::lanes_mut(&mut self.y));
            dense.pushforward(&mut self.space, call, x, &[from], y, &mut [to])
        }
    }

    pub(super) fn hessian(
        &mut self,
        dense: &B,
        direction: &[f64],
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: NumberValued,
    {
        write::<K::X, K::Real>(&mut self.x, direction);
        let from = K::X::lanes(&self.x);
        let to = K::X::lanes_mut(&mut self.hessian);
        dense.hvp(&mut self.space, call, x, &[from], None, &mut [to])?;
        Ok(())
    }

    /// The product that was computed last, line by line.
    pub(super) fn read(&self, take: impl FnMut(usize, f64)) {
        match self.operator {
            Operator::Hvp => read::<K::X, K::Real>(&self.hessian, take),
            Operator::Pullback => read::<K::X, K::Real>(&self.x, take),
            _ => read::<K::Y, K::Real>(&self.y, take),
        }
    }
}

fn write<F: Family, R: Real>(storage: &mut F::Owned<R>, direction: &[f64]) {
    let mut entries = direction.iter();
    F::each_mut(F::lanes_mut(storage), &mut |to: &mut R| {
        if let Some(v) = entries.next() {
            *to = R::from_f64(*v);
        }
    });
}

fn read<F: Family, R: Real>(storage: &F::Owned<R>, mut take: impl FnMut(usize, f64)) {
    let mut lines = 0..;
    F::each(F::lanes(storage), &mut |v: R| {
        if let Some(line) = lines.next() {
            take(line, v.to_f64());
        }
    });
}
