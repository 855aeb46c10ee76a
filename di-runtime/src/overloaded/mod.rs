//! Functions in any Rust on plain floats: a copy of them computes with [`Active`] numbers, which have overloaded
//! operators (A. Griewank, D. Juedes, J. Utke: ADOL-C, 1996).
//!
//! [`Active`] is one type, so that all of Rust works with it, and each engine brings a scalar of its own. What connects
//! them is the machine of a call: a list of values in that scalar. An active number is an index into the list; an
//! operation is done at once, and adds a value to it.

mod cast;
mod constants;
#[cfg(feature = "num-traits")]
mod num_traits;
mod order;
mod outside;
mod overload;

use core::any::TypeId;
use std::error::Error;

use crate::closure::cause::plain;
use crate::error::{has_failed, restore, take_failure};
use crate::function::{Env, Kind, Primal, Signature, Slot, XOwned, XRef, YShape};
use crate::generated::Pool;
use crate::scalar::active::{Running, Values, check_losses, losses, next_number};
use crate::scalar::{Scalar, unnoted};
use crate::value::Family;

pub use crate::scalar::active::{Active, array, grid, slice};
pub use cast::{Bits, Cast, Lift, bits, cast, lift};
pub use constants::{f32, f64};
pub use order::{LeftFirst, Place, place};
pub use outside::{Outside, list, outside, rows};
pub use overload::Overload;

/// A function of which there is a copy on active numbers.
pub trait Overloaded: Signature<Fixed = (), Caches = ()> + Primal {
    /// Runs the copy.
    fn overloaded<'c>(
        ctx: Self::Ctx<'c>,
        x: XRef<'_, Self, Active<Self::Real>>,
        y: Slot<'_, Self, Active<Self::Real>>,
    ) where
        Self: 'c + Sized;
}

/// Runs the copy of a function in the scalar of an engine.
///
/// # Panics
/// If the function does, or if its result has a number of another call.
pub fn run<'c, K, S>(ctx: K::Ctx<'c>, x: XRef<'_, K, S>, mut y: Slot<'_, K, S>)
where
    K: Overloaded + 'c,
    S: Scalar<Real = K::Real>,
{
    let mut values = Values::<S>::spare();
    let number = next_number();
    let mut inputs: XOwned<K, Active<K::Real>> =
        K::X::store(&K::X::shape::<S>(x), Active::default());
    K::X::zip_values::<Active<K::Real>, S>(K::X::lanes_mut(&mut inputs), x, &mut |to, v| {
        *to = Active::at(values.push(v), number);
    });
    let shape = |y: &Slot<'_, K, S>| K::Y::lanes_shape::<S>(K::Kind::result::<K::Y, S>(y));
    let mut results = if <K::Kind as Kind>::IN_PLACE {
        K::Y::store(&shape(&y), Active::default())
    } else {
        K::Y::vacant(Active::default())
    };
    let (before, had_failed) = (losses(), has_failed());
    let running = Running::begin(number, values);
    K::overloaded(
        ctx,
        K::X::get(&inputs, K::X::shorten::<S>(x)),
        K::Kind::slot::<K::Y, Active<K::Real>>(&mut results),
    );
    let values = running.end::<S>();
    check_losses(before, number);
    // on floats, the error is the function's own
    let is_float = TypeId::of::<S>() == TypeId::of::<K::Real>();
    if has_failed() && !had_failed && !is_float {
        fail_as_written::<K, S>(ctx, x, &shape(&y));
    }
    if !<K::Kind as Kind>::IN_PLACE && has_failed() {
        // nothing was returned: zeros in the shape that was there
        results = K::Y::store(&shape(&y), Active::default());
    }
    K::Kind::convert::<K::Y, Active<K::Real>, S>(&results, &mut y, S::default(), &mut |a| {
        a.check(number);
        values.get(a)
    });
    values.keep();
}

/// The copy has failed: the error of the function itself has the types that the user knows.
#[cold]
fn fail_as_written<'c, K, S>(ctx: K::Ctx<'c>, x: XRef<'_, K, S>, shape: &YShape<K>)
where
    K: Overloaded + 'c,
    S: Scalar<Real = K::Real>,
{
    let copied = take_failure();
    let Some(values) = unnoted(|| plain::<K::X, S>(x)) else {
        return restore(copied);
    };
    let mut results = K::Kind::storage::<K::Y, K::Real>(shape, K::Real::default());
    let env = Env {
        ctx,
        fixed: (),
        caches: &mut (),
        pool: &mut Pool::default(),
    };
    K::primal(
        env,
        K::X::get(&values, K::X::shorten::<S>(x)),
        K::Kind::slot::<K::Y, K::Real>(&mut results),
    );
    if !has_failed() {
        restore(copied);
    }
}

/// What an error of the copy says, as long as its numbers are known.
#[cold]
pub fn said(error: &(dyn Error + Send + Sync)) -> Box<dyn Error + Send + Sync> {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text.into()
}
