//! A method whose body stands in the place of its calls, with a function that the module of the call has another of.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};

mod home {
    use di::prelude::*;

    fn at(i: usize) -> usize {
        1 - i
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

        pub(super) fn value(&self, i: usize) -> &f64 {
            &self.values[at(i)]
        }
    }
}

mod caller {
    use super::home::Pair;
    use di::prelude::*;

    fn at(i: usize) -> usize {
        i
    }

    #[differentiable]
    pub(super) fn first(x: f64) -> f64 {
        let pair = Pair::new(x, x * x * x);
        *pair.value(at(0))
    }
}

#[test]
fn methods_mean_what_they_mean_at_home() {
    let (backend, x) = (AutoSource::new(), 0.7);
    let slope = derivative(caller::first::AD, NoPrep, &backend, &x).unwrap();
    assert_close("first", &[slope], &[3.0 * x * x], ROUNDING);
}
