//! Closures that differentiate with what state holds, of methods that call them on each item: they are written as loops.
//!
//! ```text
//! rest.iter().map(|d| d.mg * x[0]).sum::<f64>()   =>   { let mut __list = Vec::new();
//!                                                        for d in rest.iter() { __list.push(d.mg * x[0]); }
//!                                                        __list.into_iter().sum::<f64>() }
//! pending.retain(|d| { s += x[0]; d.at > t })     =>   { let mut __was = std::mem::take(&mut pending);
//!                                                        for __item in __was { if { .. } { pending.push(__item); } } }
//! ```

use super::super::Reader;
use super::super::expr::{as_closure, as_method};
use crate::lower::state::Shape;
use crate::lower::ty::Ty;
use crate::template::parse_quote;
use crate::walk::{self, Node, Onward, untyped};
use proc_macro2::{Ident, Span};

/// What may follow a list of results: it looks at each of them.
const WHOLE: [&str; 14] = [
    "cloned",
    "collect",
    "copied",
    "count",
    "enumerate",
    "fold",
    "for_each",
    "map",
    "max_by",
    "min_by",
    "product",
    "reduce",
    "sum",
    "zip",
];

impl Reader<'_> {
    /// A chain of an iterator over state whose closures differentiate, as a loop over its items.
    pub(super) fn each_of_state(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if let Some(kept) = self.retained(e) {
            return Some(kept);
        }
        // the methods after the items, the last in front
        let mut after = Vec::new();
        let mut inner = e;
        let items = loop {
            let m = as_method(inner)?;
            after.push(m);
            inner = &m.receiver;
            if let Some(ty) = self.type_on_state(inner) {
                match self.shape(&ty)? {
                    Shape::Items(_) => break inner,
                    _ => return None,
                }
            }
        };
        let mut filters = Vec::new();
        while let Some(m) = after.pop() {
            let name = m.method.to_string();
            let closure = match (&*name, m.args.last()) {
                (_, Some(arg)) => plain_closure(arg)?,
                (_, None) => return None,
            };
            let pats: Vec<&syn::Pat> = closure.inputs.iter().map(untyped).collect();
            let body = &closure.body;
            let number = self.locals.len();
            let named = |of: &str| Ident::new(&format!("__{of}{number}"), Span::call_site());
            let (list, found) = (named("list"), named("found"));
            let looped = |pat: &syn::Pat, each: syn::Stmt| looped(items, &filters, pat, &each);
            match (&*name, &pats[..]) {
                ("filter", [pat]) => {
                    let pat = (*pat).clone();
                    filters.push(parse_quote!(if let #pat = &__item { #body } else { ::core::unreachable!() }));
                    continue;
                }
                ("map" | "filter_map", [pat]) => {
                    let mut rest = after.iter();
                    if !rest.all(|m| WHOLE.contains(&&*m.method.to_string())) {
                        return None;
                    }
                    let each: syn::Stmt = match &*name {
                        "map" => parse_quote!({ let __value = #body; #list.push(__value); }),
                        _ => parse_quote!(if let ::core::option::Option::Some(__value) = #body {
                            #list.push(__value);
                        }),
                    };
                    let looped = looped(pat, each);
                    let mut chain: syn::Expr = parse_quote!(#list.into_iter());
                    for m in after.iter().rev() {
                        let mut next = (*m).clone();
                        *next.receiver = chain;
                        chain = next.into();
                    }
                    return Some(parse_quote!({
                        let mut #list = ::std::vec::Vec::new();
                        #looped
                        #chain
                    }));
                }
                _ if !after.is_empty() => return None,
                ("fold", [sum, pat]) => {
                    let start = m.args.first()?;
                    let each = parse_quote!({ let #sum = #found; #found = #body; });
                    let looped = looped(pat, each);
                    return Some(parse_quote!({ let mut #found = #start; #looped #found }));
                }
                ("for_each", [pat]) => {
                    let looped = looped(pat, parse_quote!({ #body; }));
                    return Some(parse_quote!({ #looped }));
                }
                ("any", [pat]) => {
                    let each = parse_quote!(if #body { #found = true; break; });
                    let looped = looped(pat, each);
                    return Some(parse_quote!({ let mut #found = false; #looped #found }));
                }
                ("all", [pat]) => {
                    let each = parse_quote!(if !(#body) { #found = false; break; });
                    let looped = looped(pat, each);
                    return Some(parse_quote!({ let mut #found = true; #looped #found }));
                }
                _ => return None,
            }
        }
        None
    }

    /// `pending.retain(|d| ..)` of a closure that differentiates.
    fn retained(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let m = as_method(e)?;
        self.state_local(&m.receiver)?;
        let ty = self.type_on_state(&m.receiver)?;
        if m.method != "retain" {
            return None;
        }
        let put = match self.shape(&ty)? {
            Shape::List(_) if self.is_vector(&ty) => "push",
            Shape::List(_) => "push_back",
            Shape::Set(_) => "insert",
            _ => return None,
        };
        let closure = plain_closure(m.args.first()?)?;
        let pat = untyped(closure.inputs.first()?);
        let (body, of) = (&closure.body, &m.receiver);
        let put = Ident::new(put, Span::call_site());
        let was = Ident::new(&format!("__was{}", self.locals.len()), Span::call_site());
        let place: syn::Expr = match self.types.shallow(&ty) {
            Ty::Ref(..) => parse_quote!(*#of),
            _ => (**of).clone(),
        };
        Some(parse_quote!({
            let mut #was = ::std::mem::take(&mut #place);
            for __item in #was {
                let __keep = if let #pat = &__item { #body } else { ::core::unreachable!() };
                if __keep { #of.#put(__item); }
            }
        }))
    }
}

/// A loop over items that pass the filters.
fn looped(items: &syn::Expr, filters: &[syn::Expr], pat: &syn::Pat, each: &syn::Stmt) -> syn::Stmt {
    match filters {
        [] => parse_quote!(for #pat in #items { #each }),
        filters => parse_quote!(for __item in #items {
            #(let __keep = #filters; if !__keep { continue; })*
            if let #pat = __item { #each }
        }),
    }
}

/// A closure whose body can stand in a loop.
fn plain_closure(arg: &syn::Expr) -> Option<&syn::ExprClosure> {
    let c = as_closure(arg)?;
    let mut leaves = false;
    walk::read(Node::Expr(&c.body), &mut |node| match node {
        Node::Expr(syn::Expr::Return(_) | syn::Expr::Try(_)) => {
            leaves = true;
            Onward::Over
        }
        Node::Expr(syn::Expr::Closure(_)) => Onward::Over,
        _ => Onward::Into,
    });
    (!leaves).then_some(c)
}
