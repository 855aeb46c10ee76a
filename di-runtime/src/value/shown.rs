//! Floats, and lists of them, as the user has them: for values that are written into messages.

use crate::scalar::Scalar;

/// What has such a value.
pub trait Shown<T> {
    /// The value without derivatives.
    fn shown(&self) -> T;
}

impl<S: Scalar> Shown<S::Real> for S {
    fn shown(&self) -> S::Real {
        self.primal()
    }
}

impl<T, P: Shown<T>, const N: usize> Shown<[T; N]> for [P; N] {
    fn shown(&self) -> [T; N] {
        core::array::from_fn(|k| self[k].shown())
    }
}

impl<T, P: Shown<T>> Shown<Vec<T>> for [P] {
    fn shown(&self) -> Vec<T> {
        self.iter().map(Shown::shown).collect()
    }
}

impl<T, P: Shown<T>> Shown<Vec<T>> for Vec<P> {
    fn shown(&self) -> Vec<T> {
        self.as_slice().shown()
    }
}
