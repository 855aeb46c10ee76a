//! Engineer: washing machine energy; state machine enum with data carried, consumed by `match self`.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod washer {
    #[derive(Clone, Copy, Debug)]
    pub enum State {
        Filling { litres: f64 },
        Heating { litres: f64, temp: f64 },
        Washing { temp: f64, minutes_left: u32 },
        Done,
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Machine {
        pub inflow: f64,
        pub power: f64,
        pub loss: f64,
    }

    impl State {
        /// The next state and the energy used in the minute.
        fn next(self, m: &Machine) -> (State, f64) {
            match self {
                State::Filling { litres } if litres < 10.0 => (State::Filling { litres: litres + m.inflow }, 0.01),
                State::Filling { litres } => (State::Heating { litres, temp: 15.0 }, 0.0),
                State::Heating { litres, temp } if temp < 40.0 => {
                    let dt = m.power * 60.0 / (4.186 * litres) - m.loss * (temp - 15.0);
                    (State::Heating { litres, temp: temp + dt }, m.power / 60.0)
                }
                State::Heating { temp, .. } => (State::Washing { temp, minutes_left: 20 }, 0.0),
                State::Washing { minutes_left: 0, .. } => (State::Done, 0.0),
                State::Washing { temp, minutes_left } => {
                    let t = temp - m.loss * (temp - 15.0);
                    (State::Washing { temp: t, minutes_left: minutes_left - 1 }, 0.005 * t / 40.0)
                }
                State::Done => (State::Done, 0.0),
            }
        }
    }

    pub fn energy(m: &Machine) -> f64 {
        let mut state = State::Filling { litres: 0.0 };
        let mut total = 0.0;
        let mut minutes = 0;
        while !matches!(state, State::Done) {
            let (s, e) = state.next(m);
            state = s;
            total += e;
            minutes += 1;
            if minutes > 500 {
                break;
            }
        }
        total
    }
}
use washer::*;

pub(super) fn main() -> Result<(), di::Error> {
    let m = Machine { inflow: 3.1, power: 2.0, loss: 0.01 };
    let g = gradient(energy::AD, NoPrep, &AutoSource::new(), &m)?;
    check("76", &[g.inflow, g.power, g.loss], &fd(|x| energy(&Machine { inflow: x[0], power: x[1], loss: x[2] }), &[3.1, 2.0, 0.01]));
    Ok(())
}
