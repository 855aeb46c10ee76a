//! Sweeps of sparse Jacobians and Hessians: all that runs the function.

use di_runtime::backend::Backend;
use di_runtime::compressed::Seeds;
use di_runtime::error::Error;
use di_runtime::function::{Call, Kind, NumberValued, Primal, Slot, XLanesMut, XRef};
use di_runtime::primitive::Space;

use super::reads::{Into, Reads};

/// All that runs the function. It borrows what results are written to, so that a panic takes nothing along.
pub(super) struct Sweeps<K: Primal, B: Backend<K>> {
    /// Sums of columns, also of Hessians.
    pub(super) columns: Option<Direction<K, B>>,
    pub(super) rows: Option<Direction<K, B>>,
}

/// Sweeps in one direction.
pub(super) struct Direction<K: Primal, B: Backend<K>> {
    /// Boxed: arrays of fixed size lie in it as they are.
    pub(super) space: Box<Space<K, B>>,
    pub(super) seeds: Seeds,
    pub(super) reads: Reads,
}

impl<K: Primal, B: Backend<K>> Clone for Direction<K, B> {
    fn clone(&self) -> Self {
        Direction {
            space: self.space.clone(),
            seeds: self.seeds.clone(),
            reads: self.reads.clone(),
        }
    }
}

impl<K: Primal, B: Backend<K>> Clone for Sweeps<K, B> {
    fn clone(&self) -> Self {
        Sweeps {
            columns: self.columns.clone(),
            rows: self.rows.clone(),
        }
    }
}

impl<K: Primal, B: Backend<K>> Sweeps<K, B> {
    pub(super) fn directions(&self) -> impl Iterator<Item = &Direction<K, B>> {
        [&self.columns, &self.rows].into_iter().flatten()
    }

    /// Sums of columns and rows of a Jacobian, each at its target.
    pub(super) fn jacobian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        mut y: Slot<'_, K, K::Real>,
        targets: &mut [K::Real],
    ) -> Result<(), Error> {
        if let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.columns
            && (self.rows.is_none() || !reads.is_empty())
        {
            let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
            let mut reader = Into { reads, targets };
            dense.compressed_columns(space, call, x, seeds, slot, &mut reader)?;
        }
        if let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.rows
        {
            let slot = K::Kind::again::<K::Y, K::Real>(&mut y);
            let mut reader = Into { reads, targets };
            dense.compressed_rows(space, call, x, seeds, slot, &mut reader)?;
        }
        Ok(())
    }

    /// Sums of columns of a Hessian, each at its target; value and gradient if they are asked for.
    pub(super) fn hessian(
        &mut self,
        dense: &B,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        valued: Option<Valued<'_, K>>,
        targets: &mut [K::Real],
    ) -> Result<K::Real, Error>
    where
        K: NumberValued,
    {
        let Some(Direction {
            space,
            seeds,
            reads,
        }) = &mut self.columns
        else {
            unreachable!("Hessians are found by columns");
        };
        let mut reader = Into { reads, targets };
        match valued {
            Some(Valued(g)) => dense.compressed_hessian(space, call, x, seeds, g, &mut reader),
            None => {
                dense.compressed_hessian_alone(space, call, x, seeds, &mut reader)?;
                Ok(K::Real::default())
            }
        }
    }
}

/// The value is asked for, and perhaps the gradient.
pub(super) struct Valued<'a, K: Primal>(pub(super) Option<XLanesMut<'a, K, K::Real>>);
