//! Wrong answers that were once given, one file each.

mod bound_in_another_module;
mod constants_chosen_by_branches;
mod constants_taken_apart;
mod differences_near_zero;
mod expression_fragments;
mod forward_linearize;
mod integers_written_alike;
mod length_of_a_view;
mod loop_without_adjoint;
mod none_in_a_nested_function;
mod numbers_beside_structs;
mod output_that_is_added_to;
mod panic_in_a_difference;
mod part_that_is_not_kept;
mod passive_code_that_is_run_twice;
mod passive_field_that_is_written;
mod passive_value;
mod powers_of_small_numbers;
mod receiver_beside_itself;
mod references_that_went_elsewhere;
mod refused_although_valid;
mod singular_points;
mod values_without_fields;
mod wide_integers;
mod zero_adjoint_at_a_pole;
