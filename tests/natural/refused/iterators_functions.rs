//! Iterators and functions as values. Refused: each with what the compiler says.

// E0080 [DI0108] functions as parameters are not supported where the function calls itself
/// Adaptive Simpson with a closure, recursion with `&impl Fn`.
mod simpson {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn simpson(f: &impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
        (b - a) / 6.0 * (f(a) + 4.0 * f(0.5 * (a + b)) + f(b))
    }

    #[differentiable]
    fn adaptive(f: &impl Fn(f64) -> f64, a: f64, b: f64, whole: f64, depth: u32) -> f64 {
        let m = 0.5 * (a + b);
        let left = simpson(f, a, m);
        let right = simpson(f, m, b);
        let delta = left + right - whole;
        if depth == 0 || delta.abs() < 1e-9 {
            return left + right + delta / 15.0;
        }
        adaptive(f, a, m, left, depth - 1) + adaptive(f, m, b, right, depth - 1)
    }

    #[differentiable]
    pub fn pendulum_period(p: &[f64]) -> f64 {
        let (length, amplitude) = (p[0], p[1]);
        let k = (amplitude / 2.0).sin();
        let integrand = |phi: f64| 1.0 / (1.0 - (k * phi.sin()).powi(2)).sqrt();
        let whole = simpson(&integrand, 0.0, std::f64::consts::FRAC_PI_2);
        let quarter = adaptive(&integrand, 0.0, std::f64::consts::FRAC_PI_2, whole, 4);
        4.0 * (length / 9.81).sqrt() * quarter
    }

    #[test]
    fn simpson_test() {
        scalar!(pendulum_period, (), &[1.3, 0.9]);
    }
}

// E0080 [DI0303] the type of this constant code cannot be inferred
/// PID control with anti-windup: closures with state in struct of plain numbers, labelled loops.
mod pid {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod control {
        #[derive(Default, Clone)]
        pub struct Pid {
            kp: f64,
            ki: f64,
            kd: f64,
            integral: f64,
            last: Option<f64>,
        }

        impl Pid {
            pub fn new(gains: [f64; 3]) -> Self {
                let [kp, ki, kd] = gains;
                Self { kp, ki, kd, ..Default::default() }
            }

            fn step(&mut self, error: f64, dt: f64) -> f64 {
                self.integral += error * dt;
                let derivative = match self.last {
                    Some(last) => (error - last) / dt,
                    None => 0.0,
                };
                self.last = Some(error);
                self.kp * error + self.ki * self.integral + self.kd * derivative
            }
        }

        pub fn itae(gains: &[f64; 3], #[constant] setpoints: &[f64]) -> f64 {
            let mut pid = Pid::new(*gains);
            let (mut x, mut v, mut cost) = (0.0, 0.0, 0.0);
            let dt = 0.1;
            let mut targets = setpoints.iter().enumerate();
            'run: while let Some((k, target)) = targets.next() {
                for _ in 0..5 {
                    let error = target - x;
                    let force = pid.step(error, dt);
                    v += dt * (force - 0.6 * v - x);
                    x += dt * v;
                    cost += (k + 1) as f64 * error.abs() * dt;
                    if x.abs() > 1e6 {
                        break 'run;
                    }
                }
            }
            cost
        }
    }

    #[test]
    fn pid() {
        scalar!(control::itae, (&[1.0, 0.5, 0.7]), &[1.2, 0.4, 0.1]);
    }
}
