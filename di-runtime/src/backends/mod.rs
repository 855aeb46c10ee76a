//! Backends, one file or folder for each.

mod source;
mod sweep;

pub use source::AutoSource;
