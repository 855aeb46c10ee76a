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
mod arithmetic;
mod array_results;
mod arrays;
mod arrays_given;
mod arrays_in_constants;
mod arrays_in_structs;
mod arrays_joined;
mod arrays_listed;
mod arrays_of_vectors;
mod arrays_shapes;
mod borrowed_constants;
mod borrowed_counters;
mod branches;
mod bundles;
mod calls;
mod chains;
mod changed_by_others;
mod changed_elsewhere;
mod changed_lengths;
mod changing_beside;
mod changing_collections;
mod changing_maps;
mod checked;
mod checkpoints;
mod chosen_lists;
mod closures;
mod collections;
mod combined;
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
mod constants_found;
mod constants_in_structs;
mod constants_made;
mod constants_met;
mod constants_passed;
mod constants_tried;
mod control;
mod conversions;
mod converted_errors;
mod counted_iterators;
mod cursors;
mod custom_rules;
mod cycles;
mod data_sums;
mod defaults;
mod deques_of_numbers;
mod derive;
mod derived_errors;
mod effects;
mod elements;
mod enum_flows;
mod enum_payloads;
mod enum_places;
mod enum_values;
mod enums;
mod errors;
mod errors_not_cloned;
mod events;
mod exits;
mod f32;
mod filters;
mod folded_calls;
mod found;
mod found_rows;
mod function_values;
mod generic_floats;
mod generic_types;
mod generics;
mod growth;
mod handed;
mod handed_on;
mod handles;
mod held;
mod higher_order;
mod implicit;
mod imported;
mod in_place;
mod indexed;
mod iterators;
mod known;
mod lent;
mod lent_constants;
mod lent_structs;
mod lifted;
mod listed;
mod listed_constants;
mod listed_references;
mod lists;
mod lists_in_fields;
mod lists_of_options;
mod locals;
mod loops;
mod made_options;
mod makers;
mod mapped_options;
mod maps_of_numbers;
mod marked_functions;
mod matched_structs;
mod matching;
mod method_paths;
mod methods;
mod modules;
mod moved_constants;
mod named_chains;
mod natural_calls;
mod nested;
mod networks;
mod objects;
mod open;
mod operators;
mod optional_references;
mod options;
mod other_files;
mod own_iterators;
mod owned_constants;
mod parameters;
mod parts_lent;
mod patterns;
mod permutations;
mod placed_bodies;
mod plain;
mod pushed_constants;
mod records;
mod references;
mod resized_structs;
mod returned_chains;
mod returned_closures;
mod rows;
mod rows_of_results;
mod searches;
mod sequences;
mod shortened;
mod sided;
mod sorting;
mod special;
mod states;
mod stored;
mod struct_defaults;
mod struct_grids;
mod struct_lengths;
mod struct_operators;
mod struct_results;
mod struct_rows;
mod struct_storage;
mod struct_vectors;
mod structs;
mod structs_with_lengths;
mod sums;
mod surroundings;
mod text_in_structs;
mod texts_and_errors;
mod told;
mod tuple_calls;
mod tuples;
mod typed_tries;
mod unit_structs;
mod untyped;

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

#[test]
fn table_of_constructs_is_what_the_tests_show() {
    di_test::rows::table::check();
}
