//! A box whose content is dropped by code that is compiled where it is made.
//!
//! An enum of storages in several widths is dropped by code for all of them, in each place that may drop it. In such
//! boxes, those that a program never makes cost it nothing.

use core::ops::{Deref, DerefMut};

/// A box of a `T`.
pub(crate) struct Held<T>(Box<dyn Content<T> + Send>);

/// What is, in the end, a `T`.
trait Content<T> {
    fn content(&self) -> &T;
    fn content_mut(&mut self) -> &mut T;
}

impl<T> Content<T> for T {
    fn content(&self) -> &T {
        self
    }
    fn content_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: Send + 'static> Held<T> {
    /// A box of this.
    pub(crate) fn new(content: T) -> Self {
        Held(Box::new(content))
    }
}

impl<T> Deref for Held<T> {
    type Target = T;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref(&self) -> &T {
        <dyn Content<T> + Send as Content<T>>::content(&*self.0)
    }
}

impl<T> DerefMut for Held<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deref_mut(&mut self) -> &mut T {
        <dyn Content<T> + Send as Content<T>>::content_mut(&mut *self.0)
    }
}

impl<T: Clone + Send + 'static> Clone for Held<T> {
    fn clone(&self) -> Self {
        Held::new(T::clone(self))
    }
}
