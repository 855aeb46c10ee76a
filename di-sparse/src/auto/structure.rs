//! What a sparse prep has found: pattern, coloring, layout.

use std::sync::Arc;

use di_runtime::error::Error;
use di_runtime::function::Primal;
use di_runtime::operators::{Hessian, Jacobian};
use di_runtime::prep::Prep;

use super::AutoSparse;
use crate::{Coloring, ColoringAlgorithm, Detector, Layout, Pattern, Validity};
use di_runtime::backend::Backend;

/// Pattern, coloring and layout of a prepared Jacobian or Hessian. Immutable, and shared by the clones of a prep.
#[derive(Debug, PartialEq)]
pub struct Structure {
    pub(super) coloring: Coloring,
    pub(super) layout: Layout,
    pub(super) validity: Validity,
    pub(super) constant: bool,
}

impl Structure {
    /// All entries that may differ from zero.
    pub fn sparsity_pattern(&self) -> &Pattern {
        self.coloring.sparsity_pattern()
    }

    /// The coloring: colors of columns and rows, groups, which color yields which entry.
    pub fn coloring(&self) -> &Coloring {
        &self.coloring
    }

    /// The stored entries, in the order of the values.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// For which points the pattern holds.
    pub fn validity(&self) -> Validity {
        self.validity
    }

    /// Are second derivatives computed once and then copied, because they are the same everywhere?
    pub fn is_constant(&self) -> bool {
        self.constant
    }
}

/// Keeps [`SparsePrep`] from being implemented elsewhere, so that it may grow.
mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// What the prep of a sparse backend has found. The trait is sealed.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::sparse::{AutoSparse, SparsePrep};
///
/// #[differentiable]
/// fn f(x: &[f64], y: &mut [f64]) {
///     y[0] = x[0] * x[1];
///     y[1] = x[2] * x[2];
/// }
///
/// let backend = AutoSparse::new(AutoSource::new());
/// let mut y = vec![0.0; 2];
/// let prep = prepare_jacobian(f::AD.output(&mut y), &backend, &[0.0; 3])?;
/// let structure = prep.structure()?;
/// assert!(structure.sparsity_pattern().entries().eq([(0, 0), (0, 1), (1, 2)]));
/// assert_eq!(structure.coloring().column_colors(), [0, 1, 0]);
/// assert!(structure.layout().triplets().eq([(0, 0), (0, 1), (1, 2)]));
/// # Ok::<(), di::Error>(())
/// ```
pub trait SparsePrep: Sealed {
    /// Pattern, coloring and layout.
    ///
    /// # Errors
    /// [`Error::InUse`]
    fn structure(&self) -> Result<Arc<Structure>, Error>;
}

macro_rules! sparse_prep {
    ($($operator:ident)*) => {$(
        impl<K, B, D, C> Sealed for Prep<$operator, K, AutoSparse<B, D, C>>
        where
            K: Primal,
            B: Backend<K>,
            D: Detector<K>,
            C: ColoringAlgorithm,
        {
        }

        impl<K, B, D, C> SparsePrep for Prep<$operator, K, AutoSparse<B, D, C>>
        where
            K: Primal,
            B: Backend<K>,
            D: Detector<K>,
            C: ColoringAlgorithm,
        {
            fn structure(&self) -> Result<Arc<Structure>, Error> {
                self.look(|scratch| Arc::clone(scratch.sparse().structure()))
            }
        }
    )*};
}
sparse_prep!(Jacobian Hessian);
