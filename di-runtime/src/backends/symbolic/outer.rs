//! Expressions of what an inner engine computes: its derivatives are traced, and differentiated once more.

use crate::backend::Backend;
use crate::error::Error;
use crate::function::{
    Call, Generic, NumberValued, OfNumber, Slot, XLanes, XLanesMut, XRef, YLanesMut, YShape,
};
use crate::matrix::Matrix;
use crate::primitive::Plan;
use crate::second_order::{Nested, Outer};
use crate::value::Family;

use super::super::level::Level;
use super::engine::{Engine, Work, load};
use super::{AutoSymbolic, Symbol};

/// Scratch of expressions over an inner engine.
pub struct Scratch<K: Generic, I: Nested<K>> {
    engine: Engine<K>,
    level: Level<K, Symbol<K::Real>, I>,
}

impl<K: Generic, I: Nested<K>> Clone for Scratch<K, I> {
    fn clone(&self) -> Self {
        Scratch {
            engine: self.engine.clone(),
            level: self.level.clone(),
        }
    }
}

/// The inner engine's gradient on symbols.
struct Gradient<'a, K: Generic, I: Nested<K>>(&'a mut Level<K, Symbol<K::Real>, I>, &'a I);

impl<K: Generic + NumberValued, I: Nested<K>> Work<K> for Gradient<'_, K, I> {
    fn load(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        to: &mut impl FnMut(&mut Symbol<K::Real>, K::Real),
    ) {
        load(&mut self.0.lifted, call, x, to);
    }
    fn run(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        result: &mut impl FnMut(Symbol<K::Real>),
    ) {
        result(self.0.gradient(self.1, call, x));
        K::X::each(K::X::lanes(&self.0.g), result);
    }
    fn shape(&self) -> YShape<K> {}
}

/// The inner engine's derivative on symbols.
struct Derivative<'a, K: Generic, I: Nested<K>>(&'a mut Level<K, Symbol<K::Real>, I>, &'a I);

impl<K: Generic + OfNumber, I: Nested<K>> Work<K> for Derivative<'_, K, I> {
    fn load(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        to: &mut impl FnMut(&mut Symbol<K::Real>, K::Real),
    ) {
        load(&mut self.0.lifted, call, x, to);
    }
    fn run(
        &mut self,
        call: Call<'_, K>,
        _: XRef<'_, K, K::Real>,
        result: &mut impl FnMut(Symbol<K::Real>),
    ) {
        let x = self.0.lifted.x;
        self.0.derivative(self.1, call, x);
        K::Y::each(K::Y::lanes(&self.0.lifted.values.y), result);
        K::Y::each(K::Y::lanes(&self.0.dy), result);
    }
    fn shape(&self) -> YShape<K> {
        K::Y::shape_of(&self.0.lifted.values.y)
    }
}

impl<K: Generic, I: Nested<K> + Backend<K>> Outer<K, I> for AutoSymbolic {
    type Scratch = Scratch<K, I>;

    /// Tracing is for the first call, which a prep makes.
    fn scratch(
        &self,
        inner: &I,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K, I>, Error> {
        Ok(Scratch {
            engine: Engine::new(plan.operator, self.factored, true, plan.x, plan.y),
            level: Level::new(inner, plan, call),
        })
    }

    fn second_derivative(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: K::Real,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) -> Result<(), Error>
    where
        K: OfNumber,
    {
        let Scratch { engine, level } = scratch;
        engine.evaluate(&mut Derivative(level, inner), call, x)?;
        engine.write_second_derivative(y, dy, ddy);
        Ok(())
    }

    fn hvp(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch { engine, level } = scratch;
        engine.evaluate(&mut Gradient(level, inner), call, x)?;
        Ok(engine.write_products(dx, g, products))
    }

    fn hessian(
        &self,
        inner: &I,
        scratch: &mut Scratch<K, I>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch { engine, level } = scratch;
        engine.evaluate(&mut Gradient(level, inner), call, x)?;
        Ok(engine.write_hessian(g, h))
    }
}
