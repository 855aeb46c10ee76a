//! What generated code works in: values, tapes, and lanes in the widths that operators use.

use crate::batch::{WIDEST, even_batch};
use crate::capability::Operator;
use crate::function::{CachesOwned, Call, FormOf, Kind, Signature, Source, XRef, YShape};
use crate::held::Held;
use crate::pool::mix;
use crate::primitive::Plan;
use crate::primitive::choice::{Choice, is, may, may_be_first_order, may_be_second_order};
use crate::rules::zero;
use crate::second_order::ForwardOver;
use crate::value::Family;

use super::super::lanes::{MANY, Wide, widths};
use super::super::sweep::{Memory, Size, Values, caches, env};
use super::compressed::Swath;
use super::nested::Inners;
use super::{AutoSource, FEW_INPUTS};

/// Scratch of generated code; holds what the operator needs.
pub struct Scratch<K: Signature> {
    pub(super) forward: bool,
    pub(super) values: Values<K, K::Real>,
    pub(super) memory: Memory<K::Real>,
    /// Adjoints of caches for gradients, whose other adjoints are the caller's.
    pub(super) adjoints: Option<CachesOwned<K, K::Real>>,
    pub(super) lanes: Option<Wide<K>>,
    pub(super) second: Option<Held<ForwardOver<K, Inners>>>,
    pub(super) swath: Option<Swath<K>>,
    /// Is the tape that of the point that was linearised?
    pub(super) recorded: bool,
}

impl<K: Signature + 'static> Clone for Scratch<K> {
    fn clone(&self) -> Self {
        Scratch {
            forward: self.forward,
            values: self.values.clone(),
            memory: self.memory.clone(),
            adjoints: self.adjoints.clone(),
            lanes: self.lanes.clone(),
            second: self.second.clone(),
            swath: self.swath.clone(),
            recorded: self.recorded,
        }
    }
}

impl<K: Signature + 'static> Scratch<K> {
    /// Storage of values alone.
    fn new(size: Size, y: &YShape<K>, call: Call<'_, K>) -> Self {
        Scratch {
            forward: false,
            values: Values::new(y, call.form()),
            memory: Memory::new(size),
            adjoints: None,
            lanes: None,
            second: None,
            swath: None,
            recorded: false,
        }
    }

    /// What the operators that `C` allows need beside values: of no other is anything compiled.
    fn make_room<C: Choice>(
        &mut self,
        backend: AutoSource,
        size: Size,
        plan: &Plan<'_, K>,
        call: Call<'_, K>,
    ) {
        let (n, m) = (K::X::len(plan.x), K::Y::len(plan.y));
        let forward = backend.goes_forward(plan.operator, n, m, self.memory.tape.words.mark());
        self.forward = forward;
        if const { may_be_first_order::<C>() } {
            self.lanes = lanes::<C, K>(forward, plan, call);
            if plan.operator == Operator::Gradient && !forward {
                self.adjoints = Some(caches::<K, K::Real>(call));
            }
        }
        if const { may_be_second_order::<C>() } {
            let second = ForwardOver::for_plan::<C>(size, even_batch(n, WIDEST), plan, call);
            self.second = second.map(Held::new);
        }
        if const { C::ONLY.is_none() } {
            self.swath = plan.seeds.and_then(|seeds| match plan.operator {
                Operator::Pushforward => Some(Swath::new(seeds, true, plan.x, plan.y, call)),
                Operator::Pullback => Some(Swath::new(seeds, false, plan.x, plan.y, call)),
                _ => None,
            });
        }
    }

    pub(super) fn buffers(&self) -> u64 {
        let lanes = |lanes: &Wide<K>| widths!(Wide, lanes, lanes => lanes.pool.state());
        let others = [
            self.lanes.as_ref().map_or(0, lanes),
            self.second.as_ref().map_or(0, |second| second.buffers()),
            self.swath.as_ref().map_or(0, Swath::buffers),
        ];
        others.into_iter().fold(self.values.pool.state(), mix)
    }
}

/// Lanes of first order, in the widths that the operators that `C` allows are compiled in.
fn lanes<C: Choice, K: Signature + 'static>(
    forward: bool,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
) -> Option<Wide<K>> {
    let (x, y) = (plan.x, plan.y);
    if const { may::<C>(Operator::Gradient) } && plan.operator == Operator::Gradient {
        return forward.then(|| Wide::for_gradient(K::X::len(x), x, y, call));
    }
    if const { is::<C>(Operator::Gradient) } {
        return None;
    }
    if const { C::ONE_DIRECTION } {
        return Some(Wide::one(x, y, call));
    }
    let count = match plan.operator {
        Operator::Derivative | Operator::Taylor => 1,
        Operator::Pushforward | Operator::Pullback => plan.batch,
        Operator::Jacobian => {
            let n = if forward { K::X::len(x) } else { K::Y::len(y) };
            even_batch(n, WIDEST).max(MANY)
        }
        Operator::Gradient | Operator::SecondDerivative | Operator::Hvp | Operator::Hessian => {
            return None;
        }
    };
    Some(Wide::new(count, x, y, call))
}

/// Scratch for the operators that `C` allows.
pub(super) fn scratch_in<C: Choice, K: Source>(
    backend: AutoSource,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Scratch<FormOf<K>> {
    let size = Size::of::<K>();
    let mut scratch = Scratch::<FormOf<K>>::new(size, plan.y, call.form());
    if const { may::<C>(Operator::Gradient) }
        && plan.lasting
        && plan.operator == Operator::Gradient
        && K::X::len(plan.x) <= FEW_INPUTS
        && backend.only.is_none()
    {
        // What the sweeps leave on the tape is not known before they have run: a loop that has both in each trip
        // leaves nothing.
        let Scratch { values, memory, .. } = &mut scratch;
        let mut g = K::X::store(plan.x, zero::<K::Real>());
        let mut yb = K::Y::store(plan.y, zero::<K::Real>());
        memory.tape.reset();
        K::fused::<K::Real, K::Real>(
            env(call, &mut values.caches, &mut values.pool),
            x,
            K::X::lanes_mut(&mut g),
            &mut caches::<K, K::Real>(call),
            K::Kind::slot::<K::Y, K::Real>(&mut values.y),
            K::Y::adjoint::<K::Real>(K::Y::lanes_mut(&mut yb)),
            &mut memory.tape,
        );
    }
    scratch.make_room::<C>(backend, size, &plan.form(), call.form());
    scratch
}

/// Message of an invariant: `scratch` makes what its operator uses.
pub(super) const MADE: &str = "scratch is made for its operator";
