//! `x^0` and `x^1` where `1 / x` is infinite: zero times infinity was taken for a derivative.

use di::prelude::*;

#[differentiable]
fn power(x: f64, #[constant] p: f64) -> f64 {
    x.powf(p)
}

#[test]
fn powers_of_numbers_whose_inverse_is_infinite() {
    let backends = [AutoSource::new(), AutoSource::new().forward()];
    for x in [1e-200, 1e-310, 1e-320] {
        for (p, d) in [(0.0, 0.0), (1.0, 1.0)] {
            let f = power::AD.with(p);
            for backend in backends {
                assert_eq!(derivative(f, NoPrep, &backend, &x).unwrap(), d, "{x:e}^{p}");
                assert_eq!(
                    second_derivative(f, NoPrep, &backend, &x).unwrap(),
                    0.0,
                    "{x:e}^{p}"
                );
            }
            assert_eq!(
                derivative(f, NoPrep, &AutoDual::new(), &x).unwrap(),
                d,
                "{x:e}^{p}"
            );
            let twice = second_derivative(f, NoPrep, &AutoDual::new(), &x).unwrap();
            assert_eq!(twice, 0.0, "{x:e}^{p}");
        }
    }
}
