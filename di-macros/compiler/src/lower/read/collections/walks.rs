//! Loops and chains over the items of maps.
//!
//! ```text
//! for (k, v) in &m { .. }       =>   for (k, __at) in &__m_places { let v = &__m_values[*__at]; .. }
//! m.values().sum::<f64>()       =>   __m_places.values().map(|__at| &__m_values[*__at]).sum::<f64>()
//! m.iter().map(|(k, v)| ..)     =>   __m_places.iter().map(|(k, __at)| { let v = &__m_values[*__at]; .. })
//! ```

use super::super::expr::as_method;
use super::rewrite::Rewrite;
use crate::lower::read::expr::strip;
use crate::template::parse_quote;
use crate::walk::Node;
use quote::ToTokens;

/// What there is of each item.
#[derive(Clone, Copy, PartialEq)]
enum Parts {
    Keys,
    Values,
    Both,
}

/// How the items are had.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Value,
    Reference,
    Change,
}

/// The beginning of a chain, the last method of which is in front.
struct Beginning<'e> {
    parts: Parts,
    by: By,
    /// The same of the map to places.
    places: syn::Expr,
    after: Vec<&'e syn::ExprMethodCall>,
}

impl Rewrite<'_> {
    pub(super) fn begins_walk(&self, e: &syn::Expr) -> bool {
        self.beginning(e).is_some()
    }

    fn beginning<'e>(&self, e: &'e syn::Expr) -> Option<Beginning<'e>> {
        let places = &self.pair.places;
        let (mut after, mut inner) = (Vec::new(), e);
        loop {
            if let syn::Expr::Path(_) | syn::Expr::Reference(_) = strip(inner)
                && self.pair.is_named(inner)
            {
                let by = match strip(inner) {
                    syn::Expr::Reference(r) if r.mutability.is_some() => By::Change,
                    syn::Expr::Reference(_) => By::Reference,
                    _ => self.by_name(),
                };
                if !after.is_empty() {
                    return None;
                }
                let places = match by {
                    By::Value => parse_quote!(#places),
                    _ => parse_quote!(&#places),
                };
                let parts = Parts::Both;
                return Some(Beginning {
                    parts,
                    by,
                    places,
                    after,
                });
            }
            let m = as_method(inner)?;
            inner = &m.receiver;
            if !self.pair.is_named(inner) {
                after.push(m);
                continue;
            }
            // `for (k, v) in map.clone()` only reads
            let args = &m.args;
            let (parts, by, name) = match &*m.method.to_string() {
                "keys" => (Parts::Keys, By::Reference, "keys"),
                "into_keys" => (Parts::Keys, By::Value, "into_keys"),
                "values" => (Parts::Values, By::Reference, "values"),
                "values_mut" => (Parts::Values, By::Change, "values"),
                "into_values" => (Parts::Values, By::Value, "into_values"),
                "iter" => (Parts::Both, By::Reference, "iter"),
                "range" => (Parts::Both, By::Reference, "range"),
                "iter_mut" => (Parts::Both, By::Change, "iter"),
                "range_mut" => (Parts::Both, By::Change, "range"),
                "into_iter" | "drain" if self.is_behind_reference(inner) => return None,
                "into_iter" => match self.by_name() {
                    By::Value => (Parts::Both, By::Value, "into_iter"),
                    by => (Parts::Both, by, "iter"),
                },
                "clone" if after.is_empty() => (Parts::Both, By::Value, "clone"),
                _ => return None,
            };
            let name = syn::Ident::new(name, m.method.span());
            let places = parse_quote!(#places.#name(#args));
            return Some(Beginning {
                parts,
                by,
                places,
                after,
            });
        }
    }

    /// How a name of the map is moved.
    fn by_name(&self) -> By {
        match self.pair.reference {
            None => By::Value,
            Some(false) => By::Reference,
            Some(true) => By::Change,
        }
    }

    fn is_behind_reference(&self, e: &syn::Expr) -> bool {
        !matches!(strip(e), syn::Expr::Path(_))
    }

    /// The value at the place `__at` of the values.
    fn value_at(by: By, values: &syn::Ident) -> syn::Expr {
        match by {
            By::Value => parse_quote!(#values[__at]),
            By::Reference => parse_quote!(&#values[*__at]),
            By::Change => parse_quote!(&mut #values[*__at]),
        }
    }

    /// `for (k, v) in map.clone() { .. }`, if the loop changes the map: the values that it reads are copied before.
    pub(super) fn looped_copy(&mut self, f: &syn::ExprForLoop) -> Option<syn::Expr> {
        let is_copied = matches!(strip(&f.expr), syn::Expr::MethodCall(m)
            if m.method == "clone" && self.pair.is_named(&m.receiver));
        if self.pair.is_deque || !is_copied || !self.mentions_in(Node::Block(&f.body)) {
            return None;
        }
        let (values, mut looped) = (&self.pair.values, f.clone());
        let copy = syn::Ident::new("__copied", values.span());
        self.loop_over(&mut looped, &copy);
        Some(parse_quote!({ let #copy = #values.clone(); #looped }))
    }

    /// A loop over items.
    pub(super) fn looped(&mut self, f: &mut syn::ExprForLoop) {
        let moves = self.beginning(&f.expr).is_some_and(|of| of.by == By::Value);
        // of what is moved, values are read when it is their turn
        if self.pair.is_deque || !(moves && self.mentions_in(Node::Block(&f.body))) {
            let values = self.pair.values.clone();
            self.loop_over(f, &values);
        }
    }

    fn loop_over(&mut self, f: &mut syn::ExprForLoop, values: &syn::Ident) {
        if self.pair.is_deque {
            if let Some(items) = self.pair.items(&f.expr) {
                *f.expr = items;
            }
            return;
        }
        let Some(Beginning {
            parts,
            by,
            places,
            after,
        }) = self.beginning(&f.expr)
        else {
            return;
        };
        let mut items = places;
        for m in after.iter().rev() {
            let mut next = (*m).clone();
            *next.receiver = items;
            items = next.into();
        }
        if parts == Parts::Keys {
            *f.expr = items;
            return;
        }
        let keeps = ["enumerate", "rev", "skip", "step_by", "take"];
        let is_kept = |m: &&syn::ExprMethodCall| keeps.iter().any(|name| m.method == name);
        if !after.iter().all(is_kept) {
            return;
        }
        let mut pat = &mut *f.pat;
        for m in &after {
            if m.method == "enumerate" {
                pat = match pat {
                    syn::Pat::Tuple(t) if t.elems.len() == 2 => &mut t.elems[1],
                    _ => return,
                };
            }
        }
        let own = match parts {
            Parts::Both => match pat {
                syn::Pat::Tuple(t) if t.elems.len() == 2 => &mut t.elems[1],
                _ => return,
            },
            _ => pat,
        };
        let own = std::mem::replace(own, parse_quote!(__at));
        let value = Self::value_at(by, values);
        *f.expr = items;
        f.body.stmts.insert(0, parse_quote!(let #own = #value;));
    }

    /// A chain of an iterator over the map.
    pub(super) fn chain(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let Beginning {
            parts,
            by,
            places,
            after,
        } = self.beginning(e)?;
        let mut items = places;
        let value = Self::value_at(by, &self.pair.values);
        let is_root = match parts {
            _ if by == By::Change => return None,
            Parts::Keys => false,
            Parts::Values => {
                items = parse_quote!(#items.map(|__at| #value));
                false
            }
            Parts::Both if self.pair.has_numbers => {
                items = parse_quote!(#items.map(|(__key, __at)| (__key, #value)));
                false
            }
            Parts::Both => true,
        };
        let mut pairs = is_root;
        for (k, m) in after.iter().enumerate().rev() {
            let mut next = (*m).clone();
            if pairs {
                pairs = self.with_pairs(&mut next, by)?;
                let then = k.checked_sub(1).map(|k| after[k].method.to_string());
                if next.method == "map" && then.is_some_and(|of| of == "sum" || of == "product") {
                    dereference(&mut next);
                }
            }
            *next.receiver = items;
            items = next.into();
        }
        (!pairs).then_some(items)
    }

    /// A method that is given pairs of keys and places; whether it gives such.
    fn with_pairs(&self, m: &mut syn::ExprMethodCall, by: By) -> Option<bool> {
        let (argument, borrows, gives) = match &*m.method.to_string() {
            "rev" | "skip" | "take" | "step_by" => return Some(true),
            "count" => return Some(false),
            "filter" => (0, true, true),
            "all" | "any" | "filter_map" | "flat_map" | "for_each" | "map" => (0, false, false),
            "fold" => (1, false, false),
            _ => return None,
        };
        let Some(syn::Expr::Closure(c)) = m.args.iter_mut().nth(argument) else {
            return None;
        };
        let pat = match c.inputs.last_mut()? {
            syn::Pat::Type(t) => &mut *t.pat,
            pat => pat,
        };
        let (pat, borrows) = match pat {
            syn::Pat::Reference(r) if borrows => (&mut *r.pat, false),
            pat => (pat, borrows),
        };
        let syn::Pat::Tuple(t) = pat else { return None };
        if t.elems.len() != 2 {
            return None;
        }
        let own = std::mem::replace(&mut t.elems[1], parse_quote!(__at));
        let values = &self.pair.values;
        let value: syn::Expr = match (borrows, by) {
            (false, by) => Self::value_at(by, &self.pair.values),
            (true, By::Value) => parse_quote!(&#values[*__at]),
            (true, _) => parse_quote!(&&#values[**__at]),
        };
        let body = &c.body;
        *c.body = parse_quote!({ let #own = #value; #body });
        Some(gives)
    }
}

/// `map(|(_, v)| { let v = &values[at]; v })`, whose items are summed, as one that gives numbers.
fn dereference(map: &mut syn::ExprMethodCall) {
    if let Some(syn::Expr::Closure(c)) = map.args.first_mut()
        && let syn::Expr::Block(b) = &mut *c.body
        && let [
            syn::Stmt::Local(own),
            syn::Stmt::Expr(e @ syn::Expr::Path(_), None),
        ] = &mut b.block.stmts[..]
        && own.pat.to_token_stream().to_string() == e.to_token_stream().to_string()
    {
        *e = parse_quote!(*#e);
    }
}
