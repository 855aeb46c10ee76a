//! Derivative from a pushforward of one.

use crate::backend::Backend;
use crate::error::Error;
use crate::function::{Call, OfNumber, Primal, Slot, YLanesMut};
use crate::primitive::Space;
use crate::rules::one;

/// The pushforward of one.
///
/// # Errors
/// Those of the pushforward.
pub fn derivative<K: Primal + OfNumber, B: Backend<K>>(
    backend: &B,
    space: &mut Space<K, B>,
    call: Call<'_, K>,
    x: K::Real,
    y: Slot<'_, K, K::Real>,
    dy: YLanesMut<'_, K, K::Real>,
) -> Result<(), Error> {
    backend.pushforward(space, call, x, &[&one::<K::Real>()], y, &mut [dy])
}
