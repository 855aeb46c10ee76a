//! The examples of the page on solvers, run as tests.

/// The page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/solvers.md")]
pub struct Solvers;
