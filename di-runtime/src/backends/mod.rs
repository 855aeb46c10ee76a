//! Backends, one file or folder for each.

mod dual;
mod finite_diff;
mod from_primitive;
mod lanes;
mod source;
mod sweep;
mod zero;

pub use dual::AutoDual;
pub use finite_diff::{AutoFiniteDiff, Scheme};
pub use from_primitive::{AutoForwardFromPrimitive, AutoReverseFromPrimitive};
pub use source::AutoSource;
pub use zero::AutoZero;
