//! Functions that are not annotated, as operators take them: closures on floats, and functions on any
//! scalar. What they share is here: a function held together with its contexts.

pub mod cause;
mod floats;
mod scalars;

pub use floats::{
    ByArray, BySlice, ByValue, Closure, ClosureKey, NoData, OnFloats, OneDatum, Plain, Returns,
    ThreeData, Tries, TwoData, WritesSlice, closure,
};
#[cfg(feature = "ndarray")]
pub use floats::{ByView, WritesView};
pub use scalars::{OnScalars, OverScalars, ScalarsKey, Supplied, Supply, generic};

use crate::bound::{Evaluate, Function, RoomOf};
use crate::capability::Operator;
use crate::error::{Error, check_lanes};
use crate::function::{Call, InPlace, Primal, Returning, Signature, YOwned, YShape};
use crate::value::{ContainerMut, Family, Outcome};

/// A function with everything but `x` and its output.
pub trait Hold {
    /// Its key.
    type Key: Primal<Fixed = ()>;
    /// What it is called with.
    fn ctx(&self) -> <Self::Key as Signature>::Ctx<'_>;
}

impl<H: Hold> Hold for &H {
    type Key = H::Key;
    fn ctx(&self) -> <H::Key as Signature>::Ctx<'_> {
        H::ctx(self)
    }
}

type Y<H> = <<H as Hold>::Key as Signature>::Y;
type R<H> = <<H as Hold>::Key as Signature>::Real;

/// A function that is not annotated, with its contexts: what operators take, or what an output is bound to.
#[derive(Clone, Copy, Debug)]
pub struct Running<H>(pub(crate) H);

impl<H: Hold> Running<H> {
    /// Called by generated code.
    #[doc(hidden)]
    pub fn new(held: H) -> Self {
        Running(held)
    }
}

impl<H: Hold<Key: Signature<Kind = InPlace>>> Running<H> {
    /// Binds the buffer that the function writes to. It is set to zero before each evaluation.
    pub fn output<C: ContainerMut<Y<H>, R<H>> + ?Sized>(self, y: &mut C) -> Writing<'_, H, C> {
        Writing {
            held: self.0,
            y: Some(y),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<H: Hold> Function for Running<H>
where
    Self: Evaluate,
{
    type Bound = Self;
    fn bind(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'h, H: Hold> Function for &'h Running<H>
where
    Running<&'h H>: Evaluate,
{
    type Bound = Running<&'h H>;
    fn bind(self) -> Self::Bound {
        Running(&self.0)
    }
}

impl<H> Evaluate for Running<H>
where
    H: Hold<Key: Signature<Kind = Returning>>,
    Y<H>: Outcome<R<H>>,
{
    type Key = H::Key;
    type Stored = YOwned<H::Key, R<H>>;
    type Value = <Y<H> as Outcome<R<H>>>::Value;
    type Like = Self::Value;

    fn call(&self) -> Call<'_, H::Key> {
        Call {
            ctx: self.0.ctx(),
            fixed: (),
        }
    }
    fn output_shape(&self) -> Option<YShape<H::Key>> {
        None
    }
    fn like(&self, shape: &YShape<H::Key>) -> Self::Like {
        <Y<H>>::value(<Y<H>>::store(shape, R::<H>::default()))
    }
    fn take(&mut self, room: &mut RoomOf<H::Key>) -> Self::Stored {
        room.take()
    }
    fn slot<'s>(value: &'s mut Self::Stored, _: &'s mut RoomOf<H::Key>) -> &'s mut Self::Stored {
        value
    }
    fn finish(
        value: &mut Self::Stored,
        _: &mut RoomOf<H::Key>,
        operator: Operator,
        expected: &YShape<H::Key>,
    ) -> Result<(), Error> {
        check_lanes::<Y<H>, R<H>>(operator, expected, <Y<H>>::lanes(value))
    }
    fn keep(&mut self, value: Self::Stored, room: &mut RoomOf<H::Key>) {
        room.kept = Some(value);
    }
    fn spare(&mut self, value: &Self::Stored, room: &mut RoomOf<H::Key>) {
        room.kept = Some(value.clone());
    }
    fn give(value: Self::Stored) -> Self::Value {
        <Y<H>>::value(value)
    }
}

/// An in-place function that is not annotated, with its output.
pub struct Writing<'o, H, C: ?Sized> {
    held: H,
    y: Option<&'o mut C>,
}

impl<H: Hold<Key: Signature<Kind = InPlace>>, C: ContainerMut<Y<H>, R<H>> + ?Sized>
    Writing<'_, H, C>
{
    /// The function without its output, and how long that is.
    pub(crate) fn release(self) -> (Running<H>, usize) {
        let rows = <Y<H>>::len(&self.y.expect(ONCE).shape());
        (Running(self.held), rows)
    }
}

/// Message of an invariant: an operator evaluates what it binds once.
const ONCE: &str = "the output is handed back after an evaluation, and kept if there is another";

#[diagnostic::do_not_recommend]
impl<H, C: ?Sized> Function for Writing<'_, H, C>
where
    Self: Evaluate,
{
    type Bound = Self;
    fn bind(self) -> Self {
        self
    }
}

impl<'o, H, C> Evaluate for Writing<'o, H, C>
where
    H: Hold<Key: Signature<Kind = InPlace>>,
    C: ContainerMut<Y<H>, R<H>> + ?Sized,
{
    type Key = H::Key;
    type Stored = &'o mut C;
    type Value = &'o mut C;
    type Like = C::Result;

    fn call(&self) -> Call<'_, H::Key> {
        Call {
            ctx: self.held.ctx(),
            fixed: (),
        }
    }
    fn output_shape(&self) -> Option<YShape<H::Key>> {
        Some(self.y.as_ref().expect(ONCE).shape())
    }
    fn output_has(&self, shape: &YShape<H::Key>) -> bool {
        self.y.as_ref().expect(ONCE).has_shape(shape)
    }
    fn like(&self, _: &YShape<H::Key>) -> Self::Like {
        self.y.as_ref().expect(ONCE).blank()
    }
    fn take(&mut self, _: &mut RoomOf<H::Key>) -> &'o mut C {
        self.y.take().expect(ONCE)
    }
    fn slot<'s>(
        value: &'s mut &'o mut C,
        room: &'s mut RoomOf<H::Key>,
    ) -> <Y<H> as Family>::LanesMut<'s, R<H>> {
        value.lanes_mut(&mut room.spare)
    }
    fn finish(
        value: &mut &'o mut C,
        room: &mut RoomOf<H::Key>,
        _: Operator,
        _: &YShape<H::Key>,
    ) -> Result<(), Error> {
        value.finish(&mut room.spare);
        Ok(())
    }
    fn keep(&mut self, value: &'o mut C, _: &mut RoomOf<H::Key>) {
        self.y = Some(value);
    }
    fn give(value: &'o mut C) -> &'o mut C {
        value
    }
}
