//! The table of elementary functions: derivatives of every row in tangent and reverse code, classes,
//! special points, operands that are not read.
//!
//! References are differences of std's functions, and the values written in the rows.

mod derivatives;
mod kinks;
mod points;
mod reads;
mod reference;
mod samples;
mod tracer;
