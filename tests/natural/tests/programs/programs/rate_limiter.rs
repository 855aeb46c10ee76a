//! Experienced: control of a greenhouse: actuators as dyn trait with &mut self, saturations, event log of enums.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod house {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Event {
        Saturated { at: u32 },
        Switched(bool),
    }

    pub trait Actuator {
        fn drive(&mut self, command: f64) -> f64;
    }
    pub struct RateLimited {
        last: f64,
        rate: f64,
    }
    pub struct Lag {
        state: f64,
        k: f64,
    }
    impl Actuator for RateLimited {
        fn drive(&mut self, command: f64) -> f64 {
            let d = (command - self.last).clamp(-self.rate, self.rate);
            self.last += d;
            self.last
        }
    }
    impl Actuator for Lag {
        fn drive(&mut self, command: f64) -> f64 {
            self.state += self.k * (command - self.state);
            self.state
        }
    }

    fn run(act: &mut impl Actuator, gain: f64, setpoint: f64) -> (f64, usize) {
        let mut temp = 12.0;
        let mut log: Vec<Event> = Vec::new();
        let mut cost = 0.0;
        for step in 0..80u32 {
            let raw = gain * (setpoint - temp);
            if raw > 10.0 {
                log.push(Event::Saturated { at: step });
            }
            let u = act.drive(raw.min(10.0).max(0.0));
            temp += 0.1 * (u - 0.3 * (temp - 8.0));
            cost += 0.01 * u * u + (temp - setpoint).powi(2);
            if step == 40 {
                log.push(Event::Switched(true));
            }
        }
        let n = log.iter().filter(|e| matches!(e, Event::Saturated { at } if *at < 10)).count();
        (cost, n)
    }

    pub fn total(p: &[f64]) -> f64 {
        let mut a = RateLimited { last: 0.0, rate: p[1] };
        let mut b = Lag { state: 0.0, k: p[2] };
        let (ca, na) = run(&mut a, p[0], 20.0);
        let (cb, nb) = run(&mut b, p[0], 20.0);
        ca + cb + 0.5 * (na + nb) as f64 * p[0]
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [1.3, 0.7, 0.4];
    let g = gradient(house::total::AD, NoPrep, &AutoSource::new(), &p)?;
    check("81", &g, &fd(house::total, &p));
    Ok(())
}
