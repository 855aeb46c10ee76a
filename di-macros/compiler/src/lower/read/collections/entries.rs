//! Places in maps: what is put there, and what stands for it.

use super::super::expr::as_method;
use super::Pair;
use crate::lower::read::expr::strip;
use crate::template::parse_quote;

/// A place of a map that is made if there is none.
pub(super) struct Slot {
    pub(super) steps: Vec<syn::Stmt>,
    pub(super) place: syn::Expr,
}

impl Pair {
    /// The place that a key has, or none that is in range.
    pub(super) fn found(&self, key: &syn::Expr) -> syn::Expr {
        let places = &self.places;
        parse_quote!(#places.get(#key).copied().unwrap_or(usize::MAX))
    }

    /// `map.insert(key, value);`
    pub(super) fn insert(&self, key: &syn::Expr, value: &syn::Expr) -> syn::Stmt {
        let (places, values) = (&self.places, &self.values);
        let (first, key) = evaluated(key);
        parse_quote!({
            #first
            let __new = #value;
            let __at = *#places.entry(#key).or_insert(#values.len());
            if __at == #values.len() { #values.push(__new); } else { #values[__at] = __new; }
        })
    }

    /// `map.insert(key, value)`, and what was there.
    pub(super) fn replaced(&self, key: &syn::Expr, value: &syn::Expr) -> syn::Expr {
        let values = &self.values;
        let was = self.found(&parse_quote!(&__key));
        let copied = self.copied();
        let put = self.insert(&parse_quote!(__key), &parse_quote!(__put));
        parse_quote!({
            let __key = #key;
            let __put = #value;
            let __was = #values.get(#was).#copied();
            #put
            __was
        })
    }

    /// `map.retain(|k, v| ..)`
    pub(super) fn retained(&self, c: &syn::ExprClosure) -> Option<syn::Stmt> {
        let (places, values) = (&self.places, &self.values);
        let inputs: Vec<&syn::Pat> = c.inputs.iter().collect();
        let [key, value] = &inputs[..] else {
            return None;
        };
        let body = &c.body;
        (!leaves(body)).then(|| {
            parse_quote!({
                let mut __was = ::std::mem::take(&mut #places);
                for (__key, __at) in __was {
                    let #key = &__key;
                    let #value = &mut #values[__at];
                    let __keep = #body;
                    if __keep { #places.insert(__key, __at); }
                }
            })
        })
    }

    pub(super) fn copied(&self) -> syn::Ident {
        let name = if self.is_float { "copied" } else { "cloned" };
        syn::Ident::new(name, proc_macro2::Span::call_site())
    }

    /// `map.entry(key).or_insert(value)`; `number` makes names.
    pub(super) fn slot(&self, e: &syn::Expr, number: usize) -> Option<Slot> {
        let last = as_method(e)?;
        let (mut changes, mut inner) = (Vec::new(), &last.receiver);
        let key = loop {
            let m = as_method(inner)?;
            match (&*m.method.to_string(), m.args.first()) {
                ("entry", Some(key)) if self.is_named(&m.receiver) => break key,
                ("and_modify", Some(syn::Expr::Closure(c))) => changes.push(c),
                _ => return None,
            }
            inner = &m.receiver;
        };
        let (places, values) = (&self.places, &self.values);
        let at = syn::Ident::new(&format!("__at{number}"), proc_macro2::Span::call_site());
        let (first, key) = evaluated(key);
        let mut steps: Vec<syn::Stmt> = first.into_iter().collect();
        let arg = last.args.first();
        let new: syn::Expr = match (&*last.method.to_string(), arg.map(strip)) {
            ("or_insert", Some(value)) => {
                let new = syn::Ident::new(&format!("__new{number}"), at.span());
                steps.push(parse_quote!(let #new = #value;));
                parse_quote!(#new)
            }
            ("or_insert_with", Some(syn::Expr::Closure(c))) if c.inputs.is_empty() => {
                if leaves(&c.body) {
                    return None;
                }
                (*c.body).clone()
            }
            ("or_insert_with", Some(syn::Expr::Path(f))) => parse_quote!(#f()),
            ("or_default", None) if self.is_float => parse_quote!(0.0),
            ("or_default", None) => match super::arguments(&self.of).get(1) {
                Some(syn::Type::Path(p))
                    if super::super::state::last_name(&parse_quote!(#p))
                        .is_some_and(|n| n == "Vec") =>
                {
                    parse_quote!(::std::vec::Vec::new())
                }
                Some(of) => parse_quote!(<#of>::default()),
                None => return None,
            },
            _ => return None,
        };
        steps.push(parse_quote!(let #at = *#places.entry(#key).or_insert(#values.len());));
        let mut modified: Vec<syn::Stmt> = Vec::new();
        for c in changes.into_iter().rev() {
            let (pat, body) = (c.inputs.first()?, &c.body);
            if leaves(body) {
                return None;
            }
            modified.push(parse_quote!({ let #pat = &mut #values[#at]; #body; }));
        }
        steps.push(match modified.is_empty() {
            true => parse_quote!(if #at == #values.len() { #values.push(#new); }),
            false => {
                parse_quote!(if #at == #values.len() { #values.push(#new); } else { #(#modified)* })
            }
        });
        let place = parse_quote!(#values[#at]);
        Some(Slot { steps, place })
    }

    /// Whether an expression is the map itself, or a reference to it.
    pub(super) fn is_named(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(p) => p.path.is_ident(&self.name),
            syn::Expr::Reference(r) => self.is_named(&r.expr),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }) => self.is_named(expr),
            _ => false,
        }
    }
}

/// A key that does more than to name something is evaluated before the value is.
fn evaluated(key: &syn::Expr) -> (Option<syn::Stmt>, syn::Expr) {
    match is_plain(key) {
        true => (None, key.clone()),
        false => (Some(parse_quote!(let __key = #key;)), parse_quote!(__key)),
    }
}

fn is_plain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
        syn::Expr::Field(f) => is_plain(&f.base),
        syn::Expr::Unary(u) => is_plain(&u.expr),
        syn::Expr::Reference(r) => is_plain(&r.expr),
        syn::Expr::Index(i) => is_plain(&i.expr) && is_plain(&i.index),
        syn::Expr::Binary(b) => is_plain(&b.left) && is_plain(&b.right),
        syn::Expr::Tuple(t) => t.elems.iter().all(is_plain),
        syn::Expr::MethodCall(m) => {
            let copies = ["as_str", "clone", "into", "to_owned", "to_string"];
            m.args.is_empty() && copies.iter().any(|of| m.method == of) && is_plain(&m.receiver)
        }
        _ => false,
    }
}

/// Whether the body of a closure leaves it otherwise than at its end.
pub(super) fn leaves(body: &syn::Expr) -> bool {
    use crate::walk::{self, Node, Onward};
    walk::read(Node::Expr(body), &mut |node| match node {
        Node::Expr(syn::Expr::Return(_) | syn::Expr::Try(_)) => Onward::Found,
        Node::Expr(syn::Expr::Closure(_)) => Onward::Over,
        _ => Onward::Into,
    })
}
