//! What keeps a trait from being implemented elsewhere, so that it may grow.

/// A supertrait that other crates cannot name.
pub trait Sealed {}
