//! Partial derivatives of the elementary functions, from the rows of the table, and custom rules.
//!
//! `rules::sin::d0(x, y)`, `rules::atan2::d1(x, b, y)`, `rules::powi::d0(x, n, y)`: one module for
//! each row, one function for each argument that is not of class zero, arguments in order and then
//! the result. They are generic over the scalar and written in its methods, so that differentiating
//! them is calling them on dual numbers. An operand that a row does not read may be anything.

pub mod by_name;
mod custom;
mod unary;

pub use crate::scalar::Rule;
pub use crate::scalar::partials::*;
pub use custom::call;
pub use unary::{Derivatives, Unary, UnaryRule};
