//! `move` closures in boxes and in arguments keep what they captured, whatever happens to the variable later.

use di::prelude::*;
use di_test::scalar;
use model::*;

const POINTS: [&[f64]; 2] = [&[1.5, 0.7], &[-0.3, 1.2]];

#[differentiable]
#[allow(unused_assignments)]
mod model {
    pub(super) fn matched(x: &[f64], k: usize) -> f64 {
        let mut scale = x[0];
        let f: Box<dyn Fn(f64) -> f64> = match k {
            0 => Box::new(move |t| t * scale),
            _ => Box::new(|t| t * t),
        };
        scale = x[1];
        f(x[1]) * scale
    }

    pub(super) fn of_a_match(x: &[f64]) -> f64 {
        matched(x, 0) + matched(x, 1)
    }

    pub(super) fn of_an_if(x: &[f64]) -> f64 {
        let mut scale = x[0];
        let f: Box<dyn Fn(f64) -> f64> = if x[0] > 0.0 {
            Box::new(move |t| t * scale)
        } else {
            Box::new(|t| t)
        };
        scale = x[1] * x[1];
        f(x[1]) * scale
    }

    pub(super) fn of_a_list(x: &[f64]) -> f64 {
        let mut scale = x[0];
        let all: [Box<dyn Fn(f64) -> f64>; 2] = [Box::new(move |t| t * scale), Box::new(|t| t)];
        scale = x[1];
        all[0](x[1]) * scale + all[1](scale)
    }

    fn twice(f: impl Fn(f64) -> f64) -> impl Fn(f64) -> f64 {
        move |t| f(t) * 2.0
    }

    pub(super) fn of_a_maker(x: &[f64]) -> f64 {
        let mut scale = x[0];
        let f = twice(move |t| t * scale);
        scale = x[1];
        f(x[1]) * scale
    }

    fn later(f: impl Fn(f64) -> f64, y: &mut f64) -> f64 {
        *y = 3.0;
        f(2.0)
    }

    pub(super) fn of_an_argument(x: &[f64]) -> f64 {
        let mut scale = x[0] * x[1];
        later(move |t| t * scale, &mut scale) * scale
    }

    pub enum Act {
        Leaky(f64),
        Shift { by: f64, n: usize },
        Flat,
    }

    pub struct Layer {
        pub act: Act,
        pub w: f64,
    }

    impl Layer {
        pub fn run(&self, x: f64) -> f64 {
            let mut scale = x;
            let f: Box<dyn Fn(f64) -> f64 + '_> = match &self.act {
                Act::Leaky(a) => {
                    let twice = a * 2.0;
                    Box::new(move |t| if t > 0.0 { t * scale } else { t * twice })
                }
                Act::Shift { by, n } if *n > 1 => Box::new(move |t| t + by * *n as f64 * scale),
                Act::Shift { by, .. } => Box::new(move |t| t - by),
                Act::Flat => Box::new(|t: f64| t.tanh() * self.w),
            };
            scale = 100.0;
            (0..3).map(|k| f(x - k as f64) * scale).sum()
        }
    }

    pub(super) fn of_payloads(x: &[f64]) -> f64 {
        let by = x[0] * x[1];
        let acts = [
            Act::Leaky(x[0]),
            Act::Shift { by, n: 2 },
            Act::Shift { by: x[1], n: 0 },
            Act::Flat,
        ];
        let mut s = 0.0;
        for act in acts {
            s += Layer { act, w: x[1] }.run(x[0]);
        }
        s
    }
}

#[test]
fn captures_of_chosen_closures() {
    scalar!(of_a_match).check(&POINTS);
    scalar!(of_an_if).check(&POINTS);
    scalar!(of_a_list).check(&POINTS);
    scalar!(of_a_maker).check(&POINTS);
    scalar!(of_an_argument).check(&POINTS);
    scalar!(of_payloads).check(&POINTS);
}
