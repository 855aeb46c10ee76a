//! Methods that return an `Option`: `get` and its kin, `checked_sub` and its kin.

use super::Reader;
use crate::ir::{BinOp, CmpOp};
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Reader<'_> {
    // x.get(i)   =>   (i < x.len(), &x[i]), the second looked at only if the first holds
    pub(super) fn element_option(
        &mut self,
        m: &syn::ExprMethodCall,
        base: Expr,
        elem: &Ty,
        args: Vec<Expr>,
    ) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let mutable = name.ends_with("_mut");
        let index = match args.into_iter().next() {
            Some(i) => {
                self.unify(&i.ty.clone(), &Ty::usize(), i.span);
                i
            }
            None => Expr::number(0, span),
        };
        let from = usize::from(name.starts_with("split_first"));
        let last = name.contains("last");
        let (elem, slice) = (
            Ty::reference(mutable, elem.clone()),
            Ty::reference(mutable, Ty::Slice(Box::new(elem.clone()))),
        );
        self.keeping_value(index, |_, index| {
            let len = Expr::new(Kind::Len(Box::new(base.clone())), Ty::usize(), span);
            let inside = Kind::Cmp(CmpOp::Gt, Box::new(len.clone()), Box::new(index.clone()));
            let inside = Expr::new(inside, Ty::Bool, span);
            // the last index, or 0 if there is none
            let back = Expr::new(Kind::Cast(Box::new(inside.clone())), Ty::usize(), span);
            let end = Kind::Bin(BinOp::Sub, Box::new(len), Box::new(back));
            let end = Expr::new(end, Ty::usize(), span);
            let index = if last { end.clone() } else { index };
            let at = |index| {
                let at = Kind::Index(Box::new(base.clone()), Box::new(index));
                let Ty::Ref(_, inner) = &elem else {
                    unreachable!("made above")
                };
                let at = Expr::new(at, (**inner).clone(), span);
                Expr::new(Kind::Ref(mutable, Box::new(at)), elem.clone(), span)
            };
            let (element, ty) = if name.starts_with("split") {
                let Ty::Ref(_, inner) = &slice else {
                    unreachable!("made above")
                };
                let part = Kind::Range {
                    base: Box::new(base.clone()),
                    lo: Some(Box::new(Expr::number(from as i128, span))),
                    hi: last.then(|| Box::new(end)),
                    inclusive: false,
                };
                let part = Expr::new(part, (**inner).clone(), span);
                let part = Expr::new(Kind::Ref(mutable, Box::new(part)), slice.clone(), span);
                let ty = Ty::Tuple(vec![elem.clone(), slice.clone()]);
                (
                    Expr::new(Kind::Tuple(vec![at(index), part]), ty.clone(), span),
                    ty,
                )
            } else {
                (at(index), elem.clone())
            };
            Expr::new(
                Kind::Checked(Box::new(inside), Box::new(element)),
                Ty::Sum(vec![ty]),
                span,
            )
        })
    }

    // x.get(a..b)   =>   (b >= a && x.len() >= b, &x[a..b]), the second looked at only if the first holds
    pub(super) fn part_option(
        &mut self,
        m: &syn::ExprMethodCall,
        base: Expr,
        elem: Ty,
        range: &syn::ExprRange,
    ) -> Expr {
        let span = m.extent();
        let mutable = m.method.to_string().ends_with("_mut");
        let Expr { kind, ty, .. } = self.part(base, elem, range, span);
        let Kind::Range {
            base,
            lo,
            hi,
            inclusive,
        } = kind
        else {
            return self.refused(span);
        };
        let len = Expr::new(Kind::Len(base.clone()), Ty::usize(), span);
        let lo = lo.map_or_else(|| Expr::number(0, span), |lo| *lo);
        let hi = match hi {
            None => len.clone(),
            Some(hi) if inclusive => {
                let next = Kind::Bin(BinOp::Add, hi, Box::new(Expr::number(1, span)));
                Expr::new(next, Ty::usize(), span)
            }
            Some(hi) => *hi,
        };
        self.keeping_value(lo, |r, lo| {
            r.keeping_value(hi, |_, hi| {
                let holds = |a: &Expr, b: &Expr| {
                    let (a, b) = (Box::new(a.clone()), Box::new(b.clone()));
                    Box::new(Expr::new(Kind::Cmp(CmpOp::Ge, a, b), Ty::Bool, span))
                };
                let inside = Kind::And(holds(&hi, &lo), holds(&len, &hi));
                let inside = Expr::new(inside, Ty::Bool, span);
                let part = Kind::Range {
                    base,
                    lo: Some(Box::new(lo)),
                    hi: Some(Box::new(hi)),
                    inclusive: false,
                };
                let part = Expr::new(part, ty.clone(), span);
                let ty = Ty::reference(mutable, ty);
                let part = Expr::new(Kind::Ref(mutable, Box::new(part)), ty.clone(), span);
                let kind = Kind::Checked(Box::new(inside), Box::new(part));
                Expr::new(kind, Ty::Sum(vec![ty]), span)
            })
        })
    }

    /// `checked_sub` and its kin: passive code decides whether, and which.
    pub(super) fn checked_int(&mut self, name: &str, operands: Vec<Expr>, span: Extent) -> Expr {
        let ty = self.types.peel(&operands[0].ty);
        Expr::new(
            Kind::CheckedInt(name.to_owned(), operands),
            Ty::Sum(vec![ty]),
            span,
        )
    }
}

/// Methods that a `Result` has, and an `Option` has not.
pub(super) fn is_of_result(name: &str) -> bool {
    matches!(
        name,
        "is_ok"
            | "is_err"
            | "is_ok_and"
            | "is_err_and"
            | "ok"
            | "err"
            | "map_err"
            | "unwrap_err"
            | "expect_err"
            | "inspect_err"
    )
}
