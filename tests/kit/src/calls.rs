//! Functions that count how often they are evaluated, by whatever engine.

use std::cell::Cell;
use std::marker::PhantomData;

use di_runtime::bound::{Evaluate, Function, RoomOf, Value};
use di_runtime::capability::Operator;
use di_runtime::context::Snapshot;
use di_runtime::error::Error;
use di_runtime::function::{
    CachesOwned, Call, Env, Generic, Kept, LaneSlot, Primal, Record, Signature, Slot, Source,
    XLanes, XLanesMut, XRef, YAdjoint, YShape,
};
use di_runtime::generated::{Activity, Pool, Tape};
use di_runtime::scalar::{Lanes, Scalar};
use di_runtime::value::{Entry, Family};

use crate::scenario::Scenario;
use crate::subject::Subject;

thread_local! {
    static EVALUATIONS: Cell<usize> = const { Cell::new(0) };
    static SWEEPS: Cell<usize> = const { Cell::new(0) };
}

/// How often something was run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Evaluations: on floats or another scalar, alone, with tangents, or as the forward sweep of the adjoint.
    pub evaluations: usize,
    /// Reverse sweeps.
    pub sweeps: usize,
}

impl Calls {
    /// Evaluations; or reverse sweeps, if there are more of them: one that needs no values goes alone.
    pub fn runs(self) -> usize {
        self.evaluations.max(self.sweeps)
    }
}

/// Runs `work`; returns its result and how often counted functions were run meanwhile, on this thread.
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di_test::calls::{Counted, count};
///
/// #[differentiable]
/// fn f(x: &[f64]) -> f64 {
///     x[0] * x[1]
/// }
///
/// let (backend, x) = (AutoSource::new(), [2.0, 3.0]);
/// let prep = prepare_gradient(Counted(f::AD), &backend, &x)?;
/// let (found, calls) = count(|| value_and_gradient(Counted(f::AD), &prep, &backend, &x));
/// assert_eq!((found?, calls.evaluations, calls.sweeps), ((6.0, [3.0, 2.0]), 1, 1));
/// # Ok::<(), di::Error>(())
/// ```
pub fn count<R>(work: impl FnOnce() -> R) -> (R, Calls) {
    let now = || Calls {
        evaluations: EVALUATIONS.get(),
        sweeps: SWEEPS.get(),
    };
    let before = now();
    let result = work();
    let after = now();
    let calls = Calls {
        evaluations: after.evaluations - before.evaluations,
        sweeps: after.sweeps - before.sweeps,
    };
    (result, calls)
}

fn evaluation() {
    EVALUATIONS.set(EVALUATIONS.get() + 1);
}

fn sweep() {
    SWEEPS.set(SWEEPS.get() + 1);
}

/// A function that is counted; operators take it as they take the function.
#[derive(Clone, Copy, Debug)]
pub struct Counted<F>(pub F);

/// The key of a counted function.
pub struct CountedKey<K>(PhantomData<fn() -> K>);

/// A counted function with its data.
pub struct Counting<E>(E);

impl<F: Function> Function for Counted<F> {
    type Bound = Counting<F::Bound>;
    fn bind(self) -> Self::Bound {
        Counting(self.0.bind())
    }
}

impl<E: Evaluate> Evaluate for Counting<E> {
    type Key = CountedKey<E::Key>;
    type Stored = E::Stored;
    type Value = E::Value;
    type Like = E::Like;

    fn call(&self) -> Call<'_, Self::Key> {
        let Call { ctx, fixed } = self.0.call();
        Call { ctx, fixed }
    }
    fn output_shape(&self) -> Option<YShape<Self::Key>> {
        self.0.output_shape()
    }
    fn output_has(&self, shape: &YShape<Self::Key>) -> bool {
        self.0.output_has(shape)
    }
    fn like(&self, shape: &YShape<Self::Key>) -> Self::Like {
        self.0.like(shape)
    }
    fn take(&mut self, room: &mut RoomOf<Self::Key>) -> Self::Stored {
        self.0.take(room)
    }
    fn slot<'s>(
        value: &'s mut Self::Stored,
        room: &'s mut RoomOf<Self::Key>,
    ) -> Slot<'s, Self::Key, <Self::Key as Signature>::Real> {
        E::slot(value, room)
    }
    fn finish(
        value: &mut Self::Stored,
        room: &mut RoomOf<Self::Key>,
        operator: Operator,
        expected: &YShape<Self::Key>,
    ) -> Result<(), Error> {
        E::finish(value, room, operator, expected)
    }
    fn keep(&mut self, value: Self::Stored, room: &mut RoomOf<Self::Key>) {
        self.0.keep(value, room);
    }
    fn spare(&mut self, value: &Self::Stored, room: &mut RoomOf<Self::Key>) {
        self.0.spare(value, room);
    }
    fn give(value: Self::Stored) -> Self::Value {
        E::give(value)
    }
}

impl<K: Signature> Signature for CountedKey<K> {
    type Real = K::Real;
    type X = K::X;
    type Y = K::Y;
    type Kind = K::Kind;
    type Fixed = K::Fixed;
    type Caches = K::Caches;
    type Ctx<'c>
        = K::Ctx<'c>
    where
        Self: 'c;
    const DATA: bool = K::DATA;

    fn caches<'c>(ctx: K::Ctx<'c>) -> <K::Caches as Family>::Ref<'c, K::Real>
    where
        Self: 'c,
    {
        K::caches(ctx)
    }
    fn constants<'c>(ctx: K::Ctx<'c>, snapshot: &mut Snapshot)
    where
        Self: 'c,
    {
        K::constants(ctx, snapshot);
    }
}

fn env<'a, 'c, K: Signature, S: Entry>(env: Env<'a, 'c, CountedKey<K>, S>) -> Env<'a, 'c, K, S> {
    let Env {
        ctx,
        fixed,
        caches,
        pool,
    } = env;
    Env {
        ctx,
        fixed,
        caches,
        pool,
    }
}

impl<K: Primal> Primal for CountedKey<K> {
    fn primal<'c>(
        data: Env<'_, 'c, Self, K::Real>,
        x: XRef<'_, Self, K::Real>,
        y: Slot<'_, Self, K::Real>,
    ) where
        Self: 'c,
    {
        evaluation();
        K::primal(env(data), x, y);
    }
}

impl<K: Generic> Generic for CountedKey<K> {
    const BUFFERS: bool = K::BUFFERS;

    fn generic<'c, S: Scalar<Real = K::Real>>(
        data: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
    ) where
        Self: 'c,
    {
        evaluation();
        K::generic::<S>(env(data), x, y);
    }
}

impl<K: Source> Source for CountedKey<K> {
    const WORDS: usize = K::WORDS;
    const RECORDS: bool = K::RECORDS;
    const INTS: usize = K::INTS;

    fn tangent<'c, S: Scalar<Real = K::Real>, T: Lanes<S>>(
        data: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        dx: XLanes<'_, Self, T>,
        caches_t: &mut CachesOwned<Self, T>,
        y: Slot<'_, Self, S>,
        dy: LaneSlot<'_, Self, T>,
    ) where
        Self: 'c,
    {
        evaluation();
        K::tangent::<S, T>(env(data), x, dx, caches_t, y, dy);
    }

    fn augmented<'c, S: Scalar<Real = K::Real>>(
        data: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        y: Slot<'_, Self, S>,
        record: Record<'_, S>,
    ) where
        Self: 'c,
    {
        evaluation();
        K::augmented::<S>(env(data), x, y, record);
    }

    fn reverse<'c, S: Scalar<Real = K::Real>, A: Lanes<S>, P: Activity>(
        ctx: Self::Ctx<'c>,
        fixed: <Self::Fixed as Family>::Ref<'_, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        yb: YAdjoint<'_, Self, A>,
        kept: Kept<'_, S>,
        pool: &mut Pool,
    ) where
        Self: 'c,
    {
        sweep();
        K::reverse::<S, A, P>(ctx, fixed, x, xb, caches_b, yb, kept, pool);
    }

    fn fused<'c, S: Scalar<Real = K::Real>, A: Lanes<S>>(
        data: Env<'_, 'c, Self, S>,
        x: XRef<'_, Self, S>,
        xb: XLanesMut<'_, Self, A>,
        caches_b: &mut CachesOwned<Self, A>,
        y: Slot<'_, Self, S>,
        yb: YAdjoint<'_, Self, A>,
        tape: &mut Tape<S>,
    ) where
        Self: 'c,
    {
        evaluation();
        sweep();
        K::fused::<S, A>(env(data), x, xb, caches_b, y, yb, tape);
    }
}

/// The function of a scenario, counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedSubject<S>(S);

impl<S: Subject<Y>, Y> Subject<Y> for CountedSubject<S> {
    type Key = CountedKey<S::Key>;
    type Call<'o>
        = Counted<S::Call<'o>>
    where
        Self: 'o,
        Y: 'o;
    const IN_PLACE: bool = S::IN_PLACE;

    fn call<'o>(&'o self, y: &'o mut Y) -> Counted<S::Call<'o>> {
        Counted(self.0.call(y))
    }
    fn value<'o>(value: Value<Self::Call<'o>>, y: usize) -> (Vec<f64>, bool)
    where
        Self: 'o,
        Y: 'o,
    {
        S::value(value, y)
    }
}

/// Scenarios whose evaluations can be counted.
pub trait Countable {
    /// The same scenarios, counted.
    type Counted;
    /// The same scenarios, counted.
    fn counted(&self) -> Self::Counted;
}

impl<O, S: Clone, X: Clone, Y: Clone, T: Clone, M> Countable for Scenario<O, S, X, Y, T, M>
where
    Self: Clone,
{
    type Counted = Scenario<O, CountedSubject<S>, X, Y, T, M>;
    fn counted(&self) -> Self::Counted {
        let f = CountedSubject(self.f.clone());
        let prepared = self.prepared_f.clone().map(CountedSubject);
        self.clone().rebound(f, prepared)
    }
}

impl<S: Countable> Countable for Vec<S> {
    type Counted = Vec<S::Counted>;
    fn counted(&self) -> Self::Counted {
        self.iter().map(S::counted).collect()
    }
}

impl<S: Countable> Countable for [S] {
    type Counted = Vec<S::Counted>;
    fn counted(&self) -> Self::Counted {
        self.iter().map(S::counted).collect()
    }
}

impl<S: Countable, const N: usize> Countable for [S; N] {
    type Counted = Vec<S::Counted>;
    fn counted(&self) -> Self::Counted {
        self.iter().map(S::counted).collect()
    }
}

impl<S: Countable + ?Sized> Countable for &S {
    type Counted = S::Counted;
    fn counted(&self) -> Self::Counted {
        S::counted(self)
    }
}

macro_rules! tuples {
    ($($name:ident $at:tt),+) => {
        impl<$($name: Countable),+> Countable for ($($name,)+) {
            type Counted = ($($name::Counted,)+);
            fn counted(&self) -> Self::Counted {
                ($(self.$at.counted(),)+)
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
tuples!(A 0, B 1, C 2, D 3, E 4);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuples!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);

#[cfg(test)]
mod tests {
    use di::differentiable;
    use di_runtime::bound::Key;
    use di_runtime::function::{Generic, Signature, Source};

    use super::Counted;

    #[differentiable]
    fn f(x: &[f64]) -> f64 {
        let y: Vec<f64> = x.iter().map(|x| x.sin().exp()).collect();
        y.iter().sum()
    }

    /// What a function says of itself, engines ask of its key.
    fn said<K: Source>() -> (bool, bool, bool, usize, usize) {
        let signature = (<K as Signature>::DATA, <K as Generic>::BUFFERS);
        (signature.0, signature.1, K::RECORDS, K::WORDS, K::INTS)
    }

    #[test]
    fn counted_function_says_what_the_function_says() {
        assert_eq!(said::<Key<Counted<f>>>(), said::<Key<f>>());
        // Neither is the default, so that one that is not handed on is seen.
        let (buffers, data) = (<Key<f> as Generic>::BUFFERS, <Key<f> as Signature>::DATA);
        assert_eq!((buffers, data), (true, false));
    }
}
