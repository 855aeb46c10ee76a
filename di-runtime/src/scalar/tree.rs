//! Lanes of any shape, for code that does not know it.

use crate::scalar::{Lanes, Scalar};

/// Lanes of any shape: a lane, arrays and vectors of lanes, lanes of structs.
pub trait Tree {
    /// `self += from`, lane by lane.
    fn add_from(&mut self, from: &Self);
    /// Zero everywhere.
    fn clear(&mut self);
}

impl<S: Scalar> Tree for S {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_from(&mut self, from: &S) {
        <S as Lanes<S>>::acc(self, *from);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = S::default();
    }
}

impl<T: Tree> Tree for [T] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_from(&mut self, from: &[T]) {
        for (to, from) in self.iter_mut().zip(from) {
            to.add_from(from);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        self.iter_mut().for_each(T::clear);
    }
}

impl<T: Tree, const N: usize> Tree for [T; N] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_from(&mut self, from: &[T; N]) {
        self.as_mut_slice().add_from(from);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }
}

impl<T: Tree> Tree for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_from(&mut self, from: &Vec<T>) {
        self.as_mut_slice().add_from(from);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        self.as_mut_slice().clear();
    }
}
