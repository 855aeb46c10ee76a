//! Engines added from outside: nothing here is known to the workspace.
//!
//! `their` stands for somebody's crate, which knows nothing of us; `forward` and `reverse` make backends of its
//! numbers, and `steps` is a backend of its own kind.

#![deny(unsafe_code)]

pub mod forward;
pub mod reverse;
pub mod steps;
pub mod their;
