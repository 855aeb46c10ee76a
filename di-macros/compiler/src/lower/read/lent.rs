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
use super::expr::{strip, unraw};
use super::grouped::may_change;
use crate::error;
use crate::lower::environment::Known;
use crate::lower::extent::HasExtent;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::walk::{self, Node};
use proc_macro2::Span;
use quote::ToTokens;
use std::rc::Rc;
use syn::parse_quote;

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

    /// A call of a function that is not differentiated, and that changes numbers.
    pub(super) fn changes_numbers(&mut self, e: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Call(c) = strip(e) else {
            return None;
        };
        let syn::Expr::Path(f) = strip(&c.func) else {
            return None;
        };
        let known = self.plain_function(&f.path)?;
        let mut call = c.clone();
        let (mut places, mut copies) = (Vec::new(), Vec::new());
        let mut changed: Vec<syn::Type> = Vec::new();
        for (arg, input) in call.args.iter_mut().zip(&known.signature.inputs) {
            let syn::FnArg::Typed(parameter) = input else {
                return None;
            };
            let syn::Type::Reference(of) = types::ungroup(&parameter.ty) else {
                continue;
            };
            if of.mutability.is_none() || self.mentions_state(arg) {
                continue;
            }
            let place = self.lent_number(arg)?;
            let copy = format!("__changed{}", places.len());
            let copy = syn::Ident::new(&copy, Span::call_site());
            *arg = parse_quote!(&mut #copy);
            changed.push((*of.elem).clone());
            places.push(place);
            copies.push(copy);
        }
        if places.is_empty() {
            return None;
        }
        let gives = match &known.signature.output {
            syn::ReturnType::Default => Ty::unit(),
            syn::ReturnType::Type(_, of) => self.carried(Some((**of).clone())),
        };
        let changed = changed.into_iter().map(|of| self.carried(Some(of)));
        let ty = Ty::Tuple(std::iter::once(gives).chain(changed).collect());
        let mut first = Vec::new();
        self.open_scope();
        for arg in &mut call.args {
            let is_lent = matches!(arg, syn::Expr::Reference(r) if r.mutability.is_some());
            if !is_lent && !self.mentions_state(arg) {
                self.evaluate_first(arg, &mut first);
            }
        }
        let code: syn::Expr = parse_quote!({
            #(let mut #copies = #places;)*
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
        self.close_scope();
        let after = super::chain::after(first, after);
        let assigned = places.iter().enumerate().map(|(k, place)| -> syn::Stmt {
            let k = syn::Index::from(k + 1);
            parse_quote!(#place = __after.#k;)
        });
        let value: Option<syn::Expr> = match &known.signature.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(..) => Some(parse_quote!(__after.0)),
        };
        let then: syn::Expr = parse_quote!({ #(#assigned)* #value });
        Some(self.keeping_as("__after", after, |r, _| r.expr(&then)))
    }
}

impl Reader<'_> {
    /// The variable or field behind `&mut n`, or behind a variable that borrows one, if it is a number.
    fn lent_number(&mut self, arg: &syn::Expr) -> Option<syn::Expr> {
        let (place, is_reference) = match strip(arg) {
            syn::Expr::Reference(r) if r.mutability.is_some() => (strip(&r.expr), false),
            place => (place, true),
        };
        if !is_named(place) || self.mentions_state(place) {
            return None;
        }
        let ty = match place {
            syn::Expr::Path(p) => {
                let local = self.lookup(&unraw(p.path.get_ident()?))?;
                self.types.shallow(&self.locals[local.0].ty)
            }
            place => self.place_type(place)?,
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
    fn is_read_whole(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float | Ty::Int(_) | Ty::Bool => true,
            Ty::Tuple(parts) => parts.iter().all(|part| self.is_read_whole(part)),
            Ty::Sum(payloads) => payloads.len() == 1 && self.is_read_whole(&payloads[0]),
            _ => false,
        }
    }

    /// Refuses arguments that change a variable which an argument in front of them reads: these are evaluated later.
    pub(super) fn check_order(&mut self, block: &syn::Block) {
        let mut wrong = Vec::new();
        walk::any(Node::Block(block), &mut |node| {
            let args = match node {
                Node::Expr(syn::Expr::Call(c)) if self.may_be_plain(&c.func) => &c.args,
                Node::Expr(syn::Expr::MethodCall(m)) => &m.args,
                _ => return false,
            };
            for (k, arg) in args.iter().enumerate().skip(1) {
                let changed = changed_in(arg);
                let mut before = args.iter().take(k);
                if !changed.is_empty() && before.any(|of| reads(of, &changed)) {
                    wrong.push(arg.extent());
                }
            }
            false
        });
        for at in wrong {
            self.cx.error(at, &error::PASSIVE_EFFECT);
        }
    }

    /// Whether a function may be one without an attribute; a variant, and one that is differentiated, are not.
    fn may_be_plain(&self, f: &syn::Expr) -> bool {
        let syn::Expr::Path(p) = strip(f) else {
            return false;
        };
        let name = p.path.segments.last().map(|s| s.ident.to_string());
        let is_made = name.is_some_and(|name| name.starts_with(char::is_uppercase));
        let path = self.resolve_use(&p.path).to_token_stream().to_string();
        let known = self.env.function(&path);
        let is_differentiated = known.is_some_and(|known| known.is_differentiated);
        !is_made && !is_differentiated
    }
}

/// The variables that an expression changes, as far as it says so.
fn changed_in(e: &syn::Expr) -> Vec<String> {
    let mut changed = Vec::new();
    walk::any(Node::Expr(e), &mut |node| {
        let place = match node {
            Node::Expr(syn::Expr::Reference(r)) if r.mutability.is_some() => &r.expr,
            Node::Expr(syn::Expr::Assign(a)) => &a.left,
            Node::Expr(syn::Expr::Binary(b)) if walk::is_assignment(&b.op) => &b.left,
            Node::Expr(syn::Expr::MethodCall(m)) if may_change(&m.method.to_string()) => {
                &m.receiver
            }
            _ => return false,
        };
        changed.extend(root_of(place));
        false
    });
    changed
}

/// The variable that a place is a part of.
fn root_of(e: &syn::Expr) -> Option<String> {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().map(unraw),
        syn::Expr::Field(f) => root_of(&f.base),
        syn::Expr::Index(i) => root_of(&i.expr),
        syn::Expr::Unary(u) => root_of(&u.expr),
        syn::Expr::MethodCall(m) => root_of(&m.receiver),
        _ => None,
    }
}

/// Whether the value of an argument depends on these variables: of a reference, only the place that it is to.
fn reads(e: &syn::Expr, names: &[String]) -> bool {
    if let syn::Expr::Reference(r) = strip(e) {
        return walk::any(
            Node::Expr(&r.expr),
            &mut |node| matches!(node, Node::Expr(syn::Expr::Index(i)) if reads(&i.index, names)),
        );
    }
    walk::any(Node::Expr(e), &mut |node| match node {
        Node::ExprPath(p) => {
            let name = p.path.get_ident().map(unraw);
            name.is_some_and(|name| names.contains(&name))
        }
        _ => false,
    })
}

/// A variable, or a field of one.
fn is_named(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_named(&f.base),
        _ => false,
    }
}
