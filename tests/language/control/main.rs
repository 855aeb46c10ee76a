//! Control flow, arithmetic, iterators and chains.
//!
//! One test for each construct of the language: primal, tangent, reverse, second order, several seeds, repetition.
//!
//! Each function is small, and is differentiated at points on both sides of each of its branches.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    elided_lifetimes_in_paths,
    unreachable_pub,
    reason = "the constructs under test, as users write them"
)]

mod arithmetic;
mod branches;
mod chains;
mod chains_of_views;
mod checkpoints;
mod control;
mod conversions;
mod counted_iterators;
mod effects;
mod exits;
mod f32;
mod filters;
mod folded_back;
mod folded_calls;
mod held;
mod iterators;
mod locals;
mod loops;
mod macros;
mod matching;
mod named_chains;
mod natural_names;
mod patterns;
mod references;
mod returned_chains;
mod special;
mod surroundings;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
