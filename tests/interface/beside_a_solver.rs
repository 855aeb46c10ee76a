//! The prelude beside the names of a solver, whose traits are called as operators are.

use di::prelude::*;
use solver::*;

/// As in argmin.
mod solver {
    pub(super) trait Gradient {
        fn gradient(&self, x: &[f64]) -> Vec<f64>;
    }
    pub(super) trait Jacobian {
        fn jacobian(&self, x: &[f64]) -> Vec<Vec<f64>>;
    }
    pub(super) trait Hessian {
        fn hessian(&self, x: &[f64]) -> Vec<Vec<f64>>;
    }
}

#[differentiable]
fn bowl(x: &[f64]) -> f64 {
    x[0] * x[0] + x[0] * x[1]
}

struct Bowl;

impl Gradient for Bowl {
    fn gradient(&self, x: &[f64]) -> Vec<f64> {
        gradient(bowl::AD, NoPrep, &AutoSource::new(), x).expect("the sizes agree")
    }
}

impl Jacobian for Bowl {
    fn jacobian(&self, x: &[f64]) -> Vec<Vec<f64>> {
        vec![Gradient::gradient(self, x)]
    }
}

impl Hessian for Bowl {
    fn hessian(&self, x: &[f64]) -> Vec<Vec<f64>> {
        let h = hessian(bowl::AD, NoPrep, &AutoSource::new(), x).expect("the sizes agree");
        h.rows().map(<[f64]>::to_vec).collect()
    }
}

#[test]
fn names_of_traits_are_those_of_the_solver() {
    assert_eq!(Bowl.gradient(&[3.0, 5.0]), [11.0, 3.0]);
    assert_eq!(Bowl.jacobian(&[3.0, 5.0]), [[11.0, 3.0]]);
    assert_eq!(Bowl.hessian(&[3.0, 5.0]), [[2.0, 1.0], [1.0, 0.0]]);
}
