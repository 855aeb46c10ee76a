//! What every operator works with: the plan of a prep, its space, and matrices.

pub mod choice;

use crate::backend::Backend;
use crate::capability::Operator;
use crate::compressed::Seeds;
use crate::function::{FormOf, Signature, XShape, YShape};
use crate::matrix::Matrix;
use crate::scalar::Real;
use crate::value::{Entry, Family};

/// What a prep is made for.
pub struct Plan<'a, K: Signature> {
    /// The operator.
    pub operator: Operator,
    /// Shape of `x`.
    pub x: &'a XShape<K>,
    /// Shape of the result.
    pub y: &'a YShape<K>,
    /// Number of tangents.
    pub batch: usize,
    /// Colors, if sums of columns or rows of one color are computed instead of single ones.
    pub seeds: Option<&'a Seeds>,
    /// Will the prep be used more than once?
    pub lasting: bool,
}

impl<'a, K: Signature> Plan<'a, K> {
    /// The same without the function.
    pub(crate) fn form(&self) -> Plan<'a, FormOf<K>> {
        Plan {
            operator: self.operator,
            x: self.x,
            y: self.y,
            batch: self.batch,
            seeds: self.seeds,
            lasting: self.lasting,
        }
    }
}

/// What a backend works in: its scratch, and what derived operators need.
pub struct Workspace<X: Family, Y: Family, R: Entry, S> {
    /// The backend's own.
    pub scratch: S,
    /// Storage of derived operators, empty for native ones.
    pub work: Work<X, Y, R>,
    /// Shape of `x`.
    pub x: X::Shape,
    /// Shape of the result.
    pub y: Y::Shape,
    /// Is `x` the point of the last call, with all constants as they were?
    pub same_point: bool,
}

/// The workspace of a backend for a function with this key.
pub type Space<K, B> = Workspace<
    <K as Signature>::X,
    <K as Signature>::Y,
    <K as Signature>::Real,
    <B as Backend<K>>::Scratch,
>;

impl<X: Family, Y: Family, R: Entry, S> Workspace<X, Y, R, S> {
    /// Before the first call.
    pub fn new(scratch: S, x: &X::Shape, y: &Y::Shape) -> Self {
        Workspace {
            scratch,
            work: Work::default(),
            x: x.clone(),
            y: y.clone(),
            same_point: false,
        }
    }
}

impl<X: Family, Y: Family, R: Entry, S: Clone> Clone for Workspace<X, Y, R, S> {
    fn clone(&self) -> Self {
        Workspace {
            scratch: self.scratch.clone(),
            work: self.work.clone(),
            x: self.x.clone(),
            y: self.y.clone(),
            same_point: self.same_point,
        }
    }
}

/// Seeds and results of derived operators; allocated by the first call that needs them. They are taken out while an
/// operator runs: if it panics, they are allocated again, so that no seed is left.
pub struct Work<X: Family, Y: Family, R: Entry> {
    /// Seeds of the shape of `x`: zeros between calls.
    pub x_seeds: Vec<X::Owned<R>>,
    /// Seeds of the shape of the result: zeros between calls.
    pub y_seeds: Vec<Y::Owned<R>>,
    /// Results of the shape of `x`.
    pub dx: Vec<X::Owned<R>>,
    /// Results of the shape of the result.
    pub dy: Vec<Y::Owned<R>>,
}

impl<X: Family, Y: Family, R: Entry> Default for Work<X, Y, R> {
    fn default() -> Self {
        Work {
            x_seeds: Vec::new(),
            y_seeds: Vec::new(),
            dx: Vec::new(),
            dy: Vec::new(),
        }
    }
}

impl<X: Family, Y: Family, R: Entry> Clone for Work<X, Y, R> {
    fn clone(&self) -> Self {
        Work {
            x_seeds: self.x_seeds.clone(),
            y_seeds: self.y_seeds.clone(),
            dx: self.dx.clone(),
            dy: self.dy.clone(),
        }
    }
}

/// A matrix that Jacobians and Hessians can be written to.
pub trait ResultMatrix<R: Real> {
    /// Rows and columns.
    fn size(&self) -> (usize, usize);
    /// Writes one entry; a matrix without a place for it ignores it.
    fn put(&mut self, row: usize, column: usize, value: R);
}

#[cfg(feature = "sparse")]
impl<R: Real> ResultMatrix<R> for sprs::CsMat<R> {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }
    fn put(&mut self, row: usize, column: usize, value: R) {
        if let Some(entry) = self.get_mut(row, column) {
            *entry = value;
        }
    }
}

impl<R: Real> ResultMatrix<R> for Matrix<R> {
    fn size(&self) -> (usize, usize) {
        self.shape()
    }
    fn put(&mut self, row: usize, column: usize, value: R) {
        self[[row, column]] = value;
    }
}
