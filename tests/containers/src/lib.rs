//! Tests of vectors and matrices of other crates: see `tests/`. The examples of the page on containers are run here.

/// The page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/containers.md")]
pub struct Containers;
