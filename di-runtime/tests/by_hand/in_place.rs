//! Placeholder.
pub struct filter {}
