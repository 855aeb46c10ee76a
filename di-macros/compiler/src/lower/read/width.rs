//! Floats that go through the other width and come back: `x as f32 as f64`, `f64::from(x as f32)`,
//! `(x as f32).into()`. They are rounded, and their derivative is one.

use super::Reader;
use super::expr::strip;
use crate::ir::{BinOp, Tokens};
use crate::lower::code;
use crate::lower::conversion;
use crate::lower::hir::{Expr, Kind, Passive, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;

impl Reader<'_> {
    /// `f64::from`
    pub(super) fn is_own_float(&self, path: &syn::Path) -> bool {
        let owner = path.segments.iter().rev().nth(1);
        owner.is_some_and(|s| s.ident == self.float)
    }

    /// What comes back from the other width, if `e` goes there: `x as f32`, or `f64::from(x)`.
    pub(super) fn back_from_other_width(&mut self, e: &syn::Expr, span: Extent) -> Option<Expr> {
        if self.scalar {
            return None;
        }
        let inner = match strip(e) {
            syn::Expr::Cast(c) if types::is_other_float(&c.ty, self.float) => &*c.expr,
            // no number of `f32` is rounded there
            syn::Expr::Call(c) if self.single && c.args.len() == 1 => match strip(&c.func) {
                syn::Expr::Path(p) if is_from_of(&p.path, "f64") => &c.args[0],
                _ => return None,
            },
            _ => return None,
        };
        let before = self.expr(inner);
        if before.is_refused() {
            return Some(before);
        }
        if !matches!(self.types.peel(&before.ty), Ty::Float) {
            return self.foreign_number(inner, &before);
        }
        if self.single {
            return Some(before);
        }
        Some(self.rounded(before, span))
    }

    /// What a struct is as a number, by its own `impl From<P> for f64`.
    pub(super) fn as_own_number(&mut self, e: &syn::Expr, ty: &Ty) -> Option<Expr> {
        let (Ty::Struct(path) | Ty::Bundle(path, _)) = self.types.peel(ty) else {
            return None;
        };
        let name = syn::Ident::new(&conversion(self.float), self.at);
        self.higher_of(&path, &name.to_string())?;
        Some(self.expr(&parse_quote!((#e).#name())))
    }

    /// An integer, by way of the other width, is passive.
    fn foreign_number(&mut self, inner: &syn::Expr, before: &Expr) -> Option<Expr> {
        let ty = self.types.peel(&before.ty);
        if !self.types.is_integer(&ty) {
            return None;
        }
        let other = syn::Ident::new(if self.single { "f64" } else { "f32" }, before.span.start);
        let own = syn::Ident::new(if self.single { "f32" } else { "f64" }, before.span.start);
        let e: syn::Expr = parse_quote!((#inner) as #other as #own);
        let mut e = self.passive(&e, false);
        e.ty = Ty::Float;
        Some(e)
    }

    // { let t = x; t + passive(rounding(t)) }: the sum is the rounded number itself
    fn rounded(&mut self, x: Expr, span: Extent) -> Expr {
        self.scoped(|r| {
            let name = "__wide";
            let local = r.bind(name, false, Ty::Float, span);
            let stmts = vec![Step::bind(
                local,
                Expr::new(Kind::Deref(Box::new(x)), Ty::Float, span),
            )];
            let of = |kind| Expr::new(kind, Ty::Float, span);
            let error = of(Kind::Passive(Passive {
                tokens: Tokens(code::rounding(r.rt, name)),
                locals: vec![(name.to_owned(), local)],
                explicit: true,
                lifted: false,
            }));
            let value = of(Kind::Local(local));
            let sum = of(Kind::Bin(BinOp::Add, Box::new(value), Box::new(error)));
            Expr::block(stmts, sum, span)
        })
    }
}

/// `f64::from`
pub(super) fn is_from_of(path: &syn::Path, float: &str) -> bool {
    let mut names = path.segments.iter().rev().map(|s| &s.ident);
    names.next().is_some_and(|n| n == "from") && names.next().is_some_and(|n| n == float)
}
