//! Operators made of the two primitives. One file for each, as in `operators/`.

mod compressed;
mod derivative;
mod gradient;
mod hessian;
mod jacobian;
mod pullback;
mod pushforward;

pub use compressed::{compressed_columns, compressed_hessian, compressed_rows};
pub use derivative::derivative;
pub use gradient::gradient;
pub use hessian::{hessian, hessian_diagonal};
pub use jacobian::{columns, jacobian};
pub use pullback::pullback;
pub use pushforward::pushforward;

/// Why a backend with neither primitive does nothing.
pub const NO_PRIMITIVE: &str = "it has neither pushforward nor pullback";
/// Why most adapters have no second order of their own.
pub const NO_SECOND_ORDER: &str = "it does not nest; use `SecondOrder::new(outer, inner)`";

use crate::batch::WIDEST;
use crate::function::Signature;
use crate::value::Family;

/// Directions that derived operators hand on at once.
const MOST: usize = WIDEST;

/// Lanes of the first [`MOST`] storages.
fn read<F: Family, K: Signature>(
    storage: &[F::Owned<K::Real>],
) -> [F::LanesRef<'_, K::Real>; MOST] {
    core::array::from_fn(|k| F::lanes(&storage[k]))
}

/// Lanes of the first [`MOST`] storages, for writing.
fn write<F: Family, K: Signature>(
    storage: &mut [F::Owned<K::Real>],
) -> [F::LanesMut<'_, K::Real>; MOST] {
    let mut storage = storage.iter_mut();
    core::array::from_fn(|_| F::lanes_mut(storage.next().expect("`ensure` made as many")))
}

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
