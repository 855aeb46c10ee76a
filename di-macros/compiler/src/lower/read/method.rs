//! Method calls.

use super::consume::REDUCTIONS;
use super::expr::strip;
use super::iter::ADAPTERS;
use super::{Reader, effect, memory};
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Step};
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::symbol;
use crate::template::parse_quote;

impl Reader<'_> {
    pub(super) fn method_call(&mut self, m: &syn::ExprMethodCall) -> Expr {
        if let Some(chain) = self.with_iterator(&m.receiver) {
            let receiver = Box::new(chain);
            return self.method_call(&syn::ExprMethodCall {
                receiver,
                ..m.clone()
            });
        }
        if let Some(own) = self.of_own_iterator(m) {
            return self.method_call(&own);
        }
        if let Some(body) = self.extension(m) {
            return self.expr(&body);
        }
        if let Some(text) = self.as_text(m) {
            return self.expr(&text.into());
        }
        let span = m.extent();
        let wanted = self.wanted.take();
        let name = m.method.to_string();
        if let ("unwrap" | "expect", Some(mac)) = (name.as_str(), effect::as_write(&m.receiver)) {
            return self.write_macro(mac, Some(m), span);
        }
        if name == "into"
            && m.args.is_empty()
            && let Some(back) = self.back_from_other_width(&m.receiver, span)
        {
            return back;
        }
        let copies = matches!(name.as_str(), "clone" | "to_owned") && m.args.is_empty();
        // of what is no method of a part
        let whole = copies || name == "into";
        if !whole && let Some(Ty::Bundle(path, _)) = self.place_type(&m.receiver) {
            let receiver = self.expr(&m.receiver);
            return self.method_of_bundle(m, receiver, &path);
        }
        if let Some(found) = self.chain_method(m) {
            return found;
        }
        if !whole && self.is_struct_place(&m.receiver) {
            let receiver = self.expr(&m.receiver);
            if let Some(path) = self.struct_path(&receiver.ty) {
                return self.struct_method(m, receiver, &path);
            }
        }
        if let Some(written) = self.looped(m, wanted.as_ref()) {
            return written;
        }
        let reduces = REDUCTIONS.contains(&name.as_str());
        // the user's own, unless a closure goes in
        let own = match &*name {
            "chain" | "rev" | "scan" | "skip" => true,
            "max" | "min" => m.args.is_empty(),
            _ => reduces,
        };
        let closure = |a: &syn::Expr| matches!(a, syn::Expr::Closure(_));
        let is_known = self.is_known_method(&m.receiver) || self.gives_struct(&m.receiver);
        if own && !m.args.iter().any(closure) && is_known {
            let receiver = self.expr(&m.receiver);
            // the result of a method is no iterator, so that it has this method itself
            if let Some(path) = self.struct_path(&receiver.ty) {
                return self.struct_method(m, receiver, &path);
            }
            return self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, name);
        }
        if reduces {
            return self.reduction(m);
        }
        if let Some(picked) = self.picked(m) {
            return picked;
        }
        if let Some(found) = self.unwrapped(m) {
            return found;
        }
        if self.is_pick(m) {
            return self.picked_option(m);
        }
        if name == "next_back"
            && m.args.is_empty()
            && !matches!(strip(&m.receiver), syn::Expr::Path(_))
            && self.is_iterator(&m.receiver)
        {
            let of = &m.receiver;
            return self.expr(&parse_quote!(#of.rev().next()));
        }
        if let Some(message) = iterator_method(&name)
            .filter(|_| is_chain(&m.receiver) || self.chain_of(&m.receiver).is_some())
        {
            return self.refuse_about(m.method.extent(), message, name);
        }
        let receiver = self.expr(&m.receiver);
        if matches!(receiver.ty, Ty::Opaque(_))
            && matches!(
                strip(&m.receiver),
                syn::Expr::Array(_) | syn::Expr::Macro(_)
            )
        {
            let mut call = m.clone();
            *call.receiver = parse_quote!(__list);
            return self.keeping_as("__list", receiver, |r, _| r.expr(&call.into()));
        }
        if let Some(written) = self.mapped_constant(m, &receiver) {
            return written;
        }
        if name == "into"
            && wanted.as_ref().is_none_or(|ty| matches!(ty, Ty::Float))
            && let Some(number) = self.as_own_number(&m.receiver, &receiver.ty)
        {
            return number;
        }
        match self.types.peel(&receiver.ty) {
            Ty::Struct(path) if !copies => return self.struct_method(m, receiver, &path),
            Ty::Bundle(path, _) if !copies => {
                return self.method_of_bundle(m, receiver, &path);
            }
            Ty::Bundle(path, parts) if copies && memory::is_place(&m.receiver) => {
                return self.clone_of_bundle(m, &path, &parts);
            }
            Ty::Tuple(ts) if copies && memory::is_place(&m.receiver) => {
                return self.clone_of_tuple(m, ts.len());
            }
            Ty::Tuple(_) if m.args.len() == 1 && matches!(&*name, "cmp" | "partial_cmp") => {
                let other = self.expr(&m.args[0]);
                if let Some(order) = self.order_by_name(&name, &receiver, &other) {
                    return order;
                }
            }
            Ty::Sum(payloads) => return self.sum_method(m, receiver, payloads),
            ty @ Ty::Var(_) if self.tells_of_sum(&name, &ty) => {
                let payloads = self.sum_of(m, &ty, receiver.span);
                return self.sum_method(m, receiver, payloads);
            }
            _ => {}
        }
        let into = wanted.clone();
        if copies && let Some(wanted) = wanted.filter(|ty| self.is_copied_as(&receiver, ty)) {
            return Expr::new(Kind::CopyOf(Box::new(receiver)), wanted, span);
        }
        if receiver.is_refused() || self.is_tainted(&receiver.ty) {
            // the rest may have errors of its own
            let closure = |a: &&syn::Expr| matches!(super::expr::strip(a), syn::Expr::Closure(_));
            for a in m.args.iter().filter(|a| !closure(a)) {
                self.expr(a);
            }
            return self.refused(span);
        }
        if let Some(written) = self.written_out(m, &receiver, into.as_ref()) {
            return written;
        }
        if matches!(self.types.peel(&receiver.ty), Ty::Opaque(_)) && super::option::is_method(&name)
        {
            return self.constant_method(m, receiver);
        }
        if let Some(message) = iterator_method(&name) {
            return self.refuse_about(m.method.extent(), message, name);
        }
        match self.types.peel(&receiver.ty) {
            Ty::Array(elem, _) | Ty::Slice(elem) | Ty::Vec(elem) => {
                self.sequence_method(m, receiver, *elem)
            }
            Ty::Float | Ty::Int(_) => {
                if matches!(name.as_str(), "clone" | "to_owned") && m.args.is_empty() {
                    let ty = self.types.peel(&receiver.ty);
                    return Expr::new(Kind::CopyOf(Box::new(receiver)), ty, span);
                }
                // of a float that is generic a trait of the user may have another
                let literal = matches!(receiver.kind, Kind::Lit(_));
                if name == "into" && m.args.is_empty() && (literal || !self.scalar) {
                    return self.number_into(receiver, span);
                }
                self.scalar_call(m, receiver)
            }
            ty @ Ty::Var(_) if self.is_text(&ty) && !matches!(receiver.kind, Kind::Passive(_)) => {
                self.method_of_text(m, receiver, &ty)
            }
            ty @ Ty::Var(_) => {
                let traits = self.types.traits(&ty).unwrap_or_default();
                if (traits.field || traits.foreign) && !traits.integer && sequence_name(&name) {
                    let Some(elem) = self.element_of(&receiver) else {
                        return self.refused(span);
                    };
                    return self.sequence_method(m, receiver, elem);
                }
                let scalar = symbol::elementary(&name).is_some()
                    || symbol::classify(&name).is_some()
                    || matches!(name.as_str(), "sin_cos" | "total_cmp");
                let outside = traits.field || traits.foreign || traits.callee;
                let integer = outside && symbol::is_of_integers(&name);
                if integer {
                    self.set_integer(&receiver);
                }
                if name == "into" && traits.integer && m.args.is_empty() {
                    return self.number_into(receiver, span);
                }
                if scalar || integer || traits.integer {
                    return self.scalar_call(m, receiver);
                }
                if sequence_name(&name) {
                    self.types.set_refused(&ty);
                    return self.refuse(receiver.span, &error::UNKNOWN_SEQUENCE);
                }
                // a copy is of the same type, whichever that is
                if copies && traits.callee {
                    return Expr::new(Kind::CopyOf(Box::new(receiver)), ty, span);
                }
                if let Some(path) = self.struct_path(&ty) {
                    return self.struct_method(m, receiver, &path);
                }
                self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, name)
            }
            ty @ Ty::Struct(_) if copies => Expr::new(Kind::CopyOf(Box::new(receiver)), ty, span),
            Ty::Struct(path) => self.struct_method(m, receiver, &path),
            Ty::Opaque(_) if name == "into" && m.args.is_empty() => {
                self.passive(&syn::Expr::MethodCall(m.clone()), false)
            }
            Ty::Opaque(_) => self.constant_method(m, receiver),
            Ty::Bool if name == "into" && m.args.is_empty() => {
                let of = into
                    .filter(|ty| matches!(ty, Ty::Int(_)))
                    .unwrap_or(Ty::Float);
                self.number_of_flag(receiver, of)
            }
            Ty::Bool if matches!(name.as_str(), "then" | "then_some") => {
                match self.then(m, receiver) {
                    Some(option) => option,
                    None => self.refused(span),
                }
            }
            Ty::Bool | Ty::Tuple(_) | Ty::Sum(_) | Ty::Bundle(..) | Ty::Ref(..) => {
                self.refuse_about(m.method.extent(), &error::UNKNOWN_METHOD, name)
            }
        }
    }

    /// `plan.tariff.at(hour)` of a constant in what is differentiated, which is carried along.
    pub(super) fn constant_method(&mut self, m: &syn::ExprMethodCall, receiver: Expr) -> Expr {
        // of a reference, `max` compares references
        let takes_value = ["clamp", "max", "min"].iter().any(|name| m.method == name);
        let is_own = matches!(self.types.peel(&receiver.ty), Ty::Opaque(path)
            if self.types.data(&path.0.to_string()).is_some());
        self.with_part(receiver, |r| {
            let mut call = m.clone();
            *call.receiver = match (takes_value, is_own) {
                (true, true) => parse_quote!((*__of)),
                (true, false) => parse_quote!(__of.clone()),
                (false, _) => parse_quote!(__of),
            };
            r.passive(&syn::Expr::MethodCall(call), false)
        })
    }

    /// A constant in what is differentiated by the name `__of`, which borrows it.
    pub(super) fn with_part(&mut self, of: Expr, read: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let span = of.span;
        self.scoped(|r| {
            let of = match r.types.shallow(&of.ty) {
                Ty::Ref(..) => of,
                ty => Expr::reference(false, Expr { ty, ..of }),
            };
            let local = r.bind("__of", false, of.ty.clone(), span);
            let value = read(r);
            Expr::after(vec![Step::bind(local, of)], value)
        })
    }

    /// `n.into()`: what it becomes is inferred from its use.
    fn number_into(&mut self, number: Expr, span: Extent) -> Expr {
        Expr::new(Kind::Cast(Box::new(number)), self.types.fresh(), span)
    }

    /// `f64::from(flag)`
    pub(super) fn number_of_flag(&mut self, flag: Expr, ty: Ty) -> Expr {
        self.keeping_as("__flag", flag, |r, flag| {
            let is_borrowed = matches!(r.types.shallow(&flag.ty), Ty::Ref(..));
            let test: syn::Expr = match is_borrowed {
                true => parse_quote!(*__flag),
                false => parse_quote!(__flag),
            };
            let number = match ty {
                Ty::Float => parse_quote!(if #test { 1.0 } else { 0.0 }),
                _ => parse_quote!(if #test { 1 } else { 0 }),
            };
            let number = r.expr(&number);
            r.unify(&number.ty.clone(), &ty, number.span);
            number
        })
    }

    fn scalar_call(&mut self, m: &syn::ExprMethodCall, receiver: Expr) -> Expr {
        if let Some(order) = self.ordering_method(m, &receiver) {
            return order;
        }
        let rest: Vec<Expr> = m.args.iter().map(|e| self.expr(e)).collect();
        self.scalar_method(
            &m.method.to_string(),
            receiver,
            rest,
            m.method.extent(),
            m.extent(),
        )
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
pub(super) fn sequence_name(name: &str) -> bool {
    matches!(
        name,
        "len"
            | "is_empty"
            | "to_vec"
            | "iter"
            | "iter_mut"
            | "into_iter"
            | "chunks"
            | "windows"
            | "copy_from_slice"
            | "fill"
            | "split_at"
            | "split_at_mut"
            | "push"
            | "sort_by"
            | "reverse"
    )
}

/// Methods of iterators that have no place where a value is wanted.
fn iterator_method(name: &str) -> Option<&'static error::Message> {
    match name {
        name if super::option::is_method(name) && name != "transpose" => {
            Some(&error::OPTION_METHOD)
        }
        "cycle" | "partition" | "find_map" | "rposition" | "rfind" | "try_fold"
        | "try_for_each" | "is_sorted_by" | "by_ref" => Some(&error::ITERATOR_METHOD),
        _ if ADAPTERS.contains(&name) && !matches!(name, "iter" | "iter_mut" | "into_iter") => {
            Some(&error::ITERATOR_VALUE)
        }
        _ => None,
    }
}
