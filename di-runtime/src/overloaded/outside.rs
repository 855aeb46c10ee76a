//! Constants that the copied code uses and does not declare, and what engines store in other forms than users.

use super::{Active, Overload};
use crate::scalar::Real;
use crate::value::option::Maybe;
use crate::value::{Differentiable, Entry, Rows};

/// What a constant of other code is in a copy whose numbers are of type `F`.
#[diagnostic::on_unimplemented(
    message = "an overloaded function cannot use a constant of type `{Self}` that is declared elsewhere",
    label = "declared outside of the `#[overloaded]` module",
    note = "declare it in the module, together with its type; numbers, texts and arrays of numbers may be declared elsewhere"
)]
pub trait Outside<F> {
    /// Its type there.
    type Inside;
    /// Its value there.
    fn inside(self) -> Self::Inside;
}

/// The constant in the copy.
#[inline]
pub fn outside<F, T: Outside<F>>(constant: T) -> T::Inside {
    constant.inside()
}

macro_rules! outside {
    ($($same:ty)*; $($float:ident beside $other:ident)*) => {
        $(impl<F> Outside<F> for $same {
            type Inside = $same;
            #[inline]
            fn inside(self) -> $same {
                self
            }
        })*
        $(impl Outside<$float> for $float {
            type Inside = Active<$float>;
            #[inline]
            fn inside(self) -> Active<$float> {
                Active::constant(self)
            }
        }

        impl Outside<$other> for $float {
            type Inside = $float;
            #[inline]
            fn inside(self) -> $float {
                self
            }
        })*
    };
}
outside! {
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize bool char &'static str;
    f32 beside f64 f64 beside f32
}

/// A constant of std that the copy imports.
impl<F: Real> Outside<F> for Active<F> {
    type Inside = Self;
    #[inline]
    fn inside(self) -> Self {
        self
    }
}

impl<F, T: Outside<F>, const N: usize> Outside<F> for [T; N] {
    type Inside = [T::Inside; N];
    fn inside(self) -> Self::Inside {
        self.map(T::inside)
    }
}

/// A slice of constants.
pub fn list<A: Overload<B>, B>(values: &[A]) -> Vec<B> {
    values.overload()
}

/// Rows as the function takes them.
pub fn rows<E: Clone>((data, spans): (&[E], &[[usize; 3]])) -> Vec<Vec<E>> {
    spans
        .iter()
        .map(|&[begin, end, _]| data[begin..end].to_vec())
        .collect()
}

impl<'a, P, F, B> Overload<Vec<B>> for Rows<'a, P, Active<F>>
where
    P: Differentiable,
    F: Real,
    P::View<'a, Active<F>>: Overload<B>,
{
    fn overload(&self) -> Vec<B> {
        let Rows::Over(lanes, like) = *self else {
            unreachable!("only scalars of engines lie in other forms")
        };
        let views = lanes.iter().zip(like);
        views
            .map(|(lanes, like)| P::assemble(lanes, like.view()).overload())
            .collect()
    }
}

macro_rules! rows {
    ($($float:ident)*) => {$(
        impl<'a, P, B> Overload<Vec<B>> for Rows<'a, P, $float>
        where
            P: Differentiable,
            P::View<'a, $float>: Overload<B>,
        {
            fn overload(&self) -> Vec<B> {
                (0..self.len()).map(|k| self.at(k).overload()).collect()
            }
        }
    )*};
}
rows! { f64 f32 }

impl<'a, P, S, B> Overload<Option<B>> for Maybe<'a, S, P>
where
    P: Differentiable,
    S: Entry,
    P::View<'a, S>: Overload<B>,
{
    fn overload(&self) -> Option<B> {
        self.0.then(|| self.1.overload())
    }
}
