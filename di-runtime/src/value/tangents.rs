//! Tangents as users pass them: one, or an array of `B`.

use super::{Container, ContainerMut, Family};
use crate::scalar::Real;

/// Marker: one tangent, passed as itself.
#[derive(Clone, Copy, Debug)]
pub struct Single;

/// Marker: an array of tangents.
#[derive(Clone, Copy, Debug)]
pub struct Several;

/// How many directions a call has, and whether that is known when the program is compiled.
pub trait Count: Copy {
    /// Is it one in all calls? Then nothing is compiled for several.
    const IS_ONE: bool;
    /// The number.
    fn get(self) -> usize;
}

/// One direction, by the type.
#[derive(Clone, Copy, Debug)]
pub struct OneDirection;

impl Count for OneDirection {
    const IS_ONE: bool = true;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(self) -> usize {
        1
    }
}

impl Count for usize {
    const IS_ONE: bool = false;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(self) -> usize {
        self
    }
}

/// One tangent, or an array of them. `M` encodes which, and is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tangent of the kind `{F}` nor an array of such tangents",
    label = "not a tangent",
    note = "pass one tangent, `&v`, or an array of them, `&[v1, v2]`"
)]
pub trait Tangents<F: Family, R: Real, M> {
    /// One result for each tangent: the result itself, or an array.
    type Each<G: Family, Y: ContainerMut<G, R>>: TangentsMut<G, R, M> + Tangents<G, R, M>;
    /// Lanes of all of them.
    type Lanes<'a>: AsRef<[F::LanesRef<'a, R>]>
    where
        Self: 'a;

    /// Their number, as operators prepare for it.
    type Count: Count;

    /// How many, with what is known of it.
    fn directions(&self) -> Self::Count;
    /// How many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        self.directions().get()
    }
    /// Shape of tangent number `index`.
    fn shape(&self, index: usize) -> F::Shape;
    /// Is that its shape?
    fn has_shape(&self, index: usize, shape: &F::Shape) -> bool;
    /// All of them as lanes. `spares` is at least as long.
    fn all_lanes<'a>(&'a self, spares: &'a mut [F::Spare<R>]) -> Self::Lanes<'a>;
    /// A result like tangent number `index`, for each.
    fn each<G: Family, Y: ContainerMut<G, R>>(make: &mut dyn FnMut() -> Y) -> Self::Each<G, Y>;
}

/// Buffers for results: one, or an array of them. `M` encodes which, and is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a buffer of the kind `{F}` nor an array of such buffers",
    label = "not a buffer",
    note = "pass as many buffers as there are tangents: `&mut dy` for one, `&mut [dy1, dy2]` for two"
)]
pub trait TangentsMut<F: Family, R: Real, M> {
    /// Lanes of all of them.
    type LanesMut<'a>: AsMut<[F::LanesMut<'a, R>]>
    where
        Self: 'a;

    /// How many.
    fn count(&self) -> usize;
    /// Shape of buffer number `index`.
    fn shape(&self, index: usize) -> F::Shape;
    /// Is that its shape?
    fn has_shape(&self, index: usize, shape: &F::Shape) -> bool;
    /// All of them as lanes. `spares` is at least as long.
    fn all_lanes_mut<'a>(&'a mut self, spares: &'a mut [F::Spare<R>]) -> Self::LanesMut<'a>;
    /// Copies back what went to `spares`.
    fn finish_all(&mut self, spares: &mut [F::Spare<R>]);
}

impl<F: Family, R: Real, T: Container<F, R> + ?Sized> Tangents<F, R, Single> for T {
    type Count = OneDirection;
    type Each<G: Family, Y: ContainerMut<G, R>> = Y;
    type Lanes<'a>
        = [F::LanesRef<'a, R>; 1]
    where
        Self: 'a;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn directions(&self) -> OneDirection {
        OneDirection
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self, _: usize) -> F::Shape {
        Container::shape(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, _: usize, shape: &F::Shape) -> bool {
        Container::has_shape(self, shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_lanes<'a>(&'a self, spares: &'a mut [F::Spare<R>]) -> [F::LanesRef<'a, R>; 1] {
        [self.lanes(&mut spares[0])]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn each<G: Family, Y: ContainerMut<G, R>>(make: &mut dyn FnMut() -> Y) -> Y {
        make()
    }
}

impl<F: Family, R: Real, T: Container<F, R>, const B: usize> Tangents<F, R, Several> for [T; B] {
    type Count = usize;
    type Each<G: Family, Y: ContainerMut<G, R>> = [Y; B];
    type Lanes<'a>
        = [F::LanesRef<'a, R>; B]
    where
        Self: 'a;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn directions(&self) -> usize {
        B
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self, index: usize) -> F::Shape {
        self[index].shape()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, index: usize, shape: &F::Shape) -> bool {
        self[index].has_shape(shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_lanes<'a>(&'a self, spares: &'a mut [F::Spare<R>]) -> [F::LanesRef<'a, R>; B] {
        let mut pairs = self.iter().zip(spares);
        core::array::from_fn(|_| {
            let (tangent, spare) = pairs.next().expect("a spare for each tangent");
            tangent.lanes(spare)
        })
    }
    fn each<G: Family, Y: ContainerMut<G, R>>(make: &mut dyn FnMut() -> Y) -> [Y; B] {
        core::array::from_fn(|_| make())
    }
}

impl<F: Family, R: Real, T: ContainerMut<F, R> + ?Sized> TangentsMut<F, R, Single> for T {
    type LanesMut<'a>
        = [F::LanesMut<'a, R>; 1]
    where
        Self: 'a;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        1
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self, _: usize) -> F::Shape {
        Container::shape(self)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, _: usize, shape: &F::Shape) -> bool {
        Container::has_shape(self, shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_lanes_mut<'a>(&'a mut self, spares: &'a mut [F::Spare<R>]) -> [F::LanesMut<'a, R>; 1] {
        [self.lanes_mut(&mut spares[0])]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish_all(&mut self, spares: &mut [F::Spare<R>]) {
        self.finish(&mut spares[0]);
    }
}

impl<F: Family, R: Real, T: ContainerMut<F, R>, const B: usize> TangentsMut<F, R, Several>
    for [T; B]
{
    type LanesMut<'a>
        = [F::LanesMut<'a, R>; B]
    where
        Self: 'a;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        B
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn shape(&self, index: usize) -> F::Shape {
        self[index].shape()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_shape(&self, index: usize, shape: &F::Shape) -> bool {
        self[index].has_shape(shape)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_lanes_mut<'a>(&'a mut self, spares: &'a mut [F::Spare<R>]) -> [F::LanesMut<'a, R>; B] {
        let mut pairs = self.iter_mut().zip(spares);
        core::array::from_fn(|_| {
            let (buffer, spare) = pairs.next().expect("a spare for each buffer");
            buffer.lanes_mut(spare)
        })
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish_all(&mut self, spares: &mut [F::Spare<R>]) {
        for (buffer, spare) in self.iter_mut().zip(spares) {
            buffer.finish(spare);
        }
    }
}
