//! A method whose body stands in the place of its calls, with a function that the module of the call has another of.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

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

mod elsewhere {
    pub(super) type Chosen = super::Second;
}

#[derive(Clone, Copy, Differentiable)]
struct First {
    a: f64,
    b: f64,
}

#[differentiable]
impl First {
    fn value(&self) -> f64 {
        self.a + self.b * self.b
    }
}

#[derive(Clone, Copy, Differentiable)]
struct Second {
    a: f64,
    b: f64,
}

#[differentiable]
impl Second {
    fn value(&self) -> f64 {
        self.a * self.b
    }
}

type Chosen = First;

/// The alias that the function imports was taken for that of its file.
#[differentiable]
fn with_an_import(x: &[f64]) -> f64 {
    use elsewhere::Chosen;
    let v = Chosen { a: x[0], b: x[1] };
    v.value()
}

#[differentiable]
fn without_one(x: &[f64]) -> f64 {
    let v = Chosen { a: x[0], b: x[1] };
    v.value()
}

#[test]
fn aliases_that_functions_import() {
    scalar!(with_an_import).check(&[&[0.7, 1.3]]);
    scalar!(without_one).check(&[&[0.7, 1.3]]);
}
