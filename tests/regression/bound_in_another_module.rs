//! The type of a bound handle with several active parameters was private to the function's module.

use di::prelude::*;

mod inner {
    use di::prelude::*;

    #[differentiable]
    pub(super) fn weighted(x: &[f64], w: f64, #[constant] data: &[f64]) -> f64 {
        w * (x[0] * data[0] + x[1] * x[1] * data[1])
    }
}

#[test]
fn constants_are_bound_from_outside() {
    let data = [2.0, 3.0];
    let f = inner::weighted::AD.with(&data);
    let (x, w) = ([0.5, -1.5], 2.0);
    let g = gradient(f, NoPrep, &AutoSource::new(), &(&x[..], w)).unwrap();
    assert_eq!(g.0, [4.0, -18.0]);
    assert_eq!(g.1, 1.0 + 6.75);
}
