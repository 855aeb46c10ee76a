//! Shapes of calls.

use crate::bound::Evaluate;
use crate::capability::Operator;
use crate::error::{Comparison, Error, Row, count_row, shape_row};
use crate::function::{Call, FormOf, Signature, XShape, YShape};
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

/// The header of calls of a function with this key.
pub type HeaderOf<K> = Header<FormOf<K>>;

impl<K: Signature> Header<K> {
    /// Of calls at `x` with results of the shape `y`, and so many tangents.
    pub fn new(
        call: Call<'_, K>,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        y: YShape<K>,
        batch: usize,
    ) -> Self {
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

    /// Has a call these shapes? An output is not compared.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(
        &self,
        call: Call<'_, K>,
        x: &(impl Container<K::X, K::Real> + ?Sized),
        batch: usize,
    ) -> bool {
        x.has_shape(&self.x)
            && self.batch == batch
            && K::Caches::has_shape::<K::Real>(K::caches(call.ctx), &self.caches)
            && K::Fixed::has_shape::<K::Real>(call.fixed, &self.fixed)
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

/// Compares a call with what was prepared.
///
/// # Errors
/// [`Error::Preparation`] if it has other shapes.
pub fn check_call<F: Evaluate>(
    header: &HeaderOf<F::Key>,
    operator: Operator,
    f: &F,
    x: &(impl Container<<F::Key as Signature>::X, <F::Key as Signature>::Real> + ?Sized),
) -> Result<(), Error> {
    let (call, batch) = (f.call().form(), header.batch);
    if header.fits(call, x, batch) && f.output_has(&header.y) {
        return Ok(());
    }
    let y = f.output_shape();
    Err(header.mismatch(operator, None, call, &x.shape(), y, batch))
}
