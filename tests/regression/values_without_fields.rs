//! Structs without fields and variants as arguments: their type was asked for.
//! And `return` in the closures of arrays, which are written out where they are called: it left the function.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[-1.2, 0.4]];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Smooth,
    Rough,
}

trait Model {
    const SCALE: f64;
}

#[derive(Clone, Copy)]
struct Square;

impl Model for Square {
    const SCALE: f64 = 0.5;
}

#[differentiable]
fn of_a_kind(x: f64, #[constant] kind: Kind) -> f64 {
    match kind {
        Kind::Smooth => x.sin(),
        Kind::Rough => x * x,
    }
}

#[differentiable]
fn of_a_model<M: Model + Copy>(x: f64, #[constant] _m: M) -> f64 {
    x * x * M::SCALE
}

#[differentiable]
fn values(x: &[f64]) -> f64 {
    let smooth: f64 = of_a_kind(x[0], Kind::Smooth);
    smooth * of_a_kind(x[1], self::Kind::Rough) + of_a_model(x[0], Square) * x[1]
}

#[test]
fn values_without_fields_are_arguments() {
    scalar!(values).check(&POINTS);
}

#[differentiable]
#[allow(clippy::needless_return, reason = "it is what is looked at")]
fn left_early(x: &[f64]) -> f64 {
    let a = ndarray::ArrayView1::from(x).to_owned();
    let mut b: ndarray::Array1<f64> = a.mapv(|v| {
        if v > 0.0 {
            return v * 0.5;
        }
        v.sin()
    });
    b.mapv_inplace(|v| if v > 0.4 { return v * v } else { v + 1.0 });
    b.sum() * b[0]
}

#[test]
fn closures_of_arrays_that_return() {
    scalar!(left_early).check(&POINTS);
}
