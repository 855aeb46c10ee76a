//! Entries color by color, for callers that do not hold all compressed columns at once.

use super::{Decompressor, Read, check};
use crate::Error;
use crate::color::{Coloring, Recovery};

/// Which stored entries are read from which color.
#[derive(Clone, Debug, PartialEq)]
pub struct ByColor {
    /// By color: where its entries begin.
    starts: Vec<u32>,
    /// Stored entry, and its line in the compressed column or row.
    entries: Vec<(u32, u32)>,
    lengths: Vec<u32>,
    stored: usize,
}

impl ByColor {
    /// For direct colorings; `None` for those by substitution, where an entry needs several colors.
    /// Cost: linear.
    pub fn new(coloring: &Coloring, decompressor: &Decompressor) -> Option<Self> {
        let Read::Gather(_) = &decompressor.read else {
            return None;
        };
        let Recovery::Direct(by_row) = coloring.recovery() else {
            return None;
        };
        let layout = decompressor.layout();
        let pattern = coloring.sparsity_pattern();
        if layout.shape() != pattern.shape() || layout.places().any(|at| at >= pattern.len()) {
            return None;
        }
        let sources = || {
            let entries = layout.places().zip(layout.triplets());
            entries.map(|(place, entry)| coloring.source(by_row, place, entry))
        };
        let mut starts = vec![0u32; coloring.ncolors() + 1];
        for source in sources() {
            *starts.get_mut(source.color as usize + 1)? += 1;
        }
        crate::pattern::cumulate(&mut starts);
        let mut next = starts.clone();
        let mut entries = vec![(0, 0); decompressor.layout().len()];
        for (stored, source) in sources().enumerate() {
            let at = &mut next[source.color as usize];
            entries[*at as usize] = (stored as u32, source.line);
            *at += 1;
        }
        let (m, n) = coloring.sparsity_pattern().shape();
        let length = |color| {
            if color < coloring.column_count() {
                m
            } else {
                n
            }
        };
        Some(ByColor {
            starts,
            entries,
            lengths: (0..coloring.ncolors()).map(|c| length(c) as u32).collect(),
            stored: decompressor.layout().len(),
        })
    }

    /// The stored entries that this color yields, each with its line in the compressed column or row.
    ///
    /// # Panics
    /// If there is no such color.
    pub fn entries(&self, color: usize) -> &[(u32, u32)] {
        &self.entries[self.starts[color] as usize..self.starts[color + 1] as usize]
    }

    /// Writes the entries that one compressed column (or row) yields, and no others.
    ///
    /// # Errors
    /// [`Error::Length`] if there is no such color, or the lengths are not those of the matrix.
    pub fn decompress(
        &self,
        color: usize,
        compressed: &[f64],
        values: &mut [f64],
    ) -> Result<(), Error> {
        let Some(length) = self.lengths.get(color) else {
            return check("colors at least", color + 1, self.lengths.len());
        };
        check("compressed entries", *length as usize, compressed.len())?;
        check("values", self.stored, values.len())?;
        for (stored, line) in self.entries(color) {
            values[*stored as usize] = compressed[*line as usize];
        }
        Ok(())
    }
}
