//! A backend of another kind: one primitive, from which all operators of first order are derived.

use di::Matrix;
use di::extend::{
    Backend, CachesOwned, Call, Env, Family, Kind, Plan, Primal, Scalar, Slot, Space, XLanes,
    XOwned, XRef, YLanesMut, YOwned,
};
use di::{Capabilities, Error, Mode, Operator};
/// Forward differences with one fixed step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoSteps(pub f64);

impl Capabilities for AutoSteps {
    fn name(&self) -> &'static str {
        "AutoSteps"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    fn accuracy(&self, _: Operator) -> f64 {
        100.0 * self.0
    }
}

/// Everything that is allocated, once.
pub struct Scratch<K: Primal> {
    x: XOwned<K, f64>,
    ahead: YOwned<K, f64>,
    caches: CachesOwned<K, f64>,
}

impl<K: Primal<Real = f64>> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            x: self.x.clone(),
            ahead: self.ahead.clone(),
            caches: self.caches.clone(),
        }
    }
}

impl<K: Primal<Real = f64>> Backend<K> for AutoSteps {
    type Scratch = Scratch<K>;
    type Matrix = Matrix;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, f64>,
    ) -> Result<Scratch<K>, Error> {
        let caches = K::Caches::shape::<f64>(K::caches(call.ctx));
        Ok(Scratch {
            x: K::X::store(plan.x, 0.0),
            ahead: K::Y::store(plan.y, 0.0),
            caches: K::Caches::store(&caches, 0.0),
        })
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Matrix {
        Matrix::zeros((rows, columns))
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, f64>,
        dx: &[XLanes<'_, K, f64>],
        mut y: Slot<'_, K, f64>,
        dy: &mut [YLanesMut<'_, K, f64>],
    ) -> Result<(), Error> {
        let Scratch {
            x: moved,
            ahead,
            caches,
        } = &mut space.scratch;
        K::primal(env!(call, caches), x, K::Kind::again::<K::Y, f64>(&mut y));
        for (dx, dy) in dx.iter().zip(dy) {
            K::X::zip_values(K::X::lanes_mut(moved), x, &mut |to: &mut f64, v| *to = v);
            let step = self.0;
            K::X::zip(K::X::lanes_mut(moved), *dx, &mut |to: &mut f64, v: f64| {
                *to += step * v
            });
            let there = K::X::get(moved, K::X::shorten::<f64>(x));
            K::primal(env!(call, caches), there, K::Kind::slot::<K::Y, f64>(ahead));
            let copy = &mut |to: &mut f64, v: f64| *to = v;
            K::Y::zip(K::Y::reborrow_lanes(dy), K::Y::lanes(ahead), copy);
            let here = K::Kind::result::<K::Y, f64>(&y);
            let slope = &mut |to: &mut f64, v: f64| *to = (*to - v).div_real(step);
            K::Y::zip(K::Y::reborrow_lanes(dy), here, slope);
        }
        Ok(())
    }
}

/// A call on floats. Local vectors of generated code have new buffers in each; a backend that keeps a pool saves
/// that.
macro_rules! env {
    ($call:ident, $caches:ident) => {
        Env {
            ctx: $call.ctx,
            fixed: K::Fixed::shorten::<f64>($call.fixed),
            caches: &mut *$caches,
            pool: &mut Default::default(),
        }
    };
}
use env;
