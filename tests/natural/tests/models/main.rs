//! Models as scientists and engineers write them: of diseases, engines, robots, markets, and their fits. Each derivative is compared with differences.

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
mod curve_fits;
mod curve_fits_second;
mod curve_fits_third;
mod epidemiology_ecology;
mod epidemiology_ecology_second;
mod epidemiology_ecology_third;
mod gaussian_process;
mod gaussian_process_second;
mod gaussian_process_third;
mod markov;
mod markov_second;
mod markov_third;
mod models_earth;
mod models_energy;
mod models_engineering;
mod models_engineering_second;
mod models_engineering_third;
mod models_learning;
mod models_learning_second;
mod models_life;
mod models_life_second;
mod models_markets;
mod models_space;
mod models_space_second;
mod models_space_third;
mod models_statistics;
mod models_statistics_third;
mod neural;
mod neural_second;
mod neural_third;
mod robotics;
mod robotics_second;
mod robotics_third;
mod statistics;
mod statistics_second;
