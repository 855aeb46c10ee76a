//! Programs as scientists and engineers write them, plainly, without types that one would not write: integrators,
//! filters, geometry, networks, pricing, fits and others. Each derivative is compared with differences.
//!
//! Most are in `../tests`; here are types and functions in files of their own, and programs that import them. Those that
//! are refused are kept in `../refused`, with what the compiler says of them: they are not compiled.

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
mod of_other_files;
#[cfg(test)]
mod of_other_files_second;
