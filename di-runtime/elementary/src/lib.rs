//! The table of elementary functions, one row each: derivatives, sparsity, conventions, samples.
//!
//! [`elementary!`] hands the rows to a callback macro, from which the runtime makes trait methods,
//! dual numbers, tracers and rules; [`TABLE`] is the same rows as plain data, for the macro
//! compiler, the documentation and the tests. A new function is a new row and nothing else.
//! This crate depends on nothing and computes no derivative itself.

mod document;
mod rows;
mod table;

pub use document::markdown;
pub use table::{
    Class, Domain, OPERATORS, PASSIVE, Partial, Point, Product, READS_RESULT, REFUSED, Refused,
    Row, TABLE, evaluate, find, find_refused, is_passive,
};
