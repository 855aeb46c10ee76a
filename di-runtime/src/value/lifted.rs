//! Constants of derived structs as what a callee's parameter wants, which inference decides: the view or the twin with
//! the generic scalar if the callee differentiates it, the constant itself if not.

use super::rows::ViewShape;
use super::{Differentiable, Family, Rows, Struct};
use crate::scalar::Scalar;

/// Made of a constant of type `T`.
pub trait LiftStruct<'a, T>: Sized {
    /// Holds the floats, if they are not those of the constant.
    type Store: Default;

    /// The constant as this type.
    fn lift_struct(c: T, store: &'a mut Self::Store) -> Self;
}

/// A constant of a derived struct, or of some of these, as what the callee's parameter wants.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lift_struct<'a, T, U: LiftStruct<'a, T>>(c: T, store: &'a mut U::Store) -> U {
    U::lift_struct(c, store)
}

impl<'a, T> LiftStruct<'a, T> for T {
    type Store = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift_struct(c: T, (): &'a mut ()) -> T {
        c
    }
}

impl<'a, 'c: 'a, T> LiftStruct<'a, &'c Vec<T>> for &'a [T] {
    type Store = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift_struct(c: &'c Vec<T>, (): &'a mut ()) -> Self {
        c
    }
}

impl<'a, 'c: 'a, T, const N: usize> LiftStruct<'a, &'c [T; N]> for &'a [T] {
    type Store = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lift_struct(c: &'c [T; N], (): &'a mut ()) -> Self {
        c
    }
}

/// The floats of a struct, lifted.
fn lanes<P: Differentiable, S: Scalar>(c: &P) -> P::Lanes<S> {
    let view = c.view_as::<S::Real>();
    let shape = Struct::<P>::shape::<S::Real>(view);
    let mut lanes = Struct::<P>::store(&shape, S::default());
    Struct::<P>::zip_values::<S, S::Real>(&mut lanes, view, &mut |to, from| {
        *to = S::from_real(from);
    });
    lanes
}

/// A constant struct as a view.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lift_view<'a, P: Differentiable, S: Scalar>(
    c: &'a P,
    store: &'a mut Option<P::Lanes<S>>,
) -> P::View<'a, S> {
    match S::same::<ViewShape<'a, P>>(c.view_as::<S::Real>()) {
        Ok(view) => view,
        Err(_) => P::assemble(store.insert(lanes(c)), c.view()),
    }
}

macro_rules! lift_rows {
    ($([$($generics:tt)*] $from:ty;)*) => {$(
        impl<'a, 'c: 'a, P: Differentiable, S: Scalar, $($generics)*> LiftStruct<'a, &'c $from>
            for Rows<'a, P, S>
        {
            type Store = Vec<P::Lanes<S>>;

            fn lift_struct(c: &'c $from, store: &'a mut Self::Store) -> Self {
                if (c.first()).is_none_or(|c| S::same::<ViewShape<'a, P>>(c.view_as::<S::Real>()).is_ok()) {
                    return Rows::Plain(c);
                }
                store.extend(c.iter().map(lanes::<P, S>));
                Rows::Over(store, c)
            }
        }
    )*};
}
lift_rows! {
    [] [P];
    [] Vec<P>;
    [const N: usize] [P; N];
}

/// The impls of a derived struct: its name, its view and its twin, and its float.
#[macro_export]
#[doc(hidden)]
macro_rules! lift_impls {
    ([$($generics:tt)*] $name:ty, $view:ty, $of:ty, $real:ty) => {
        $crate::lift_impls!(@view ['c,] [$($generics)*] $name, $view, $real, &'c $name, |c| c);
        $crate::lift_impls!(@view ['c, 'd: 'c,] [$($generics)*] $name, $view, $real, &'c &'d $name, |c| *c);
        impl<'a, __S: $crate::__private::Scalar<Real = $real>, $($generics)*>
            $crate::__private::LiftStruct<'a, $name> for $view
        {
            type Store = (
                ::core::option::Option<$name>,
                ::core::option::Option<<$name as $crate::__private::Differentiable>::Lanes<__S>>,
            );
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_struct(c: $name, (kept, store): &'a mut Self::Store) -> Self {
                $crate::__private::lift_view::<$name, __S>(kept.insert(c), store)
            }
        }
        $crate::lift_impls!(@own [] [$($generics)*] $name, $of, $real, $name, |c| &c);
        $crate::lift_impls!(@own ['c,] [$($generics)*] $name, $of, $real, &'c $name, |c| c);
        $crate::lift_impls!(@own ['c, 'd,] [$($generics)*] $name, $of, $real, &'c &'d $name, |c| *c);
    };
    (@view ['c, $($other:tt)*] [$($generics:tt)*] $name:ty, $view:ty, $real:ty, $from:ty, |$c:ident| $borrowed:expr) => {
        impl<'a, 'c: 'a, $($other)* __S: $crate::__private::Scalar<Real = $real>, $($generics)*>
            $crate::__private::LiftStruct<'a, $from> for $view
        {
            type Store = ::core::option::Option<<$name as $crate::__private::Differentiable>::Lanes<__S>>;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_struct($c: $from, store: &'a mut Self::Store) -> Self {
                $crate::__private::lift_view::<$name, __S>($borrowed, store)
            }
        }
    };
    (@own [$($other:tt)*] [$($generics:tt)*] $name:ty, $of:ty, $real:ty, $from:ty, |$c:ident| $borrowed:expr) => {
        impl<'a, $($other)* __S: $crate::__private::Scalar<Real = $real>, $($generics)*>
            $crate::__private::LiftStruct<'a, $from> for $of
        {
            type Store = ();
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_struct($c: $from, (): &'a mut ()) -> Self {
                <$name as $crate::__private::Differentiable>::own(
                    $crate::__private::lift_view::<$name, __S>($borrowed, &mut ::core::option::Option::None)
                )
            }
        }
        impl<'a, $($other)* $($generics)*> $crate::__private::LiftStruct<'a, $from> for () {
            type Store = ();
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lift_struct(_: $from, (): &'a mut ()) {}
        }
    };
}
