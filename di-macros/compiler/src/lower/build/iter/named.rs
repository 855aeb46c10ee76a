//! Iterators that have a name: what they are made of is evaluated where they are bound, and the loops are made
//! where they are used.

use super::Ready;
use crate::error;
use crate::lower::build::Builder;
use crate::lower::hir::{ClosureId, Expr, Kind};
use crate::report::Extent;
use crate::sorted::Map;

/// Those that are bound so far.
pub(in crate::lower::build) type Chains<'e> = Map<ClosureId, Ready<'e>>;

impl<'a> Builder<'a> {
    /// `let name = x.iter().map(..);`
    pub(in crate::lower::build) fn make_chain(&mut self, id: ClosureId) {
        let closures = self.closures;
        let body = &closures[id.0].lambda.body;
        let Kind::Reduce(iter, _) = &body.kind else {
            unreachable!("read: a chain with a name counts its items")
        };
        let ready = self.ready(iter, body.span);
        self.chains.insert(id, ready);
    }

    /// The iterator as it was bound.
    pub(super) fn named(&mut self, name: &Expr) -> Ready<'a> {
        let Kind::Chain { id, again } = name.kind else {
            unreachable!("read: an iterator goes by its name")
        };
        let closures = self.closures;
        let chain = self.chains.get(&id).cloned();
        let ready = match (chain, &closures[id.0].lambda.body.kind) {
            (Some(ready), _) => ready,
            // bound where nothing is reached
            (None, Kind::Reduce(iter, _)) => self.ready(iter, name.span),
            (None, _) => unreachable!("read: a chain with a name counts its items"),
        };
        // what its closures have written would be there at the next use
        if again && self.writes(&ready) {
            self.cx.error(name.span, &error::ITERATOR_VALUE);
        }
        self.with_own_state(ready, name.span)
    }

    /// Each use of a `scan` goes on from what it was bound with.
    fn with_own_state(&mut self, ready: Ready<'a>, span: Extent) -> Ready<'a> {
        let mut own = |inner: Box<Ready<'a>>| Box::new(self.with_own_state(*inner, span));
        match ready {
            Ready::Range { .. }
            | Ready::Seq { .. }
            | Ready::Foreign { .. }
            | Ready::Parts { .. }
            | Ready::Repeat { .. } => ready,
            Ready::Zip(a, b) => Ready::Zip(own(a), own(b)),
            Ready::Chain(a, b) => Ready::Chain(own(a), own(b)),
            Ready::Enumerate(i) => Ready::Enumerate(own(i)),
            Ready::Rev(i) => Ready::Rev(own(i)),
            Ready::Cycle(i) => Ready::Cycle(own(i)),
            Ready::Take(i, n) => Ready::Take(own(i), n),
            Ready::Skip(i, n) => Ready::Skip(own(i), n),
            Ready::StepBy(i, n) => Ready::StepBy(own(i), n),
            Ready::Map(i, f) => Ready::Map(own(i), f),
            Ready::Inspect(i, f) => Ready::Inspect(own(i), f),
            Ready::Test { iter, test, how } => Ready::Test {
                iter: own(iter),
                test,
                how,
            },
            Ready::Optional {
                iter,
                outside,
                pats,
                branch,
                stops,
                state,
            } => {
                let iter = own(iter);
                let state = state.map(|(slots, ty)| {
                    let now = self.load_operand(slots, &ty, span);
                    (self.slots_from(now, &ty, "state", span), ty)
                });
                Ready::Optional {
                    iter,
                    outside,
                    pats,
                    branch,
                    stops,
                    state,
                }
            }
            Ready::FlatMap {
                iter,
                outside,
                pat,
                inner,
                reversed,
            } => Ready::FlatMap {
                iter: own(iter),
                outside,
                pat,
                inner,
                reversed,
            },
            Ready::Flatten {
                iter,
                by,
                elem,
                reversed,
            } => Ready::Flatten {
                iter: own(iter),
                by,
                elem,
                reversed,
            },
        }
    }
}
