//! Items that are compared, and parts that may not be there.

use super::{Ready, Source};
use crate::error;
use crate::ir::{CmpOp, Lit, Op, Place, PlaceId, Proj, Stmt, Type, Val};
use crate::lower::build::{Builder, Operand, root};
use crate::lower::hir::{Comparison, Order};
use crate::report::Extent;

impl Builder<'_> {
    /// What is compared of an item.
    pub(super) fn compared(&mut self, by: &Order, item: Operand, span: Extent) -> Operand {
        match by {
            Order::Natural | Order::By(_) => item,
            Order::Key(key) => self.apply(key, vec![item], span),
        }
    }

    /// Whether `item` takes the place of `best`: of equals `max` takes the last, `min` the first.
    pub(super) fn better(
        &mut self,
        greatest: bool,
        by: &Order,
        best: Operand,
        item: Operand,
        span: Extent,
    ) -> Val {
        let i8_type = Type::Int("i8".to_owned());
        let order = match by {
            Order::By(f) => {
                let order = self.apply(f, vec![best, item], span);
                self.as_scalar(order, i8_type.clone(), span)
            }
            Order::Natural | Order::Key(_) => {
                let best = self.number(best, span);
                let item = self.number(item, span);
                self.order_of(Comparison::Total, best, item, span)
            }
        };
        let one = self.let_op(i8_type, Op::Lit(Lit::Int(1)), span);
        let op = if greatest { CmpOp::Ne } else { CmpOp::Eq };
        self.let_op(Type::Bool, Op::Cmp(op, order, one), span)
    }

    fn number(&mut self, operand: Operand, span: Extent) -> Val {
        match operand {
            Operand::Val(v) => v,
            Operand::Place(p) => {
                let ty = self.body.type_at(&p).unwrap_or(Type::Float);
                self.load(p, ty, span)
            }
            Operand::Tuple(_) | Operand::Passive(_) | Operand::Choice(_) | Operand::Held(_) => {
                self.cx.error(span, &error::ORDERING);
                self.no_val(span)
            }
        }
    }

    /// `chunks.next()`: part number `at` if there is one, else an empty part. `None` of other chains.
    pub(super) fn part_or_nothing(
        &mut self,
        ready: &Ready<'_>,
        at: PlaceId,
        is_found: Val,
        span: Extent,
    ) -> Option<Operand> {
        let source = cut(ready)?.clone();
        let [lo, hi] = [self.counter(span), self.counter(span)];
        self.when(is_found, |b| {
            let k = b.load(root(at), Type::Int("usize".to_owned()), span);
            let part = b.item(ready, k, span);
            if let Operand::Place(Place { path, .. }) = part
                && let Some(Proj::Range(from, to)) = path.last()
            {
                b.push(Stmt::Store(root(lo), *from));
                b.push(Stmt::Store(root(hi), *to));
            }
        });
        let [lo, hi] =
            [lo, hi].map(|end| self.load(root(end), Type::Int("usize".to_owned()), span));
        let mut part = source;
        part.path.push(Proj::Range(lo, hi));
        let parts = vec![
            Operand::Val(is_found),
            Operand::Place(part),
            Operand::unit(),
        ];
        Some(Operand::Tuple(parts))
    }
}

/// The sequence whose parts are the items.
fn cut<'r>(ready: &'r Ready<'_>) -> Option<&'r Place> {
    match ready {
        Ready::Parts {
            source: Source::Place(place),
            ..
        } => Some(place),
        Ready::Rev(inner)
        | Ready::Take(inner, _)
        | Ready::Skip(inner, _)
        | Ready::StepBy(inner, _) => cut(inner),
        _ => None,
    }
}
