//! Constants that generated code looks into: lists, which it reads by the places of their elements, and numbers behind
//! references.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// A list of std: its iterators give its elements, in the order of their places.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is iterated over, and is no list of std",
    label = "what its iterator gives is not known",
    note = "iterate over a list in it, `for v in &c.values`; or collect its items outside of the function, and pass them as \
            `#[constant] items: &[T]`"
)]
pub trait List {
    /// The number of elements.
    fn count(&self) -> usize;
}

/// The number of elements of a list.
#[inline]
pub fn count<L: List + ?Sized>(list: &L) -> usize {
    list.count()
}

macro_rules! lists {
    ($(($($generics:tt)*) $list:ty;)*) => {
        $(impl<$($generics)*> List for $list {
            #[inline]
            fn count(&self) -> usize {
                self.len()
            }
        })*
    };
}
lists! {
    (T) [T];
    (T, const N: usize) [T; N];
    (T) Vec<T>;
    (T) VecDeque<T>;
}

#[cfg(feature = "ndarray")]
lists! {
    (S: ndarray::RawData<Elem = T>, T) ndarray::ArrayBase<S, ndarray::Ix1>;
}

#[cfg(feature = "nalgebra_v0_34")]
lists! {
    (T, R: nalgebra_v0_34::Dim, C: nalgebra_v0_34::Dim, S: nalgebra_v0_34::RawStorage<T, R, C>) nalgebra_v0_34::Matrix<T, R, C, S>;
}

#[cfg(feature = "nalgebra_v0_35")]
lists! {
    (T, R: nalgebra_v0_35::Dim, C: nalgebra_v0_35::Dim, S: nalgebra_v0_35::RawStorage<T, R, C>) nalgebra_v0_35::Matrix<T, R, C, S>;
}

/// A number, or what refers to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is read as a number, and is none",
    label = "a type of its own",
    note = "write the number in it: `k.0`, `f64::from(k)`"
)]
pub trait Behind<T> {
    /// The number.
    fn number(&self) -> T;
}

/// The lowest bits of an index, or of a negative number, if they tell all of it.
#[inline]
pub fn narrow(index: isize, bits: u32) -> u64 {
    let all = index as i64 as u64;
    let kept = all & (u64::MAX >> (64 - bits));
    assert!(
        widen(kept, bits) == index,
        "{index} is too large for a value with several indices: write `u32` instead of `usize`"
    );
    kept
}

/// The index with these lowest bits.
#[inline]
pub fn widen(bits_of: u64, bits: u32) -> isize {
    let above = 64 - bits;
    ((bits_of << above) as i64 >> above) as isize
}

/// The number that something refers to, or is.
#[inline]
pub fn number_behind<T, N: Behind<T> + ?Sized>(of: &N) -> T {
    of.number()
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Behind<$number> for $number {
            #[inline]
            fn number(&self) -> $number {
                *self
            }
        })*
    };
}
numbers!(f64 f32 u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize bool);

macro_rules! pointers {
    ($(($($generics:tt)*) $pointer:ty;)*) => {
        $(impl<$($generics)* L: List + ?Sized> List for $pointer {
            #[inline]
            fn count(&self) -> usize {
                (**self).count()
            }
        }

        impl<$($generics)* T, L: Behind<T> + ?Sized> Behind<T> for $pointer {
            #[inline]
            fn number(&self) -> T {
                (**self).number()
            }
        })*
    };
}
pointers! {
    () &L;
    () &mut L;
    () Box<L>;
    () Rc<L>;
    () Arc<L>;
}

impl<L: List + ToOwned + ?Sized> List for Cow<'_, L> {
    #[inline]
    fn count(&self) -> usize {
        (**self).count()
    }
}
