//! The table of elementary functions, one row each: derivatives, sparsity, conventions, samples.
//!
//! [`elementary!`] hands the rows to a callback macro, from which the runtime makes trait methods,
//! dual numbers, tracers and rules; [`TABLE`] is the same rows as plain data, for the macro
//! compiler, the documentation and the tests. A new function is a new row and nothing else.
//! This crate depends on nothing and computes no derivative itself.

mod document;
#[cfg(feature = "compiler")]
mod refused;
mod rows;
mod special;
mod table;

pub use document::markdown;
#[cfg(feature = "compiler")]
pub use refused::{PASSIVE, REFUSED, Refused, find_refused, is_passive};
pub use table::{
    Class, Domain, OPERATORS, Partial, Point, Product, READS_RESULT, Row, SPECIAL, TABLE, evaluate,
    find,
};
