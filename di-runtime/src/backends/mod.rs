//! Backends, one file or folder for each.

mod dual;
mod finite_diff;
mod lanes;
mod source;
mod sweep;

pub use dual::AutoDual;
pub use finite_diff::{AutoFiniteDiff, Scheme};
pub use source::AutoSource;
