//! Control. Refused: each with what the compiler says.

// [DI0503] a field of type `Option<f64>` cannot be differentiated
// E0277 `Pid` is not a differentiable type
/// PID controller as a struct with state, tuning cost of a second order plant.
mod pid_tuning {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Pid {
        kp: f64,
        ki: f64,
        kd: f64,
        integral: f64,
        last: Option<f64>,
    }

    #[differentiable]
    impl Pid {
        fn new(gains: &[f64]) -> Pid {
            Pid { kp: gains[0], ki: gains[1], kd: gains[2], integral: 0.0, last: None }
        }

        fn update(&mut self, error: f64, dt: f64) -> f64 {
            self.integral += error * dt;
            let derivative = match self.last {
                Some(e) => (error - e) / dt,
                None => 0.0,
            };
            self.last = Some(error);
            self.kp * error + self.ki * self.integral + self.kd * derivative
        }
    }

    #[differentiable]
    pub fn itae(gains: &[f64], steps: usize) -> f64 {
        let dt = 0.1;
        let mut pid = Pid::new(gains);
        let (mut y, mut v) = (0.0, 0.0);
        let mut cost = 0.0;
        for i in 0..steps {
            let t = i as f64 * dt;
            let e = 1.0 - y;
            let u = pid.update(e, dt);
            v += dt * (u - 0.8 * v - y);
            y += dt * v;
            cost += t * e * e * dt;
        }
        cost
    }

    #[test]
    fn pid_tuning() {
        scalar!(itae, (25), &[1.5, 0.6, 0.4]);
    }
}

// E0277 `thermostat_modes::Mode` is not a differentiable type
// E0080 [DI0341] the types of this do not fit, as far as they can be told
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
        scalar!(discomfort, (&[0.2, 0.3, 0.6, 1.5, 2.0, 1.8, 1.0]), &[0.9, 0.7, 0.5, 0.6]);
    }
}
