//! `passive(..)` of what depends on the inputs is its value, held constant.

use di::prelude::*;

#[differentiable]
fn held(x: &[f64]) -> f64 {
    let y = passive(x[0] * x[1]);
    y * x[0]
}

#[test]
fn passive_value_is_held_constant() {
    let x = [1.5, 0.5];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let g = gradient(held::AD, NoPrep, &backend, &x).expect("fits");
        assert_eq!(g, [0.75, 0.0]);
    }
}
