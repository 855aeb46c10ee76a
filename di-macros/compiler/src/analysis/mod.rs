//! Analyses: facts about a body in side tables. They report nothing and change nothing.

pub(crate) mod activity;
mod bits;
pub(crate) mod control;
pub(crate) mod earlier;
pub(crate) mod elementary;
pub(crate) mod fixed;
pub(crate) mod flow;
pub(crate) mod record;
pub(crate) mod renewed;
pub(crate) mod steady;
pub(crate) mod views;
