//! Names for types that the compiler does not have to see through: of derived structs, and of constants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[-1.2, 0.4]];

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[differentiable]
type Part = Spring;
type Count = usize;
type Data = Vec<f64>;

#[differentiable]
fn energy(p: &Part, x: f64) -> f64 {
    p.stiffness * x * x
}

#[differentiable]
fn named(x: &[f64], #[constant] n: Count, #[constant] data: &Data) -> f64 {
    let p = Part { stiffness: x[0] };
    energy(&p, x[1]) * n as f64 * data[0]
}

#[test]
fn names_of_structs_and_constants() {
    let data = vec![0.5];
    let f = named::AD.with(3, &data);
    scalar!(f, |x: &[f64]| named(x, 3, &data))
        .row(159)
        .check(&POINTS);
}
