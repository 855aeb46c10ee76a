//! A generic integrator: `System` trait with an associated state, three methods; stirred honey in tea.
use di::prelude::*;

#[differentiable]
mod sim {
    pub trait System<const N: usize> {
        fn rhs(&self, t: f64, y: &[f64; N]) -> [f64; N];
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Method {
        Euler,
        Heun,
        Rk4,
    }

    fn axpy<const N: usize>(y: &[f64; N], h: f64, k: &[f64; N]) -> [f64; N] {
        let mut out = *y;
        out.iter_mut().zip(k).for_each(|(o, k)| *o += h * k);
        out
    }

    pub fn integrate<S: System<N>, const N: usize>(sys: &S, y0: [f64; N], end: f64, steps: usize, method: Method) -> [f64; N] {
        let h = end / steps as f64;
        (0..steps).fold(y0, |y, i| {
            let t = i as f64 * h;
            let k1 = sys.rhs(t, &y);
            match method {
                Method::Euler => axpy(&y, h, &k1),
                Method::Heun => {
                    let k2 = sys.rhs(t + h, &axpy(&y, h, &k1));
                    axpy(&axpy(&y, 0.5 * h, &k1), 0.5 * h, &k2)
                }
                Method::Rk4 => {
                    let k2 = sys.rhs(t + 0.5 * h, &axpy(&y, 0.5 * h, &k1));
                    let k3 = sys.rhs(t + 0.5 * h, &axpy(&y, 0.5 * h, &k2));
                    let k4 = sys.rhs(t + h, &axpy(&y, h, &k3));
                    let mut out = y;
                    for i in 0..N {
                        out[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
                    }
                    out
                }
            }
        })
    }

    #[derive(Clone, Debug)]
    pub struct Tea {
        pub cooling: f64,
        pub dissolve: f64,
        pub stir: f64,
    }

    impl System<3> for Tea {
        fn rhs(&self, t: f64, &[temp, honey, sugar]: &[f64; 3]) -> [f64; 3] {
            let rate = self.dissolve * (0.03 * (temp - 60.0)).exp() * (1.0 + self.stir * (0.5 * t).sin().powi(2));
            let flow = rate * honey.max(0.0).powf(2.0 / 3.0);
            [-self.cooling * (temp - 20.0), -flow, flow]
        }
    }

    pub fn sweetness(tea: &Tea, method: Method) -> f64 {
        let [temp, _, sugar] = integrate(tea, [90.0, 10.0, 0.0], 6.0, 40, method);
        sugar / (1.0 + 0.01 * (temp - 55.0).powi(2))
    }
}
use sim::{Method, Tea, sweetness};

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.05, 0.3, 1.5];
    let mk = |x: &[f64]| Tea { cooling: x[0], dissolve: x[1], stir: x[2] };
    for m in [Method::Euler, Method::Heun, Method::Rk4] {
        let g = gradient(sweetness::AD.with(m), NoPrep, &AutoSource::new(), &mk(&x))?;
        super::check_of(&format!("{m:?}"), &[g.cooling, g.dissolve, g.stir], &x, |x| sweetness(&mk(x), m));
    }
    Ok(())
}
