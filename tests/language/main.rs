//! One test for each construct of the language: primal, tangent, reverse, second order, several seeds, repetition.
//!
//! Each function is small, and is differentiated at points on both sides of each of its branches.

mod arithmetic;
mod branches;
mod calls;
mod elements;
mod exits;
mod iterators;
mod locals;
mod loops;
mod parameters;
mod sequences;
mod structs;
