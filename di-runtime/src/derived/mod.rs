//! Operators made of the two primitives. One file for each, as in `operators/`.

mod derivative;
mod gradient;
mod hessian;
mod jacobian;
mod pullback;
mod pushforward;

pub use derivative::derivative;
pub use gradient::gradient;
pub use hessian::hessian;
pub use jacobian::jacobian;
pub use pullback::pullback;
pub use pushforward::pushforward;

/// Why a backend with neither primitive does nothing.
pub const NO_PRIMITIVE: &str = "it has neither pushforward nor pullback";
/// Why most adapters have no second order of their own.
pub const NO_SECOND_ORDER: &str = "it does not nest; use `SecondOrder::new(outer, inner)`";

use crate::function::Signature;
use crate::value::Family;

/// At least `count` storages of a shape.
fn ensure<F: Family, K: Signature>(
    storage: &mut Vec<F::Owned<K::Real>>,
    count: usize,
    shape: &F::Shape,
) {
    while storage.len() < count {
        storage.push(F::store(shape, K::Real::default()));
    }
}
