//! Enums, options, results, errors and texts.
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

mod arenas;
mod by_default;
mod checked;
mod converted_errors;
mod derived_errors;
mod enum_flows;
mod enum_payloads;
mod enum_places;
mod enum_values;
mod enums;
mod enums_in_structs;
mod errors;
mod errors_not_cloned;
mod errors_with_payloads;
mod errors_with_texts;
mod events;
mod imported_variants;
mod in_plain_rust;
mod lists_of_options;
mod made_options;
mod mapped_options;
mod matched_structs;
mod methods_of_text;
mod named_results;
mod optional_references;
mod optional_structs;
mod options;
mod options_handed_on;
mod parts_of_modules;
mod plain;
mod states;
mod struct_results;
mod text_in_structs;
mod texts_of_numbers;
mod uncloned;
mod usual_forms;
mod usual_items;
mod usual_structs;
mod wide_enums;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
