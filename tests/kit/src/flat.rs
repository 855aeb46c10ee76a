//! Everything as a list of `f64`: what is compared, whatever it is kept in.

use std::iter;

use di_runtime::function::{Signature, YOwned};
use di_runtime::matrix::Matrix;
use di_runtime::scalar::Real;
use di_runtime::value::{Container, ContainerMut, Family, Tangents, TangentsMut};
use sprs::CsMat;

/// The float of a key.
pub(crate) type Float<K> = <K as Signature>::Real;

/// A result that was returned.
pub(crate) fn owned<K: Signature>(y: &YOwned<K, K::Real>) -> Vec<f64> {
    entries::<K::Y, K::Real>(K::Y::lanes(y))
}

/// Lanes.
pub(crate) fn entries<F: Family, R: Real>(lanes: F::LanesRef<'_, R>) -> Vec<f64> {
    let mut flat = Vec::new();
    F::each(lanes, &mut |entry: R| flat.push(entry.to_f64()));
    flat
}

/// What a user keeps it in.
pub(crate) fn container<F: Family, R: Real, C: Container<F, R> + ?Sized>(value: &C) -> Vec<f64> {
    entries::<F, R>(value.lanes(&mut Default::default()))
}

/// One tangent or several, one behind the other.
pub(crate) fn tangents<F: Family, R: Real, M, T: Tangents<F, R, M>>(tangents: &T) -> Vec<f64> {
    let mut spares: Vec<F::Spare<R>> = (0..tangents.count()).map(|_| Default::default()).collect();
    let lanes = tangents.all_lanes(&mut spares);
    let each = lanes.as_ref().iter();
    each.flat_map(|lanes| entries::<F, R>(*lanes)).collect()
}

/// Puts NaN everywhere: what is not written afterwards is seen.
pub(crate) fn spoil<F: Family, R: Real, M, T: TangentsMut<F, R, M>>(buffers: &mut T) {
    fill::<F, R, M, T>(buffers, &mut iter::repeat(f64::NAN));
}

/// Writes all entries of a buffer, in the order of [`container`].
pub(crate) fn fill_container<F: Family, R: Real, C: ContainerMut<F, R>>(
    buffer: &mut C,
    entries: &mut impl Iterator<Item = f64>,
) {
    let mut spare = Default::default();
    fill_lanes::<F, R>(buffer.lanes_mut(&mut spare), entries);
    buffer.finish(&mut spare);
}

/// Writes all entries of one tangent or several, in the order of [`tangents`].
pub(crate) fn fill<F: Family, R: Real, M, T: TangentsMut<F, R, M>>(
    buffers: &mut T,
    entries: &mut impl Iterator<Item = f64>,
) {
    let mut spares: Vec<F::Spare<R>> = (0..buffers.count()).map(|_| Default::default()).collect();
    let mut all = buffers.all_lanes_mut(&mut spares);
    for lanes in all.as_mut() {
        fill_lanes::<F, R>(F::reborrow_lanes(lanes), entries);
    }
    drop(all);
    buffers.finish_all(&mut spares);
}

fn fill_lanes<F: Family, R: Real>(
    lanes: F::LanesMut<'_, R>,
    entries: &mut impl Iterator<Item = f64>,
) {
    F::each_mut(lanes, &mut |entry: &mut R| {
        *entry = R::from_f64(entries.next().unwrap_or(f64::NAN));
    });
}

/// A matrix whose entries can be read, to be compared.
pub trait ReadMatrix {
    /// All entries in row-major order, with zeros where nothing is stored.
    fn dense(&self) -> Vec<f64>;
    /// How many entries are stored, if not all are.
    fn stored(&self) -> Option<usize>;
}

impl<R: Real> ReadMatrix for Matrix<R> {
    fn dense(&self) -> Vec<f64> {
        self.iter().map(|entry| entry.to_f64()).collect()
    }
    fn stored(&self) -> Option<usize> {
        None
    }
}

impl<R: Real> ReadMatrix for CsMat<R> {
    fn dense(&self) -> Vec<f64> {
        let (rows, columns) = self.shape();
        let mut dense = vec![0.0; rows * columns];
        for (value, (row, column)) in self {
            dense[row * columns + column] = value.to_f64();
        }
        dense
    }
    fn stored(&self) -> Option<usize> {
        Some(self.nnz())
    }
}

/// Puts NaN everywhere.
pub(crate) fn spoil_container<F: Family, R: Real, C: ContainerMut<F, R>>(buffer: &mut C) {
    fill_container::<F, R, C>(buffer, &mut iter::repeat(f64::NAN));
}
