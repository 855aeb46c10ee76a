//! Preps for one point: calls are compared with it.

use crate::capability::Operator;
use crate::context::Snapshot;
use crate::entries;
use crate::error::{Comparison, Error, Row};
use crate::function::{Call, Signature, XRef};
use crate::scalar::Real;
use crate::value::{Entry, Family};

/// A point, and the constants that belong to it.
pub(crate) struct Spot<X: Family, R: Entry> {
    x: X::Owned<R>,
    constants: Snapshot,
}

impl<X: Family, R: Entry> Clone for Spot<X, R> {
    fn clone(&self) -> Self {
        Spot {
            x: self.x.clone(),
            constants: self.constants.clone(),
        }
    }
}

/// All that a function may read beside the floats of `x`.
fn look<K: Signature>(call: Call<'_, K>, x: XRef<'_, K, K::Real>, snapshot: &mut Snapshot) {
    if K::DATA {
        K::constants(call.ctx, snapshot);
    }
    K::X::constants::<K::Real>(x, snapshot);
    K::Fixed::constants::<K::Real>(call.fixed, snapshot);
    K::Fixed::values(call.fixed, &mut |v: K::Real| {
        snapshot.word(Real::to_f64(v).to_bits())
    });
}

/// Is `x` the point that the prep is for, if it is for one only, and are constants what they were?
///
/// # Errors
/// [`Error::Preparation`] if it is another one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn check_point<K: Signature>(
    point: &mut Option<Spot<K::X, K::Real>>,
    operator: Operator,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<(), Error> {
    match point {
        Some(point) => compare_point::<K>(point, operator, call, x),
        None => Ok(()),
    }
}

#[inline(never)]
fn compare_point<K: Signature>(
    point: &mut Spot<K::X, K::Real>,
    operator: Operator,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<(), Error> {
    let same = point.is_at(x);
    let constants = &mut point.constants;
    let unchanged = constants.is_opaque() || constants.matches(|seen| look::<K>(call, x, seen));
    if same && unchanged {
        return Ok(());
    }
    Err(moved(operator, same))
}

/// The error of a call at another point, or else with other constants.
#[cold]
#[inline(never)]
fn moved(operator: Operator, same: bool) -> Error {
    let row = match same {
        false => Row {
            argument: "x",
            expected: "the point that the prep was made at".to_owned(),
            found: "another point".to_owned(),
        },
        true => Row {
            argument: "constants",
            expected: "those that the prep was made with".to_owned(),
            found: "others".to_owned(),
        },
    };
    Error::Preparation(Box::new(Comparison {
        operator,
        rows: vec![row],
    }))
}

impl<X: Family, R: Real> Spot<X, R> {
    /// This point, with the constants of a call.
    pub(super) fn at<K>(shape: &X::Shape, call: Call<'_, K>, x: X::Ref<'_, R>) -> Self
    where
        K: Signature<X = X, Real = R>,
    {
        let mut spot = Spot {
            x: X::store(shape, R::default()),
            constants: Snapshot::default(),
        };
        X::zip_values::<R, R>(X::lanes_mut(&mut spot.x), x, &mut entries::copy());
        spot.constants.take(|seen| look::<K>(call, x, seen));
        spot
    }

    /// Can all constants be compared?
    pub(super) fn is_comparable(&self) -> bool {
        !self.constants.is_opaque()
    }

    /// Has `x` the values of the point?
    fn is_at(&mut self, x: X::Ref<'_, R>) -> bool {
        let mut same = true;
        let lanes = X::lanes_mut(&mut self.x);
        X::zip_values::<R, R>(lanes, x, &mut entries::compare(&mut same));
        same
    }
}
