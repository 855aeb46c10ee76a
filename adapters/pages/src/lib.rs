//! The examples of the pages on solvers and on threads, run as tests.

/// The page on solvers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/solvers.md")]
pub struct Solvers;

/// The page on threads.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/threads.md")]
pub struct Threads;
