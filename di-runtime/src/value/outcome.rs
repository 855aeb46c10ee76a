//! What operators return of a family of results: structs are made of their lanes again, all else is returned as it is
//! stored.

use super::structure::{OwnedShape, retyped};
use super::{Array, Cell, ContainerMut, Differentiable, Family, Number, Slice, Struct};
use super::{StructArray, Structs, Vectors};
use crate::scalar::{Real, Scalar};

/// A family of results, in the type that users get.
pub trait Outcome<R: Real>: Family + Sized {
    /// The container: of values, and of derivatives of their shape.
    type Value: ContainerMut<Self, R>;
    /// What was stored, in its container.
    fn value(stored: Self::Owned<R>) -> Self::Value;
}

macro_rules! as_stored {
    ([$($generics:tt)*] $family:ty) => {
        impl<R: Real, $($generics)*> Outcome<R> for $family
        where
            <$family as Family>::Owned<R>: ContainerMut<$family, R>,
        {
            type Value = <$family as Family>::Owned<R>;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn value(stored: Self::Value) -> Self::Value {
                stored
            }
        }
    };
}

as_stored!([] Number);
as_stored!([C: Cell] Slice<C>);
as_stored!([C: Cell] Vectors<C>);
as_stored!([const N: usize, C: Cell] Array<N, C>);
#[cfg(feature = "ndarray")]
as_stored!([D: ndarray::Dimension + Copy + 'static] super::Nd<D>);

impl<R: Real, P> Outcome<R> for Struct<P>
where
    P: OfFloats<R> + Differentiable<Real = R> + ContainerMut<Struct<P>, R>,
{
    type Value = P;
    fn value(stored: P::Lanes<R>) -> P {
        P::made(stored)
    }
}

impl<R: Real, P: OfFloats<R> + Differentiable<Real = R>> Outcome<R> for Structs<P> {
    type Value = Vec<P>;
    fn value(stored: Vec<P::Lanes<R>>) -> Vec<P> {
        stored.into_iter().map(P::made).collect()
    }
}

impl<R: Real, const N: usize, P> Outcome<R> for StructArray<N, P>
where
    P: OfFloats<R> + Differentiable<Real = R>,
{
    type Value = [P; N];
    fn value(stored: [P::Lanes<R>; N]) -> [P; N] {
        stored.map(P::made)
    }
}

macro_rules! tuple {
    ($($family:ident $at:tt),+) => {
        impl<R: Real, $($family: Outcome<R>),+> Outcome<R> for ($($family,)+) {
            type Value = ($($family::Value,)+);
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn value(stored: Self::Owned<R>) -> Self::Value {
                ($($family::value(stored.$at),)+)
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);

/// A struct that holds floats which are differentiated, and nothing else: operators return it.
///
/// `R` is its float type. Bounds on fields depend on it, so that rustc asks for them where the struct is returned.
#[diagnostic::on_unimplemented(
    message = "operators do not return `{Self}`: not all of its fields are floats that are differentiated",
    label = "this function is for calls from other annotated functions",
    note = "pass a function that returns the floats, `let p = f(x); [p.x, p.y]`, or a struct or a tuple of them"
)]
pub trait OfFloats<R>: Differentiable {
    /// The struct of these floats.
    fn made(lanes: Self::Lanes<Self::Real>) -> Self;
    /// The same of floats `Q`, which are those of the struct.
    fn made_as<Q: Real>(lanes: Self::Lanes<Q>) -> Self {
        Self::made(retyped::<OwnedShape<Struct<Self>>, Q, Self::Real>(lanes))
    }
}

/// Writes a result that is made of structs to the place where it is stored.
pub fn put<F: Family, S: Scalar>(to: &mut F::Owned<S>, value: F::Ref<'_, S>) {
    if !F::has_shape(value, &F::shape_of(to)) {
        *to = F::store(&F::shape(value), S::default());
    }
    F::zip_values::<S, S>(F::lanes_mut(to), value, &mut |to, v| *to = v);
}
