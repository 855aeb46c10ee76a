//! A backend of somebody's dual numbers.

use crate::their::Pair;
use di::extend::{AutoForeignForward, ForwardNumber, foreign_scalar};

foreign_scalar! {
    /// Their dual numbers.
    pub struct Dual2(Pair) over f64, named "AutoPair";
    fn lift(c) { Pair { re: c, eps: [0.0; 2] } }
    fn value(x) { x.re }
    fn is_passive(x) { x.eps == [0.0; 2] }
    fn chain(value, terms) {
        let mut eps = [0.0; 2];
        for (x, partial) in terms {
            for (to, v) in eps.iter_mut().zip(x.0.eps) {
                *to += v * partial;
            }
        }
        Pair { re: value, eps }
    }
    arithmetic own
}

impl ForwardNumber for Dual2 {
    const WIDTH: usize = 2;

    fn with_tangents(value: f64, tangents: &[f64]) -> Self {
        Dual2(Pair {
            re: value,
            eps: [tangents[0], tangents[1]],
        })
    }
    fn tangent(self, k: usize) -> f64 {
        self.0.eps[k]
    }
}

/// The backend.
pub type AutoPair = AutoForeignForward<Dual2>;
