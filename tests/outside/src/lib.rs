//! A backend of its own: extrapolated differences, for any function that can be run.
//!
//! All that a backend needs is in [`di::extend`]: say what you can do ([`di::Capabilities`]), say what you keep
//! between calls ([`Backend::Scratch`]), and write one primitive. The other operators come from it.

use di::Matrix;
use di::extend::{Backend, Call, Env, Family, Kind, Plan, Primal, Real, Slot, Space, XLanes, XRef};
use di::extend::{CachesOwned, Pool, XOwned, YLanesMut, YOwned};
use di::{Capabilities, Error, Mode, Operator};

/// Central differences at two steps, extrapolated to step zero (Richardson, 1911).
///
/// Four evaluations for each tangent; functions may have contexts and may write their result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoRichardson {
    step: f64,
}

impl AutoRichardson {
    /// With steps of this size and half of it.
    pub fn new(step: f64) -> Self {
        AutoRichardson { step }
    }
}

impl Capabilities for AutoRichardson {
    fn name(&self) -> &'static str {
        "AutoRichardson"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    /// It does not nest.
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    /// Truncation of fourth order, and cancellation; the kit compares to this accuracy.
    fn accuracy(&self, _: Operator) -> f64 {
        100.0 * (self.step.powi(4) + f64::EPSILON / self.step)
    }
}

/// What a prep keeps: a point beside `x`, results at two points, scratch of the function.
pub struct Scratch<K: Primal> {
    x: XOwned<K, K::Real>,
    ahead: YOwned<K, K::Real>,
    behind: YOwned<K, K::Real>,
    caches: CachesOwned<K, K::Real>,
    pool: Pool,
}

impl<K: Primal> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            x: self.x.clone(),
            ahead: self.ahead.clone(),
            behind: self.behind.clone(),
            caches: self.caches.clone(),
            pool: Pool::new(),
        }
    }
}

impl<K: Primal> Scratch<K> {
    /// `f` at `x + h dx`, to `ahead` or `behind`.
    fn evaluate(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: XLanes<'_, K, K::Real>,
        h: K::Real,
        ahead: bool,
    ) {
        let Scratch { caches, pool, .. } = self;
        let point = &mut self.x;
        K::X::zip_values(K::X::lanes_mut(point), x, &mut |to: &mut K::Real, v| {
            *to = v
        });
        K::X::zip(
            K::X::lanes_mut(point),
            dx,
            &mut |to: &mut K::Real, d: K::Real| *to = *to + h * d,
        );
        let y = if ahead {
            &mut self.ahead
        } else {
            &mut self.behind
        };
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::shorten(call.fixed),
            caches,
            pool,
        };
        K::primal(
            env,
            K::X::get(point, K::X::shorten::<K::Real>(x)),
            K::Kind::slot::<K::Y, K::Real>(y),
        );
    }
}

impl<K: Primal> Backend<K> for AutoRichardson {
    type Scratch = Scratch<K>;
    type Matrix = Matrix<K::Real>;
    const HAS_PUSHFORWARD: bool = true;
    const HAS_PULLBACK: bool = false;

    fn scratch(
        &self,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
        _x: XRef<'_, K, K::Real>,
    ) -> Result<Scratch<K>, Error> {
        let zero = K::Real::default();
        let caches = K::Caches::shape::<K::Real>(K::caches(call.ctx));
        Ok(Scratch {
            x: K::X::store(plan.x, zero),
            ahead: K::Y::store(plan.y, zero),
            behind: K::Y::store(plan.y, zero),
            caches: K::Caches::store(&caches, zero),
            pool: Pool::new(),
        })
    }

    fn matrix(&self, _: &Scratch<K>, rows: usize, columns: usize) -> Matrix<K::Real> {
        Matrix::zeros((rows, columns))
    }

    fn pushforward(
        &self,
        space: &mut Space<K, Self>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        dx: &[XLanes<'_, K, K::Real>],
        y: Slot<'_, K, K::Real>,
        dy: &mut [YLanesMut<'_, K, K::Real>],
    ) -> Result<(), Error> {
        let scratch = &mut space.scratch;
        let c = K::Real::from_f64;
        for (dx, dy) in dx.iter().zip(dy) {
            K::Y::each_mut(K::Y::reborrow_lanes(dy), &mut |v: &mut K::Real| *v = c(0.0));
            // The point moves by one step, however long the tangent is.
            let mut size = 0.0_f64;
            K::X::each(*dx, &mut |d: K::Real| size = size.max(d.to_f64().abs()));
            let step = if size > 0.0 {
                self.step / size
            } else {
                self.step
            };
            // (4 D(h/2) - D(h)) / 3, of differences over twice the step.
            for (h, weight) in [(step, -1.0 / 6.0), (0.5 * step, 2.0 / 3.0)] {
                let factor = c(weight / h);
                for (sign, ahead) in [(1.0, true), (-1.0, false)] {
                    scratch.evaluate(call, x, *dx, c(sign * h), ahead);
                }
                let lanes = |y| K::Y::lanes::<K::Real>(y);
                K::Y::zip(
                    K::Y::reborrow_lanes(dy),
                    lanes(&scratch.ahead),
                    &mut |d: &mut K::Real, v| {
                        *d = *d + factor * v;
                    },
                );
                K::Y::zip(
                    K::Y::reborrow_lanes(dy),
                    lanes(&scratch.behind),
                    &mut |d: &mut K::Real, v| {
                        *d = *d - factor * v;
                    },
                );
            }
        }
        // The value last, where it belongs.
        let env = Env {
            ctx: call.ctx,
            fixed: K::Fixed::shorten(call.fixed),
            caches: &mut scratch.caches,
            pool: &mut scratch.pool,
        };
        K::primal(env, x, y);
        Ok(())
    }
}
