//! Functions on active numbers, as the macro makes them of plain ones.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

#[macro_use]
mod keys;
mod calls;
mod constants;
mod generic;
mod numbers;
mod operations;
mod questions;

/// A number without derivatives.
const fn constant<F: di_runtime::scalar::Real>(value: F) -> di_runtime::overloaded::Active<F> {
    di_runtime::overloaded::Active::constant(value)
}
