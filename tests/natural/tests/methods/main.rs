//! Numerical methods as they are written plainly: integrators, finite elements, filters, geometry. Each derivative is compared with differences.

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
mod fem;
mod fem_second;
mod fem_third;
mod filters;
mod filters_second;
mod filters_third;
mod geometry;
mod geometry_second;
mod geometry_third;
mod ode;
mod ode_second;
mod ode_third;
mod optimisation_signal;
mod optimisation_signal_second;
mod optimisation_signal_third;
mod pde;
mod pde_second;
mod pde_third;
mod physics;
mod physics_second;
mod physics_third;
mod quadrature;
mod quadrature_second;
