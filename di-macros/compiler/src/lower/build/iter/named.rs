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
        let mut ready = match (chain, &closures[id.0].lambda.body.kind) {
            (Some(ready), _) => ready,
            // bound where nothing is reached
            (None, Kind::Reduce(iter, _)) => self.ready(iter, name.span),
            (None, _) => unreachable!("read: a chain with a name counts its items"),
        };
        // what its closures have written would be there at the next use
        if again && self.writes(&ready) {
            self.cx.error(name.span, &error::ITERATOR_VALUE);
        }
        self.with_own_state(&mut ready, name.span);
        ready
    }

    /// Each use of a `scan` goes on from what it was bound with.
    fn with_own_state(&mut self, ready: &mut Ready<'a>, span: Extent) {
        for inner in ready.inner_mut() {
            self.with_own_state(inner, span);
        }
        if let Ready::Optional {
            state: Some((slots, ty)),
            ..
        } = ready
        {
            let now = self.load_operand(slots.clone(), ty, span);
            *slots = self.slots_from(now, ty, "state", span);
        }
    }
}
