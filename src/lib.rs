//! Placeholder.
pub use di_macros::*;
