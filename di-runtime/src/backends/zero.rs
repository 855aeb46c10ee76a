//! `AutoZero`: right values, and zeros for derivatives. What it costs is what the interface costs.

use ndarray::Array2;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode};
use crate::error::Error;
use crate::function::{
    Call, NumberValued, Primal, Slot, XLanes, XLanesMut, XRef, YLanes, YLanesMut,
};
use crate::primitive::{Plan, Space};
use crate::rules::zero;
use crate::value::Family;

use super::sweep::{Values, env};

/// All derivatives are zero. For tests and benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoZero {
    mode: Mode,
}

impl AutoZero {
    /// As a forward engine.
    pub fn forward() -> Self {
        AutoZero {
            mode: Mode::Forward,
        }
    }

    /// As a reverse engine.
    pub fn reverse() -> Self {
        AutoZero {
            mode: Mode::Reverse,
        }
    }
}

impl Capabilities for AutoZero {
    fn name(&self) -> &'static str {
        "AutoZero"
    }
    fn mode(&self) -> Mode {
        self.mode
    }
}

/// Caches.
pub struct Scratch<K: Primal>(Values<K, K::Real>);

impl<K: Primal> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch(self.0.clone())
    }
}

impl<K: Primal> Backend<K> for AutoZero {
    type Scratch = Scratch<K>;
    type Matrix = Array2<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        Ok(Scratch(Values::new(plan.y, call)))
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Array2<K::Real> {
        Array2::default((rows, columns))
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        _dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        K::primal(
            env(call, &mut space.scratch.0.caches, &mut space.scratch.0.pool),
            x,
            y,
        );
        for dy in dy {
            K::Y::each_mut(K::Y::reborrow_lanes(dy), &mut |v: &mut K::Real| *v = zero());
        }
        Ok(())
    }

    fn pullback(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        _dy: &[YLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dx: &mut [XLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        K::primal(
            env(call, &mut space.scratch.0.caches, &mut space.scratch.0.pool),
            x,
            y,
        );
        for dx in dx {
            K::X::each_mut(K::X::reborrow_lanes(dx), &mut |v: &mut K::Real| *v = zero());
        }
        Ok(())
    }

    #[inline]
    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let mut y = zero();
        K::primal(
            env(call, &mut space.scratch.0.caches, &mut space.scratch.0.pool),
            x,
            &mut y,
        );
        K::X::each_mut(g, &mut |v: &mut K::Real| *v = zero());
        Ok(y)
    }
}
