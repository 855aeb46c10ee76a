//! Derived structs as parameters.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
    corner: [f64; 2],
    width: usize,
}

#[differentiable]
fn energy(layer: &Layer) -> f64 {
    let mut s = layer.bias * layer.corner[1];
    for i in 0..layer.width {
        s += layer.weights[i] * layer.weights[i] * layer.corner[0];
    }
    s
}

fn example() -> Layer {
    Layer {
        weights: vec![1.0, 2.0, 3.0],
        bias: 0.5,
        corner: [4.0, 0.25],
        width: 2,
    }
}

#[test]
fn gradient_has_the_shape_of_the_struct() {
    let _rows = di_test::rows::rows(&[122, 124]);
    let layer = example();
    for (name, g) in [
        (
            "AutoSource",
            gradient(energy::AD, NoPrep, &AutoSource::new(), &layer).unwrap(),
        ),
        (
            "AutoDual",
            gradient(energy::AD, NoPrep, &AutoDual::new(), &layer).unwrap(),
        ),
    ] {
        assert_close(name, &g.weights, &[8.0, 16.0, 0.0], ROUNDING);
        assert_close(name, &[g.bias], &[0.25], ROUNDING);
        assert_close(name, &g.corner, &[5.0, 0.5], ROUNDING);
    }
}

#[differentiable]
fn scaled_energy(layer: &Layer, x: &[f64]) -> f64 {
    energy(layer) * x[0] + x[1] * layer.bias * x[1]
}

#[test]
fn struct_beside_a_slice() {
    let layer = example();
    let f = scaled_energy::AD.fix_layer(&layer);
    scalar!(f, |x| scaled_energy(&layer, x))
        .row(122)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}
