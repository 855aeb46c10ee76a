//! Programs of many fields, one in each file. Each derivative is compared with differences.

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
mod programs;
mod programs_second;
