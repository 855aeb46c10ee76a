//! Vectors, arrays, lists and other collections.
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

mod array_results;
mod arrays;
mod arrays_given;
mod arrays_in_constants;
mod arrays_in_structs;
mod arrays_joined;
mod arrays_listed;
mod arrays_of_vectors;
mod arrays_shapes;
mod borrowed_counters;
mod borrowed_items;
mod both_ends;
mod changed_at_once;
mod changed_by_others;
mod changed_elsewhere;
mod changed_lengths;
mod changing_beside;
mod changing_collections;
mod changing_maps;
mod chosen_places;
mod collections;
mod collections_remade;
mod combined;
mod cursors;
mod data_scratch;
mod data_sums;
mod deques_of_numbers;
mod elements;
mod f32_lists;
mod found;
mod growth;
mod handed;
mod listed;
mod listed_places;
mod lists;
mod lists_handed_on;
mod lists_taken_by_type;
mod maps_lent;
mod maps_of_numbers;
mod parts_found;
mod parts_lent;
mod permutations;
mod records;
mod rows;
mod rows_of_results;
mod sequences;
mod shortened;
mod sorting;
mod stages;
mod stored;
mod told_by_use;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
