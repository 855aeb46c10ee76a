//! Errors of functions, as operators carry them: what a function failed with becomes
//! [`Error::Function`](crate::error::Error::Function).

use core::fmt;
use std::error::Error;

use crate::error::fail;
use crate::scalar::Scalar;
use crate::value::{Entry, Family};

/// Notes the error of a function, in the place of its result: what an earlier run left there may be of another
/// recording.
#[cold]
pub fn fail_at<Y: Family, S: Entry + Default>(
    y: &mut Y::Owned<S>,
    error: Box<dyn Error + Send + Sync>,
) {
    Y::each_mut::<S>(Y::lanes_mut(y), &mut |y| *y = S::default());
    fail(error);
}

/// An error of any type, on its way into a box: `(&mut Cause::new(e)).boxed()` with [`ErrorWithDebug`] and [`ErrorOfAnyType`]
/// in scope keeps an error or a message, and of anything else what can be shown of it.
pub struct Cause<E>(Option<E>);

impl<E> Cause<E> {
    /// Of this error.
    pub fn new(error: E) -> Self {
        Cause(Some(error))
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> Cause<E> {
    /// The error itself.
    pub fn boxed(&mut self) -> Box<dyn Error + Send + Sync> {
        self.0.take().map_or_else(unknown_error, E::into)
    }
}

/// What is no error, and can be shown.
pub trait ErrorWithDebug {
    /// Its text.
    fn boxed(&mut self) -> Box<dyn Error + Send + Sync>;
}

impl<E: fmt::Debug> ErrorWithDebug for Cause<E> {
    fn boxed(&mut self) -> Box<dyn Error + Send + Sync> {
        match &self.0 {
            Some(error) => format!("the function failed: {error:?}").into(),
            None => unknown_error(),
        }
    }
}

/// What cannot be shown.
pub trait ErrorOfAnyType {
    /// That there was one.
    fn boxed(&mut self) -> Box<dyn Error + Send + Sync>;
}

impl<E> ErrorOfAnyType for &mut Cause<E> {
    fn boxed(&mut self) -> Box<dyn Error + Send + Sync> {
        unknown_error()
    }
}

/// The error of a function that cannot be called again to obtain it.
#[cold]
pub fn unknown_error() -> Box<dyn Error + Send + Sync> {
    "the function returned an error; call it at this point to see which".into()
}

/// The error of a function that returned `None`.
#[cold]
pub fn error_of_none() -> Box<dyn Error + Send + Sync> {
    "the function returned `None`".into()
}

/// Floats of what is in another scalar.
pub fn plain<F: Family, S: Scalar>(value: F::Ref<'_, S>) -> F::Owned<S::Real> {
    let mut floats = F::store(&F::shape::<S>(value), S::Real::default());
    let lanes = F::lanes_mut(&mut floats);
    F::zip_values::<S::Real, S>(lanes, value, &mut |to, v| *to = v.primal());
    floats
}

/// Zeros of the same shape.
pub fn blank<F: Family, S: Scalar>(like: &F::LanesMut<'_, S>) -> F::Owned<S::Real> {
    F::store(&F::lanes_shape(F::lent::<S>(like)), S::Real::default())
}
