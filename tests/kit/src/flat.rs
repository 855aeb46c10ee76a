//! Everything as a list of `f64`: what is compared, whatever it is kept in.

use di_runtime::function::{Signature, YOwned};
use di_runtime::scalar::Real;
use di_runtime::value::{Container, ContainerMut, Family, Tangents, TangentsMut};
use ndarray::Array2;
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
    tangents.with_lanes(&mut spares, |lanes| {
        let each = lanes.iter().flat_map(|lanes| entries::<F, R>(*lanes));
        each.collect()
    })
}

/// Puts NaN everywhere: what is not written afterwards is seen.
pub(crate) fn spoil<F: Family, R: Real, M, T: TangentsMut<F, R, M>>(buffers: &mut T) {
    let mut spares: Vec<F::Spare<R>> = (0..buffers.count()).map(|_| Default::default()).collect();
    buffers.with_lanes(&mut spares, |all| {
        for lanes in all {
            F::each_mut(F::reborrow_lanes(lanes), &mut |entry: &mut R| {
                *entry = R::NAN
            });
        }
    });
}

/// A matrix whose entries can be read, to be compared.
pub trait ReadMatrix {
    /// All entries in row-major order, with zeros where nothing is stored.
    fn dense(&self) -> Vec<f64>;
    /// How many entries are stored, if not all are.
    fn stored(&self) -> Option<usize>;
}

impl<R: Real> ReadMatrix for Array2<R> {
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
    let mut spare = Default::default();
    F::each_mut(buffer.lanes_mut(&mut spare), &mut |entry: &mut R| {
        *entry = R::NAN;
    });
    buffer.finish(&mut spare);
}
