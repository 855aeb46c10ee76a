//! Which side of `a += b` is computed first: the right one for floats, as for all primitive types, else the left one.

use core::marker::PhantomData;

use super::Active;
use crate::scalar::Real;

/// The type of a place that is assigned to.
#[derive(Clone, Copy, Debug)]
pub struct Place<T>(PhantomData<fn() -> T>);

/// The type of what is borrowed.
pub fn place<T>(_: &mut T) -> Place<T> {
    Place(PhantomData)
}

impl<T> Place<T> {
    /// The place that a closure would borrow. It is not called.
    pub fn of(_: impl FnOnce() -> Place<T>) -> Place<T> {
        Place(PhantomData)
    }
}

impl<F: Real> Place<Active<F>> {
    /// Whether the right side comes first.
    pub fn right_first(&self) -> bool {
        true
    }
}

/// All other types, unless they are primitive.
pub trait LeftFirst {
    /// Whether the right side comes first.
    fn right_first(&self) -> bool;
}

impl<T> LeftFirst for &Place<T> {
    fn right_first(&self) -> bool {
        false
    }
}

macro_rules! primitive {
    ($($ty:ident)*) => {$(
        impl Place<$ty> {
            /// Whether the right side comes first.
            pub fn right_first(&self) -> bool {
                true
            }
        }
    )*};
}
primitive! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool f32 f64 }
