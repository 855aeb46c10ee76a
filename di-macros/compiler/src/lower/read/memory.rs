//! `std::mem`: `swap`, `replace` and `take`. Rows of vectors of vectors are copied and assigned to.

use super::Reader;
use crate::lower::hir::{Block, Expr, Kind, Pat, SeqOp, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Reader<'_> {
    pub(super) fn mem_swap(&mut self, a: Expr, b: Expr, span: Extent) -> Expr {
        self.unify(&a.ty.clone(), &b.ty.clone(), span);
        memory(SeqOp::MemSwap, vec![a, b], Ty::unit(), span)
    }

    pub(super) fn mem_replace(&mut self, place: Expr, value: Expr, span: Extent) -> Expr {
        let ty = self.behind(&place.ty);
        self.unify(&ty, &value.ty.clone(), span);
        match self.row(place, &ty) {
            Ok([base, index]) => self.replace_row(base, index, value, ty, span),
            Err(place) => memory(SeqOp::Replace, vec![*place, value], ty, span),
        }
    }

    pub(super) fn mem_take(&mut self, place: Expr, span: Extent) -> Expr {
        let ty = self.behind(&place.ty);
        match self.row(place, &ty) {
            Ok([base, index]) => {
                let none = Expr {
                    kind: Kind::Seq(SeqOp::New, Vec::new()),
                    ty: ty.clone(),
                    span,
                };
                self.replace_row(base, index, none, ty, span)
            }
            Err(place) => memory(SeqOp::Take, vec![*place], ty, span),
        }
    }

    /// `rows` and `i` of `&mut rows[i]`, if that is a vector.
    fn row(&self, place: Expr, ty: &Ty) -> Result<[Expr; 2], Box<Expr>> {
        if !matches!(self.types.peel(ty), Ty::Vec(_)) {
            return Err(Box::new(place));
        }
        match place.kind {
            Kind::Ref(true, inner) => match inner.kind {
                Kind::Index(base, index) => Ok([*base, *index]),
                kind => Err(Box::new(Expr {
                    kind: Kind::Ref(true, Box::new(Expr { kind, ..*inner })),
                    ..place
                })),
            },
            kind => Err(Box::new(Expr { kind, ..place })),
        }
    }

    // { let old = rows[i].clone(); rows[i] = value; old }
    fn replace_row(&mut self, base: Expr, index: Expr, value: Expr, ty: Ty, span: Extent) -> Expr {
        self.keeping_value(index, |r, index| {
            let row = Expr {
                kind: Kind::Index(Box::new(base), Box::new(index)),
                ty: ty.clone(),
                span,
            };
            r.scoped(|r| {
                let expr = |kind, ty| Expr { kind, ty, span };
                let old = r.bind("old", false, ty.clone(), span);
                let copy = expr(Kind::CopyOf(Box::new(row.clone())), ty.clone());
                let assign = Kind::Assign(Box::new(row), Box::new(value));
                let stmts = vec![
                    Step::Let {
                        pat: Pat::Bind(old),
                        init: Some(copy),
                    },
                    Step::Expr(expr(assign, Ty::unit())),
                ];
                let block = Block {
                    stmts,
                    value: Some(Box::new(expr(Kind::Local(old), ty.clone()))),
                    ty: ty.clone(),
                };
                expr(Kind::Block(block), ty.clone())
            })
        })
    }
}

pub(super) fn memory(op: SeqOp, args: Vec<Expr>, ty: Ty, span: Extent) -> Expr {
    Expr {
        kind: Kind::Seq(op, args),
        ty,
        span,
    }
}
