//! `AutoSparse`: sparse Jacobians and Hessians by a dense engine, a detector and a coloring.

mod backend;
mod product;
mod reads;
mod scratch;
mod structure;
mod sweeps;
mod team;
mod verify;

use crate::{AllEntries, Greedy, OnePerLine, Part, Partition, Storage, Tracing};

pub(crate) use scratch::Scratch;
pub use structure::{SparsePrep, Structure};
pub use team::{SparseTeam, prepare_hessian_team, prepare_jacobian_team};

/// Sparse Jacobians and Hessians.
///
/// `backend` differentiates, the detector finds the pattern, and the coloring finds what can be computed together;
/// both work in `prepare_jacobian` and `prepare_hessian`. Results are [`sprs::CsMat`]. All other operators are those
/// of the dense backend.
///
/// A prepared Jacobian costs one sweep for as many colors as fit in one (12 with generated code, 8 otherwise), however
/// many inputs there are; a prepared Hessian costs one forward-over-reverse sweep for every 8 colors. In-place
/// variants and [`jacobian_values_into`](di_runtime::operators::jacobian_values_into) allocate nothing. Threads share
/// the colors of a [`SparseTeam`].
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::AutoSparse;
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for i in 1..x.len() {
///         sum += (x[i] - x[i - 1]).powi(4);
///     }
///     sum
/// }
///
/// let backend = AutoSparse::new(AutoSource::new());
/// let prep = prepare_hessian(f::AD, &backend, &[0.0; 3])?;
/// let h = hessian(f::AD, &prep, &backend, &[0.0, 1.0, 1.0])?;
/// assert_eq!(h.nnz(), 7);
/// assert_eq!(h.get(1, 0), Some(&-12.0));
/// assert_eq!(h.get(2, 0), None);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AutoSparse<B, D = Tracing, C = Greedy> {
    dense: B,
    detector: D,
    coloring: C,
    storage: Storage,
    part: Part,
    partition: Option<Partition>,
    verify: Verify,
    reuse: bool,
}

/// When a matrix is compared with a derivative in a random direction, which costs one more direction.
///
/// Each row may differ by rounding: 4096 `EPSILON` of the sum of the sizes of its entries, and 64 times the rounding
/// error that the engine shows in it. `docs/sparsity.md` has the complete rule. A row that cannot be compared,
/// because derivatives are not finite, is an error as well, unless the pattern holds everywhere and is compared in
/// debug builds only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verify {
    /// When the pattern might not hold: if it was detected at one point, or if the function has constants, on which
    /// its control flow may depend; in debug builds always.
    #[default]
    Auto,
    /// In each call.
    Always,
    /// Never: the pattern is trusted.
    Never,
}

impl<B> AutoSparse<B> {
    /// With global tracing, greedy coloring, and results stored by rows.
    pub fn new(dense: B) -> Self {
        AutoSparse {
            dense,
            detector: Tracing::global(),
            coloring: Greedy::new(),
            storage: Storage::Rows,
            part: Part::Full,
            partition: None,
            verify: Verify::Auto,
            reuse: true,
        }
    }
}

impl<B> AutoSparse<B, AllEntries, OnePerLine> {
    /// Without detection and without coloring: all entries are stored, and each column or row is computed separately.
    ///
    /// The default of `AutoSparse` in DifferentiationInterface.jl. It costs as much as the dense matrix, and is for
    /// functions that cannot be traced.
    ///
    /// # Examples
    /// ```
    /// use di::prelude::*;
    /// use di::sparse::AutoSparse;
    ///
    /// let backend = AutoSparse::dense_pattern(AutoFiniteDiff::new());
    /// let f = di::closure(|x: &[f64]| vec![x[0] * x[0], 3.0 * x[1]]);
    /// let j = jacobian(&f, NoPrep, &backend, &[1.0, 2.0])?;
    /// assert_eq!(j.nnz(), 4);
    /// # Ok::<(), di::Error>(())
    /// ```
    pub fn dense_pattern(dense: B) -> Self {
        AutoSparse::new(dense)
            .detector(AllEntries)
            .coloring(OnePerLine)
    }
}

impl<B, D, C> AutoSparse<B, D, C> {
    /// Sets the detector of the pattern.
    pub fn detector<E>(self, detector: E) -> AutoSparse<B, E, C> {
        AutoSparse {
            dense: self.dense,
            detector,
            coloring: self.coloring,
            storage: self.storage,
            part: self.part,
            partition: self.partition,
            verify: self.verify,
            reuse: self.reuse,
        }
    }

    /// Sets the coloring.
    pub fn coloring<E>(self, coloring: E) -> AutoSparse<B, D, E> {
        AutoSparse {
            dense: self.dense,
            detector: self.detector,
            coloring,
            storage: self.storage,
            part: self.part,
            partition: self.partition,
            verify: self.verify,
            reuse: self.reuse,
        }
    }

    /// Sets the storage of results.
    pub fn storage(self, storage: Storage) -> Self {
        AutoSparse { storage, ..self }
    }

    /// Sets the part of Hessians that is stored; Jacobians are always full.
    pub fn part(self, part: Part) -> Self {
        AutoSparse { part, ..self }
    }

    /// Colors Jacobians by columns, by rows or by both, instead of choosing by the engine and the pattern.
    pub fn partition(self, partition: Partition) -> Self {
        AutoSparse {
            partition: Some(partition),
            ..self
        }
    }

    /// Sets when patterns are verified.
    pub fn verify(self, verify: Verify) -> Self {
        AutoSparse { verify, ..self }
    }

    /// Sets whether a Hessian that is the same at all points is computed once and then copied. The default is `true`.
    pub fn reuse(self, reuse: bool) -> Self {
        AutoSparse { reuse, ..self }
    }

    /// The engine that differentiates.
    pub fn dense(&self) -> &B {
        &self.dense
    }
}
