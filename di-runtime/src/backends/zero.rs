//! `AutoZero`: right values, and zeros for derivatives. What it costs is what the interface costs.

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode};
use crate::error::Error;
use crate::function::{Call, Primal, Slot, XRef};
use crate::matrix::Matrix;
use crate::primitive::{Plan, Space};
use crate::rules::zero;
use crate::value::Family;

use super::methods::methods;
use super::sweep::{Values, env};

/// All derivatives are zero. For tests and benchmarks: each operator costs one evaluation and the zeros.
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

/// The value, and zeros.
macro_rules! zeros {
    ($self:ident, $space:ident, gradient, $call:ident, $x:ident, $g:ident) => {{
        let mut y = zero();
        value($space, $call, $x, &mut y);
        K::X::each_mut($g, &mut |v: &mut K::Real| *v = zero());
        Ok(y)
    }};
    ($self:ident, $space:ident, pushforward, $call:ident, $x:ident, $dx:ident, $y:ident, $dy:ident) => {{
        let _ = $dx;
        value($space, $call, $x, $y);
        for dy in $dy {
            K::Y::each_mut(K::Y::reborrow_lanes(dy), &mut |v: &mut K::Real| *v = zero());
        }
        Ok(())
    }};
    ($self:ident, $space:ident, pullback, $call:ident, $x:ident, $dy:ident, $y:ident, $dx:ident) => {{
        let _ = $dy;
        value($space, $call, $x, $y);
        for dx in $dx {
            K::X::each_mut(K::X::reborrow_lanes(dx), &mut |v: &mut K::Real| *v = zero());
        }
        Ok(())
    }};
    ($self:ident, $space:ident, jacobian, $call:ident, $x:ident, $y:ident, $j:ident) => {{
        value($space, $call, $x, $y);
        $j.fill(zero());
        Ok(())
    }};
    ($self:ident, $space:ident, second_derivative, $call:ident, $x:ident, $y:ident, $dy:ident, $ddy:ident) => {{
        value($space, $call, $x, $y);
        K::Y::each_mut($dy, &mut |v: &mut K::Real| *v = zero());
        K::Y::each_mut($ddy, &mut |v: &mut K::Real| *v = zero());
        Ok(())
    }};
    ($self:ident, $space:ident, hvp, $call:ident, $x:ident, $dx:ident, $g:ident, $products:ident) => {{
        let _ = $dx;
        let mut y = zero();
        value($space, $call, $x, &mut y);
        if let Some(g) = $g {
            K::X::each_mut(g, &mut |v: &mut K::Real| *v = zero());
        }
        for product in $products {
            K::X::each_mut(K::X::reborrow_lanes(product), &mut |v: &mut K::Real| {
                *v = zero()
            });
        }
        Ok(y)
    }};
    ($self:ident, $space:ident, hessian, $call:ident, $x:ident, $g:ident, $h:ident) => {{
        let mut y = zero();
        value($space, $call, $x, &mut y);
        if let Some(g) = $g {
            K::X::each_mut(g, &mut |v: &mut K::Real| *v = zero());
        }
        $h.fill(zero());
        Ok(y)
    }};
}

#[inline]
fn value<K: Primal>(
    space: &mut Space<K, AutoZero>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    y: Slot<'_, K, K::Real>,
) {
    let values = &mut space.scratch.0;
    K::primal(env(call, &mut values.caches, &mut values.pool), x, y);
}

impl<K: Primal> Backend<K> for AutoZero {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = true;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        Ok(Scratch(Values::new(plan.y, call.form())))
    }

    methods!(zeros: matrix pushforward pullback gradient jacobian second_derivative hvp hessian);
}
