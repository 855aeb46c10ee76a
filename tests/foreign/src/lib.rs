//! Engines added from outside: nothing here is known to the workspace.
//!
//! `their` stands for somebody's crate, which knows nothing of us; `forward` and `reverse` make backends of its
//! numbers, and `steps` is a backend of its own kind.

#![allow(
    missing_docs,
    unreachable_pub,
    elided_lifetimes_in_paths,
    clippy::unwrap_used,
    clippy::wildcard_imports,
    reason = "it stands for a crate of somebody else"
)]

pub mod forward;
pub mod reverse;
pub mod steps;
pub mod their;
