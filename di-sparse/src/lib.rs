//! Sparsity: patterns of Jacobians and Hessians, their colorings, and compressed evaluation.
//!
//! [`Pattern`] says which entries may differ from zero, [`Coloring`] which columns or rows are computed
//! together, and [`Decompressor`] reads the entries from compressed columns and rows.

mod auto;
pub mod color;
pub mod decompress;
pub mod detect;
mod graph;
mod mixed;
mod order;
mod pattern;
mod spy;
#[cfg(test)]
mod tests;

pub use auto::{
    AutoSparse, SparsePrep, SparseTeam, Structure, Verify, prepare_hessian_team,
    prepare_jacobian_team,
};
pub use color::{
    Coloring, ColoringAlgorithm, Given, Greedy, NEUTRAL, OnePerLine, Partition, Source, Structured,
};
pub use decompress::{ByColor, Decompressor, Layout, Part, Storage, Sums};
pub use detect::{
    AllEntries, Detected, Detector, Known, Notation, Probe, Tracing, Validity, hessian_pattern,
    jacobian_pattern, probe_hessian, probe_jacobian,
};
pub use di_runtime::sparsity::SparsityError as Error;
pub use mixed::MixedMode;
pub use order::Order;
pub use pattern::Pattern;
#[cfg(feature = "plot")]
pub use spy::PlotError;
pub use spy::Spy;

/// The type of sparse Jacobians and Hessians: compressed rows, or columns.
pub type Matrix = sprs::CsMat<f64>;
