//! What `AutoSparse` needs from a coloring.

use super::Coloring;
use crate::{Error, Pattern};

/// Colors patterns; one method for each partition.
pub trait ColoringAlgorithm: Clone + PartialEq + std::fmt::Debug {
    /// Colors columns.
    ///
    /// # Errors
    /// If the colors do not determine all entries.
    fn columns(&self, pattern: &Pattern) -> Result<Coloring, Error>;

    /// Colors rows.
    ///
    /// # Errors
    /// If the colors do not determine all entries.
    fn rows(&self, pattern: &Pattern) -> Result<Coloring, Error>;

    /// Colors the columns of a symmetric matrix.
    ///
    /// # Errors
    /// [`Error::NotSymmetric`], [`Error::Shape`]; if the colors do not determine all entries.
    fn symmetric(&self, pattern: &Pattern) -> Result<Coloring, Error>;

    /// Colors columns and rows.
    ///
    /// # Errors
    /// If the colors do not determine all entries; [`Error::TooLarge`].
    fn bidirectional(&self, pattern: &Pattern) -> Result<Coloring, Error>;
}
