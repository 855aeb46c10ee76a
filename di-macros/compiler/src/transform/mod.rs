//! Transforms: from a function to its tangent and its reverse code. IR in, IR out.

mod apart;
mod cleared;
mod first;
mod kept;
mod local;
mod loops;
mod negations;
pub(crate) mod outline;
mod partners;
pub(crate) mod reverse;
mod running;
mod simplify;
mod stepped;
mod straight;
pub(crate) mod structure;
pub(crate) mod tangent;
