//! Programs as scientists and engineers write them, plainly, without types that one would not write: integrators,
//! filters, geometry, networks, pricing, fits and others. Each derivative is compared with differences.
//!
//! Those that are refused are kept beside, with what the compiler says of them, in `../refused`: they are not compiled.

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

pub mod library;

#[cfg(test)]
mod check;
#[cfg(test)]
mod closures_over_constants;
#[cfg(test)]
mod closures_over_constants_second;
#[cfg(test)]
mod constants_in_structs;
#[cfg(test)]
mod constants_in_structs_second;
#[cfg(test)]
mod control;
#[cfg(test)]
mod control_second;
#[cfg(test)]
mod control_third;
#[cfg(test)]
mod curve_fits;
#[cfg(test)]
mod curve_fits_second;
#[cfg(test)]
mod curve_fits_third;
#[cfg(test)]
mod data_in_calls;
#[cfg(test)]
mod data_in_calls_second;
#[cfg(test)]
mod data_in_calls_third;
#[cfg(test)]
mod data_in_helpers;
#[cfg(test)]
mod epidemiology_ecology;
#[cfg(test)]
mod epidemiology_ecology_second;
#[cfg(test)]
mod epidemiology_ecology_third;
#[cfg(test)]
mod fem;
#[cfg(test)]
mod fem_second;
#[cfg(test)]
mod fem_third;
#[cfg(test)]
mod filters;
#[cfg(test)]
mod filters_second;
#[cfg(test)]
mod filters_third;
#[cfg(test)]
mod function_by_function;
#[cfg(test)]
mod function_by_function_fourth;
#[cfg(test)]
mod function_by_function_second;
#[cfg(test)]
mod function_by_function_third;
#[cfg(test)]
mod gaussian_process;
#[cfg(test)]
mod gaussian_process_second;
#[cfg(test)]
mod gaussian_process_third;
#[cfg(test)]
mod geometry;
#[cfg(test)]
mod geometry_second;
#[cfg(test)]
mod geometry_third;
#[cfg(test)]
mod iterators_functions;
#[cfg(test)]
mod iterators_functions_second;
#[cfg(test)]
mod iterators_functions_third;
#[cfg(test)]
mod markov;
#[cfg(test)]
mod markov_second;
#[cfg(test)]
mod markov_third;
#[cfg(test)]
mod models_earth;
#[cfg(test)]
mod models_energy;
#[cfg(test)]
mod models_engineering;
#[cfg(test)]
mod models_engineering_second;
#[cfg(test)]
mod models_engineering_third;
#[cfg(test)]
mod models_learning;
#[cfg(test)]
mod models_learning_second;
#[cfg(test)]
mod models_life;
#[cfg(test)]
mod models_life_second;
#[cfg(test)]
mod models_markets;
#[cfg(test)]
mod models_space;
#[cfg(test)]
mod models_space_second;
#[cfg(test)]
mod models_space_third;
#[cfg(test)]
mod models_statistics;
#[cfg(test)]
mod models_statistics_third;
#[cfg(test)]
mod neural;
#[cfg(test)]
mod neural_second;
#[cfg(test)]
mod neural_third;
#[cfg(test)]
mod ode;
#[cfg(test)]
mod ode_second;
#[cfg(test)]
mod ode_third;
#[cfg(test)]
mod of_other_files;
#[cfg(test)]
mod of_other_files_second;
#[cfg(test)]
mod optimisation_signal;
#[cfg(test)]
mod optimisation_signal_second;
#[cfg(test)]
mod optimisation_signal_third;
#[cfg(test)]
mod options;
#[cfg(test)]
mod options_second;
#[cfg(test)]
mod options_third;
#[cfg(test)]
mod pde;
#[cfg(test)]
mod pde_second;
#[cfg(test)]
mod pde_third;
#[cfg(test)]
mod physics;
#[cfg(test)]
mod physics_second;
#[cfg(test)]
mod physics_third;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod programs_second;
#[cfg(test)]
mod quadrature;
#[cfg(test)]
mod quadrature_second;
#[cfg(test)]
mod robotics;
#[cfg(test)]
mod robotics_second;
#[cfg(test)]
mod robotics_third;
#[cfg(test)]
mod statistics;
#[cfg(test)]
mod statistics_second;
#[cfg(test)]
mod structs_of_the_file;
#[cfg(test)]
mod structs_with_lengths;
