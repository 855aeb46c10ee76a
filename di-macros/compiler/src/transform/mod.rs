//! Transforms: from a function to its tangent and its reverse code. IR in, IR out.

pub mod reverse;
pub mod structure;
pub mod tangent;
