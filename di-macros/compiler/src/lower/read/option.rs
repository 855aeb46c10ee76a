//! `Option` and `Result`: values and methods.
//!
//! Methods are written with `if let`, so that closures are inlined and only what Rust evaluates is
//! evaluated.

use super::Reader;
use super::element::is_of_result;
use super::expr::strip;
use crate::ir::{Lit, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Block, Effect, Expr, Kind, Lambda, Local, Pat, Step, Variant};
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::TokenStream;

/// Methods that only `Option` and `Result` have: they tell the type of a receiver.
pub(super) fn is_method(name: &str) -> bool {
    matches!(
        name,
        "unwrap"
            | "expect"
            | "unwrap_or"
            | "unwrap_or_else"
            | "unwrap_or_default"
            | "is_some"
            | "is_none"
            | "is_ok"
            | "is_err"
            | "is_some_and"
            | "is_none_or"
            | "is_ok_and"
            | "ok"
            | "err"
            | "ok_or"
            | "ok_or_else"
            | "map_or"
            | "map_or_else"
            | "map_err"
            | "and_then"
            | "or_else"
            | "unwrap_err"
            | "expect_err"
            | "is_err_and"
            | "inspect_err"
            | "transpose"
    )
}

/// Methods that iterators have as well.
pub(super) fn is_shared_with_iterators(name: &str) -> bool {
    matches!(
        name,
        "and"
            | "as_mut"
            | "as_ref"
            | "cloned"
            | "copied"
            | "filter"
            | "flatten"
            | "inspect"
            | "map"
            | "or"
            | "take"
            | "xor"
            | "zip"
    )
}

impl Reader<'_> {
    /// `Some(e)`, `None`, `Ok(e)`, `Err(e)`
    pub(super) fn variant(
        &mut self,
        variant: Variant,
        mut value: Option<Expr>,
        span: Extent,
    ) -> Expr {
        let mut types: Vec<Ty> = (0..variant.arity()).map(|_| self.types.fresh()).collect();
        if let Some(value) = &mut value {
            self.lift_payload(variant, value);
            types[variant.payload()] = value.ty.clone();
        }
        Expr::new(
            Kind::Variant(variant, value.map(Box::new)),
            Ty::Sum(types),
            span,
        )
    }

    /// Whether a method shows that a value of this type, of which nothing is known, is an `Option` or a
    /// `Result`. The result of a call is no iterator.
    pub(super) fn tells_of_sum(&self, name: &str, ty: &Ty) -> bool {
        let traits = self.types.traits(ty).unwrap_or_default();
        // a matrix has one more often than an option of a result
        let known = is_method(name) && name != "transpose";
        !traits.refused && (known || traits.callee && is_shared_with_iterators(name))
    }

    /// Type of a receiver that is inferred from its methods.
    pub(super) fn sum_of(&mut self, m: &syn::ExprMethodCall, ty: &Ty, span: Extent) -> Vec<Ty> {
        let name = m.method.to_string();
        // of the closure sees an error, but not its absence
        let told = matches!(name.as_str(), "unwrap_or_else" | "or_else" | "map_or_else")
            && matches!(m.args.first().map(strip), Some(syn::Expr::Closure(c)) if c.inputs.len() == 1);
        let n = if told || is_of_result(&name) { 2 } else { 1 };
        let ts: Vec<Ty> = (0..n).map(|_| self.types.fresh()).collect();
        self.unify(ty, &Ty::Sum(ts.clone()), span);
        ts
    }

    /// A method of an `Option` (one payload) or a `Result` (two).
    pub(super) fn sum_method(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: Expr,
        payloads: Vec<Ty>,
    ) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let cx = SumCx {
            good: if payloads.len() == 1 {
                Variant::Some
            } else {
                Variant::Ok
            },
            payloads,
            receiver,
            span,
        };
        let value_ty = cx.payloads[0].clone();
        match (name.as_str(), args.as_slice()) {
            ("is_some" | "is_ok", []) => cx.is(true),
            ("is_none" | "is_err", []) => cx.is(false),
            ("clone" | "to_owned" | "as_ref" | "as_deref" | "as_mut" | "as_deref_mut", []) => {
                self.borrowed_sum(&name, cx)
            }
            ("copied" | "cloned", []) => {
                let (good, inner) = (cx.good, self.types.peel(&value_ty));
                self.if_good(
                    cx,
                    |r, v| {
                        // what is borrowed stays what it is
                        let kind = match r.types.shallow(&inner) {
                            Ty::Opaque(_) => Kind::Deref(Box::new(v)),
                            _ => Kind::CopyOf(Box::new(v)),
                        };
                        let v = Expr {
                            ty: inner,
                            span,
                            kind,
                        };
                        r.variant(good, Some(v), span)
                    },
                    |r, bad| r.same_bad(good, bad, span),
                )
            }
            ("take", []) | ("replace", [_]) if cx.payloads.len() == 1 => self.changed(m, cx),
            ("insert" | "get_or_insert" | "get_or_insert_with", [_])
                if cx.payloads.len() == 1 && super::memory::is_place(&m.receiver) =>
            {
                self.filled(m, &cx.receiver.ty)
            }
            ("unwrap", []) | ("expect", [_]) => {
                let otherwise = match cx.payloads.len() {
                    1 => "called `Option::unwrap()` on a `None` value",
                    _ => "called `Result::unwrap()` on an `Err` value",
                };
                let message = self.said(&args, otherwise);
                cx.unwrap(self, message)
            }
            ("unwrap_or", [other]) => {
                let mut other = self.expr(other);
                self.fit_other(&mut other, &value_ty);
                self.keeping_both(other, cx, |r, cx, other| {
                    r.if_good(cx, |_, v| v, |_, _| other)
                })
            }
            ("unwrap_or_default", []) => {
                let peeled = self.types.peel(&value_ty);
                let zero = match peeled {
                    Ty::Int(_) => Kind::Lit(Lit::Int(0)),
                    Ty::Bool => Kind::Lit(Lit::Bool(false)),
                    Ty::Vec(_) => Kind::List(Vec::new()),
                    _ => {
                        self.unify(&peeled, &Ty::Float, span);
                        Kind::Lit(Lit::Float(0.0))
                    }
                };
                let ty = self.types.peel(&value_ty);
                let zero = Expr::new(zero, ty, span);
                self.if_good(cx, |_, v| v, |_, _| zero)
            }
            ("unwrap_or_else", [f]) => self.if_good(
                cx,
                |_, v| v,
                |r, bad| {
                    let mut e = r.inline(f, bad, span);
                    r.fit_other(&mut e, &value_ty);
                    e
                },
            ),
            ("map", [f]) => {
                let good = cx.good;
                self.if_good(
                    cx,
                    |r, v| {
                        let e = r.inline(f, vec![v], span);
                        r.variant(good, Some(e), span)
                    },
                    |r, bad| r.same_bad(good, bad, span),
                )
            }
            ("map_err", [f]) => self.if_good(
                cx,
                |r, v| r.variant(Variant::Ok, Some(v), span),
                |r, bad| {
                    let e = r.inline(f, bad, span);
                    r.variant(Variant::Err, Some(e), span)
                },
            ),
            ("map_or", [default, f]) => {
                let default = self.expr(default);
                self.keeping_both(default, cx, |r, cx, default| {
                    r.if_good(cx, |r, v| r.inline(f, vec![v], span), |_, _| default)
                })
            }
            ("map_or_else", [default, f]) => self.if_good(
                cx,
                |r, v| r.inline(f, vec![v], span),
                |r, bad| r.inline(default, bad, span),
            ),
            ("and_then", [f]) => {
                let good = cx.good;
                self.if_good(
                    cx,
                    |r, v| r.inline(f, vec![v], span),
                    |r, bad| r.same_bad(good, bad, span),
                )
            }
            ("or_else", [f]) => {
                let good = cx.good;
                self.if_good(
                    cx,
                    |r, v| r.variant(good, Some(v), span),
                    |r, bad| r.inline(f, bad, span),
                )
            }
            ("or", [other]) => {
                let other = self.expr(other);
                let good = cx.good;
                self.keeping_both(other, cx, |r, cx, other| {
                    r.if_good(cx, |r, v| r.variant(good, Some(v), span), |_, _| other)
                })
            }
            ("filter", [f]) if cx.payloads.len() == 1 => self.if_good(
                cx,
                |r, v| {
                    let kept = v.clone();
                    let by_ref = Expr::reference(false, v);
                    let keep = r.inline(f, vec![by_ref], span);
                    let some = r.variant(Variant::Some, Some(kept), span);
                    let none = r.variant(Variant::None, None, span);
                    r.choose(keep, some, none, span)
                },
                |r, _| r.variant(Variant::None, None, span),
            ),
            ("is_some_and" | "is_ok_and", [f]) => self.if_good(
                cx,
                |r, v| r.inline(f, vec![v], span),
                |_, _| boolean(false, span),
            ),
            ("is_none_or", [f]) => self.if_good(
                cx,
                |r, v| r.inline(f, vec![v], span),
                |_, _| boolean(true, span),
            ),
            ("ok", []) => self.if_good(
                cx,
                |r, v| r.variant(Variant::Some, Some(v), span),
                |r, _| r.variant(Variant::None, None, span),
            ),
            ("ok_or", [e]) => {
                let e = self.error(e);
                self.if_good(
                    cx,
                    |r, v| r.variant(Variant::Ok, Some(v), span),
                    |r, _| r.variant(Variant::Err, Some(e), span),
                )
            }
            ("ok_or_else", [f]) => self.if_good(
                cx,
                |r, v| r.variant(Variant::Ok, Some(v), span),
                |r, _| {
                    let e = match strip(f) {
                        syn::Expr::Closure(c) if c.inputs.is_empty() => r.error(&c.body),
                        f => r.inline(f, Vec::new(), span),
                    };
                    r.variant(Variant::Err, Some(e), span)
                },
            ),
            _ => self.rarer_sum_method(m, &args, cx),
        }
    }

    // { let o = receiver; if let Some(v) = o { good(v) } else { bad() } }
    pub(super) fn if_good(
        &mut self,
        cx: SumCx,
        good: impl FnOnce(&mut Self, Expr) -> Expr,
        bad: impl FnOnce(&mut Self, Vec<Expr>) -> Expr,
    ) -> Expr {
        let (payload, value) = self.fresh_local("payload", &cx.payloads[0], cx.span);
        let good = (payload, good(self, value));
        let error = cx.payloads.get(1);
        let (error, value) = error
            .map(|ty| self.fresh_local("error", ty, cx.span))
            .unzip();
        let bad = (error, bad(self, value.into_iter().collect()));
        self.match_of(cx, good, bad)
    }

    /// A local of our own, and its value.
    pub(super) fn fresh_local(&mut self, name: &str, ty: &Ty, span: Extent) -> (Local, Expr) {
        let local = self.unnamed(name, ty.clone(), span);
        (local, Expr::local(local, ty.clone(), span))
    }

    /// `None`, or `Err` of the error that was there.
    pub(super) fn same_bad(&mut self, good: Variant, mut bad: Vec<Expr>, span: Extent) -> Expr {
        match good {
            Variant::Ok | Variant::Err => self.variant(Variant::Err, bad.pop(), span),
            Variant::Some | Variant::None => self.variant(Variant::None, None, span),
        }
    }

    /// The receiver and then the argument are evaluated before anything else.
    pub(super) fn keeping_both(
        &mut self,
        other: Expr,
        cx: SumCx,
        then: impl FnOnce(&mut Self, SumCx, Expr) -> Expr,
    ) -> Expr {
        let receiver = cx.receiver.clone();
        self.keeping_value(receiver, |r, receiver| {
            let cx = SumCx { receiver, ..cx };
            r.keeping_value(other, |r, other| then(r, cx, other))
        })
    }

    /// What a panic says: the argument of `expect`, or what `unwrap` has to say.
    pub(super) fn said(
        &mut self,
        args: &[&syn::Expr],
        otherwise: &str,
    ) -> (TokenStream, Vec<(String, Expr)>) {
        let [message] = args else {
            return (code::text(otherwise), Vec::new());
        };
        let message = self.expr(message);
        let name = code::name_of("__arg0");
        (code::said(&name), vec![(name.to_string(), message)])
    }

    // { let kept = value; then }
    pub(super) fn keeping_value(
        &mut self,
        value: Expr,
        then: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        if matches!(value.kind, Kind::Lit(_) | Kind::Local(_)) {
            return then(self, value);
        }
        let (local, kept) = self.fresh_local("kept", &value.ty, value.span);
        behind(local, value, then(self, kept))
    }

    // { let name = value; then }, where code reads the name
    pub(super) fn keeping_as(
        &mut self,
        name: &str,
        value: Expr,
        then: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let span = value.span;
        self.scoped(|r| {
            let local = r.bind(name, false, value.ty.clone(), span);
            let kept = Expr::local(local, value.ty.clone(), span);
            behind(local, value, then(r, kept))
        })
    }

    /// A closure, or the path of a function or variant, applied to values.
    pub(super) fn inline(&mut self, f: &syn::Expr, args: Vec<Expr>, span: Extent) -> Expr {
        if let syn::Expr::Path(p) = strip(f)
            && let Some(variant) = variant_of(&p.path)
            && let [value] = args.as_slice()
        {
            return self.variant(variant, Some(value.clone()), span);
        }
        let mut args = args;
        // of the result of a call, assumed to be an `Option`: the error, into which nobody looks
        if let (syn::Expr::Closure(c), true) = (strip(f), args.is_empty())
            && c.inputs.len() == 1
        {
            args.push(Expr::new(Kind::Tuple(Vec::new()), Ty::unit(), span));
        }
        let types: Vec<Ty> = args.iter().map(|a| a.ty.clone()).collect();
        let Some(f) = self.lambda(f, &types) else {
            return self.refused(span);
        };
        let Lambda { pats, body, .. } = f;
        let taken = f.captures.into_iter();
        let stmts = taken
            .map(|(outer, inner)| (Pat::Bind(inner), outer))
            .chain(pats.into_iter().zip(args))
            .map(|(pat, value)| Step::Let {
                pat,
                init: Some(value),
            })
            .collect();
        Expr::block(stmts, *body, span)
    }

    pub(super) fn choose(
        &mut self,
        cond: Expr,
        mut then: Expr,
        mut els: Expr,
        span: Extent,
    ) -> Expr {
        self.meet(&mut then, &mut els);
        self.unify(&cond.ty.clone(), &Ty::Bool, span);
        self.unify(&then.ty.clone(), &els.ty.clone(), span);
        let ty = then.ty.clone();
        Expr::new(
            Kind::If {
                cond: Box::new(cond),
                then: Block::new(Vec::new(), then),
                els: Some(Box::new(els)),
            },
            ty,
            span,
        )
    }
}

/// A method on a value of this kind.
pub(super) struct SumCx {
    /// `Some` or `Ok`.
    pub(super) good: Variant,
    pub(super) payloads: Vec<Ty>,
    pub(super) receiver: Expr,
    pub(super) span: Extent,
}

impl SumCx {
    /// Whether it is `Some` or `Ok`.
    pub(super) fn is(self, good: bool) -> Expr {
        let variant = match (self.payloads.len(), good) {
            (1, true) => Variant::Some,
            (1, false) => Variant::None,
            (_, true) => Variant::Ok,
            (_, false) => Variant::Err,
        };
        Expr::new(
            Kind::Let(
                Pat::Variant(variant, Box::new(Pat::Wild)),
                Box::new(self.receiver),
            ),
            Ty::Bool,
            self.span,
        )
    }

    // { let Some(v) = receiver else { panic!(..) }; v }
    pub(super) fn unwrap(
        self,
        r: &mut Reader<'_>,
        (message, args): (TokenStream, Vec<(String, Expr)>),
    ) -> Expr {
        let SumCx {
            good,
            payloads,
            receiver,
            span,
        } = self;
        let ty = payloads[0].clone();
        let local = r.unnamed("payload", ty.clone(), span);
        let panic = Expr::new(
            Kind::Effect(Effect {
                tokens: Tokens(code::panic(span.start, &message)),
                args,
                diverges: true,
            }),
            r.types.fresh(),
            span,
        );
        let els = Block {
            stmts: vec![Step::Expr(panic)],
            value: None,
            ty: r.types.fresh(),
        };
        Expr::block(
            vec![Step::LetElse {
                pat: Pat::Variant(good, Box::new(Pat::Bind(local))),
                init: receiver,
                els,
            }],
            Expr::local(local, ty, span),
            span,
        )
    }
}

/// The variant that a path names.
pub(super) fn variant_of(path: &syn::Path) -> Option<Variant> {
    Some(match path.segments.last()?.ident.to_string().as_str() {
        "Some" => Variant::Some,
        "None" => Variant::None,
        "Ok" => Variant::Ok,
        "Err" => Variant::Err,
        _ => return None,
    })
}

pub(super) fn boolean(value: bool, span: Extent) -> Expr {
    Expr::new(Kind::Lit(Lit::Bool(value)), Ty::Bool, span)
}

// { let local = value; body }
pub(super) fn behind(local: Local, value: Expr, body: Expr) -> Expr {
    let span = value.span;
    Expr::block(vec![Step::bind(local, value)], body, span)
}
