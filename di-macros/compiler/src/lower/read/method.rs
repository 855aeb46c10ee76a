//! Method calls.

use super::Reader;
use super::consume::REDUCTIONS;
use super::iter::ADAPTERS;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;

impl Reader<'_> {
    pub(super) fn method_call(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        if REDUCTIONS.contains(&name.as_str()) {
            return self.reduction(m);
        }
        if let Some(picked) = self.picked(m) {
            return picked;
        }
        if Self::is_pick(m) {
            return self.refuse_about(m.method.extent(), &error::ITERATOR_OPTION, name);
        }
        if let Some(message) = iterator_method(&name).filter(|_| is_chain(&m.receiver)) {
            return self.refuse_about(m.method.extent(), message, name);
        }
        let receiver = self.expr(&m.receiver);
        match self.types.peel(&receiver.ty) {
            Ty::Sum(payloads) => return self.sum_method(m, receiver, payloads),
            ty @ Ty::Var(_) if super::option::is_method(&name) && !self.is_tainted(&ty) => {
                let payloads = self.sum_of(&name, &ty, receiver.span);
                return self.sum_method(m, receiver, payloads);
            }
            _ => {}
        }
        if let Some(message) = iterator_method(&name).filter(|_| !receiver.is_refused()) {
            return self.refuse_about(m.method.extent(), message, name);
        }
        if receiver.is_refused() || self.is_tainted(&receiver.ty) {
            // the rest may have errors of its own
            for a in &m.args {
                self.expr(a);
            }
            return self.refused(span);
        }
        match self.types.peel(&receiver.ty) {
            Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Vec(elem) => {
                self.sequence_method(m, receiver, *elem)
            }
            Ty::Float | Ty::Int(_) => {
                if matches!(name.as_str(), "clone" | "to_owned") && m.args.is_empty() {
                    let ty = self.types.peel(&receiver.ty);
                    return Expr {
                        kind: Kind::Deref(Box::new(receiver)),
                        ty,
                        span,
                    };
                }
                self.scalar_call(m, receiver)
            }
            ty @ Ty::Var(_) => {
                let traits = self.types.traits(&ty).unwrap_or_default();
                if (traits.field || traits.foreign) && !traits.integer && sequence_name(&name) {
                    let Some(elem) = self.element_of(&receiver) else {
                        return self.refused(span);
                    };
                    return self.sequence_method(m, receiver, elem);
                }
                if crate::symbol::elementary(&name).is_some() || traits.integer || name == "sin_cos"
                {
                    return self.scalar_call(m, receiver);
                }
                if sequence_name(&name) {
                    self.types.set_refused(&ty);
                    return self.refuse(receiver.span, &error::UNKNOWN_SEQUENCE);
                }
                self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, name)
            }
            Ty::Struct(_) | Ty::Opaque(_) => {
                self.refuse_about(m.method.extent(), &error::STRUCT_METHOD, name)
            }
            Ty::Bool | Ty::Tuple(_) | Ty::Sum(_) | Ty::Ref(..) => {
                self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, name)
            }
        }
    }

    fn scalar_call(&mut self, m: &syn::ExprMethodCall, receiver: Expr) -> Expr {
        let rest: Vec<Expr> = m.args.iter().map(|e| self.expr(e)).collect();
        self.scalar_method(
            &m.method.to_string(),
            receiver,
            rest,
            m.method.extent(),
            m.extent(),
        )
    }

    /// Methods of arrays, slices and vectors.
    fn sequence_method(&mut self, m: &syn::ExprMethodCall, receiver: Expr, elem: Ty) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let base = Box::new(receiver);
        let args: Vec<Expr> = m.args.iter().map(|e| self.expr(e)).collect();
        let mut args = args.into_iter();
        let (kind, ty) = match (name.as_str(), args.len()) {
            ("len", 0) => (Kind::Len(base), Ty::usize()),
            ("is_empty", 0) => (Kind::IsEmpty(base), Ty::Bool),
            ("to_vec", 0) => (Kind::CopyOf(base), Ty::Vec(Box::new(elem))),
            ("clone", 0) => {
                let ty = self.types.peel(&base.ty);
                (Kind::CopyOf(base), ty)
            }
            ("to_owned", 0) => match self.types.peel(&base.ty) {
                ty @ Ty::Array(..) => (Kind::CopyOf(base), ty),
                _ => (Kind::CopyOf(base), Ty::Vec(Box::new(elem))),
            },
            ("as_slice" | "as_ref" | "as_mut" | "as_mut_slice", 0) => {
                let mutable = name.contains("mut");
                (
                    Kind::Ref(mutable, base),
                    Ty::reference(mutable, Ty::Slice(Box::new(elem))),
                )
            }
            ("copy_from_slice" | "clone_from_slice", 1) => {
                let src = args.next().expect("one argument");
                if let Some(t) = self.element_of(&src) {
                    self.unify(&t, &elem, src.span);
                }
                (Kind::CopyFrom(base, Box::new(src)), Ty::unit())
            }
            ("fill", 1) => {
                let value = args.next().expect("one argument");
                self.unify(&value.ty.clone(), &elem, value.span);
                (Kind::Fill(base, Box::new(value)), Ty::unit())
            }
            ("swap", 2) => {
                let (i, j) = (
                    args.next().expect("two arguments"),
                    args.next().expect("two arguments"),
                );
                self.unify(&i.ty.clone(), &Ty::usize(), i.span);
                self.unify(&j.ty.clone(), &Ty::usize(), j.span);
                (Kind::Swap(base, Box::new(i), Box::new(j)), Ty::unit())
            }
            ("split_at", 1) => {
                let at = args.next().expect("one argument");
                self.unify(&at.ty.clone(), &Ty::usize(), at.span);
                let half = Ty::reference(false, Ty::Slice(Box::new(elem)));
                (
                    Kind::SplitAt(base, Box::new(at)),
                    Ty::Tuple(vec![half.clone(), half]),
                )
            }
            (
                "push" | "pop" | "truncate" | "clear" | "insert" | "remove" | "resize" | "extend"
                | "extend_from_slice" | "append" | "drain" | "retain" | "reserve" | "swap_remove"
                | "dedup" | "split_off",
                _,
            ) => {
                return self.refuse_about(m.method.extent(), &error::VEC_RESIZE, name);
            }
            (
                "first" | "last" | "first_mut" | "last_mut" | "split_first" | "split_last"
                | "split_first_mut" | "split_last_mut",
                0,
            )
            | ("get" | "get_mut", 1) => {
                return self.element_option(m, *base, &elem, args.collect());
            }
            ("split_at_mut", _) => return self.refuse(m.method.extent(), &error::SPLIT_AT_MUT),
            (
                "iter" | "iter_mut" | "into_iter" | "chunks" | "chunks_exact" | "windows"
                | "chunks_mut" | "chunks_exact_mut" | "rchunks" | "rchunks_mut",
                _,
            ) => {
                return self.refuse(m.method.extent(), &error::ITERATOR_VALUE);
            }
            _ => {
                return self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, name);
            }
        };
        Expr { kind, ty, span }
    }
}

/// Whether an expression is an iterator by its looks.
fn is_chain(e: &syn::Expr) -> bool {
    match super::expr::strip(e) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => match m.method.to_string().as_str() {
            "iter" | "iter_mut" | "into_iter" | "windows" | "chunks" | "chunks_exact"
            | "chunks_mut" | "chunks_exact_mut" | "chars" | "enumerate" | "rev" | "step_by"
            | "skip" | "chain" | "take_while" | "skip_while" | "map_while" | "filter_map"
            | "flat_map" | "scan" | "cycle" | "peekable" => true,
            "map" | "filter" | "zip" | "take" | "copied" | "cloned" | "inspect" | "flatten" => {
                is_chain(&m.receiver)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Methods that only a sequence has.
fn sequence_name(name: &str) -> bool {
    matches!(
        name,
        "len"
            | "is_empty"
            | "to_vec"
            | "iter"
            | "iter_mut"
            | "chunks"
            | "windows"
            | "copy_from_slice"
            | "fill"
            | "split_at"
    )
}

/// Methods of iterators that have no place where a value is wanted.
fn iterator_method(name: &str) -> Option<&'static error::Message> {
    match name {
        name if super::option::is_method(name) => Some(&error::OPTION_METHOD),
        "cycle" | "peekable" | "partition" | "find_map" | "rposition" | "rfind" | "try_fold"
        | "try_for_each" | "is_sorted_by" | "by_ref" => Some(&error::ITERATOR_METHOD),
        _ if ADAPTERS.contains(&name) && !matches!(name, "iter" | "iter_mut" | "into_iter") => {
            Some(&error::ITERATOR_VALUE)
        }
        _ => None,
    }
}
