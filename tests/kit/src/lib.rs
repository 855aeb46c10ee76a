//! Test kit: checks derivatives of annotated functions against differences, against each other, and against closed forms.
//!
//! What it offers is slow and obvious, for tests.

pub mod allocations;
pub mod compare;
pub mod differences;
