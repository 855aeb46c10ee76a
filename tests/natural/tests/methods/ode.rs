//! ODE integrators.

/// Lotka-Volterra with classical RK4 and a helper for the right-hand side.
mod rk4_predator_prey {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn rhs(y: &[f64], p: &[f64]) -> Vec<f64> {
        vec![
            p[0] * y[0] - p[1] * y[0] * y[1],
            p[2] * y[0] * y[1] - p[3] * y[1],
        ]
    }

    #[differentiable]
    fn axpy(a: f64, x: &[f64], y: &[f64]) -> Vec<f64> {
        x.iter().zip(y).map(|(xi, yi)| a * xi + yi).collect()
    }

    #[differentiable]
    fn rk4_step(y: &[f64], p: &[f64], h: f64) -> Vec<f64> {
        let k1 = rhs(y, p);
        let k2 = rhs(&axpy(0.5 * h, &k1, y), p);
        let k3 = rhs(&axpy(0.5 * h, &k2, y), p);
        let k4 = rhs(&axpy(h, &k3, y), p);
        let mut next = y.to_vec();
        for i in 0..y.len() {
            next[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        next
    }

    #[differentiable]
    pub fn final_state(x: &[f64], steps: usize) -> Vec<f64> {
        let (p, y0) = x.split_at(4);
        let h = 1.5 / steps as f64;
        let mut y = y0.to_vec();
        for _ in 0..steps {
            y = rk4_step(&y, p, h);
        }
        y
    }

    #[differentiable]
    pub fn fit(x: &[f64], #[constant] observed: &[f64; 2]) -> f64 {
        let y = final_state(x, 12);
        y.iter()
            .zip(observed)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f64>()
    }

    #[test]
    fn rk4_predator_prey() {
        let point = [1.1, 0.6, 0.4, 0.9, 1.0, 0.7];
        vector!(final_state, (15), &point);
        scalar!(fit, (&[1.6, 0.8]), &point);
    }
}

/// Kepler orbit by leapfrog with a helper that returns an array.
mod kepler_leapfrog {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        fn acceleration(r: [f64; 2], mu: f64) -> [f64; 2] {
            let d2 = r[0] * r[0] + r[1] * r[1];
            let k = -mu / (d2 * d2.sqrt());
            [k * r[0], k * r[1]]
        }

        fn energy(r: [f64; 2], v: [f64; 2], mu: f64) -> f64 {
            0.5 * (v[0] * v[0] + v[1] * v[1]) - mu / r[0].hypot(r[1])
        }

        pub fn energy_drift(x: &[f64], steps: usize) -> f64 {
            let mu = x[4];
            let mut r = [x[0], x[1]];
            let mut v = [x[2], x[3]];
            let dt = 1.0 / steps as f64;
            let start = energy(r, v, mu);
            let mut a = acceleration(r, mu);
            for _ in 0..steps {
                for k in 0..2 {
                    v[k] += 0.5 * dt * a[k];
                    r[k] += dt * v[k];
                }
                a = acceleration(r, mu);
                for k in 0..2 {
                    v[k] += 0.5 * dt * a[k];
                }
            }
            100.0 * (energy(r, v, mu) - start)
        }
    }

    #[test]
    fn kepler_leapfrog() {
        scalar!(system::energy_drift, (20), &[1.0, 0.1, -0.2, 0.9, 1.0]);
    }
}

/// Implicit Euler for a stiff scalar equation, Newton inside of each step.
mod implicit_euler_newton {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const TOL: f64 = 1e-13;
    const MAX_ITER: usize = 30;

    #[differentiable]
    fn f(t: f64, y: f64, lambda: f64) -> f64 {
        -lambda * (y * y * y - t.cos())
    }

    #[differentiable]
    fn dfdy(y: f64, lambda: f64) -> f64 {
        -3.0 * lambda * y * y
    }

    #[differentiable]
    fn implicit_step(t: f64, y: f64, h: f64, lambda: f64) -> f64 {
        let mut z = y;
        for _ in 0..MAX_ITER {
            let g = z - y - h * f(t + h, z, lambda);
            let dg = 1.0 - h * dfdy(z, lambda);
            let dz = g / dg;
            z -= dz;
            if dz.abs() < TOL {
                break;
            }
        }
        z
    }

    #[differentiable]
    pub fn trajectory(x: &[f64], n: usize) -> Vec<f64> {
        let h = 0.1;
        let mut t = 0.0;
        let mut y = x[0];
        let mut out = Vec::with_capacity(n);
        for _ in 0..n {
            y = implicit_step(t, y, h, x[1]);
            t += h;
            out.push(y);
        }
        out
    }

    #[test]
    fn implicit_euler_newton() {
        vector!(trajectory, (5), &[1.4, 2.5]);
    }
}

/// Van der Pol oscillator, adaptive-free Bogacki-Shampine, period cost; inline module.
mod van_der_pol {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        #[derive(Clone, Copy, Debug)]
        pub struct State {
            pub x: f64,
            pub v: f64,
        }

        impl State {
            fn step(self, d: State, h: f64) -> State {
                State {
                    x: self.x + h * d.x,
                    v: self.v + h * d.v,
                }
            }
        }

        fn deriv(s: State, mu: f64) -> State {
            State {
                x: s.v,
                v: mu * (1.0 - s.x * s.x) * s.v - s.x,
            }
        }

        fn bs23(s: State, mu: f64, h: f64) -> State {
            let k1 = deriv(s, mu);
            let k2 = deriv(s.step(k1, 0.5 * h), mu);
            let k3 = deriv(s.step(k2, 0.75 * h), mu);
            State {
                x: s.x + h * (2.0 * k1.x + 3.0 * k2.x + 4.0 * k3.x) / 9.0,
                v: s.v + h * (2.0 * k1.v + 3.0 * k2.v + 4.0 * k3.v) / 9.0,
            }
        }

        pub fn amplitude(x: &[f64], steps: usize) -> f64 {
            let mut s = State { x: x[0], v: x[1] };
            let mut acc = 0.0;
            for _ in 0..steps {
                s = bs23(s, x[2], 0.1);
                acc += s.x * s.x + s.v * s.v;
            }
            (acc / steps as f64).sqrt()
        }
    }

    #[test]
    fn van_der_pol() {
        scalar!(model::amplitude, (25), &[1.2, 0.3, 0.8]);
    }
}

/// Symplectic fourth order integrator of Yoshida for a pendulum, with coefficients in a static.
mod yoshida_pendulum {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod compute {
        static W: [f64; 3] = [1.3512071919596578, -1.7024143839193153, 1.3512071919596578];

        #[derive(Clone, Copy, Debug)]
        struct Pendulum {
            q: f64,
            p: f64,
        }

        impl Pendulum {
            fn kick(&mut self, g: f64, dt: f64) {
                self.p -= dt * g * self.q.sin();
            }

            fn drift(&mut self, dt: f64) {
                self.q += dt * self.p;
            }

            fn energy(&self, g: f64) -> f64 {
                0.5 * self.p * self.p + g * (1.0 - self.q.cos())
            }
        }

        pub fn observe(x: &[f64], steps: usize, dt: f64) -> Vec<f64> {
            let g = x[2];
            let mut s = Pendulum { q: x[0], p: x[1] };
            for _ in 0..steps {
                for w in W.iter() {
                    s.drift(0.5 * w * dt);
                    s.kick(g, w * dt);
                    s.drift(0.5 * w * dt);
                }
            }
            vec![s.q, s.p, s.energy(g)]
        }

        pub fn at_fixed_step(x: &[f64]) -> Vec<f64> {
            observe(x, 12, 0.1)
        }
    }

    #[test]
    fn yoshida_pendulum() {
        vector!(compute::at_fixed_step, (), &[0.9, 0.2, 1.4]);
    }
}

/// Generic RK4 over the dimension of the state by const generics.
mod rk4_const_generic {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn coupled<const N: usize>(y: [f64; N], k: f64) -> [f64; N] {
        let mut d = [0.0; N];
        for i in 0..N {
            let left = y[(i + N - 1) % N];
            let right = y[(i + 1) % N];
            d[i] = k * (left - y[i]).sin() + k * (right - y[i]).sin() + 0.1 * i as f64;
        }
        d
    }

    #[differentiable]
    fn shift<const N: usize>(y: [f64; N], k: [f64; N], h: f64) -> [f64; N] {
        std::array::from_fn(|i| y[i] + h * k[i])
    }

    #[differentiable]
    fn rk4<const N: usize>(y: [f64; N], p: f64, h: f64) -> [f64; N] {
        let k1 = coupled(y, p);
        let k2 = coupled(shift(y, k1, h / 2.0), p);
        let k3 = coupled(shift(y, k2, h / 2.0), p);
        let k4 = coupled(shift(y, k3, h), p);
        let mut z = y;
        for i in 0..N {
            z[i] += h * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]) / 6.0;
        }
        z
    }

    #[differentiable]
    pub fn order_parameter(x: &[f64], steps: usize) -> f64 {
        let mut phase = [x[0], x[1], x[2], x[3], x[4]];
        for _ in 0..steps {
            phase = rk4(phase, x[5], 0.1);
        }
        let c = phase.iter().map(|a| a.cos()).sum::<f64>() / 5.0;
        let s = phase.iter().map(|a| a.sin()).sum::<f64>() / 5.0;
        (c * c + s * s).sqrt()
    }

    #[test]
    fn rk4_const_generic() {
        scalar!(order_parameter, (8), &[0.1, 0.9, 1.4, 0.4, 2.0, 0.8]);
    }
}

/// Lorenz system on fixed arrays, Heun's method.
mod lorenz_heun {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type State = [f64; 3];

    #[derive(Clone, Debug, Differentiable)]
    struct Params {
        sigma: f64,
        rho: f64,
        beta: f64,
    }

    #[differentiable]
    fn lorenz(s: &State, p: &Params) -> State {
        let [x, y, z] = *s;
        [p.sigma * (y - x), x * (p.rho - z) - y, x * y - p.beta * z]
    }

    #[differentiable]
    fn add_scaled(a: &State, k: &State, h: f64) -> State {
        let mut out = *a;
        for i in 0..3 {
            out[i] += h * k[i];
        }
        out
    }

    #[differentiable]
    pub fn integrate(x: &[f64; 6], n: usize) -> [f64; 3] {
        let p = Params {
            sigma: x[3],
            rho: x[4],
            beta: x[5],
        };
        let mut s = [x[0], x[1], x[2]];
        let h = 0.02;
        for _ in 0..n {
            let k1 = lorenz(&s, &p);
            let k2 = lorenz(&add_scaled(&s, &k1, h), &p);
            s = add_scaled(&add_scaled(&s, &k1, 0.5 * h), &k2, 0.5 * h);
        }
        s
    }

    #[test]
    fn lorenz_heun() {
        vector!(integrate, (10), &[1.0, 0.5, 1.2, 3.0, 2.8, 2.6]);
    }
}
