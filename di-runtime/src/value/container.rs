//! What users pass: numbers, vectors, slices, arrays, tuples, structs, and references to them.
//!
//! One container may serve several families: `[f64; 3]` is what `&[f64]` wants and what `&[f64; 3]`
//! wants. Arrays of `ndarray` are in the module `nd`.

use super::{Array, Cell, Entry, Family, Number, Slice};
use crate::scalar::Real;

/// A value of the family `F` over the float `R`, in a container that the user chooses.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed where the function takes `{F}`",
    label = "not a container of this kind",
    note = "a `Number` is `&f64`; a `Slice` is `&Vec<f64>`, `&[f64]`, `&[f64; N]` or an ndarray array; an `Array<N>` is `&[f64; N]`; `Vectors` is `&Vec<Vec<f64>>`",
    note = "a function of several active parameters takes the tuple of them, `&(a, b)` or `&(&a, &b)`; mark data `#[constant]` and bind it, `f::AD.with(&data)`"
)]
pub trait Container<F: Family, R: Real> {
    /// What derivatives of the same shape come in.
    type Result: ContainerMut<F, R>;

    /// Its lengths.
    fn shape(&self) -> F::Shape;
    /// Are its lengths these? Called in each call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, shape: &F::Shape) -> bool {
        self.shape() == *shape
    }
    /// Its values; copied to `spare` if they are not laid out as the function reads them.
    fn view<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::Ref<'a, R>;
    /// The same as lanes: tangents and seeds.
    fn lanes<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::LanesRef<'a, R>;
    /// Zeros of the same shape.
    fn blank(&self) -> Self::Result;
}

/// A container that results can be written to.
#[diagnostic::on_unimplemented(
    message = "a result of the kind `{F}` cannot be written to `{Self}`",
    label = "not a buffer of this kind"
)]
pub trait ContainerMut<F: Family, R: Real>: Container<F, R> {
    /// Its entries; those of `spare` where its own are not laid out as lanes.
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut F::Spare<R>) -> F::LanesMut<'a, R>;
    /// Copies back what went to `spare`.
    fn finish(&mut self, spare: &mut F::Spare<R>);
}

macro_rules! number {
    ($float:ident) => {
        impl Container<Number, $float> for $float {
            type Result = $float;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape(&self) {}
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view<'a>(&'a self, (): &'a mut ()) -> $float {
                *self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<'a>(&'a self, (): &'a mut ()) -> &'a $float {
                self
            }
            fn blank(&self) -> $float {
                0.0
            }
        }

        impl ContainerMut<Number, $float> for $float {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<'a>(&'a mut self, (): &'a mut ()) -> &'a mut $float {
                self
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn finish(&mut self, (): &mut ()) {}
        }
    };
}

number!(f64);
number!(f32);

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> Container<Slice<C>, R> for [E] {
    type Result = Vec<E>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) -> usize {
        self.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    fn blank(&self) -> Vec<E> {
        vec![C::fill(R::default()); self.len()]
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> ContainerMut<Slice<C>, R> for [E] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Vec<E>>) -> &'a mut [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, _: &mut Option<Vec<E>>) {}
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> Container<Slice<C>, R> for Vec<E> {
    type Result = Vec<E>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) -> usize {
        self.len()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    fn blank(&self) -> Vec<E> {
        vec![C::fill(R::default()); self.len()]
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry> ContainerMut<Slice<C>, R> for Vec<E> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Vec<E>>) -> &'a mut [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, _: &mut Option<Vec<E>>) {}
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry, const N: usize> Container<Slice<C>, R> for [E; N] {
    type Result = [E; N];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) -> usize {
        N
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<'a>(&'a self, _: &'a mut Option<Vec<E>>) -> &'a [E] {
        self
    }
    fn blank(&self) -> [E; N] {
        [C::fill(R::default()); N]
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry, const N: usize> ContainerMut<Slice<C>, R> for [E; N] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<'a>(&'a mut self, _: &'a mut Option<Vec<E>>) -> &'a mut [E] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, _: &mut Option<Vec<E>>) {}
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry, const N: usize> Container<Array<N, C>, R> for [E; N] {
    type Result = [E; N];

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) {}
    fn view<'a>(&'a self, (): &'a mut ()) -> &'a [E; N] {
        self
    }
    fn lanes<'a>(&'a self, (): &'a mut ()) -> &'a [E; N] {
        self
    }
    fn blank(&self) -> [E; N] {
        [C::fill(R::default()); N]
    }
}

impl<R: Real, C: Cell<Of<R> = E>, E: Entry, const N: usize> ContainerMut<Array<N, C>, R>
    for [E; N]
{
    fn lanes_mut<'a>(&'a mut self, (): &'a mut ()) -> &'a mut [E; N] {
        self
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, (): &mut ()) {}
}

/// What an option of a derived struct holds where there is none.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    ($name:ty, $real:ty) => {
        impl $crate::value::option::Optional for $name {
            fn none<R: $crate::__private::Real>()
            -> <$name as $crate::value::Differentiable>::View<'static, R> {
                static NONE: ::std::sync::OnceLock<
                    <$name as $crate::value::Differentiable>::Of<$real>,
                > = ::std::sync::OnceLock::new();
                let none =
                    NONE.get_or_init(<$name as $crate::value::Differentiable>::zero::<$real>);
                $crate::value::structure::retyped::<
                    $crate::value::structure::RefShape<'static, $crate::value::Struct<$name>>,
                    $real,
                    R,
                >(<$name as $crate::value::Differentiable>::lend::<$real>(
                    none,
                ))
            }
        }
    };
}

/// `Container` for one derived struct, `struct_container!([] Name, f64)`: a generic impl would exclude the one
/// for references.
#[doc(hidden)]
#[macro_export]
macro_rules! struct_container {
    ([$($generics:tt)*] $name:ty, $real:ty) => {
        impl<$($generics)*> $crate::value::Container<$crate::value::Struct<$name>, $real> for $name {
            type Result = $name;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape(&self) -> <$crate::value::Struct<$name> as $crate::value::Family>::Shape {
                $crate::value::structure::shape(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view<'a>(
                &'a self,
                _: &'a mut ::core::option::Option<
                    <$name as $crate::value::Differentiable>::Lanes<$real>,
                >,
            ) -> <$name as $crate::value::Differentiable>::View<'a, $real> {
                $crate::value::Differentiable::view(self)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<'a>(
                &'a self,
                spare: &'a mut ::core::option::Option<
                    <$name as $crate::value::Differentiable>::Lanes<$real>,
                >,
            ) -> &'a <$name as $crate::value::Differentiable>::Lanes<$real> {
                $crate::value::structure::copy_lanes(self, spare)
            }
            fn blank(&self) -> $name {
                $crate::value::structure::blank(self)
            }
        }

        impl<$($generics)*> $crate::value::ContainerMut<$crate::value::Struct<$name>, $real> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<'a>(
                &'a mut self,
                spare: &'a mut ::core::option::Option<
                    <$name as $crate::value::Differentiable>::Lanes<$real>,
                >,
            ) -> &'a mut <$name as $crate::value::Differentiable>::Lanes<$real> {
                $crate::value::structure::spare_lanes(self, spare)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn finish(
                &mut self,
                spare: &mut ::core::option::Option<
                    <$name as $crate::value::Differentiable>::Lanes<$real>,
                >,
            ) {
                if let ::core::option::Option::Some(lanes) = spare {
                    $crate::value::Differentiable::write(self, lanes);
                }
            }
        }
    };
}

/// Storage of this shape, kept from the last time if it still fits.
pub(super) fn fit<'a, F: Family, R: Real>(
    spare: &'a mut Option<F::Owned<R>>,
    shape: &F::Shape,
) -> &'a mut F::Owned<R> {
    let same = |old: &F::Owned<R>| F::lanes_have(F::lanes(old), shape);
    if !spare.as_ref().is_some_and(same) {
        *spare = Some(F::store(shape, R::default()));
    }
    spare.get_or_insert_with(|| unreachable!("made above"))
}

impl<F: Family, R: Real, T: Container<F, R> + ?Sized> Container<F, R> for &T {
    type Result = T::Result;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) -> F::Shape {
        T::shape(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, shape: &F::Shape) -> bool {
        T::has_shape(self, shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::Ref<'a, R> {
        T::view(self, spare)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::LanesRef<'a, R> {
        T::lanes(self, spare)
    }
    fn blank(&self) -> T::Result {
        T::blank(self)
    }
}

impl<F: Family, R: Real, T: Container<F, R> + ?Sized> Container<F, R> for &mut T {
    type Result = T::Result;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self) -> F::Shape {
        T::shape(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, shape: &F::Shape) -> bool {
        T::has_shape(self, shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn view<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::Ref<'a, R> {
        T::view(self, spare)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<'a>(&'a self, spare: &'a mut F::Spare<R>) -> F::LanesRef<'a, R> {
        T::lanes(self, spare)
    }
    fn blank(&self) -> T::Result {
        T::blank(self)
    }
}

impl<F: Family, R: Real, T: ContainerMut<F, R> + ?Sized> ContainerMut<F, R> for &mut T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes_mut<'a>(&'a mut self, spare: &'a mut F::Spare<R>) -> F::LanesMut<'a, R> {
        T::lanes_mut(self, spare)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, spare: &mut F::Spare<R>) {
        T::finish(self, spare);
    }
}

/// Tuples of containers for tuples of families.
macro_rules! tuple {
    ($($family:ident $container:ident $at:tt),+) => {
        impl<R: Real, $($family: Family, $container: Container<$family, R>),+>
            Container<($($family,)+), R> for ($($container,)+)
        {
            type Result = ($($container::Result,)+);

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shape(&self) -> <($($family,)+) as Family>::Shape {
                ($(self.$at.shape(),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn has_shape(&self, shape: &<($($family,)+) as Family>::Shape) -> bool {
                true $(&& self.$at.has_shape(&shape.$at))+
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn view<'a>(
                &'a self,
                spare: &'a mut <($($family,)+) as Family>::Spare<R>,
            ) -> <($($family,)+) as Family>::Ref<'a, R> {
                ($(self.$at.view(&mut spare.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes<'a>(
                &'a self,
                spare: &'a mut <($($family,)+) as Family>::Spare<R>,
            ) -> <($($family,)+) as Family>::LanesRef<'a, R> {
                ($(self.$at.lanes(&mut spare.$at),)+)
            }
            fn blank(&self) -> Self::Result {
                ($(self.$at.blank(),)+)
            }
        }

        impl<R: Real, $($family: Family, $container: ContainerMut<$family, R>),+>
            ContainerMut<($($family,)+), R> for ($($container,)+)
        {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn lanes_mut<'a>(
                &'a mut self,
                spare: &'a mut <($($family,)+) as Family>::Spare<R>,
            ) -> <($($family,)+) as Family>::LanesMut<'a, R> {
                ($(self.$at.lanes_mut(&mut spare.$at),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn finish(&mut self, spare: &mut <($($family,)+) as Family>::Spare<R>) {
                $(self.$at.finish(&mut spare.$at);)+
            }
        }
    };
}

tuple!(A X 0, B Y 1);
tuple!(A X 0, B Y 1, C Z 2);
tuple!(A X 0, B Y 1, C Z 2, D W 3);
tuple!(A X 0, B Y 1, C Z 2, D W 3, E V 4);
tuple!(A X 0, B Y 1, C Z 2, D W 3, E V 4, F U 5);
