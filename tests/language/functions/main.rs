//! Functions: calls, parameters, closures, functions that take functions, generic functions.
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

mod calls;
mod closures;
mod custom_rules;
mod cycles;
mod extension_traits;
mod function_values;
mod generic_floats;
mod generic_states;
mod generic_types;
mod generic_values;
mod generics;
mod handles;
mod higher_order;
mod implicit;
mod in_place;
mod known;
mod lent;
mod makers;
mod method_paths;
mod natural_calls;
mod nested;
mod open;
mod parameters;
mod placed_bodies;
mod recursive_functions;
mod returned_closures;
mod told;
mod tuple_calls;
mod tuples;
mod untyped;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
