//! Sparsity: patterns of Jacobians and Hessians, their colorings, and compressed evaluation.
//!
//! [`Pattern`] says which entries may differ from zero, [`Coloring`] which columns or rows are found together,
//! [`Decompressor`] reads the entries from compressed columns and rows.

pub mod color;
pub mod decompress;
mod error;
mod graph;
mod order;
mod pattern;
#[cfg(test)]
mod tests;

pub use color::{
    Coloring, ColoringAlgorithm, Given, Greedy, NEUTRAL, OnePerLine, Partition, Source, Structured,
};
pub use decompress::{ByColor, Decompressor, Layout, Part, Storage, Sums};
pub use error::Error;
pub use order::Order;
pub use pattern::Pattern;

/// The matrix that sparse Jacobians and Hessians are stored in: compressed rows, or columns.
pub type Matrix = sprs::CsMat<f64>;
