//! What a backend knows about a function: its signature, and how it can be run.
//!
//! The types that implement these traits are *keys*: they identify the function and the parameters that are
//! differentiated, and hold no data, so that a prep can name them without borrowing anything. Data comes with each
//! call ([`Call`]). The traits are a ladder of capabilities: [`Primal`] can be run on floats, [`Generic`] on any
//! scalar, [`Source`] has derivative code.

use crate::context::Snapshot;
use crate::generated::{Activity, Pool, Tape};
use crate::scalar::{Abstract, Lanes, Real, Scalar, Undecided};
use crate::sealed::Sealed;
use crate::value::{Entry, Family, Number};

pub use crate::form::{Form, FormOf};

/// How a function returns its result.
pub trait Kind: Sealed + 'static {
    /// Is the result written to a buffer of the caller?
    const IN_PLACE: bool;
    /// Where the result goes.
    type Slot<'a, Y: Family, T: Entry>;
    /// Where tangents of the result go.
    type LaneSlot<'a, Y: Family, T: Entry>;
    /// Storage as the place of a result.
    fn slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> Self::Slot<'_, Y, T>;
    /// Storage as the place of tangents of a result.
    fn lane_slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> Self::LaneSlot<'_, Y, T>;
    /// Puts zeros where the function may add to what it finds.
    fn clear<Y: Family, T: Entry>(slot: &mut Self::Slot<'_, Y, T>, zero: T);
    /// The same for tangents.
    fn clear_lanes<Y: Family, T: Entry>(slot: &mut Self::LaneSlot<'_, Y, T>, zero: T);
    /// The place, reborrowed.
    fn again<'s, Y: Family, T: Entry>(slot: &'s mut Self::Slot<'_, Y, T>) -> Self::Slot<'s, Y, T>;
    /// Writes the result in another scalar to its place.
    fn convert<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        to: &mut Self::Slot<'_, Y, U>,
        fill: U,
        map: &mut impl FnMut(T) -> U,
    );
    /// Writes tangents of the result in another scalar to their place.
    fn convert_lanes<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        to: Self::LaneSlot<'_, Y, U>,
        fill: U,
        map: &mut impl FnMut(T) -> U,
    );
    /// Copies a result to its place.
    fn copy<Y: Family, T: Entry>(from: &Y::Owned<T>, to: Self::Slot<'_, Y, T>);
    /// The result, once it is there.
    fn result<'s, Y: Family, T: Entry>(slot: &'s Self::Slot<'_, Y, T>) -> Y::LanesRef<'s, T>;
    /// Storage of this shape, or as little as a function that returns needs.
    fn storage<Y: Family, T: Entry>(shape: &Y::Shape, fill: T) -> Y::Owned<T>;
}

/// The result is returned: storage is replaced by it.
#[derive(Clone, Copy, Debug)]
pub struct Returning;

/// The result is written to a buffer that is zeroed first.
#[derive(Clone, Copy, Debug)]
pub struct InPlace;

impl Sealed for Returning {}

impl Kind for Returning {
    const IN_PLACE: bool = false;
    type Slot<'a, Y: Family, T: Entry> = &'a mut Y::Owned<T>;
    type LaneSlot<'a, Y: Family, T: Entry> = &'a mut Y::Owned<T>;

    fn slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> &mut Y::Owned<T> {
        owned
    }
    fn lane_slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> &mut Y::Owned<T> {
        owned
    }
    fn clear<Y: Family, T: Entry>(_: &mut &mut Y::Owned<T>, _: T) {}
    fn clear_lanes<Y: Family, T: Entry>(_: &mut &mut Y::Owned<T>, _: T) {}
    fn again<'s, Y: Family, T: Entry>(slot: &'s mut &mut Y::Owned<T>) -> &'s mut Y::Owned<T> {
        slot
    }
    fn convert<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        to: &mut &mut Y::Owned<U>,
        fill: U,
        map: &mut impl FnMut(T) -> U,
    ) {
        // What was returned may have a length of its own.
        if !Y::alike::<T, U>(Y::lanes(from), Y::lanes(to)) {
            **to = Y::store(&Y::shape_of(from), fill);
        }
        Y::zip(Y::lanes_mut(*to), Y::lanes(from), &mut |to: &mut U, v| {
            *to = map(v)
        });
    }
    fn convert_lanes<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        mut to: &mut Y::Owned<U>,
        fill: U,
        map: &mut impl FnMut(T) -> U,
    ) {
        Self::convert::<Y, T, U>(from, &mut to, fill, map);
    }
    fn copy<Y: Family, T: Entry>(from: &Y::Owned<T>, to: &mut Y::Owned<T>) {
        to.clone_from(from);
    }
    fn result<'s, Y: Family, T: Entry>(slot: &'s &mut Y::Owned<T>) -> Y::LanesRef<'s, T> {
        Y::lanes::<T>(slot)
    }
    fn storage<Y: Family, T: Entry>(_: &Y::Shape, fill: T) -> Y::Owned<T> {
        Y::vacant(fill)
    }
}

impl Sealed for InPlace {}

impl Kind for InPlace {
    const IN_PLACE: bool = true;
    type Slot<'a, Y: Family, T: Entry> = Y::LanesMut<'a, T>;
    type LaneSlot<'a, Y: Family, T: Entry> = Y::LanesMut<'a, T>;

    fn slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> Y::LanesMut<'_, T> {
        Y::lanes_mut(owned)
    }
    fn lane_slot<Y: Family, T: Entry>(owned: &mut Y::Owned<T>) -> Y::LanesMut<'_, T> {
        Y::lanes_mut(owned)
    }
    fn clear<Y: Family, T: Entry>(slot: &mut Y::LanesMut<'_, T>, zero: T) {
        Y::each_mut::<T>(Y::reborrow_lanes(slot), &mut |y| *y = zero);
    }
    fn clear_lanes<Y: Family, T: Entry>(slot: &mut Y::LanesMut<'_, T>, zero: T) {
        Self::clear::<Y, T>(slot, zero);
    }
    fn again<'s, Y: Family, T: Entry>(slot: &'s mut Y::LanesMut<'_, T>) -> Y::LanesMut<'s, T> {
        Y::reborrow_lanes::<T>(slot)
    }
    fn convert<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        to: &mut Y::LanesMut<'_, U>,
        _: U,
        map: &mut impl FnMut(T) -> U,
    ) {
        let to = Y::reborrow_lanes::<U>(to);
        Y::zip(to, Y::lanes(from), &mut |to: &mut U, v| *to = map(v));
    }
    fn convert_lanes<Y: Family, T: Entry, U: Entry>(
        from: &Y::Owned<T>,
        mut to: Y::LanesMut<'_, U>,
        fill: U,
        map: &mut impl FnMut(T) -> U,
    ) {
        Self::convert::<Y, T, U>(from, &mut to, fill, map);
    }
    fn copy<Y: Family, T: Entry>(from: &Y::Owned<T>, to: Y::LanesMut<'_, T>) {
        Y::zip::<T, T>(to, Y::lanes(from), &mut |to, from| *to = from);
    }
    fn result<'s, Y: Family, T: Entry>(slot: &'s Y::LanesMut<'_, T>) -> Y::LanesRef<'s, T> {
        Y::lent::<T>(slot)
    }
    fn storage<Y: Family, T: Entry>(shape: &Y::Shape, fill: T) -> Y::Owned<T> {
        Y::store(shape, fill)
    }
}

/// What is known about a function before it runs.
pub trait Signature {
    /// Its float type.
    type Real: Real;
    /// What is differentiated.
    type X: Family;
    /// The result.
    type Y: Family;
    /// How the result is returned.
    type Kind: Kind;
    /// Active parameters that were fixed on the handle.
    type Fixed: Family;
    /// Scratch parameters.
    type Caches: Family;
    /// Can calls differ in anything other than `x` and fixed parameters? For engines that record the function.
    const DATA: bool = true;
    /// Data of one call: constants, examples of caches.
    type Ctx<'c>: Copy
    where
        Self: 'c;

    /// Adds the constants of a call, for backends whose recordings depend on them. If they cannot be compared, they
    /// may differ in each call.
    fn constants<'c>(_ctx: Self::Ctx<'c>, snapshot: &mut Snapshot)
    where
        Self: 'c,
    {
        snapshot.opaque();
    }

    /// Examples of the caches' shapes.
    fn caches<'c>(ctx: Self::Ctx<'c>) -> <Self::Caches as Family>::Ref<'c, Self::Real>
    where
        Self: 'c;
}

/// A function that returns one number.
#[diagnostic::on_unimplemented(
    message = "this operator is for functions that return one number",
    note = "`jacobian`, `pushforward` and `pullback` are for functions with several results and for in-place functions"
)]
pub trait NumberValued: Signature<Y = Number, Kind = Returning> {}

#[diagnostic::do_not_recommend]
impl<K: Signature<Y = Number, Kind = Returning>> NumberValued for K {}

/// A function of one number.
#[diagnostic::on_unimplemented(
    message = "this operator is for functions of one number",
    note = "`gradient`, `jacobian` and `pushforward` are for functions of several; parameters can be held constant, `f::AD.fix_p(&value)`"
)]
pub trait OfNumber: Signature<X = Number> {}

#[diagnostic::do_not_recommend]
impl<K: Signature<X = Number>> OfNumber for K {}

/// Values of `x`, in the scalar `S`.
pub type XRef<'a, K, S> = <<K as Signature>::X as Family>::Ref<'a, S>;
/// Lanes of the shape of `x`.
pub type XLanes<'a, K, T> = <<K as Signature>::X as Family>::LanesRef<'a, T>;
/// Lanes of the shape of `x`, for writing.
pub type XLanesMut<'a, K, T> = <<K as Signature>::X as Family>::LanesMut<'a, T>;
/// Storage of the shape of `x`.
pub type XOwned<K, T> = <<K as Signature>::X as Family>::Owned<T>;
/// Shape of `x`.
pub type XShape<K> = <<K as Signature>::X as Family>::Shape;
/// Lanes of the shape of the result.
pub type YLanes<'a, K, T> = <<K as Signature>::Y as Family>::LanesRef<'a, T>;
/// Lanes of the shape of the result, for writing.
pub type YLanesMut<'a, K, T> = <<K as Signature>::Y as Family>::LanesMut<'a, T>;
/// Storage of the shape of the result.
pub type YOwned<K, T> = <<K as Signature>::Y as Family>::Owned<T>;
/// Shape of the result.
pub type YShape<K> = <<K as Signature>::Y as Family>::Shape;
/// Adjoint of the result, as derivative code takes it.
pub type YAdjoint<'a, K, T> = <<K as Signature>::Y as Family>::Adjoint<'a, T>;
/// Where the result goes.
pub type Slot<'a, K, T> = <<K as Signature>::Kind as Kind>::Slot<'a, <K as Signature>::Y, T>;
/// Where tangents of the result go.
pub type LaneSlot<'a, K, T> =
    <<K as Signature>::Kind as Kind>::LaneSlot<'a, <K as Signature>::Y, T>;
/// Storage of caches.
pub type CachesOwned<K, T> = <<K as Signature>::Caches as Family>::Owned<T>;
/// Storage of fixed parameters.
pub type FixedOwned<K, T> = <<K as Signature>::Fixed as Family>::Owned<T>;

/// Data of one call that backends pass on: everything except `x`.
pub struct Call<'c, K: Signature + 'c> {
    /// Constants and examples of caches.
    pub ctx: K::Ctx<'c>,
    /// Values of the parameters that were fixed.
    pub fixed: <K::Fixed as Family>::Ref<'c, K::Real>,
}

impl<'c, K: Signature + 'c> Clone for Call<'c, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'c, K: Signature + 'c> Copy for Call<'c, K> {}

/// The same data in the scalar of an engine, with caches to write to.
pub struct Env<'a, 'c: 'a, K: Signature + 'c, S: Entry> {
    /// Constants.
    pub ctx: K::Ctx<'c>,
    /// Values of the parameters that were fixed.
    pub fixed: <K::Fixed as Family>::Ref<'a, S>,
    /// Scratch, of the shape of the examples.
    pub caches: &'a mut CachesOwned<K, S>,
    /// Buffers for local vectors of generated code.
    pub pool: &'a mut Pool,
}

/// A function that can be run on floats.
#[diagnostic::on_unimplemented(
    message = "this function cannot be evaluated",
    note = "pass `f::AD`, and annotate `f` with `#[differentiable]`; or wrap a closure: `di::closure(|x: &[f64]| ..)`"
)]
pub trait Primal: Signature {
    /// Runs it.
    fn primal<'c>(
        env: Env<'_, 'c, Self, Self::Real>,
        x: XRef<'_, Self, Self::Real>,
        y: Slot<'_, Self, Self::Real>,
    ) where
        Self: 'c + Sized;
}

/// A function that can be run on any scalar.
#[diagnostic::on_unimplemented(
    message = "this function is only known on floats, and the backend needs to run it on other scalars",
    note = "pass `f::AD`, and annotate `f` with `#[differentiable]`; closures work with `AutoFiniteDiff`",
    note = "for a closure write `differentiable_closure!([k: f64] |x: &[f64]| ..)`, with what it captures in the list"
)]
pub trait Generic: Primal {
    /// Does it use buffers of the pool? The first run of such a function allocates them.
    const BUFFERS: bool = false;

    /// Runs it.
    fn generic<'c, S: Scalar<Real = Self::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) where
        Self: 'c + Sized;

    /// Runs it on sets of inputs: both arms of a branch on inputs, if it can.
    ///
    /// # Errors
    /// If a value must be known that depends on inputs; which one is noted.
    fn pattern<'c, S: Abstract<Real = Self::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) -> Result<(), Undecided>
    where
        Self: 'c + Sized,
    {
        Self::generic(env, x, y);
        Ok(())
    }
}

/// A function with generated derivative code.
#[diagnostic::on_unimplemented(
    message = "this function has no generated derivative code, which `AutoSource` needs",
    note = "pass `f::AD`, and annotate `f` with `#[differentiable]`; closures work with `AutoFiniteDiff`, scalar-generic functions with `AutoDual`, overloaded ones with `AutoTape`",
    note = "for a closure write `differentiable_closure!([k: f64] |x: &[f64]| ..)`, with what it captures in the list"
)]
pub trait Source: Generic {
    /// Floats in the fixed record.
    const WORDS: usize;
    /// Does the reverse sweep read anything that the forward sweep has recorded?
    const RECORDS: bool;
    /// Integers in the fixed record.
    const INTS: usize;

    /// Value and tangent together. `caches_t` is scratch.
    fn tangent<'c, S: Scalar<Real = Self::Real>, T: Lanes<S>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        dx: XLanes<'_, Self, T>,
        caches_t: &mut CachesOwned<Self, T>,
        y: Slot<'_, Self, S>,
        dy: LaneSlot<'_, Self, T>,
    ) where
        Self: 'c + Sized;

    /// Value, keeping what the reverse sweep needs.
    fn augmented<'c, S: Scalar<Real = Self::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
        record: Record<'_, S>,
    ) where
        Self: 'c + Sized;

    /// Overwrites `xb` with the adjoint of `x` for the adjoint `yb` of the result, which is consumed. `caches_b` is
    /// zero on entry and dirty on exit. `P` is [`Fresh`](crate::generated::Fresh), or
    /// [`FreshTangents`](crate::generated::FreshTangents) if values of `xb` are no matter.
    #[allow(
        clippy::too_many_arguments,
        reason = "values and adjoints side by side"
    )]
    fn reverse<'c, S: Scalar<Real = Self::Real>, A: Lanes<S>, P: Activity>(
        ctx: Self::Ctx<'c>,
        fixed: <Self::Fixed as Family>::Ref<'_, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        yb: YAdjoint<'_, Self, A>,
        kept: Kept<'_, S>,
        pool: &mut Pool,
    ) where
        Self: 'c + Sized;

    /// Augmented and reverse sweep in one.
    #[allow(
        clippy::too_many_arguments,
        reason = "values and adjoints side by side"
    )]
    fn fused<'c, S: Scalar<Real = Self::Real>, A: Lanes<S>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        y: Slot<'_, Self, S>,
        yb: YAdjoint<'_, Self, A>,
        tape: &mut Tape<S>,
    ) where
        Self: 'c + Sized;
}

/// Where an augmented sweep keeps its values: the fixed record, and the tape.
pub struct Record<'a, S> {
    /// Exactly [`Source::WORDS`] long.
    pub words: &'a mut [S],
    /// Exactly [`Source::INTS`] long.
    pub ints: &'a mut [usize],
    /// The rest.
    pub tape: &'a mut Tape<S>,
}

/// What an augmented sweep has kept.
pub struct Kept<'a, S> {
    /// Exactly [`Source::WORDS`] long.
    pub words: &'a [S],
    /// Exactly [`Source::INTS`] long.
    pub ints: &'a [usize],
    /// The rest.
    pub tape: &'a Tape<S>,
}
