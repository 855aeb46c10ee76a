//! Structs, their methods and operators, traits and trait objects.
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

mod aliases;
mod assembled;
mod boxed;
mod builders;
mod bundles;
mod chosen_by_types;
mod defaults;
mod derefs;
mod derive;
mod generic_blocks;
mod generic_marks;
mod generic_numbers;
mod generic_structs;
mod handed_on;
mod imported;
mod indexed;
mod iterated_structs;
mod lent_structs;
mod made_of_iterators;
mod made_of_texts;
mod methods;
mod modules;
mod networks;
mod operators;
mod other_files;
mod own_iterators;
mod own_methods;
mod plain_objects;
mod resized_structs;
mod sided;
mod struct_defaults;
mod struct_grids;
mod struct_lengths;
mod struct_operators;
mod struct_rows;
mod struct_storage;
mod struct_vectors;
mod structs;
mod structs_with_lengths;
mod sums;
mod type_members;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
