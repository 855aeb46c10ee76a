//! Control. Refused: each with what the compiler says.

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
