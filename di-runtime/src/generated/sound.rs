//! Types that depend on a constant, so that one without a value makes them unknown.

/// A constant that has a value.
#[derive(Debug)]
pub struct Sound<const CHECKED: usize>;

/// `T`, if the constant has a value; else rustc knows no type, and says no more about it.
pub trait If<T: ?Sized> {
    /// `T`
    type Then: ?Sized;
}

/// A value of the user's code: of type `T`, even where rustc does not know what it is.
#[inline(always)]
pub fn told<T>(value: T) -> T {
    value
}

/// What comes after it is checked for its types, and for nothing else: there is no such value.
pub fn never() -> core::convert::Infallible {
    panic!("code that is only checked was run")
}

impl<const CHECKED: usize, T: ?Sized> If<T> for Sound<CHECKED> {
    type Then = T;
}
