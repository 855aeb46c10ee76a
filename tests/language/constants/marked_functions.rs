//! Functions that are taken as constants: beside other constants, with closures for them where annotated functions call,
//! and as parameters of methods.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

// ---- beside constants ----

struct Plant {
    mass: f64,
    delay: usize,
}

fn plant() -> Plant {
    Plant {
        mass: 2.5,
        delay: 1,
    }
}

#[differentiable]
fn cost(
    x: &[f64],
    #[constant] plant: &Plant,
    #[constant] reference: impl Fn(f64) -> f64 + Copy,
) -> f64 {
    let missed = x[plant.delay] * x[0].sin() - reference(plant.mass);
    missed * missed / plant.mass
}

#[differentiable]
fn of_all(
    x: &[f64],
    #[constant] plant: &Plant,
    #[constant] references: &[impl Fn(f64) -> f64],
) -> f64 {
    let each = (0..references.len()).map(|k| references[k](plant.mass));
    each.map(|r| (r * x[0]).sin() * x[1]).sum()
}

#[test]
fn beside_constants_of_other_types() {
    let plant = plant();
    let reference = |t: f64| 0.4 * t;
    scalar!(cost::AD.with(&plant, reference), |x| cost(
        x, &plant, reference
    ))
    .row(397)
    .check(&POINTS);
    let references = [1.0, 0.3].map(|scale| move |t: f64| scale * t);
    scalar!(of_all::AD.with(&plant, &references[..]), |x| of_all(
        x,
        &plant,
        &references
    ))
    .row(397)
    .check(&POINTS);
}

// ---- closures for them ----

#[differentiable]
fn tracked(k: f64, #[constant] reference: impl Fn(f64) -> f64 + Copy) -> f64 {
    k * k * reference(0.5) + k.exp() * reference(1.5)
}

#[differentiable]
fn through<F: Fn(f64) -> f64>(k: f64, #[constant] reference: &F) -> f64 {
    tracked(k, reference) + k * reference(2.0)
}

#[differentiable]
fn dynamic(k: f64, #[constant] reference: &dyn Fn(f64) -> f64) -> f64 {
    k.sin() * reference(0.3)
}

#[differentiable]
fn with_closures(x: &[f64]) -> f64 {
    let bound = |t: f64| t * t * x[1];
    let step = tracked(x[0], |t| if t > 1.0 { x[1] } else { 0.0 });
    let all = through(x[0], &bound) + dynamic(x[1], &bound) + dynamic(x[0], &|t| t * x[1].exp());
    step + all + tracked(x[0] * x[1], bound) + tracked(x[1], f64::sin)
}

#[differentiable]
fn through_a_handle(x: &[f64], #[constant] reference: impl Fn(f64) -> f64 + Copy) -> f64 {
    tracked(x[0], reference) * tracked(x[1], reference)
}

#[test]
fn closures_for_constant_functions() {
    scalar!(with_closures).row(398).check(&POINTS);
    scalar!(through_a_handle::AD.with(f64::cos), |x| through_a_handle(
        x,
        f64::cos
    ))
    .row(398)
    .check(&POINTS);
}

#[differentiable]
mod tuned {
    const LATEST: f64 = 1.2;

    pub struct Gain {
        pub k: f64,
    }

    impl Gain {
        fn applied(&self, t: f64, #[constant] law: impl Fn(f64) -> f64) -> f64 {
            self.k * law(t) * t
        }

        fn latest<F: Fn(f64) -> f64>(&self, #[constant] law: &F) -> f64 {
            self.k.sqrt() * law(LATEST)
        }
    }

    pub fn missed(k: f64, #[constant] law: impl Fn(f64) -> f64 + Copy) -> f64 {
        k * k * law(LATEST)
    }

    pub fn total(x: &[f64]) -> f64 {
        let gain = Gain { k: x[0] };
        let law = |t: f64| t.sin() * x[1];
        let by_methods = gain.applied(x[1], |t| t * t * x[0]) + gain.latest(&law);
        by_methods + missed(x[0], |t| x[1] * t)
    }
}

#[differentiable]
fn across(x: &[f64]) -> f64 {
    tuned::missed(x[0], |t| (x[1] * t).sin())
}

#[test]
fn closures_for_methods_and_in_modules() {
    scalar!(tuned::total::AD, tuned::total)
        .row(398)
        .check(&POINTS);
    scalar!(across).row(398).check(&POINTS);
}
