//! A body that stands in the place of a call read the items of the caller's module that have the names of its own.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};

mod home {
    use di::prelude::*;

    const STEP: f64 = 0.1;

    #[differentiable]
    fn rate(y: f64) -> f64 {
        y * y
    }

    fn at(i: usize) -> usize {
        1 - i
    }

    #[differentiable]
    pub(super) fn stepped(f: impl Fn(f64) -> f64, y: f64) -> f64 {
        y + STEP * (f(y) + rate(y))
    }

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Pair {
        values: [f64; 2],
    }

    #[differentiable]
    impl Pair {
        pub(super) fn new(a: f64, b: f64) -> Self {
            Pair { values: [a, b] }
        }

        pub(super) fn lent(&self, i: usize) -> &f64 {
            &self.values[at(i)]
        }
    }
}

mod caller {
    use super::home::{Pair, stepped};
    use di::prelude::*;

    #[allow(dead_code)]
    const STEP: f64 = 7.0;

    #[differentiable]
    #[allow(dead_code)]
    fn rate(y: f64) -> f64 {
        y.exp()
    }

    #[allow(dead_code)]
    fn at(i: usize) -> usize {
        i
    }

    #[differentiable]
    pub(super) fn moved(x: f64) -> f64 {
        stepped(|y| 3.0 * y, x)
    }

    #[differentiable]
    pub(super) fn first(x: f64) -> f64 {
        let pair = Pair::new(x, x * x * x);
        *pair.lent(0)
    }
}

#[test]
fn bodies_mean_what_they_mean_at_home() {
    let (backend, x) = (AutoSource::new(), 0.7);
    let slope = derivative(caller::moved::AD, NoPrep, &backend, &x).unwrap();
    let expected = 1.0 + 0.1 * (3.0 + 2.0 * x);
    assert_close("moved", &[slope], &[expected], ROUNDING);
    let slope = derivative(caller::first::AD, NoPrep, &backend, &x).unwrap();
    assert_close("first", &[slope], &[3.0 * x * x], ROUNDING);
}
