//! Engineer: RK4 for a driven Duffing oscillator, fn pointer for the right-hand side.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod sim {
    #[derive(Debug, Clone, Copy)]
    pub struct Params {
        pub delta: f64,
        pub alpha: f64,
        pub beta: f64,
        pub gamma: f64,
    }

    #[derive(Debug, Clone, Copy)]
    pub struct State {
        pub x: f64,
        pub v: f64,
    }

    impl State {
        pub fn add_scaled(self, d: State, h: f64) -> State {
            State { x: self.x + h * d.x, v: self.v + h * d.v }
        }
    }

    fn deriv(t: f64, s: State, p: &Params) -> State {
        State { x: s.v, v: -p.delta * s.v - p.alpha * s.x - p.beta * s.x.powi(3) + p.gamma * (1.2 * t).cos() }
    }

    fn rk4_step(f: fn(f64, State, &Params) -> State, t: f64, s: State, p: &Params, h: f64) -> State {
        let k1 = f(t, s, p);
        let k2 = f(t + 0.5 * h, s.add_scaled(k1, 0.5 * h), p);
        let k3 = f(t + 0.5 * h, s.add_scaled(k2, 0.5 * h), p);
        let k4 = f(t + h, s.add_scaled(k3, h), p);
        let dx = (k1.x + 2.0 * k2.x + 2.0 * k3.x + k4.x) / 6.0;
        let dv = (k1.v + 2.0 * k2.v + 2.0 * k3.v + k4.v) / 6.0;
        State { x: s.x + h * dx, v: s.v + h * dv }
    }

    pub fn final_energy(p: &Params) -> f64 {
        let mut s = State { x: 1.0, v: 0.0 };
        let h = 0.01;
        let mut t = 0.0;
        while t < 5.0 {
            s = rk4_step(deriv, t, s, p, h);
            t += h;
        }
        0.5 * s.v * s.v + 0.5 * p.alpha * s.x * s.x + 0.25 * p.beta * s.x.powi(4)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = sim::Params { delta: 0.2, alpha: -1.0, beta: 1.0, gamma: 0.3 };
    let g = gradient(sim::final_energy::AD, NoPrep, &AutoSource::new(), &p)?;
    let f = |x: &[f64]| sim::final_energy(&sim::Params { delta: x[0], alpha: x[1], beta: x[2], gamma: x[3] });
    check("03", &[g.delta, g.alpha, g.beta, g.gamma], &fd(f, &[0.2, -1.0, 1.0, 0.3]));
    Ok(())
}
