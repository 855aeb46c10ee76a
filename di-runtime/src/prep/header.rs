//! Shapes of calls.

use crate::bound::Evaluate;
use crate::capability::Operator;
use crate::error::{Comparison, Error, Row, count_row, shape_row};
use crate::function::{Call, Signature, XShape, YShape};
use crate::value::{Container, Family};

/// Shapes that a prep was made for, to compare a call with.
pub struct Header<K: Signature> {
    pub(super) x: XShape<K>,
    pub(super) y: YShape<K>,
    caches: <K::Caches as Family>::Shape,
    fixed: <K::Fixed as Family>::Shape,
    pub(super) batch: usize,
}

impl<K: Signature> Clone for Header<K> {
    fn clone(&self) -> Self {
        Header {
            x: self.x.clone(),
            y: self.y.clone(),
            caches: self.caches.clone(),
            fixed: self.fixed.clone(),
            batch: self.batch,
        }
    }
}

impl<K: Signature> Header<K> {
    /// Of calls at `x` with results of the shape `y`, and so many tangents.
    pub fn new<F: Evaluate<Key = K>>(
        f: &F,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        y: YShape<K>,
        batch: usize,
    ) -> Self {
        let call = f.call();
        Header {
            x: x.shape(),
            y,
            caches: K::Caches::shape::<K::Real>(K::caches(call.ctx)),
            fixed: K::Fixed::shape::<K::Real>(call.fixed),
            batch,
        }
    }

    /// Shape of `x`.
    pub fn x(&self) -> &XShape<K> {
        &self.x
    }

    /// Shape of the result.
    pub fn y(&self) -> &YShape<K> {
        &self.y
    }

    /// Has a call these shapes?
    #[inline]
    pub(super) fn fits<F: Evaluate<Key = K>>(
        &self,
        f: &F,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        batch: usize,
    ) -> bool {
        let call = f.call();
        x.has_shape(&self.x)
            && self.batch == batch
            && K::Caches::has_shape::<K::Real>(K::caches(call.ctx), &self.caches)
            && K::Fixed::has_shape::<K::Real>(call.fixed, &self.fixed)
            && f.output_has(&self.y)
    }

    /// Compares a call with what was prepared.
    ///
    /// # Errors
    /// [`Error::Preparation`] if it has other shapes.
    pub fn check<F: Evaluate<Key = K>>(
        &self,
        operator: Operator,
        f: &F,
        x: &(impl Container<K::X, K::Real> + ?Sized),
    ) -> Result<(), Error> {
        if self.fits(f, x, self.batch) {
            return Ok(());
        }
        let y = f.output_shape();
        Err(self.mismatch(operator, None, f.call(), &x.shape(), y, self.batch))
    }

    /// The error of a call that the prep was not made for. It is the same for all operators and backends.
    #[cold]
    pub(super) fn mismatch(
        &self,
        operator: Operator,
        backend: Option<Row>,
        call: Call<'_, K>,
        x: &XShape<K>,
        y: Option<YShape<K>>,
        batch: usize,
    ) -> Error {
        let mut rows = Vec::from_iter(backend);
        rows.push(shape_row::<K::X>("x", &self.x, x));
        if let Some(y) = y {
            rows.push(shape_row::<K::Y>("output", &self.y, &y));
        }
        let caches = K::Caches::shape::<K::Real>(K::caches(call.ctx));
        if self.caches != caches {
            rows.push(shape_row::<K::Caches>("caches", &self.caches, &caches));
        }
        let fixed = K::Fixed::shape::<K::Real>(call.fixed);
        if self.fixed != fixed {
            rows.push(shape_row::<K::Fixed>(
                "fixed parameters",
                &self.fixed,
                &fixed,
            ));
        }
        if self.batch != batch {
            rows.push(count_row("number of tangents", self.batch, batch));
        }
        Error::Preparation(Box::new(Comparison { operator, rows }))
    }
}
