//! Backends reduced to one primitive: everything else is derived. They test the derived operators, and show
//! what a backend of one primitive costs.

use crate::backend::Backend;
use crate::capability::{Capabilities, Mode, Operator};
use crate::error::Error;
use crate::function::{
    Call, Env, Generic, LaneSlot, NumberValued, OfNumber, Primal, Slot, XLanesMut, XRef,
};
use crate::primitive::{Plan, Space, Workspace};

use crate::scalar::Scalar;
use crate::second_order::{InsideOf, Nested, SizeOf};

use super::methods::methods;

/// Only the pushforward of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoForwardFromPrimitive<B>(pub B);

/// Only the pullback of a backend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoReverseFromPrimitive<B>(pub B);

/// The wrapped backend's space.
pub struct Inner<K: Primal, B: Backend<K>>(Space<K, B>);

impl<K: Primal, B: Backend<K>> Clone for Inner<K, B> {
    fn clone(&self) -> Self {
        Inner(self.0.clone())
    }
}

/// The wrapped backend's space for one primitive, with as many directions as derived operators use.
fn inner<K: Primal, B: Backend<K>>(
    backend: &B,
    operator: Operator,
    plan: &Plan<'_, K>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
) -> Result<Inner<K, B>, Error> {
    let plan = Plan {
        operator,
        x: plan.x,
        y: plan.y,
        batch: plan.batch.max(crate::batch::WIDEST),
        seeds: None,
        lasting: plan.lasting,
    };
    Ok(Inner(Workspace::new(
        backend.scratch(&plan, call, x)?,
        plan.x,
        plan.y,
    )))
}

impl<B: Capabilities> Capabilities for AutoForwardFromPrimitive<B> {
    fn name(&self) -> &'static str {
        "AutoForwardFromPrimitive"
    }
    fn mode(&self) -> Mode {
        Mode::Forward
    }
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    fn accuracy(&self, _: Operator) -> f64 {
        self.0.accuracy(Operator::Pushforward)
    }
    fn check_inplace(&self) -> bool {
        self.0.check_inplace()
    }
    fn batch(&self, n: usize) -> usize {
        self.0.batch(n)
    }
}

impl<B: Capabilities> Capabilities for AutoReverseFromPrimitive<B> {
    fn name(&self) -> &'static str {
        "AutoReverseFromPrimitive"
    }
    fn mode(&self) -> Mode {
        Mode::Reverse
    }
    fn check_operator(&self, operator: Operator) -> bool {
        !operator.is_second_order()
    }
    fn accuracy(&self, _: Operator) -> f64 {
        self.0.accuracy(Operator::Pullback)
    }
    fn check_inplace(&self) -> bool {
        self.0.check_inplace()
    }
    fn batch(&self, n: usize) -> usize {
        self.0.batch(n)
    }
}

/// Hands a primitive on.
macro_rules! hand_on {
    ($self:ident, $space:ident, $primitive:ident, $($arg:ident),*) => {
        $self.0.$primitive(&mut $space.scratch.0, $($arg),*)
    };
}

/// All but the primitive.
macro_rules! only {
    ($wrapper:ident $primitive:ident $operator:ident $forward:literal) => {
        impl<K: Primal, B: Backend<K>> Backend<K> for $wrapper<B> {
            type Scratch = Inner<K, B>;
            type Matrix = B::Matrix;
            const HAS_PUSHFORWARD: bool = $forward;
            const HAS_PULLBACK: bool = !$forward;

            fn scratch(
                &self,
                plan: &Plan<'_, K>,
                call: Call<'_, K>,
                x: XRef<'_, K, K::Real>,
            ) -> Result<Self::Scratch, Error> {
                inner(&self.0, Operator::$operator, plan, call, x)
            }

            fn matrix(&self, scratch: &Self::Scratch, rows: usize, columns: usize) -> B::Matrix {
                self.0.matrix(&scratch.0.scratch, rows, columns)
            }

            methods!(hand_on: $primitive);
        }
    };
}
only!(AutoForwardFromPrimitive pushforward Pushforward true);
only!(AutoReverseFromPrimitive pullback Pullback false);

/// Inside of another engine, in its scalar, there are no primitives: gradients there are those of the wrapped
/// engine.
macro_rules! nested {
    ($wrapper:ident) => {
        impl<K: Generic, B: Nested<K>> Nested<K> for $wrapper<B> {
            type Inside = B::Inside;

            fn size(&self) -> SizeOf<K, B> {
                self.0.size()
            }

            fn gradient_in<'c, S: Scalar<Real = K::Real>>(
                &self,
                inner: &mut InsideOf<K, B, S>,
                env: Env<'_, 'c, K, S>,
                x: XRef<'_, K, S>,
                g: XLanesMut<'_, K, S>,
                from: usize,
                valued: bool,
            ) -> S
            where
                K: NumberValued + 'c,
            {
                self.0.gradient_in(inner, env, x, g, from, valued)
            }

            fn derivative_in<'c, S: Scalar<Real = K::Real>>(
                &self,
                inner: &mut InsideOf<K, B, S>,
                env: Env<'_, 'c, K, S>,
                x: S,
                y: Slot<'_, K, S>,
                dy: LaneSlot<'_, K, S>,
            ) where
                K: OfNumber + 'c,
            {
                self.0.derivative_in(inner, env, x, y, dy);
            }
        }
    };
}
nested!(AutoForwardFromPrimitive);
nested!(AutoReverseFromPrimitive);
