//! Valid functions that were refused: functions of a type that take nothing, and comparisons of constants behind others.

use di::prelude::*;

#[differentiable]
#[allow(unreachable_pub, reason = "a module as it is written for others")]
mod with_functions_without_parameters {
    pub trait Kernel {
        fn offset() -> f64 {
            0.5
        }

        fn gain() -> f64;

        fn value(&self, a: f64) -> f64;
    }

    pub struct Linear {
        pub l: f64,
    }

    impl Linear {
        pub fn zero() -> f64 {
            0.25
        }

        pub fn of(&self, a: f64) -> f64 {
            self.l * a * Self::zero()
        }
    }

    impl Kernel for Linear {
        fn gain() -> f64 {
            3.0
        }

        fn value(&self, a: f64) -> f64 {
            self.l * a * Self::offset() * Self::gain()
        }
    }

    pub fn total(x: &[f64]) -> f64 {
        let k = Linear { l: x[0] };
        k.of(x[1]) * Linear::zero() + k.value(x[1])
    }
}

#[differentiable]
fn by_mixed_keys(x: &[f64], #[constant] w: &[(usize, f64)]) -> f64 {
    let mut o: Vec<usize> = (0..w.len()).collect();
    o.sort_by(|&a, &b| {
        x[a % 2]
            .total_cmp(&x[b % 2])
            .then_with(|| w[b].0.cmp(&w[a].0))
    });
    x[w[o[0]].0] * w[o[1]].1
}

#[test]
fn functions_without_parameters_and_mixed_comparisons() {
    use with_functions_without_parameters::total;
    let backend = AutoSource::new();
    let found = gradient(total::AD, NoPrep, &backend, &[3.0, 2.0]).unwrap();
    assert_eq!(found, [3.125, 4.6875]);
    let w = [(0, 1.5), (1, 2.5), (1, 3.5), (0, 4.5)];
    let found = gradient(by_mixed_keys::AD.with(&w), NoPrep, &backend, &[3.0, 2.0]).unwrap();
    let plain = by_mixed_keys(&[3.0, 2.0], &w);
    assert_eq!(found[0] * 3.0 + found[1] * 2.0, plain);
}
