//! The compiler as a library: what it makes of functions, run by its evaluator and shown as text.

#![allow(clippy::unwrap_used)]

mod aliases;
mod codes;
mod errors;
mod evaluate;
mod expansions;
mod itself;
mod joint;
mod names;
mod odd_arrays;
mod overloaded;
mod passes;
mod programs;
mod purpose;
mod reports;
mod rewritten;
mod snapshots;
mod transforms;
mod travels;
mod varied;
