//! Whole programs, in which the constructs of the language meet: small solvers and simulations with known derivatives.

#![allow(
    clippy::assign_op_pattern,
    clippy::let_and_return,
    clippy::manual_memcpy,
    clippy::manual_swap,
    clippy::needless_range_loop,
    clippy::reversed_empty_ranges,
    clippy::too_many_arguments,
    clippy::useless_vec,
    reason = "the constructs under test, as users write them"
)]

mod adbench;
mod determinant;
mod everything;
mod fields;
mod hand;
mod integrators;
mod linear_algebra;
mod networks;
mod oscillator;
mod physics;
mod statistics;
mod tridiagonal;
