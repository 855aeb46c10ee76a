//! Transforms: from a function to its tangent and its reverse code. IR in, IR out.

pub(crate) mod reverse;
mod simplify;
pub(crate) mod structure;
pub(crate) mod tangent;
