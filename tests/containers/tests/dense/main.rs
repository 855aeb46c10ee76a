//! Dense vectors and matrices of nalgebra, faer and ndarray, as `x`, as tangents, as outputs and as results, against closed
//! forms.

#![allow(
    clippy::needless_range_loop,
    clippy::unwrap_used,
    reason = "functions as users write them"
)]
#![expect(
    clippy::duplicate_mod,
    reason = "the same tests for each version of nalgebra"
)]

mod faer;
mod functions;
mod ndarray;
mod v0_34;
mod v0_35;

use di_test::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
