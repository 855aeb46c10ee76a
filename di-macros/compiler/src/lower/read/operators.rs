//! Operators of numbers and structs: as they are written, and by the names of their traits' methods, as in
//! `v.map(f64::neg)` and `fold(0.0, Add::add)`.

use super::Reader;
use crate::ir::BinOp;
use crate::lower::hir::{Expr, Kind};
use crate::report::Extent;

impl Reader<'_> {
    /// `-e`
    pub(super) fn negated(&mut self, e: Expr, span: Extent) -> Expr {
        if let Some(call) = self.operator("neg", &e, None, span) {
            return call;
        }
        let ty = self.types.peel(&e.ty);
        let kind = Kind::Neg(Box::new(e));
        Expr { kind, ty, span }
    }

    /// `left op right`
    pub(super) fn computed(&mut self, op: BinOp, left: Expr, right: Expr, span: Extent) -> Expr {
        if let Some(method) = super::methods::operator_method(op)
            && let Some(call) = self.operator(method, &left, Some(&right), span)
        {
            return call;
        }
        let ty = self.bin_type(op, &left, &right);
        let kind = Kind::Bin(op, Box::new(left), Box::new(right));
        Expr { kind, ty, span }
    }

    /// `a.add(b)`, `a.neg()`, on operands that are read already.
    pub(super) fn operator_by_name(
        &mut self,
        name: &str,
        operands: &mut Vec<Expr>,
        span: Extent,
    ) -> Option<Expr> {
        if name == "neg" && operands.len() == 1 {
            let e = operands.remove(0);
            return Some(self.negated(e, span));
        }
        let op = arithmetic(name).filter(|_| operands.len() == 2)?;
        let (left, right) = (operands.remove(0), operands.remove(0));
        Some(self.computed(op, left, right, span))
    }
}

/// Whether a path ends with a method of an operator's trait: `Neg::neg`.
pub(super) fn is_of_operator(of: &str, method: &str) -> bool {
    let is_operator = method == "neg" || arithmetic(method).is_some();
    is_operator && of.eq_ignore_ascii_case(method) && of != method
}

fn arithmetic(name: &str) -> Option<BinOp> {
    let all = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem];
    let mut all = all.into_iter();
    all.find(|op| super::methods::operator_method(*op) == Some(name))
}
