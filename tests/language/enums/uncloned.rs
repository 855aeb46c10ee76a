//! Types of annotated modules that have no `Clone`: states, causes of errors, cells of tables.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 0.3, 0.9], &[0.2, 1.3, 0.4], &[1.1, -0.6, 0.8]];

#[differentiable]
mod envelope {
    enum Phase {
        Rise,
        Fall,
        Held(u8),
    }
    struct Steps {
        at: usize,
    }
    #[derive(Debug)]
    pub enum Cause {
        Negative,
        Late { at: usize },
    }
    pub struct Envelope {
        y: f64,
        rate: f64,
        phase: Phase,
        steps: Steps,
    }
    impl Envelope {
        pub fn new(rate: f64) -> Self {
            Envelope {
                y: 0.0,
                rate,
                phase: Phase::Rise,
                steps: Steps { at: 0 },
            }
        }
        pub fn tick(&mut self, gate: f64) -> f64 {
            if gate > 0.5 {
                self.phase = Phase::Rise;
            } else if gate < 0.1 {
                self.phase = Phase::Held(2);
            } else {
                self.phase = Phase::Fall;
            }
            let k = match self.phase {
                Phase::Rise => self.rate,
                Phase::Fall => 0.5 * self.rate,
                Phase::Held(n) => self.rate / f64::from(n + 1),
            };
            self.steps.at += 1;
            self.y += k * (gate - self.y);
            self.y * self.steps.at as f64
        }
    }
    pub fn state(x: &[f64]) -> f64 {
        let mut e = Envelope::new(x[0]);
        let mut sum = 0.0;
        for i in 0..6 {
            sum += e.tick(if i < 3 { x[1] } else { x[2] * 0.1 }) * (i as f64 * 0.3).cos();
        }
        sum
    }
    fn root(v: f64, at: usize) -> Result<f64, Cause> {
        if v < 0.0 {
            Err(Cause::Negative)
        } else if at > 3 {
            Err(Cause::Late { at })
        } else {
            Ok(v.sqrt())
        }
    }
    pub fn causes(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (i, v) in x.iter().chain(&[2.5, 4.0]).enumerate() {
            sum += match root(x[0] * v, i) {
                Ok(r) => r,
                Err(Cause::Negative) => v * v,
                Err(Cause::Late { at }) => at as f64 * v * x[1],
            };
        }
        sum
    }
}

#[test]
fn states_and_causes() {
    scalar!(envelope::state::AD, envelope::state)
        .row(975)
        .check(&POINTS);
    scalar!(envelope::causes::AD, envelope::causes)
        .row(975)
        .check(&POINTS);
}
