//! Control: programs of a third collection.

/// Tuning a PID controller of a motor.
mod pid {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Pid {
        kp: f64,
        ki: f64,
        kd: f64,
        integral: f64,
        last: f64,
    }

    #[differentiable]
    impl Pid {
        fn new(gains: &[f64]) -> Self {
            Self {
                kp: gains[0],
                ki: gains[1],
                kd: gains[2],
                integral: 0.0,
                last: 0.0,
            }
        }

        fn update(&mut self, error: f64, dt: f64) -> f64 {
            self.integral += error * dt;
            // anti wind-up
            self.integral = self.integral.clamp(-0.5, 0.5);
            let derivative = (error - self.last) / dt;
            self.last = error;
            self.kp * error + self.ki * self.integral + self.kd * derivative
        }
    }

    #[differentiable]
    fn tracking_cost(gains: &[f64], #[constant] steps: usize) -> f64 {
        let mut pid = Pid::new(gains);
        let dt = 0.1;
        let (mut pos, mut vel) = (0.0, 0.0);
        let mut cost = 0.0;
        for k in 0..steps {
            let t = k as f64 * dt;
            let setpoint = if t < 0.5 { 1.0 } else { 0.6 };
            let u = pid.update(setpoint - pos, dt);
            let acc = 4.0 * u - 1.5 * vel;
            vel += acc * dt;
            pos += vel * dt;
            cost += (setpoint - pos).powi(2) * dt + 1e-3 * u.powi(2);
        }
        cost
    }

    #[test]
    fn pid() {
        crate::check::scalar!(tracking_cost, (12), &vec![1.3, 0.4, 0.05]);
    }
}

/// A cart with a pole, and a linear policy with saturation.
mod cart_with_pole {
    use di::prelude::*;

    #[differentiable]
    mod cartpole {
        #[derive(Clone, Copy)]
        struct State {
            x: f64,
            v: f64,
            theta: f64,
            omega: f64,
        }

        impl State {
            fn features(&self) -> [f64; 4] {
                [self.x, self.v, self.theta.sin(), self.omega]
            }

            fn step(self, force: f64, dt: f64) -> State {
                const M: f64 = 1.0;
                #[allow(non_upper_case_globals)]
                const m: f64 = 0.1;
                const L: f64 = 0.5;
                let (s, c) = self.theta.sin_cos();
                let tmp = (force + m * L * self.omega.powi(2) * s) / (M + m);
                let alpha = (9.8 * s - c * tmp) / (L * (4.0 / 3.0 - m * c * c / (M + m)));
                let acc = tmp - m * L * alpha * c / (M + m);
                State {
                    x: self.x + dt * self.v,
                    v: self.v + dt * acc,
                    theta: self.theta + dt * self.omega,
                    omega: self.omega + dt * alpha,
                }
            }
        }

        fn policy(w: &[f64], s: &State) -> f64 {
            let raw = w.iter().zip(s.features()).map(|(w, f)| w * f).sum::<f64>();
            10.0 * (raw / 10.0).tanh()
        }

        pub fn cost(w: &[f64], #[constant] starts: &[f64], #[constant] steps: usize) -> f64 {
            let mut cost = 0.0;
            'episodes: for &theta in starts {
                let mut s = State {
                    x: 0.0,
                    v: 0.0,
                    theta,
                    omega: 0.0,
                };
                for _ in 0..steps {
                    let u = policy(w, &s);
                    s = s.step(u, 0.05);
                    if s.theta.abs() > 1.2 {
                        cost += 10.0;
                        continue 'episodes;
                    }
                    cost += s.x.powi(2) + 4.0 * s.theta.powi(2) + 1e-3 * u * u;
                }
            }
            cost / starts.len() as f64
        }
    }

    #[test]
    fn cart_with_pole() {
        crate::check::scalar!(
            cartpole::cost,
            (&[0.1, -0.2, 1.5], 10),
            &vec![0.5, 0.8, 12.0, 2.0]
        );
    }
}

/// Cost of a linear feedback over a horizon, with small generic matrix helpers.
mod linear_feedback {
    use di::prelude::*;

    type Mat<const N: usize> = [[f64; N]; N];

    #[differentiable]
    fn mat_vec<const N: usize>(a: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
        let mut y = [0.0; N];
        for i in 0..N {
            for j in 0..N {
                y[i] += a[i][j] * x[j];
            }
        }
        y
    }

    #[differentiable]
    fn quad<const N: usize>(q: &[[f64; N]; N], x: &[f64; N]) -> f64 {
        mat_vec(q, x).iter().zip(x).map(|(a, b)| a * b).sum()
    }

    #[differentiable]
    fn lqr_cost(
        gain: &[f64; 3],
        #[constant] a: &Mat<3>,
        #[constant] b: &[f64; 3],
        #[constant] horizon: usize,
    ) -> f64 {
        let q = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.1]];
        let mut x = [1.0, 0.0, -0.5];
        let mut cost = 0.0;
        for _ in 0..horizon {
            let u: f64 = -gain.iter().zip(&x).map(|(k, x)| k * x).sum::<f64>();
            cost += quad(&q, &x) + 0.01 * u * u;
            let mut next = mat_vec(a, &x);
            for (n, bi) in next.iter_mut().zip(b) {
                *n += bi * u;
            }
            x = next;
        }
        cost + 10.0 * quad(&q, &x)
    }

    #[test]
    fn linear_feedback() {
        let a = [[1.0, 0.1, 0.0], [0.0, 1.0, 0.1], [-0.1, 0.0, 0.9]];
        let b = [0.0, 0.05, 0.2];
        crate::check::scalar!(lqr_cost, (&a, &b, 8), &[1.2, 0.7, 0.3]);
    }
}

/// Thermostat with hysteresis in the environment only; controller modes as an enum.
mod thermostat_modes {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Mode {
        Off,
        Heat,
        Cool,
    }

    #[differentiable]
    fn choose(temp: f64, setpoint: f64, band: f64, current: Mode) -> Mode {
        if temp < setpoint - band {
            Mode::Heat
        } else if temp > setpoint + band {
            Mode::Cool
        } else {
            current
        }
    }

    #[differentiable]
    fn power(mode: Mode, heat: f64, cool: f64) -> f64 {
        match mode {
            Mode::Off => 0.0,
            Mode::Heat => heat,
            Mode::Cool => -cool,
        }
    }

    #[differentiable]
    pub fn discomfort(x: &[f64], #[constant] outside: &[f64]) -> f64 {
        let (heat, cool, leak) = (x[0], x[1], x[2]);
        let mut temp = x[3];
        let mut mode = Mode::Off;
        let mut total = 0.0;
        for t_out in outside {
            mode = choose(temp, 1.0, 0.15, mode);
            temp += 0.2 * (leak * (t_out - temp) + power(mode, heat, cool));
            total += (temp - 1.0).powi(2);
        }
        total
    }

    #[test]
    fn thermostat_modes() {
        scalar!(
            discomfort,
            (&[0.2, 0.3, 0.6, 1.5, 2.0, 1.8, 1.0]),
            &[0.9, 0.7, 0.5, 0.6]
        );
    }
}
