//! Sparsity: patterns of Jacobians and Hessians, as a place for the coloring and compressed evaluation that build on them.
//!
//! So far this crate holds the pattern alone. Detection, coloring and the sparse operators are not here yet, and
//! nothing here pretends to be them: dense operators are in `di-runtime`.

mod error;
mod pattern;

pub use error::Error;
pub use pattern::Pattern;

/// The matrix that sparse Jacobians and Hessians are stored in: compressed rows.
pub type Matrix = sprs::CsMat<f64>;
