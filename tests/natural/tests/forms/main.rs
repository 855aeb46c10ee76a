//! Programs for the forms that they have: closures, options, structs, data in calls. Each derivative is compared with differences.

#![allow(
    clippy::all,
    dead_code,
    elided_lifetimes_in_paths,
    missing_docs,
    private_interfaces,
    unreachable_pub,
    unused,
    reason = "programs as they were written"
)]

#[path = "../../src/check.rs"]
mod check;
mod closures_over_constants;
mod closures_over_constants_second;
mod constants_in_structs;
mod constants_in_structs_second;
mod control;
mod control_second;
mod control_third;
mod data_in_calls;
mod data_in_calls_second;
mod data_in_calls_third;
mod data_in_helpers;
mod function_by_function;
mod function_by_function_fourth;
mod function_by_function_second;
mod function_by_function_third;
mod iterators_functions;
mod iterators_functions_second;
mod iterators_functions_third;
mod options;
mod options_second;
mod options_third;
mod structs_of_the_file;
mod structs_with_lengths;
