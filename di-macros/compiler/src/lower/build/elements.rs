//! The elements that a list pattern names.

use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{BinOp, Op, Proj, Tokens, Type, Val};
use crate::lower::ty::Ty;
use crate::report::Extent;

/// A sequence that a list pattern takes apart.
pub(super) struct Elements {
    pub(super) base: Operand,
    pub(super) len: Option<Val>,
    pub(super) head: usize,
    pub(super) tail: usize,
    pub(super) rest: bool,
}

impl Elements {
    /// Element number `k` of those that have a pattern: first the head, then the tail.
    pub(super) fn at(&self, b: &mut Builder<'_>, k: usize, span: Extent) -> Operand {
        let i = if k < self.head || !self.rest {
            b.lit_usize(k as i128, span)
        } else {
            self.back_from_end(b, self.head + self.tail - k, span)
        };
        self.element(b, i, span)
    }

    fn element(&self, b: &mut Builder<'_>, i: Val, span: Extent) -> Operand {
        match &self.base {
            Operand::Place(place) => {
                let mut place = place.clone();
                place.path.push(Proj::Index(i));
                b.found(place, span)
            }
            Operand::Passive(code) => Operand::Passive(code.clone().indexed(i)),
            Operand::Choice(choice) => b.projected(choice, &Proj::Index(i), span),
            Operand::Val(_) | Operand::Tuple(_) | Operand::Held(_) => Operand::unit(),
        }
    }

    pub(super) fn back_from_end(&self, b: &mut Builder<'_>, back: usize, span: Extent) -> Val {
        let len = self.len.expect("a sequence has a length");
        let back = b.lit_usize(back as i128, span);
        let usize = Type::usize();
        b.let_op(usize, Op::Bin(BinOp::Sub, len, back), span)
    }

    /// What `..` stands for, as an array of its own.
    pub(super) fn copied(
        &self,
        b: &mut Builder<'_>,
        of: (Box<Ty>, Tokens),
        span: Extent,
    ) -> Operand {
        let ty = Ty::Array(of.0, of.1);
        let ir = b.ir_type(&ty, span);
        let Ty::Array(elem, _) = &ty else {
            return Operand::unit();
        };
        if !matches!(
            **elem,
            Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Array(..) | Ty::Struct(_)
        ) {
            b.cx.error(span, &error::PATTERN_REST_VALUE);
            return Operand::unit();
        }
        let init = b.blank_init(&ir, None, span);
        let place = b.declare(ir, "rest", span, init);
        let n = b.len(root(place), span);
        b.counted(n, span, |b, i| {
            let mut to = root(place);
            to.path.push(Proj::Index(i));
            let head = b.lit_usize(self.head as i128, span);
            let from = b.let_op(Type::usize(), Op::Bin(BinOp::Add, i, head), span);
            let value = self.element(b, from, span);
            b.store(Operand::Place(to), value, elem, span);
        });
        Operand::Place(root(place))
    }

    /// What `..` stands for.
    pub(super) fn middle(&self, b: &mut Builder<'_>, span: Extent) -> Operand {
        let lo = b.lit_usize(self.head as i128, span);
        let hi = self.back_from_end(b, self.tail, span);
        match &self.base {
            Operand::Place(place) => {
                let mut place = place.clone();
                place.path.push(Proj::Range(lo, hi));
                Operand::Place(place)
            }
            Operand::Passive(code) => {
                Operand::Passive(code.clone().sliced(Some(lo), Some(hi), false).wrapped("&"))
            }
            Operand::Choice(choice) => b.projected(choice, &Proj::Range(lo, hi), span),
            Operand::Val(_) | Operand::Tuple(_) | Operand::Held(_) => Operand::unit(),
        }
    }
}
