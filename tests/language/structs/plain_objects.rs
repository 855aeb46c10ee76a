//! Trait objects of types without floats, that functions of an annotated module name in their bodies, or that are given.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[0.6, 0.7], &[0.8, 0.4]];

#[differentiable]
mod steppers {
    pub(super) trait Stepper {
        fn step(&self, s: f64, h: f64) -> f64;
        fn order(&self) -> usize;
    }
    pub(super) struct Rk2;
    pub(super) struct Euler {
        pub(super) substeps: usize,
    }
    impl Stepper for Rk2 {
        fn step(&self, s: f64, h: f64) -> f64 {
            s + h * (s + 0.5 * h * s.sin()).sin()
        }
        fn order(&self) -> usize {
            2
        }
    }
    impl Stepper for Euler {
        fn step(&self, mut s: f64, h: f64) -> f64 {
            for _ in 0..self.substeps {
                s += h / self.substeps as f64 * s.sin();
            }
            s
        }
        fn order(&self) -> usize {
            1
        }
    }
    fn simulate(stepper: &dyn Stepper, mut s: f64, n: usize) -> f64 {
        for _ in 0..n {
            s = stepper.step(s, 0.1);
        }
        s * stepper.order() as f64
    }
    pub(super) fn boxed(x: &[f64], fine: bool) -> f64 {
        let s: Box<dyn Stepper> = if fine {
            Box::new(Rk2)
        } else {
            Box::new(Euler { substeps: 3 })
        };
        simulate(s.as_ref(), x[0], 3) * x[1]
    }
    pub(super) fn borrowed(x: &[f64], fine: bool) -> f64 {
        let euler = Euler { substeps: 2 };
        let s: &dyn Stepper = if fine { &Rk2 } else { &euler };
        simulate(s, x[0], 2) + x[1]
    }
    pub(super) fn listed(x: &[f64], fine: bool) -> f64 {
        let mut all: Vec<Box<dyn Stepper>> = Vec::new();
        all.push(Box::new(Rk2));
        if !fine {
            all.push(Box::new(Euler { substeps: 4 }));
        }
        let mut t = 0.0;
        for (i, s) in all.iter().enumerate() {
            t += s.step(x[i], 0.3) * x[1];
        }
        t + all
            .iter()
            .map(|s| simulate(s.as_ref(), x[1], 2))
            .sum::<f64>()
    }
    pub(super) struct Plan {
        steppers: Vec<Box<dyn Stepper>>,
    }
    pub(super) fn plan(n: usize) -> Plan {
        let mut steppers: Vec<Box<dyn Stepper>> = vec![Box::new(Rk2)];
        steppers
            .extend((0..n).map(|k| -> Box<dyn Stepper> { Box::new(Euler { substeps: k + 1 }) }));
        Plan { steppers }
    }
    pub(super) fn given(x: &[f64], #[constant] plan: &Plan) -> f64 {
        let first: &dyn Stepper = plan.steppers[0].as_ref();
        first.step(x[0], x[1]) + plan.steppers.iter().map(|s| s.step(x[1], 0.2)).sum::<f64>()
    }
}

#[test]
fn objects_without_floats() {
    for fine in [true, false] {
        scalar!(steppers::boxed::AD.with(fine), |x: &[f64]| steppers::boxed(
            x, fine
        ))
        .row(1001)
        .check(&POINTS);
        scalar!(steppers::borrowed::AD.with(fine), |x: &[f64]| {
            steppers::borrowed(x, fine)
        })
        .row(1001)
        .check(&POINTS);
        scalar!(steppers::listed::AD.with(fine), |x: &[f64]| {
            steppers::listed(x, fine)
        })
        .row(1001)
        .check(&POINTS);
    }
    let plan = steppers::plan(2);
    scalar!(steppers::given::AD.with(&plan), |x: &[f64]| {
        steppers::given(x, &plan)
    })
    .row(1001)
    .check(&POINTS);
}
