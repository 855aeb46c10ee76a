//! Numbers that functions without an attribute change: `next(&mut seed)`.
//!
//! ```text
//! let u = next(&mut seed);   =>   let u = {
//!                                     let after = { let mut s = seed; let u = next(&mut s); (u, s) };
//!                                     seed = after.1;
//!                                     after.0
//!                                 };
//! ```
//!
//! What is called in `after` is constant code that changes its own variables alone.

use super::Reader;
use super::expr::{as_path, strip, unraw};
use crate::error;
use crate::lower::environment::Known;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::report::Extent;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::punctuated::Punctuated;

impl Reader<'_> {
    /// A function that is known not to be differentiated.
    pub(super) fn plain_function(&self, path: &syn::Path) -> Option<Rc<Known>> {
        let is_own = path
            .get_ident()
            .is_some_and(|i| self.lookup(&unraw(i)).is_some() || self.names_closure(i));
        let name = self.resolve_use(path).to_token_stream().to_string();
        let known = self.env.function(&name)?;
        (!is_own && !known.is_differentiated).then_some(known)
    }

    /// A call of a function that is not differentiated, and that changes numbers; also of a method of a constant. Values of
    /// numbers, `&mut rng`, are such too where more than one thing is changed.
    pub(super) fn changes_numbers(&mut self, e: &syn::Expr) -> Option<Expr> {
        let callee = self.plain_callee(e)?;
        let mut call = strip(e).clone();
        let mut changed: Vec<Changed> = Vec::new();
        if let syn::Expr::MethodCall(m) = &call
            && callee.changes_receiver
        {
            let data = self.changed_data(&m.receiver, false)?;
            changed.push(data.at(None));
        }
        let mut with_state = false;
        for (k, (arg, input)) in arguments(&mut call)?.iter().zip(&callee.inputs).enumerate() {
            let Some(of) = behind_mut(input) else {
                continue;
            };
            match self.mentions_state(arg) {
                true => with_state = true,
                false => changed.push(self.borrowed_value(arg, of)?.at(Some(k))),
            }
        }
        match &changed[..] {
            [] => return None,
            // of one value the change is code that is carried along
            [one] if matches!(one.ty, Ty::Opaque(_)) && !with_state => return None,
            _ => {}
        }
        let gives = match callee.output {
            None => Ty::unit(),
            Some(of) => self.carried(Some(of)),
        };
        let is_unit = matches!(&gives, Ty::Tuple(parts) if parts.is_empty());
        let types = changed.iter().map(|c| c.ty.clone());
        let ty = Ty::Tuple(std::iter::once(gives).chain(types).collect());
        let (mut first, mut copies) = (Vec::new(), Vec::new());
        self.open_scope();
        for (k, of) in changed.iter_mut().enumerate() {
            let at = Span::call_site();
            let copy = syn::Ident::new(&format!("__changed{k}"), at);
            match (&mut call, of.at) {
                (syn::Expr::MethodCall(m), None) => *m.receiver = parse_quote!(#copy),
                (call, k) => arguments(call)?[k?] = parse_quote!(&mut #copy),
            }
            copies.push(copy);
        }
        if let Some(of) = changed.iter_mut().find(|of| of.at.is_none()) {
            self.index_first(&mut of.place, &mut first);
        }
        for (k, arg) in arguments(&mut call)?.iter_mut().enumerate() {
            if let Some(of) = changed.iter_mut().find(|of| of.at == Some(k)) {
                self.index_first(&mut of.place, &mut first);
            } else if !self.mentions_state(arg) {
                self.evaluate_first(arg, &mut first);
            }
        }
        let mut before: Vec<syn::Expr> = Vec::new();
        for of in &changed {
            let mut value = of.place.clone();
            if let Ty::Opaque(_) = &of.ty {
                let place = self.data_place(&of.place, &of.ty);
                self.name_first(&mut value, place, &mut first);
            } else if !is_named(&value) {
                self.evaluate_first(&mut value, &mut first);
            }
            before.push(value);
        }
        let code: syn::Expr = parse_quote!({
            #(let mut #copies = #before;)*
            let __gives = #call;
            (__gives, #(#copies,)*)
        });
        // numbers are read where it runs; anything else is made again where it is used
        let after = match (self.is_read_whole(&ty), self.mentions_state(&code)) {
            (true, _) => self.run_as_is(&code, ty),
            (false, true) => self.refuse(e.extent(), &error::PASSIVE_EFFECT),
            (false, false) => Expr {
                ty,
                ..self.passive_code(&code, false)
            },
        };
        let assigned = changed.iter().enumerate().map(|(k, of)| -> syn::Stmt {
            let (place, k) = (&of.place, syn::Index::from(k + 1));
            parse_quote!(#place = __after.#k;)
        });
        let value: Option<syn::Expr> = (!is_unit).then(|| parse_quote!(__after.0));
        let then: syn::Expr = parse_quote!({ #(#assigned)* #value });
        let run = self.keeping_as("__after", after, |r, _| r.expr(&then));
        self.close_scope();
        Some(Expr::after(first, run))
    }

    /// `pop(n).unwrap_or(1)`   =>   `{ let __found = pop(n); __found.unwrap_or(1) }`: what a chain begins with is
    /// evaluated first.
    pub(super) fn after_change(&mut self, e: &syn::Expr) -> Option<Expr> {
        let is_chain = matches!(strip(e), syn::Expr::MethodCall(_) | syn::Expr::Field(_));
        let mut chain = is_chain.then(|| strip(e).clone())?;
        let inner = innermost(&mut chain)?;
        let change = self.changes_numbers(inner)?;
        let name = format!("__found{}", self.locals.len());
        let ident = syn::Ident::new(&name, Span::call_site());
        *inner = parse_quote!(#ident);
        Some(self.keeping_as(&name, change, |r, _| r.expr(&chain)))
    }

    /// A call in constant code that changes a number through a variable that borrows it.
    pub(super) fn changes_within(&mut self, e: &syn::Expr) -> Option<Extent> {
        let mut calls = Vec::new();
        walk::any(Node::Expr(e), &mut |node| {
            if let Node::Expr(call @ (syn::Expr::Call(_) | syn::Expr::MethodCall(_))) = node {
                calls.push(call.clone());
            }
            false
        });
        calls.into_iter().find_map(|mut call| {
            let of = self.plain_callee(&call)?;
            let at = call.extent();
            let mut pairs = arguments(&mut call)?.iter().zip(&of.inputs);
            let is_changed = !of.changes_receiver
                && pairs.any(|(arg, input)| {
                    behind_mut(input).is_some()
                        && !self.mentions_state(arg)
                        && self.borrowed_number(arg).is_some()
                });
            is_changed.then_some(at)
        })
    }

    /// The types of the arguments of such a call.
    pub(super) fn plain_inputs(&mut self, call: &syn::Expr) -> Option<Vec<syn::Type>> {
        Some(self.plain_callee(call)?.inputs)
    }

    /// What a call of a function that is not differentiated takes and gives, or of a method of a constant.
    fn plain_callee(&mut self, e: &syn::Expr) -> Option<Callee> {
        match strip(e) {
            syn::Expr::Call(c) => {
                let f = as_path(&c.func)?;
                let known = self.plain_function(&f.path)?;
                let inputs = known.signature.inputs.iter().map(|input| match input {
                    syn::FnArg::Typed(parameter) => Some((*parameter.ty).clone()),
                    syn::FnArg::Receiver(_) => None,
                });
                let output = types::result_of(&known.signature.output).cloned();
                let inputs = inputs.collect::<Option<_>>()?;
                Some(Callee {
                    inputs,
                    output,
                    changes_receiver: false,
                })
            }
            syn::Expr::MethodCall(m) if !self.mentions_state(&m.receiver) => {
                let of = self.type_as_written(&m.receiver)?;
                let of = self.env.expanded(&of);
                let path = types::behind_pointers(&of).to_token_stream().to_string();
                let name = unraw(&m.method);
                Some(Callee {
                    inputs: self.env.passive_inputs(&path, &name),
                    output: self.env.passive(&path, &name),
                    changes_receiver: self.env.changing(&path, &name).is_some(),
                })
            }
            _ => None,
        }
    }
}

impl Reader<'_> {
    /// What is behind `&mut n` or a variable that borrows it, if it is a number or a value of numbers.
    fn borrowed_value(&mut self, arg: &syn::Expr, of: &syn::Type) -> Option<Changed> {
        if let Some(place) = self.borrowed_number(arg) {
            let ty = self.carried(Some(of.clone()));
            return Some(Changed {
                at: None,
                place,
                ty,
            });
        }
        match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_some() => self.changed_data(&r.expr, false),
            place => self.changed_data(place, true),
        }
    }

    /// A place of a value of numbers.
    fn changed_data(&mut self, place: &syn::Expr, is_reference: bool) -> Option<Changed> {
        let place = strip(place);
        let borrows = self.is_borrowed(place);
        let path = self.data_at(place).filter(|_| is_place(place))?;
        let is_number = self.types.data(&path.0.to_string()).is_some();
        (is_number && (borrows || !is_reference)).then(|| Changed {
            at: None,
            place: match borrows {
                true => parse_quote!(*#place),
                false => place.clone(),
            },
            ty: Ty::Opaque(path),
        })
    }

    /// The variable or field behind `&mut n`, or behind a variable that borrows one, if it is a number.
    fn borrowed_number(&mut self, arg: &syn::Expr) -> Option<syn::Expr> {
        let (place, is_reference) = match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (strip(&r.expr), false),
            place => (place, true),
        };
        if !is_place(place) || self.mentions_state(place) {
            return None;
        }
        let ty = match place {
            syn::Expr::Path(_) => self.local_shallow(place)?,
            place => (self.place_type(place).or_else(|| self.tuple_part(place))).or_else(|| {
                let of = self.type_as_written(place)?;
                types::read_plain(&of, self.float, &mut self.types)
            })?,
        };
        let borrows = matches!(ty, Ty::Ref(true, _));
        let of = self.types.peel(&ty);
        let is_number = matches!(of, Ty::Int(_) | Ty::Bool | Ty::Float | Ty::Var(_));
        (is_number && borrows == is_reference).then(|| match is_reference {
            true => parse_quote!(*#place),
            false => place.clone(),
        })
    }
}

impl Reader<'_> {
    /// The type of `pair.0`.
    fn tuple_part(&mut self, place: &syn::Expr) -> Option<Ty> {
        let syn::Expr::Field(f) = strip(place) else {
            return None;
        };
        let syn::Member::Unnamed(k) = &f.member else {
            return None;
        };
        let of = (self.place_type(&f.base)).or_else(|| self.tuple_part(&f.base))?;
        match self.types.peel(&of) {
            Ty::Tuple(parts) => parts.get(k.index as usize).cloned(),
            _ => None,
        }
    }

    /// Evaluates the indices of a place.
    fn index_first(&mut self, place: &mut syn::Expr, first: &mut Vec<Step>) {
        match place {
            syn::Expr::Paren(p) => self.index_first(&mut p.expr, first),
            syn::Expr::Group(g) => self.index_first(&mut g.expr, first),
            syn::Expr::Unary(u) => self.index_first(&mut u.expr, first),
            syn::Expr::Field(f) => self.index_first(&mut f.base, first),
            syn::Expr::Index(i) => {
                self.index_first(&mut i.expr, first);
                if !matches!(strip(&i.index), syn::Expr::Lit(_)) {
                    let value = self.expr(&i.index);
                    self.name_first(&mut i.index, value, first);
                }
            }
            _ => {}
        }
    }

    fn is_read_whole(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            Ty::Opaque(path) => self.types.data(&path.0.to_string()).is_some(),
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_read_whole(part)),
            Ty::Sum(payloads) => payloads.len() == 1 && self.is_read_whole(&payloads[0]),
            _ => false,
        }
    }
}

/// What a function takes and gives.
struct Callee {
    inputs: Vec<syn::Type>,
    output: Option<syn::Type>,
    /// It is a method of `&mut self`.
    changes_receiver: bool,
}

/// What a call changes.
struct Changed {
    /// Which argument it is, if it is not what the method is called on.
    at: Option<usize>,
    place: syn::Expr,
    ty: Ty,
}

impl Changed {
    fn at(self, at: Option<usize>) -> Changed {
        Changed { at, ..self }
    }
}

fn arguments(call: &mut syn::Expr) -> Option<&mut Punctuated<syn::Expr, syn::Token![,]>> {
    match call {
        syn::Expr::Call(c) => Some(&mut c.args),
        syn::Expr::MethodCall(m) => Some(&mut m.args),
        _ => None,
    }
}

/// `T` of `&mut T`
fn behind_mut(ty: &syn::Type) -> Option<&syn::Type> {
    match types::ungroup(ty) {
        syn::Type::Reference(of) if of.mutability.is_some() => Some(&of.elem),
        _ => None,
    }
}

/// The call that a chain of methods and fields begins with.
pub(super) fn innermost(chain: &mut syn::Expr) -> Option<&mut syn::Expr> {
    let inner = match chain {
        syn::Expr::MethodCall(m) => &mut *m.receiver,
        syn::Expr::Field(f) => &mut *f.base,
        syn::Expr::Paren(p) => return innermost(&mut p.expr),
        syn::Expr::Group(g) => return innermost(&mut g.expr),
        _ => return None,
    };
    match strip(inner) {
        syn::Expr::Call(_) => Some(inner),
        _ => innermost(inner),
    }
}

/// A variable, and what is in one.
fn is_place(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_place(&f.base),
        syn::Expr::Index(i) => is_place(&i.expr),
        _ => false,
    }
}

/// A variable, or a field of one.
fn is_named(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
}
