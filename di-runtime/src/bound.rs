//! Functions as operators take them: handles with contexts, fixed parameters and output bound.

use core::marker::PhantomData;

use crate::capability::Operator;
use crate::error::{Error, check_lanes};
use crate::function::{Call, InPlace, Primal, Returning, Signature, Slot, YOwned, YShape};
use crate::generated::{Dead, Live};
use crate::handle::{Bind, Handle};
use crate::scalar::Real;
use crate::value::{Arguments, ContainerMut, Entry, Family, Leaf, List, Marks, Outcome, Select};

/// The functions that operators accept as `f`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that operators can take",
    label = "expected `f::AD`, with its data and its output bound",
    note = "pass `f::AD`, and annotate `f` with `#[differentiable]`",
    note = "`#[constant]` and `#[cache]` parameters must be bound, `f::AD.with(&data)`, and an output too, `.output(&mut y)`",
    note = "a function with an `#[inout]` parameter, several outputs or no active parameter is for calls from other annotated functions",
    note = "closures become handles by `differentiable_closure!([k: f64] |x: &[f64]| ..)`, with what they capture in the list; `di::closure(|x: &[f64]| ..)` is for differences"
)]
pub trait Function {
    /// The function with its data within reach.
    type Bound: Evaluate;
    /// The function with its data.
    fn bind(self) -> Self::Bound;
}

/// A [`Function`] as the bound of operators: all functions are.
///
/// With `Function` itself as the bound, rustc reports what is no function twice: where it is passed, and for the whole
/// call, since its result depends on the types of the function.
pub trait Operand: Function {}

impl<F: Function> Operand for F {}

/// The key of a function: its type without borrowed data, which preps are for.
pub type Key<F> = <<F as Function>::Bound as Evaluate>::Key;
/// The float type of a function.
pub type Float<F> = <Key<F> as Signature>::Real;
/// The family of a function's `x`.
pub type Input<F> = <Key<F> as Signature>::X;
/// The family of a function's result.
pub type Output<F> = <Key<F> as Signature>::Y;
/// What a function returns when it is evaluated together with its derivative.
pub type Value<F> = <<F as Function>::Bound as Evaluate>::Value;
/// The container of derivatives that have the shape of the result.
pub type Like<F> = <<F as Function>::Bound as Evaluate>::Like;

/// A function with all its data.
pub trait Evaluate {
    /// Its key.
    type Key: Primal;
    /// What it is evaluated to: the result as it is stored, or the output that holds it.
    type Stored;
    /// The same in the container that users get.
    type Value;
    /// The container of derivatives that have the shape of the result.
    type Like: ContainerMut<<Self::Key as Signature>::Y, <Self::Key as Signature>::Real>;

    /// Data of the call.
    fn call(&self) -> Call<'_, Self::Key>;
    /// Shape of the output, if there is one.
    fn output_shape(&self) -> Option<YShape<Self::Key>>;
    /// Does the output have this shape, if there is one?
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn output_has(&self, shape: &YShape<Self::Key>) -> bool {
        self.output_shape().is_none_or(|y| y == *shape)
    }
    /// Zeros for a derivative, like a result of this shape.
    fn like(&self, shape: &YShape<Self::Key>) -> Self::Like;
    /// A value to write the result to: the last one that was kept, if there is one.
    fn take(&mut self, room: &mut RoomOf<Self::Key>) -> Self::Stored;
    /// The place in it where the result goes.
    fn slot<'s>(
        value: &'s mut Self::Stored,
        room: &'s mut RoomOf<Self::Key>,
    ) -> Slot<'s, Self::Key, <Self::Key as Signature>::Real>;
    /// Completes the value once the result is there.
    ///
    /// # Errors
    /// [`Error::Shape`] if a result of another length than the expected one was returned.
    fn finish(
        value: &mut Self::Stored,
        room: &mut RoomOf<Self::Key>,
        operator: Operator,
        expected: &YShape<Self::Key>,
    ) -> Result<(), Error>;
    /// Keeps a value that was not requested, so that its storage is used again.
    fn keep(&mut self, value: Self::Stored, room: &mut RoomOf<Self::Key>);
    /// Keeps storage for the next value, before this one goes to the user.
    fn spare(&mut self, _value: &Self::Stored, _room: &mut RoomOf<Self::Key>) {}
    /// A value as the user gets it.
    fn give(value: Self::Stored) -> Self::Value;
}

/// Room for a result.
pub struct Room<Y: Family, R: Entry> {
    /// For a copy of an output that is not contiguous.
    pub spare: Y::Spare<R>,
    /// A returned value that was not requested.
    pub kept: Option<Y::Owned<R>>,
}

/// Room for a result of a function with this key.
pub type RoomOf<K> = Room<<K as Signature>::Y, <K as Signature>::Real>;

impl<Y: Family, R: Entry> Default for Room<Y, R> {
    fn default() -> Self {
        Room {
            spare: Default::default(),
            kept: None,
        }
    }
}

impl<Y: Family, R: Real> Room<Y, R> {
    /// The value that was kept, or one to be replaced.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn take(&mut self) -> Y::Owned<R> {
        match self.kept.take() {
            Some(kept) => kept,
            None => Y::vacant(R::default()),
        }
    }
}

/// Place in a list of active parameters: not fixed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;

/// Place in a list of active parameters: fixed to a value.
#[derive(Clone, Copy, Debug)]
pub struct Given<T>(pub T);

/// A list of [`Open`] and [`Given`], one for each family of the list `A`.
pub trait Fixings<'c, A: List, R>: Copy {
    /// Which are live.
    type Marks: Marks;
    /// Families of those that are fixed.
    type Off: List;
    /// Their values.
    fn values(self) -> <Self::Off as Family>::Ref<'c, R>
    where
        R: crate::value::Entry;
}

impl<'c, R> Fixings<'c, (), R> for () {
    type Marks = ();
    type Off = ();
    fn values(self)
    where
        R: crate::value::Entry,
    {
    }
}

impl<'c, R, F: Leaf, A: List, V: Fixings<'c, A, R>> Fixings<'c, (F, A), R> for (Open, V) {
    type Marks = (Live, V::Marks);
    type Off = V::Off;
    fn values(self) -> <V::Off as Family>::Ref<'c, R>
    where
        R: crate::value::Entry,
    {
        self.1.values()
    }
}

impl<'c, R, F: Leaf, A: List, V, T> Fixings<'c, (F, A), R> for (Given<T>, V)
where
    R: crate::value::Entry,
    F: Family<Ref<'c, R> = T>,
    V: Fixings<'c, A, R>,
    T: Copy,
{
    type Marks = (Dead, V::Marks);
    type Off = (F, V::Off);
    fn values(self) -> <Self::Off as Family>::Ref<'c, R> {
        (self.0.0, self.1.values())
    }
}

/// A handle with its contexts, and values for the parameters that are fixed.
pub struct Bound<'c, H: Handle, V> {
    ctx: H::Ctx<'c>,
    fixed: V,
}

impl<'c, H: Handle, V: Copy> Clone for Bound<'c, H, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'c, H: Handle, V: Copy> Copy for Bound<'c, H, V> {}

impl<'c, H: Handle, V> Bound<'c, H, V> {
    /// Called by generated code.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(ctx: H::Ctx<'c>, fixed: V) -> Self {
        Bound { ctx, fixed }
    }

    /// The same contexts with other parameters fixed: [`Open`] or [`Given`] for each.
    pub fn fixing<'a, W>(&self, fixed: W) -> Bound<'a, H, W>
    where
        'c: 'a,
    {
        Bound {
            ctx: H::shorten(self.ctx),
            fixed,
        }
    }
}

impl<'c, H: Handle<Kind = InPlace>, V> Bound<'c, H, V> {
    /// Binds the buffer that the function writes to. It is set to zero before each evaluation.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn output<Y: ContainerMut<H::Y, H::Real> + ?Sized>(
        self,
        y: &mut Y,
    ) -> WithOutput<'_, 'c, H, V, Y> {
        WithOutput { f: self, y }
    }
}

/// A bound in-place function with its output.
pub struct WithOutput<'o, 'c, H: Handle, V, Y: ?Sized> {
    f: Bound<'c, H, V>,
    y: &'o mut Y,
}

#[diagnostic::do_not_recommend]
impl<'c, H, V> Function for Bound<'c, H, V>
where
    Self: Evaluate,
    H: Handle,
{
    type Bound = Self;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bind(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'o, 'c, H, V, Y: ?Sized> Function for WithOutput<'o, 'c, H, V, Y>
where
    Writing<'o, 'c, H, V, Y>: Evaluate,
    H: Handle,
{
    type Bound = Writing<'o, 'c, H, V, Y>;
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bind(self) -> Self::Bound {
        Writing {
            f: self.f,
            y: Some(self.y),
        }
    }
}

impl<'c, H: Handle, V: Copy, Y: ?Sized> WithOutput<'_, 'c, H, V, Y> {
    /// The function without its output, and how long that is.
    pub fn release(self) -> (Bound<'c, H, V>, usize)
    where
        Y: ContainerMut<H::Y, H::Real>,
    {
        (self.f, H::Y::len(&self.y.shape()))
    }

    /// The same, for one call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn again(&mut self) -> WithOutput<'_, 'c, H, V, Y> {
        WithOutput {
            f: self.f,
            y: self.y,
        }
    }
}

/// A bound in-place function while an operator runs; returns its output at the end.
pub struct Writing<'o, 'c, H: Handle, V, Y: ?Sized> {
    f: Bound<'c, H, V>,
    y: Option<&'o mut Y>,
}

/// Message of an invariant: an operator evaluates what it binds once.
const ONCE: &str = "the output is handed back after an evaluation, and kept if there is another";

/// The key of a handle of which some parameters may be fixed.
pub(crate) type HandleKey<'c, H, V> =
    Bind<H, <V as Fixings<'c, <H as Handle>::Args, <H as Handle>::Real>>::Marks>;

impl<'c, H, V> Evaluate for Bound<'c, H, V>
where
    H: Handle<Kind = Returning>,
    V: Fixings<'c, H::Args, H::Real>,
    H::Args: Select<V::Marks, Off = V::Off>,
    <H::Args as Select<V::Marks>>::On: Arguments,
    H::Y: Outcome<H::Real>,
{
    type Key = HandleKey<'c, H, V>;
    type Stored = YOwned<Self::Key, H::Real>;
    type Value = <H::Y as Outcome<H::Real>>::Value;
    type Like = Self::Value;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn call(&self) -> Call<'_, Self::Key> {
        Call {
            ctx: H::shorten(self.ctx),
            fixed: V::Off::shorten(self.fixed.values()),
        }
    }
    fn output_shape(&self) -> Option<YShape<Self::Key>> {
        None
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn output_has(&self, _: &YShape<Self::Key>) -> bool {
        true
    }
    fn like(&self, shape: &YShape<Self::Key>) -> Self::Like {
        H::Y::value(H::Y::store(shape, H::Real::default()))
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, room: &mut RoomOf<Self::Key>) -> Self::Stored {
        room.take()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slot<'s>(value: &'s mut Self::Stored, _: &'s mut RoomOf<Self::Key>) -> &'s mut Self::Stored {
        value
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(
        value: &mut Self::Stored,
        _: &mut RoomOf<Self::Key>,
        operator: Operator,
        expected: &YShape<Self::Key>,
    ) -> Result<(), Error> {
        check_lanes::<H::Y, H::Real>(operator, expected, H::Y::lanes(value))
    }
    fn keep(&mut self, value: Self::Stored, room: &mut RoomOf<Self::Key>) {
        room.kept = Some(value);
    }
    fn spare(&mut self, value: &Self::Stored, room: &mut RoomOf<Self::Key>) {
        room.kept = Some(value.clone());
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn give(value: Self::Stored) -> Self::Value {
        H::Y::value(value)
    }
}

impl<'o, 'c, H, V, Y> Evaluate for Writing<'o, 'c, H, V, Y>
where
    H: Handle<Kind = InPlace>,
    V: Fixings<'c, H::Args, H::Real>,
    H::Args: Select<V::Marks, Off = V::Off>,
    <H::Args as Select<V::Marks>>::On: Arguments,
    Y: ContainerMut<H::Y, H::Real> + ?Sized,
{
    type Key = HandleKey<'c, H, V>;
    type Stored = &'o mut Y;
    type Value = &'o mut Y;
    type Like = Y::Result;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn call(&self) -> Call<'_, Self::Key> {
        Call {
            ctx: H::shorten(self.f.ctx),
            fixed: V::Off::shorten(self.f.fixed.values()),
        }
    }
    fn output_shape(&self) -> Option<YShape<Self::Key>> {
        Some(self.y.as_ref().expect(ONCE).shape())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn output_has(&self, shape: &YShape<Self::Key>) -> bool {
        self.y.as_ref().expect(ONCE).has_shape(shape)
    }
    fn like(&self, _: &YShape<Self::Key>) -> Self::Like {
        self.y.as_ref().expect(ONCE).blank()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, _: &mut RoomOf<Self::Key>) -> &'o mut Y {
        self.y.take().expect(ONCE)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slot<'s>(
        value: &'s mut &'o mut Y,
        room: &'s mut RoomOf<Self::Key>,
    ) -> <H::Y as Family>::LanesMut<'s, H::Real> {
        value.lanes_mut(&mut room.spare)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(
        value: &mut &'o mut Y,
        room: &mut RoomOf<Self::Key>,
        _: Operator,
        _: &YShape<Self::Key>,
    ) -> Result<(), Error> {
        value.finish(&mut room.spare);
        Ok(())
    }
    fn keep(&mut self, value: &'o mut Y, _: &mut RoomOf<Self::Key>) {
        self.y = Some(value);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn give(value: &'o mut Y) -> &'o mut Y {
        value
    }
}

/// What is left of a handle of several active parameters while its data is being bound: generated
/// types wrap it, since the methods have the parameters' names.
#[derive(Clone, Copy, Debug)]
pub struct Partial<'c, C, V> {
    /// The contexts, or [`Open`].
    pub ctx: C,
    /// [`Open`] or [`Given`] for each active parameter.
    pub fixed: V,
    /// The data lives this long.
    pub data: PhantomData<&'c ()>,
}

impl<'c, C, V> Partial<'c, C, V> {
    /// Called by generated code.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(ctx: C, fixed: V) -> Self {
        Partial {
            ctx,
            fixed,
            data: PhantomData,
        }
    }
}
