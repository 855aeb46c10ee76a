//! Constants beside what is differentiated.
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

mod beside_numbers;
mod borrowed_constants;
mod changed_objects;
mod chosen_constants;
mod chosen_lists;
mod constant_closures;
mod constant_data;
mod constant_field_types;
mod constant_fields;
mod constant_lists;
mod constant_maps;
mod constant_options;
mod constant_parts;
mod constant_ranges;
mod constant_rows;
mod constant_tables;
mod constants_as_written;
mod constants_by_value;
mod constants_chosen;
mod constants_found;
mod constants_in_structs;
mod constants_made;
mod constants_met;
mod constants_of_parts;
mod constants_passed;
mod constants_tried;
mod found_indices;
mod found_rows;
mod lent_constants;
mod lifted;
mod listed_constants;
mod listed_references;
mod lists_in_fields;
mod made_settings;
mod marked_functions;
mod moved_constants;
mod objects;
mod owned_constants;
mod pushed_constants;
mod results_of_structs;
mod searches;
mod tables_of_structs;
mod texts_and_errors;
mod typed_tries;
mod unit_structs;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
