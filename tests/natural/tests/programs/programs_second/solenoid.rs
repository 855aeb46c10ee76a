//! Solenoid actuator: magnetic circuit with saturation, RK4 for current, position, speed.
use di::prelude::*;

#[differentiable]
mod sol {
    #[derive(Clone, Copy)]
    pub struct Params {
        pub turns: f64,
        pub resistance: f64,
        pub mass: f64,
        pub spring: f64,
    }

    #[derive(Clone, Copy, Default)]
    pub struct State {
        pub flux: f64,
        pub x: f64,
        pub v: f64,
    }

    impl std::ops::Add for State {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self { flux: self.flux + o.flux, x: self.x + o.x, v: self.v + o.v }
        }
    }
    impl std::ops::Mul<f64> for State {
        type Output = Self;
        fn mul(self, k: f64) -> Self {
            Self { flux: self.flux * k, x: self.x * k, v: self.v * k }
        }
    }

    const MU0: f64 = 1.2566e-6;
    const AREA: f64 = 1.0e-4;
    const GAP0: f64 = 5.0e-3;

    impl Params {
        fn rhs(&self, s: State, voltage: f64) -> State {
            let gap = (GAP0 - s.x).max(1e-4);
            let reluctance = gap / (MU0 * AREA) + 2.0e5 * (1.0 + (s.flux / 1.5e-4).powi(4));
            let current = s.flux * reluctance / self.turns;
            let force = s.flux * s.flux / (2.0 * MU0 * AREA);
            State {
                flux: (voltage - self.resistance * current) / self.turns,
                x: s.v,
                v: (force - self.spring * s.x - 2.0 * s.v) / self.mass,
            }
        }

        fn step(&self, s: State, u: f64, h: f64) -> State {
            let k1 = self.rhs(s, u);
            let k2 = self.rhs(s + k1 * (h / 2.0), u);
            let k3 = self.rhs(s + k2 * (h / 2.0), u);
            let k4 = self.rhs(s + k3 * h, u);
            s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0)
        }
    }

    pub fn stroke(p: &Params) -> f64 {
        let mut s = State::default();
        for i in 0..100 {
            let u = if i < 80 { 12.0 } else { 0.0 };
            s = p.step(s, u, 5e-5);
        }
        1e3 * s.x
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [400.0, 8.0, 0.02, 300.0];
    let mk = |x: &[f64]| sol::Params { turns: x[0], resistance: x[1], mass: x[2], spring: x[3] };
    let g = gradient(sol::stroke::AD, NoPrep, &AutoSource::new(), &mk(&x))?;
    super::check_of("solenoid", &[g.turns, g.resistance, g.mass, g.spring], &x, |x| sol::stroke(&mk(x)));
    Ok(())
}
