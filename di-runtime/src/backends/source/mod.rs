//! `AutoSource`: the code that `#[differentiable]` generated.

use ndarray::Array2;

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode};
use crate::error::Error;
use crate::function::{Call, NumberValued, Source, XLanesMut, XRef};
use crate::primitive::{Plan, Space};
use crate::rules::{one, zero};
use crate::value::Family;

use super::sweep::{Memory, Tangents, Values, env};

/// Generated forward and reverse code, chosen by operator and shape unless told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AutoSource {
    only: Option<Mode>,
}

impl AutoSource {
    /// Forward or reverse, whichever suits operator and shape.
    pub fn new() -> Self {
        AutoSource::default()
    }

    /// Tangent code only.
    pub fn forward(self) -> Self {
        AutoSource {
            only: Some(Mode::Forward),
        }
    }

    /// Adjoint code only.
    pub fn reverse(self) -> Self {
        AutoSource {
            only: Some(Mode::Reverse),
        }
    }
}

impl Capabilities for AutoSource {
    fn name(&self) -> &'static str {
        "AutoSource"
    }
    fn mode(&self) -> Mode {
        self.only.unwrap_or(Mode::ForwardOrReverse)
    }
    fn batch(&self, n: usize) -> usize {
        crate::batch::even_batch(n, 8)
    }
}

/// Scratch of generated code.
pub struct Scratch<K: Source> {
    values: Values<K, K::Real>,
    memory: Memory<K::Real>,
    adjoints: Tangents<K, K::Real>,
}

impl<K: Source> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            values: self.values.clone(),
            memory: self.memory.clone(),
            adjoints: self.adjoints.clone(),
        }
    }
}

impl<K: Source> Backend<K> for AutoSource {
    type Scratch = Scratch<K>;
    type Matrix = Array2<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;
    const WARMS_UP: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        Ok(Scratch {
            values: Values::new(plan.y, call),
            memory: Memory::new::<K>(),
            adjoints: Tangents::of_caches(call),
        })
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Array2<K::Real> {
        Array2::default((rows, columns))
    }

    #[inline]
    fn gradient(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut g: XLanesMut<'_, K, K::Real>,
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Scratch {
            values,
            memory,
            adjoints,
        } = &mut space.scratch;
        K::X::each_mut::<K::Real>(K::X::reborrow_lanes(&mut g), &mut |g| *g = zero());
        adjoints.clear_caches();
        memory.tape.reset();
        let mut y = zero::<K::Real>();
        K::fused::<K::Real, K::Real>(
            env(call, &mut values.caches),
            x,
            g,
            &mut adjoints.caches,
            &mut y,
            one::<K::Real>(),
            &mut memory.tape,
            &mut adjoints.pool,
        );
        Ok(y)
    }
}
