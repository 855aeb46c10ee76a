//! Experienced: Ode trait with associated State type and generic integrators.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod ode {
    pub trait System<const N: usize> {
        fn rhs(&self, t: f64, y: &[f64; N]) -> [f64; N];
    }
    pub trait Method {
        fn step<const N: usize, S: System<N>>(s: &S, t: f64, y: [f64; N], h: f64) -> [f64; N];
    }

    pub struct Heun;
    pub struct Midpoint;

    fn axpy<const N: usize>(y: &[f64; N], h: f64, k: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|i| y[i] + h * k[i])
    }

    impl Method for Heun {
        fn step<const N: usize, S: System<N>>(s: &S, t: f64, y: [f64; N], h: f64) -> [f64; N] {
            let k1 = s.rhs(t, &y);
            let k2 = s.rhs(t + h, &axpy(&y, h, &k1));
            std::array::from_fn(|i| y[i] + 0.5 * h * (k1[i] + k2[i]))
        }
    }
    impl Method for Midpoint {
        fn step<const N: usize, S: System<N>>(s: &S, t: f64, y: [f64; N], h: f64) -> [f64; N] {
            let k1 = s.rhs(t, &y);
            axpy(&y, h, &s.rhs(t + 0.5 * h, &axpy(&y, 0.5 * h, &k1)))
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct VanDerPol {
        pub mu: f64,
    }
    impl System<2> for VanDerPol {
        fn rhs(&self, _t: f64, &[x, v]: &[f64; 2]) -> [f64; 2] {
            [v, self.mu * (1.0 - x * x) * v - x]
        }
    }
    #[derive(Clone, Copy, Debug)]
    pub struct Rossler {
        pub a: f64,
        pub b: f64,
        pub c: f64,
    }
    impl System<3> for Rossler {
        fn rhs(&self, _: f64, y: &[f64; 3]) -> [f64; 3] {
            [-y[1] - y[2], y[0] + self.a * y[1], self.b + y[2] * (y[0] - self.c)]
        }
    }

    fn integrate<M: Method, S: System<N>, const N: usize>(s: &S, y0: [f64; N], steps: usize, h: f64) -> [f64; N] {
        (0..steps).fold(y0, |y, i| M::step(s, i as f64 * h, y, h))
    }

    pub fn vdp_end(s: &VanDerPol, y0: [f64; 2]) -> f64 {
        let y = integrate::<Heun, _, 2>(s, y0, 100, 0.02);
        y[0] * y[1]
    }
    pub fn rossler_end(s: &Rossler) -> f64 {
        integrate::<Midpoint, Rossler, 3>(s, [1.0, 1.0, 0.0], 200, 0.01).iter().map(|y| y * y).sum()
    }
}
use ode::*;

pub(super) fn main() -> Result<(), di::Error> {
    let b = AutoSource::new();
    let (g, gy) = gradient(vdp_end::AD, NoPrep, &b, &(VanDerPol { mu: 1.5 }, [1.0, 0.5]))?;
    check("52a", &[g.mu, gy[0], gy[1]], &fd(|x| vdp_end(&VanDerPol { mu: x[0] }, [x[1], x[2]]), &[1.5, 1.0, 0.5]));
    let g = gradient(rossler_end::AD, NoPrep, &b, &Rossler { a: 0.2, b: 0.2, c: 5.7 })?;
    check("52b", &[g.a, g.b, g.c], &fd(|x| rossler_end(&Rossler { a: x[0], b: x[1], c: x[2] }), &[0.2, 0.2, 5.7]));
    Ok(())
}
