//! Tuples that are compared: component by component.

use super::Reader;
use crate::ir::CmpOp;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;

impl Reader<'_> {
    /// `(a, b) == t` as `a == t.0 && b == t.1`. None of other types, and of what is not written out or in a variable.
    pub(super) fn equal_tuples(&mut self, left: &Expr, right: &Expr) -> Option<Expr> {
        let parts = self.components_to_compare(left)?.into_iter();
        let others = self.components_to_compare(right)?;
        let span = left.span;
        if parts.len() != others.len() {
            self.cx.mismatch();
            return Some(self.refused(span));
        }
        let expr = |kind| Expr {
            kind,
            ty: Ty::Bool,
            span,
        };
        let each = parts
            .zip(others)
            .map(|(a, b)| match self.equal_tuples(&a, &b) {
                Some(equal) => equal,
                None => {
                    self.unify_scalars(&a, &b);
                    expr(Kind::Cmp(CmpOp::Eq, Box::new(a), Box::new(b)))
                }
            });
        let each: Vec<Expr> = each.collect();
        each.into_iter()
            .reduce(|all, one| expr(Kind::And(Box::new(all), Box::new(one))))
    }

    fn components_to_compare(&self, e: &Expr) -> Option<Vec<Expr>> {
        let Ty::Tuple(types) = self.types.shallow(&e.ty) else {
            return None;
        };
        match &e.kind {
            Kind::Tuple(parts) => Some(parts.clone()),
            Kind::Local(_) | Kind::Field(..) | Kind::TupleField(..) => {
                let part = |(k, ty)| Expr {
                    kind: Kind::TupleField(Box::new(e.clone()), k),
                    ty,
                    span: e.span,
                };
                Some(types.into_iter().enumerate().map(part).collect())
            }
            _ => None,
        }
    }
}
