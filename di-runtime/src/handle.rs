//! What `#[differentiable]` implements for its handle, and the key of the handle.
//!
//! A handle knows all its active parameters. [`Bind`] is the key of a handle of which some may be
//! fixed; it has the traits that backends ask for. Data is bound in [`crate::bound`].

use core::marker::PhantomData;

use crate::context::{Probe, Snapshot, Unseen};
use crate::entries;
use crate::function::{
    CachesOwned, Env, Generic, Kept, Kind, LaneSlot, Primal, Record, Signature, Slot, Source,
    XLanes, XLanesMut, XRef, YAdjoint,
};
use crate::generated::{Activity, Fresh, Pool, Tape};
use crate::scalar::{Abstract, Lanes, Real, Scalar, Undecided};
use crate::value::{Arguments, Entry, Family, List, Marks, Select};

/// Primals of all active parameters, in the scalar `S`.
pub type ArgsRef<'a, H, S> = <<H as Handle>::Args as Family>::Ref<'a, S>;
/// Tangents of all active parameters; `M` says which there are.
pub type ArgsSeeds<'a, H, T, M> = <<H as Handle>::Args as List>::Seeds<'a, T, M>;
/// Adjoints of all active parameters; `M` says which there are.
pub type ArgsShadows<'a, H, T, M> = <<H as Handle>::Args as List>::Shadows<'a, T, M>;
/// Scratch parameters.
pub type Scratch<'a, H, S> = <<H as Handle>::Caches as Family>::LanesMut<'a, S>;
/// Tangents or adjoints of scratch parameters.
pub type ScratchLanes<'a, H, T> = <<H as Handle>::Caches as Family>::Adjoint<'a, T>;
/// Where the result goes.
pub type Out<'a, H, S> = <<H as Handle>::Kind as Kind>::Slot<'a, <H as Handle>::Y, S>;
/// Where tangents of the result go.
pub type OutLanes<'a, H, T> = <<H as Handle>::Kind as Kind>::LaneSlot<'a, <H as Handle>::Y, T>;
/// Adjoint of the result.
pub type OutAdjoint<'a, H, T> = <<H as Handle>::Y as Family>::Adjoint<'a, T>;

/// Primals of the parameters, and where the result goes.
#[allow(missing_debug_implementations, reason = "made and taken apart at once")]
pub struct Primals<'x, 'c, 's, 'y, H: Handle, S: Scalar<Real = H::Real>> {
    /// Active parameters.
    pub args: ArgsRef<'x, H, S>,
    /// Constants and examples of caches.
    pub ctx: H::Ctx<'c>,
    /// Scratch parameters.
    pub caches: Scratch<'s, H, S>,
    /// The result.
    pub y: Out<'y, H, S>,
}

/// Tangents beside [`Primals`].
#[allow(missing_debug_implementations, reason = "made and taken apart at once")]
pub struct Tangents<'x, 's, 'y, H: Handle, T: Entry, M: Marks> {
    /// Of active parameters.
    pub args: ArgsSeeds<'x, H, T, M>,
    /// Of scratch parameters.
    pub caches: ScratchLanes<'s, H, T>,
    /// Of the result.
    pub y: OutLanes<'y, H, T>,
}

/// Adjoints beside [`Primals`].
#[allow(missing_debug_implementations, reason = "made and taken apart at once")]
pub struct Adjoints<'x, 's, 'y, H: Handle, A: Entry, M: Marks> {
    /// Of active parameters.
    pub args: ArgsShadows<'x, H, A, M>,
    /// Of scratch parameters.
    pub caches: ScratchLanes<'s, H, A>,
    /// Of the result.
    pub y: OutAdjoint<'y, H, A>,
}

/// What could be bound to the handle `H` if operators took its function. Nothing can: the function is for calls.
#[diagnostic::on_unimplemented(
    message = "operators do not take `{H}`: it is for calls from other annotated functions",
    label = "nothing can be bound to a function for calls",
    note = "operators take functions of floats with a result of floats or one output, and without `#[inout]` parameters",
    note = "call it in an annotated function with an input and an output of its own: copy the one to the other first"
)]
pub trait Bindable<H> {}

/// A type of constants by value. A handle that has one is copied with it. The lifetime stands in bounds, `for<'k>
/// T: Copied<'k>`, which rustc then asks for where the handle is used, and not where it is declared.
#[diagnostic::on_unimplemented(
    message = "operators copy constants, and `{Self}` is not `Copy`",
    label = "a handle is copied with its constants",
    note = "take the constant by reference, `data: &Data`, or add `#[derive(Clone, Copy)]` to its type"
)]
pub trait Copied<'k>: Copy {}

impl<T: Copy> Copied<'_> for T {}

/// Whether the option in a parameter that is differentiated holds a number, which is one of the inputs.
#[diagnostic::on_unimplemented(
    message = "`with` takes `true` or `false` here: whether the option holds a number, which is one of the inputs",
    label = "expected `bool`, found `{Self}`",
    note = "mark the parameter, `#[constant] limit: Option<f64>`, to bind `Some(..)` or `None` by `with`"
)]
pub trait Presence {
    /// Whether there is one.
    fn is_there(&self) -> bool;
}

impl Presence for bool {
    fn is_there(&self) -> bool {
        *self
    }
}

/// Says what is missing where `with` is called on a function that has nothing to bind. Where there is something, `with` is
/// an inherent method, which comes first.
pub trait Unmarked: Handle {
    /// Does not compile, and says why.
    fn with<D>(self, _: D) -> Self
    where
        Self: Marked,
    {
        self
    }
}

impl<H: Handle> Unmarked for H {}

/// What has `#[constant]` or `#[cache]` parameters. No handle with a trait's `with` has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `#[constant]` or `#[cache]` parameter to bind",
    label = "all parameters of this function are differentiated",
    note = "mark what is not, `#[constant] data: &[f64]`, or hold it fixed in this call, `.fix_data(&data)`"
)]
pub trait Marked {}

/// The handle of an annotated function. Generated, not written by hand; each function forwards to
/// the inherent one of the same name with two underscores.
///
/// Lists are nested pairs, `(a, (b, ()))`, in the order of the parameters.
///
/// `cargo check` needs no code: there a handle has only types and none of the functions. Their defaults here are
/// never compiled to anything that could run.
pub trait Handle: Copy + 'static {
    /// The float type of the function.
    type Real: Real;
    /// Families of the active parameters, as a list.
    type Args: List;
    /// Families of the caches, as a list.
    type Caches: Family;
    /// Family of the result or output.
    type Y: Family;
    /// [`crate::function::Returning`] or [`crate::function::InPlace`].
    type Kind: Kind;
    /// Constants and examples of caches, as a list.
    type Ctx<'c>: Copy;
    /// Floats in the fixed record.
    const WORDS: usize = 0;
    /// Does the reverse sweep read anything that the forward sweep has recorded?
    const RECORDS: bool = true;
    /// Integers in the fixed record.
    const INTS: usize = 0;
    /// Does it take buffers from the pool?
    const BUFFERS: bool = true;
    /// Does its adjoint code understand fresh shadows? Else they are zeroed for it.
    const FRESH: bool = false;
    /// Names of the active parameters.
    const NAMES: &'static [&'static str];

    /// The same contexts, for a shorter time.
    fn shorten<'s, 'l: 's>(_: Self::Ctx<'l>) -> Self::Ctx<'s> {
        absent()
    }
    /// Adds the constants.
    fn constants(ctx: Self::Ctx<'_>, snapshot: &mut Snapshot) {
        Unseen::snapshot(&Probe(&ctx), snapshot);
    }
    /// The examples of caches.
    fn caches<'c>(_: Self::Ctx<'c>) -> <Self::Caches as Family>::Ref<'c, Self::Real> {
        absent()
    }

    /// The function on any scalar.
    fn primal<S: Scalar<Real = Self::Real>>(_: Primals<'_, '_, '_, '_, Self, S>, _: &mut Pool) {
        absent()
    }

    /// The user's function itself, where it can be called: what differences and values are computed by knows nothing of
    /// what the compiler has read.
    fn plain(at: Primals<'_, '_, '_, '_, Self, Self::Real>, pool: &mut Pool) {
        Self::primal(at, pool);
    }

    /// The function on sets of inputs, see [`Generic::pattern`].
    ///
    /// # Errors
    /// If something has to be known that inputs decide.
    fn pattern<S: Abstract<Real = Self::Real>>(
        at: Primals<'_, '_, '_, '_, Self, S>,
        pool: &mut Pool,
    ) -> Result<(), Undecided> {
        Self::primal(at, pool);
        Ok(())
    }

    /// Value and tangent.
    fn tangent<S: Scalar<Real = Self::Real>, T: Lanes<S>, M: Marks>(
        _: Primals<'_, '_, '_, '_, Self, S>,
        _: Tangents<'_, '_, '_, Self, T, M>,
        _: &mut Pool,
    ) {
        absent()
    }

    /// Forward sweep.
    fn augmented<S: Scalar<Real = Self::Real>>(
        _: Primals<'_, '_, '_, '_, Self, S>,
        _: Record<'_, S>,
        _: &mut Pool,
    ) {
        absent()
    }

    /// Reverse sweep.
    fn reverse<S: Scalar<Real = Self::Real>, A: Lanes<S>, M: Marks>(
        _: ArgsRef<'_, Self, S>,
        _: Self::Ctx<'_>,
        _: Adjoints<'_, '_, '_, Self, A, M>,
        _: Kept<'_, S>,
        _: &mut Pool,
    ) {
        absent()
    }

    /// Both sweeps.
    fn fused<S: Scalar<Real = Self::Real>, A: Lanes<S>, M: Marks>(
        _: Primals<'_, '_, '_, '_, Self, S>,
        _: Adjoints<'_, '_, '_, Self, A, M>,
        _: &mut Tape<S>,
        _: &mut Pool,
    ) {
        absent()
    }
}

/// One sweep after the other, with a record of `W` floats and `I` integers on the stack: [`Handle::fused`] of functions
/// that have no better.
#[inline]
pub fn both_sweeps<H: Handle, S, A, M, const W: usize, const I: usize>(
    at: Primals<'_, '_, '_, '_, H, S>,
    adjoints: Adjoints<'_, '_, '_, H, A, M>,
    tape: &mut Tape<S>,
    pool: &mut Pool,
) where
    S: Scalar<Real = H::Real>,
    A: Lanes<S>,
    M: Marks,
{
    let (args, ctx) = (at.args, at.ctx);
    let (mut words, mut ints) = ([S::default(); W], [0; I]);
    let record = Record {
        words: &mut words,
        ints: &mut ints,
        tape: &mut *tape,
    };
    H::augmented::<S>(at, record, pool);
    let kept = Kept {
        words: &words,
        ints: &ints,
        tape,
    };
    H::reverse::<S, A, M>(args, ctx, adjoints, kept, pool);
}

/// Stands in for code that was not generated.
#[cold]
fn absent() -> ! {
    panic!(
        "no derivative code was generated, since the crate was only checked; set DI_GENERATE=always"
    )
}

/// The key of a handle: which function, and which of its active parameters are live.
pub struct Bind<H, M>(PhantomData<fn() -> (H, M)>);

type On<H, M> = <<H as Handle>::Args as Select<M>>::On;
type Off<H, M> = <<H as Handle>::Args as Select<M>>::Off;
type XFamily<K> = <K as Signature>::X;
type Tuple<H, M> = <On<H, M> as Arguments>::Tuple;

impl<H: Handle, M: Marks> Signature for Bind<H, M>
where
    H::Args: Select<M>,
    On<H, M>: Arguments,
{
    type Real = H::Real;
    type X = Tuple<H, M>;
    type Y = H::Y;
    type Kind = H::Kind;
    type Fixed = Off<H, M>;
    type Caches = H::Caches;
    const DATA: bool = size_of::<H::Ctx<'static>>() > 0;
    type Ctx<'c>
        = H::Ctx<'c>
    where
        Self: 'c;

    fn constants<'c>(ctx: H::Ctx<'c>, snapshot: &mut Snapshot)
    where
        Self: 'c,
    {
        H::constants(ctx, snapshot);
    }

    fn caches<'c>(ctx: H::Ctx<'c>) -> <H::Caches as Family>::Ref<'c, H::Real>
    where
        Self: 'c,
    {
        H::caches(ctx)
    }
}

/// All active parameters, from the live and the fixed ones.
#[cfg_attr(not(debug_assertions), inline(always))]
fn merge<'a, 'x: 'a, 'f: 'a, A: Select<M>, M: Marks, S: Entry>(
    x: <<A::On as Arguments>::Tuple as Family>::Ref<'x, S>,
    fixed: <A::Off as Family>::Ref<'f, S>,
) -> A::Ref<'a, S>
where
    A::On: Arguments,
{
    let on = A::On::refs::<S>(<A::On as Arguments>::Tuple::shorten::<S>(x));
    A::merge::<S>(on, A::Off::shorten::<S>(fixed))
}

/// What a handle is called with, and buffers: places of results are cleared first.
#[cfg_attr(not(debug_assertions), inline(always))]
fn primals<'m, 'e: 'm, 'c: 'e, 'x: 'm, 'y, H: Handle, M: Marks, S: Scalar<Real = H::Real>>(
    env: Env<'e, 'c, Bind<H, M>, S>,
    x: XRef<'x, Bind<H, M>, S>,
    mut y: Slot<'y, Bind<H, M>, S>,
) -> (Primals<'m, 'c, 'e, 'y, H, S>, &'e mut Pool)
where
    H::Args: Select<M>,
    On<H, M>: Arguments,
{
    H::Kind::clear::<H::Y, S>(&mut y, S::default());
    let at = Primals {
        args: merge::<H::Args, M, S>(x, env.fixed),
        ctx: env.ctx,
        caches: H::Caches::lanes_mut::<S>(env.caches),
        y,
    };
    (at, env.pool)
}

impl<H: Handle, M: Marks> Primal for Bind<H, M>
where
    H::Args: Select<M>,
    On<H, M>: Arguments,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn primal<'c>(
        env: Env<'_, 'c, Self, H::Real>,
        x: XRef<'_, Self, H::Real>,
        y: Slot<'_, Self, H::Real>,
    ) where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, H::Real>(env, x, y);
        H::plain(at, pool);
    }
}

#[diagnostic::do_not_recommend]
impl<H: Handle, M: Marks> Generic for Bind<H, M>
where
    H::Args: Select<M>,
    On<H, M>: Arguments,
{
    const BUFFERS: bool = H::BUFFERS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn generic<'c, S: Scalar<Real = H::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, S>(env, x, y);
        H::primal::<S>(at, pool);
    }

    fn pattern<'c, S: Abstract<Real = H::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) -> Result<(), Undecided>
    where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, S>(env, x, y);
        H::pattern::<S>(at, pool)
    }
}

#[diagnostic::do_not_recommend]
impl<H: Handle, M: Marks> Source for Bind<H, M>
where
    H::Args: Select<M>,
    On<H, M>: Arguments,
{
    const WORDS: usize = H::WORDS;
    const RECORDS: bool = H::RECORDS;
    const INTS: usize = H::INTS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent<'c, S: Scalar<Real = H::Real>, T: Lanes<S>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        dx: XLanes<'_, Self, T>,
        caches_t: &mut CachesOwned<Self, T>,
        y: Slot<'_, Self, S>,
        dy: LaneSlot<'_, Self, T>,
    ) where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, S>(env, x, y);
        let seeds = <H::Args as Select<M>>::seeds::<T>(On::<H, M>::lanes_refs::<T>(dx));
        let mut dy = dy;
        H::Kind::clear_lanes::<H::Y, T>(&mut dy, T::zero());
        let tangents = Tangents {
            args: seeds,
            caches: H::Caches::adjoint::<T>(H::Caches::lanes_mut::<T>(caches_t)),
            y: dy,
        };
        H::tangent::<S, T, M>(at, tangents, pool);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn augmented<'c, S: Scalar<Real = H::Real>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
        record: Record<'_, S>,
    ) where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, S>(env, x, y);
        H::augmented::<S>(at, record, pool);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reverse<'c, S: Scalar<Real = H::Real>, A: Lanes<S>, P: Activity>(
        ctx: H::Ctx<'c>,
        fixed: <Off<H, M> as Family>::Ref<'_, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        yb: YAdjoint<'_, Self, A>,
        kept: Kept<'_, S>,
        pool: &mut Pool,
    ) where
        Self: 'c,
    {
        let args = merge::<H::Args, M, S>(x, fixed);
        let caches = H::Caches::adjoint::<A>(H::Caches::lanes_mut::<A>(caches_b));
        if H::FRESH {
            let adjoints = Adjoints {
                args: <H::Args as Select<M>>::fresh::<A, P>(On::<H, M>::lanes_muts::<A>(xb)),
                caches,
                y: yb,
            };
            H::reverse::<S, A, <H::Args as Select<M>>::Fresh<P>>(args, ctx, adjoints, kept, pool);
            return;
        }
        let mut xb = xb;
        let lanes = XFamily::<Self>::reborrow_lanes(&mut xb);
        XFamily::<Self>::each_mut::<A>(lanes, &mut entries::clear());
        let adjoints = Adjoints {
            args: <H::Args as Select<M>>::shadows::<A>(On::<H, M>::lanes_muts::<A>(xb)),
            caches,
            y: yb,
        };
        H::reverse::<S, A, M>(args, ctx, adjoints, kept, pool);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fused<'c, S: Scalar<Real = H::Real>, A: Lanes<S>>(
        env: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        y: Slot<'_, Self, S>,
        yb: YAdjoint<'_, Self, A>,
        tape: &mut Tape<S>,
    ) where
        Self: 'c,
    {
        let (at, pool) = primals::<H, M, S>(env, x, y);
        let caches_b = H::Caches::adjoint::<A>(H::Caches::lanes_mut::<A>(caches_b));
        if H::FRESH {
            let adjoints = Adjoints {
                args: <H::Args as Select<M>>::fresh::<A, Fresh>(On::<H, M>::lanes_muts::<A>(xb)),
                caches: caches_b,
                y: yb,
            };
            H::fused::<S, A, <H::Args as Select<M>>::Fresh<Fresh>>(at, adjoints, tape, pool);
            return;
        }
        let mut xb = xb;
        let lanes = XFamily::<Self>::reborrow_lanes(&mut xb);
        XFamily::<Self>::each_mut::<A>(lanes, &mut entries::clear());
        let adjoints = Adjoints {
            args: <H::Args as Select<M>>::shadows::<A>(On::<H, M>::lanes_muts::<A>(xb)),
            caches: caches_b,
            y: yb,
        };
        H::fused::<S, A, M>(at, adjoints, tape, pool);
    }
}
