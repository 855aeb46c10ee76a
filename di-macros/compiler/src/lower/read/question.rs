//! `?`, and methods that change an `Option` where it is, borrow it or copy it.

use super::call::is_foreign;
use super::expr::strip;
use super::option::SumCx;
use super::{ClosureScope, Reader};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, SeqOp, Variant};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// `as_ref` and its kin, and copies. What is behind a reference stays as it is: numbers are copied where they are used.
    pub(super) fn borrowed_sum(&mut self, name: &str, cx: SumCx) -> Expr {
        let span = cx.span;
        let is_copy = !name.starts_with("as_");
        if is_copy && cx.payloads.iter().any(|of| self.has_storage(of)) {
            let (good, payloads) = (
                cx.good,
                self.borrowed_payloads("as_ref", cx.payloads.clone()),
            );
            let cx = SumCx {
                good,
                payloads,
                receiver: self.borrowed_sum("as_ref", cx),
                span,
            };
            let copy = |r: &Self, of: Expr| match r.has_storage(&of.ty) {
                true => {
                    let ty = r.types.peel(&of.ty);
                    Expr::new(Kind::CopyOf(Box::new(of)), ty, span)
                }
                false => of,
            };
            return self.if_good(
                cx,
                |r, v| {
                    let v = copy(r, v);
                    r.variant(good, Some(v), span)
                },
                |r, bad| {
                    let bad = bad.into_iter().map(|e| copy(r, e)).collect();
                    r.same_bad(good, bad, span)
                },
            );
        }
        let ty = Ty::Sum(self.borrowed_payloads(name, cx.payloads));
        let receiver = Box::new(cx.receiver);
        let (ty, kind) = match name.ends_with("mut") {
            true => (Ty::reference(true, ty), Kind::Ref(true, receiver)),
            false => (ty, Kind::Deref(receiver)),
        };
        Expr { ty, span, kind }
    }

    /// Whether a value of this type moves, so that its storage is that of who gets it.
    fn has_storage(&self, ty: &Ty) -> bool {
        matches!(self.types.peel(ty), Ty::Vec(_) | Ty::Struct(_))
    }

    /// What a method such as `as_ref` gives. A number that nobody changes is one behind a reference, too.
    fn borrowed_payloads(&self, name: &str, payloads: Vec<Ty>) -> Vec<Ty> {
        let mutable = name.ends_with("mut");
        let borrowed = |of: Ty| match self.types.peel(&of) {
            Ty::Vec(of) if name.starts_with("as_deref") => Ty::reference(mutable, Ty::Slice(of)),
            of if mutable || self.has_storage(&of) => Ty::reference(mutable, of),
            _ => of,
        };
        payloads.into_iter().map(borrowed).collect()
    }

    /// The value of an error, which is not looked into if it is of a foreign type.
    pub(super) fn error(&mut self, e: &syn::Expr) -> Expr {
        let is_carried = is_foreign(e) && !self.is_made_data(e) && !self.is_made_variant(e);
        match self.data_of_call(e) {
            Some(of) if is_carried => self.constant_of(of, e),
            _ if is_carried => self.passive(e, false),
            _ => self.expr(e),
        }
    }

    /// The type of what `Error::new("..")` returns, if all is known of it.
    fn data_of_call(&self, e: &syn::Expr) -> Option<syn::Type> {
        let is_call = matches!(strip(e), syn::Expr::Call(_));
        let of = is_call.then(|| self.made_type(e)).flatten()?;
        let is_data = self.types.data(&of.to_token_stream().to_string()).is_some();
        is_data.then_some(of)
    }

    // e?   =>   match e { Some(v) => v, None => return None }
    pub(super) fn question_mark(&mut self, t: &syn::ExprTry) -> Expr {
        let span = t.question_token.extent();
        let receiver = self.expr(&t.expr);
        if let Some(matched) = self.matched_constant(t, &receiver) {
            return self.expr(&matched);
        }
        let ret = match &mut self.closure {
            None => self.ret.clone(),
            Some(ClosureScope { ret: None, .. }) => return self.refuse(span, &error::TRY),
            Some(ClosureScope {
                ret: Some(ret),
                returns,
            }) => {
                *returns = true;
                ret.clone()
            }
        };
        let outer = match (self.types.shallow(&ret), self.types.peel(&receiver.ty)) {
            (Ty::Sum(outer), _) => outer,
            // the result of a closure, of which nothing is known yet
            (Ty::Var(_), Ty::Sum(ts)) if self.closure.is_some() => {
                let mut outer = ts;
                outer[0] = self.types.fresh();
                self.unify(&ret, &Ty::Sum(outer.clone()), span);
                outer
            }
            (Ty::Var(_), _) if self.closure.is_some() => {
                return self.refuse(span, &error::TRY);
            }
            _ => {
                self.cx.mismatch();
                return self.refused(span);
            }
        };
        let payloads = match self.types.peel(&receiver.ty) {
            Ty::Sum(ts) => ts,
            ty @ Ty::Var(_) if !self.is_tainted(&ty) => {
                let mut ts: Vec<Ty> = outer.iter().map(|_| self.types.fresh()).collect();
                // errors of one type are handed on as they are; which integer it is rustc knows
                if let (Some(own), Some(error)) = (outer.get(1), ts.get_mut(1)) {
                    *error = match self.types.shallow(own) {
                        Ty::Int(_) => Ty::Int("_".to_owned()),
                        _ => own.clone(),
                    };
                }
                self.unify(&ty, &Ty::Sum(ts.clone()), span);
                ts
            }
            _ => return self.refused(span),
        };
        if payloads.len() != outer.len() {
            self.cx.certain_mismatch();
            return self.refused(span);
        }
        let good = if payloads.len() == 1 {
            Variant::Some
        } else {
            Variant::Ok
        };
        let cx = SumCx {
            good,
            payloads,
            receiver,
            span,
        };
        self.if_good(
            cx,
            |_, v| v,
            |r, bad| {
                let value = match outer.get(1).zip(bad.first()) {
                    Some((own, error)) => match r.converted(error, own, span) {
                        Some(error) => r.variant(Variant::Err, Some(error), span),
                        None => r.same_bad(good, bad, span),
                    },
                    None => r.same_bad(good, bad, span),
                };
                if r.types.unify(&value.ty, &ret).is_err() {
                    // `From` makes one error of another
                    r.cx.error(span, &error::TRY_FROM);
                }
                Expr::new(Kind::Return(Some(Box::new(value))), r.types.fresh(), span)
            },
        )
    }

    /// `e?` of a constant option or result, as a `match`. What is not known returns what the function returns.
    fn matched_constant(&self, t: &syn::ExprTry, receiver: &Expr) -> Option<syn::Expr> {
        let value = &t.expr;
        let ret = match &self.closure {
            None => &self.ret,
            Some(scope) => scope.ret.as_ref()?,
        };
        let outer = match self.types.shallow(ret) {
            Ty::Sum(outer) => outer,
            _ => Vec::new(),
        };
        let (is_option, is_result) = match self.constant_type(&receiver.ty) {
            Some(syn::Type::Path(of)) => (
                types::is_option(&syn::Type::Path(of.clone())),
                types::is_sum(&of.path),
            ),
            Some(_) => return None,
            None => match (&receiver.kind, self.types.shallow(&receiver.ty)) {
                (Kind::Passive(_), Ty::Var(_)) => (outer.len() == 1, outer.len() == 2),
                _ => return None,
            },
        };
        if is_option {
            return Some(parse_quote!(match #value {
                Some(__some) => __some,
                None => return None,
            }));
        }
        if !is_result {
            return None;
        }
        let error = self.error_of_constant(&receiver.ty, &outer);
        Some(parse_quote!(match #value {
            Ok(__ok) => __ok,
            Err(__error) => return Err(#error),
        }))
    }

    /// The error of a constant result as that of a result with these payloads. A value without floats may be borrowed.
    pub(super) fn error_of_constant(&self, constant: &Ty, payloads: &[Ty]) -> syn::Expr {
        let Some(Ty::Opaque(own)) = payloads.get(1).map(|own| self.types.shallow(own)) else {
            return parse_quote!(__error);
        };
        let is_data = self.types.data(&own.0.to_string()).is_some();
        let is_other = |of: syn::Type| match &of {
            syn::Type::Path(p) => types::arguments(&p.path)
                .get(1)
                .is_some_and(|error| error.to_token_stream().to_string() != own.0.to_string()),
            _ => false,
        };
        if is_data && !self.constant_type(constant).is_some_and(is_other) {
            return parse_quote!(__error);
        }
        let own = own.0;
        parse_quote!(<#own as ::core::convert::From<_>>::from(__error))
    }

    /// What `From` makes of an error: nobody looks into one of a foreign type, and numbers get wider.
    fn converted(&mut self, error: &Expr, own: &Ty, span: Extent) -> Option<Expr> {
        match (self.types.peel(&error.ty), self.types.shallow(own)) {
            (Ty::Opaque(from), Ty::Opaque(to)) if from == to => None,
            (from, Ty::Opaque(to)) if self.types.data(&to.0.to_string()).is_some() => {
                let is_kept = match from {
                    Ty::Opaque(from) => self.types.data(&from.0.to_string()).is_some(),
                    Ty::Int(_) | Ty::Bool => true,
                    _ => false,
                };
                if !is_kept {
                    return Some(self.refuse(span, &error::TRY_FROM));
                }
                let of = syn::parse2(to.0).ok()?;
                let from = parse_quote!(<#of as ::core::convert::From<_>>::from(__error));
                Some(self.keeping_as("__error", error.clone(), |r, _| r.constant_of(of, &from)))
            }
            (Ty::Struct(from) | Ty::Opaque(from), Ty::Struct(to))
                if from.0.to_string() != to.0.to_string() =>
            {
                let of: syn::Path = syn::parse2(to.0).ok()?;
                let call = parse_quote!(#of::from(__error));
                Some(self.keeping_as("__error", error.clone(), |r, _| r.expr(&call)))
            }
            (_, ty @ Ty::Opaque(_)) => Some(Expr::new(Kind::Tuple(Vec::new()), ty, span)),
            (Ty::Int(from), Ty::Int(to)) if from != to => Some(Expr::new(
                Kind::Cast(Box::new(error.clone())),
                Ty::Int(to),
                span,
            )),
            (Ty::Bool, ty @ Ty::Int(_)) | (Ty::Int(_), ty @ Ty::Float) => {
                Some(Expr::new(Kind::Cast(Box::new(error.clone())), ty, span))
            }
            _ => None,
        }
    }

    /// `insert` and its kin, in simpler words.
    pub(super) fn filled(&mut self, m: &syn::ExprMethodCall, ty: &Ty) -> Expr {
        let is_borrowed = matches!(self.types.shallow(ty), Ty::Ref(..));
        self.expr(&filled(m, is_borrowed))
    }

    /// `take` and `replace`, as the functions of `std::mem`.
    pub(super) fn changed(&mut self, m: &syn::ExprMethodCall, cx: SumCx) -> Expr {
        let span = cx.span;
        let ty = self.types.peel(&cx.receiver.ty);
        let borrowed = Expr::new(
            Kind::Ref(true, Box::new(cx.receiver)),
            Ty::reference(true, ty.clone()),
            span,
        );
        match m.args.iter().collect::<Vec<_>>().as_slice() {
            [value] => {
                let value = self.expr(value);
                let value = self.variant(Variant::Some, Some(value), span);
                self.unify(&ty, &value.ty.clone(), span);
                super::memory::memory(SeqOp::Replace, vec![borrowed, value], ty, span)
            }
            _ => super::memory::memory(SeqOp::Take, vec![borrowed], ty, span),
        }
    }
}

// o.get_or_insert(v)   =>   { let __value = v; if o.is_none() { o = Some(__value); } o.as_mut().unwrap() }
fn filled(m: &syn::ExprMethodCall, is_borrowed: bool) -> syn::Expr {
    let (of, given) = (&m.receiver, &m.args);
    let place: syn::Expr = match is_borrowed {
        true => parse_quote!(*#of),
        false => parse_quote!(#of),
    };
    let set: syn::Expr = match &*m.method.to_string() {
        "insert" => parse_quote!(#place = Some(#given)),
        "get_or_insert" => parse_quote!({
            let __value = #given;
            if #of.is_none() {
                #place = Some(__value);
            }
        }),
        _ => parse_quote!({
            if #of.is_none() {
                #place = Some((#given)());
            }
        }),
    };
    parse_quote!({
        #set;
        #of.as_mut().expect("it was filled")
    })
}
