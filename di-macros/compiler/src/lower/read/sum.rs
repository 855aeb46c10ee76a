//! Methods of `Option` and `Result` on two of them, inside of each other, or on their errors; and what
//! makes an `Option` of a bool.

use super::Reader;
use super::expr::strip;
use super::option::{SumCx, variant_of};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Arm, Expr, Kind, Local, Pat, Step, Variant};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::template::parse_quote;

impl Reader<'_> {
    /// The methods that are not in `option`.
    pub(super) fn rarer_sum_method(
        &mut self,
        m: &syn::ExprMethodCall,
        args: &[&syn::Expr],
        cx: SumCx,
    ) -> Expr {
        let span = cx.span;
        let name = m.method.to_string();
        let good = cx.good;
        let option = cx.payloads.len() == 1;
        match (name.as_str(), args) {
            ("zip", [other]) if option => self.with_other(other, cx, |r, cx, other| {
                r.if_good(
                    cx,
                    |r, v| match r.of_kind(other, Variant::Some) {
                        Some(other) => r.if_good(
                            other,
                            |r, w| {
                                let ty = Ty::Tuple(vec![v.ty.clone(), w.ty.clone()]);
                                let kind = Kind::Tuple(vec![v, w]);
                                r.variant(Variant::Some, Some(Expr { kind, ty, span }), span)
                            },
                            |r, _| r.variant(Variant::None, None, span),
                        ),
                        None => r.refused(span),
                    },
                    |r, _| r.variant(Variant::None, None, span),
                )
            }),
            ("and", [other]) => self.with_other(other, cx, |r, cx, other| {
                r.if_good(cx, |_, _| other, |r, bad| r.same_bad(good, bad, span))
            }),
            ("xor", [other]) if option => self.with_other(other, cx, |r, cx, other| {
                let only = other.clone();
                r.if_good(
                    cx,
                    |r, v| match r.of_kind(other, Variant::Some) {
                        Some(other) => r.if_good(
                            other,
                            |r, _| r.variant(Variant::None, None, span),
                            |r, _| r.variant(Variant::Some, Some(v), span),
                        ),
                        None => r.refused(span),
                    },
                    |_, _| only,
                )
            }),
            ("flatten", []) => self.if_good(cx, |_, v| v, |r, bad| r.same_bad(good, bad, span)),
            ("transpose", []) => self.transposed(cx),
            ("inspect", [f]) => self.if_good(
                cx,
                |r, v| {
                    let seen = r.looked_at(f, v, span);
                    r.behind_step(seen, |r, v| r.variant(good, Some(v), span))
                },
                |r, bad| r.same_bad(good, bad, span),
            ),
            ("inspect_err", [f]) if !option => self.if_good(
                cx,
                |r, v| r.variant(Variant::Ok, Some(v), span),
                |r, mut bad| match bad.pop() {
                    Some(e) => {
                        let seen = r.looked_at(f, e, span);
                        r.behind_step(seen, |r, e| r.variant(Variant::Err, Some(e), span))
                    }
                    None => r.refused(span),
                },
            ),
            ("err", []) if !option => self.if_good(
                cx,
                |r, _| r.variant(Variant::None, None, span),
                |r, mut bad| match bad.pop() {
                    Some(e) => r.variant(Variant::Some, Some(e), span),
                    None => r.refused(span),
                },
            ),
            ("is_err_and", [f]) if !option => self.if_good(
                cx,
                |_, _| super::option::boolean(false, span),
                |r, bad| r.inline(f, bad, span),
            ),
            ("unwrap_err", []) | ("expect_err", [_]) if !option => {
                let message = self.said(args, "called `Result::unwrap_err()` on an `Ok` value");
                let mut payloads = cx.payloads;
                payloads.reverse();
                let cx = SumCx {
                    good: Variant::Err,
                    payloads,
                    ..cx
                };
                cx.unwrap(self, message)
            }
            _ => self.refuse_about(m.method.extent(), &error::OPTION_METHOD, name),
        }
    }

    fn with_other(
        &mut self,
        other: &syn::Expr,
        cx: SumCx,
        then: impl FnOnce(&mut Self, SumCx, Expr) -> Expr,
    ) -> Expr {
        let other = self.expr(other);
        self.keeping_both(other, cx, then)
    }

    /// A value as an `Option` or `Result`; `None` if it is neither.
    pub(super) fn of_kind(&mut self, value: Expr, good: Variant) -> Option<SumCx> {
        let payloads = match self.types.peel(&value.ty) {
            Ty::Sum(payloads) if payloads.len() == good.arity() => payloads,
            ty @ Ty::Var(_) => {
                let payloads: Vec<Ty> = (0..good.arity()).map(|_| self.types.fresh()).collect();
                self.unify(&ty, &Ty::Sum(payloads.clone()), value.span);
                payloads
            }
            _ => {
                self.cx.mismatch();
                return None;
            }
        };
        Some(SumCx {
            good,
            payloads,
            span: value.span,
            receiver: value,
        })
    }

    // Some(Ok(v)) <=> Ok(Some(v)), Some(Err(e)) <=> Err(e), None <=> Ok(None)
    fn transposed(&mut self, cx: SumCx) -> Expr {
        let span = cx.span;
        let option = cx.good == Variant::Some;
        let inner = if option { Variant::Ok } else { Variant::Some };
        self.if_good(
            cx,
            |r, v| match r.of_kind(v, inner) {
                Some(within) => r.if_good(
                    within,
                    |r, v| {
                        let (first, second) = if option {
                            (Variant::Some, Variant::Ok)
                        } else {
                            (Variant::Ok, Variant::Some)
                        };
                        let v = r.variant(first, Some(v), span);
                        r.variant(second, Some(v), span)
                    },
                    |r, bad| match bad.into_iter().next() {
                        Some(e) => r.variant(Variant::Err, Some(e), span),
                        None => r.variant(Variant::None, None, span),
                    },
                ),
                None => r.refused(span),
            },
            |r, bad| match bad.into_iter().next() {
                Some(e) => {
                    let e = r.variant(Variant::Err, Some(e), span);
                    r.variant(Variant::Some, Some(e), span)
                }
                None => {
                    let none = r.variant(Variant::None, None, span);
                    r.variant(Variant::Ok, Some(none), span)
                }
            },
        )
    }

    /// `f(&v)`, and `v`.
    fn looked_at(&mut self, f: &syn::Expr, v: Expr, span: Extent) -> (Expr, Expr) {
        let by_ref = Expr::reference(false, v.clone());
        (self.inline(f, vec![by_ref], span), v)
    }

    // { step; then(v) }
    fn behind_step(
        &mut self,
        (step, v): (Expr, Expr),
        then: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let span = v.span;
        let value = then(self, v);
        Expr::block(
            vec![Step::Let {
                pat: Pat::Wild,
                init: Some(step),
            }],
            value,
            span,
        )
    }

    /// `c.then_some(e)`, `c.then(|| e)`
    pub(super) fn then(&mut self, m: &syn::ExprMethodCall, cond: Expr) -> Option<Expr> {
        let span = m.extent();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        match (m.method.to_string().as_str(), args.as_slice()) {
            ("then_some", [value]) => {
                let value = self.expr(value);
                Some(self.keeping_value(cond, |r, cond| {
                    r.keeping_value(value, |r, value| r.some_if(cond, value, span))
                }))
            }
            ("then", [f]) => {
                let value = self.inline(f, Vec::new(), span);
                Some(self.some_if(cond, value, span))
            }
            _ => None,
        }
    }

    fn some_if(&mut self, cond: Expr, value: Expr, span: Extent) -> Expr {
        let some = self.variant(Variant::Some, Some(value), span);
        let none = self.variant(Variant::None, None, span);
        self.choose(cond, some, none, span)
    }

    /// `Option::map(o, f)` is `o.map(f)`, and `Option::from(v)` is `Some(v)`.
    pub(super) fn sum_path(&mut self, path: &syn::ExprPath, c: &syn::ExprCall) -> Option<Expr> {
        let resolved = self.resolve_use(&path.path);
        let mut names = resolved.segments.iter().rev().map(|s| s.ident.to_string());
        let (method, owner) = (names.next()?, names.next()?);
        if !matches!(owner.as_str(), "Option" | "Result") || variant_of(&resolved).is_some() {
            return None;
        }
        let mut args = c.args.iter();
        let receiver = args.next()?;
        let span = c.extent();
        if method == "from" && owner == "Option" && args.next().is_none() {
            let value = self.expr(receiver);
            let is_option = matches!(self.types.peel(&value.ty), Ty::Sum(_));
            return Some(if is_option {
                value
            } else {
                self.variant(Variant::Some, Some(value), span)
            });
        }
        if matches!(
            method.as_str(),
            "from" | "default" | "from_iter" | "from_residual"
        ) {
            return None;
        }
        // a method takes what it refers to as its receiver
        let receiver = match strip(receiver) {
            syn::Expr::Reference(r) => &*r.expr,
            other => other,
        };
        let rest = c.args.iter().skip(1);
        let ident = &path.path.segments.last()?.ident;
        let call: syn::ExprMethodCall = parse_quote!((#receiver).#ident(#(#rest),*));
        Some(self.method_call(&call))
    }

    /// `match receiver { Some(payload) => .., None => .. }`, or of a `Result` with its error.
    pub(super) fn match_of(
        &mut self,
        cx: SumCx,
        (payload, mut good): (Local, Expr),
        (error, mut bad): (Option<Local>, Expr),
    ) -> Expr {
        self.meet(&mut good, &mut bad);
        let ty = self.types.fresh();
        for e in [&good, &bad] {
            if !super::stmt::diverges(e) {
                self.unify(&e.ty.clone(), &ty, e.span);
            }
        }
        let other = match error {
            None => Pat::Variant(Variant::None, Box::new(Pat::Wild)),
            Some(error) => Pat::Variant(Variant::Err, Box::new(Pat::Bind(error))),
        };
        let arm = |pat, body| Arm {
            pat,
            guard: None,
            body,
        };
        let arms = vec![
            arm(Pat::Variant(cx.good, Box::new(Pat::Bind(payload))), good),
            arm(other, bad),
        ];
        Expr::new(Kind::Match(Box::new(cx.receiver), arms), ty, cx.span)
    }
}
