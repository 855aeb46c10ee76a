//! Backends, one file or folder for each.

mod dual;
mod lanes;
mod source;
mod sweep;

pub use dual::AutoDual;
pub use source::AutoSource;
