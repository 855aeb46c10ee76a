//! The adapter for num-dual.

use nalgebra_v0_35::SVector;
use num_dual::{Derivative, DualSVec64};

use super::{AutoForeignForward, ForwardNumber};
use crate::foreign_scalar;

/// Directions of one number.
const WIDTH: usize = 8;

foreign_scalar! {
    /// `num_dual::DualSVec64<8>`: a value with eight tangents, or with none at all.
    pub struct NumDual(DualSVec64<WIDTH>) over f64, named "AutoNumDual";
    fn lift(c) { DualSVec64::from_re(c) }
    fn value(x) { x.re }
    fn is_passive(x) { x.eps.0.is_none_or(|eps| eps.iter().all(|v| *v == 0.0)) }
    fn chain(value, terms) {
        let mut sum = SVector::<f64, WIDTH>::zeros();
        for (x, partial) in terms {
            if let Some(eps) = x.0.eps.0 {
                for (to, v) in sum.iter_mut().zip(eps.iter()) {
                    *to += v * partial;
                }
            }
        }
        DualSVec64::new(value, Derivative::some(sum))
    }
    arithmetic own
}

impl ForwardNumber for NumDual {
    const WIDTH: usize = WIDTH;

    fn with_tangents(value: f64, tangents: &[f64]) -> Self {
        let eps = SVector::from_column_slice(tangents);
        NumDual(DualSVec64::new(value, Derivative::some(eps)))
    }
    fn tangent(self, k: usize) -> f64 {
        self.0.eps.0.map_or(0.0, |eps| eps[k])
    }
}

/// The dual numbers of [num-dual](https://docs.rs/num-dual) 0.15, eight directions at once, in double
/// precision. Behind the feature `num-dual`.
///
/// Sums and products are theirs; values and derivatives of elementary functions are those of our table.
pub type AutoNumDual = AutoForeignForward<NumDual>;
