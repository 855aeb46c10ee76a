//! Methods of constants that take a closure, which may read what is differentiated. Which method it is follows from the
//! type of the constant, if that is written, or from what std calls it.

use super::Reader;
use super::expr::{as_method, strip};
use super::iter::item_of;
use super::known::is_scalar;
use super::lifted::behind_references;
use super::of_std::{Seen, item_type};
use super::search::searched;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{By, Expr, Iter, Kind, Step};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use proc_macro2::Span;
use quote::ToTokens;

/// Methods of std whose results are options, whatever they are of.
const OPTIONS: [&str; 19] = [
    "checked_add",
    "checked_mul",
    "checked_sub",
    "find",
    "find_map",
    "first",
    "get",
    "last",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "next",
    "next_back",
    "nth",
    "position",
    "reduce",
    "split_first",
    "split_last",
];

/// Collections of std whose items have no index.
const WITHOUT_INDEX: [&str; 6] = [
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "LinkedList",
];

/// Methods of texts and collections of std that return iterators.
const ITERATORS: [&str; 19] = [
    "chars",
    "char_indices",
    "bytes",
    "lines",
    "split",
    "splitn",
    "rsplit",
    "split_terminator",
    "split_inclusive",
    "split_whitespace",
    "split_ascii_whitespace",
    "matches",
    "keys",
    "values",
    "into_keys",
    "into_values",
    "union",
    "intersection",
    "difference",
];

impl Reader<'_> {
    /// `TABLE.map(|row| ..)`, `points.first().map(|p| ..)`, `flag.then(|| ..)` of a constant in simpler words: `None`
    /// of other methods.
    pub(super) fn mapped_constant(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: &Expr,
    ) -> Option<Expr> {
        let ty = self.types.peel(&receiver.ty);
        let is_constant = match &ty {
            Ty::Var(_) => {
                let traits = self.types.traits(&ty).unwrap_or_default();
                traits.foreign && !(traits.integer || traits.refused)
            }
            Ty::Opaque(_) | Ty::Slice(_) => matches!(receiver.kind, Kind::Passive(_)),
            _ => false,
        };
        if !is_constant {
            return None;
        }
        let (v, args) = (&m.receiver, m.args.iter().collect::<Vec<_>>());
        let name = m.method.to_string();
        if matches!(&*name, "then" | "then_some") && matches!(ty, Ty::Var(_)) {
            self.unify(&ty, &Ty::Bool, receiver.span);
            return None;
        }
        if let ("partition_point" | "binary_search_by", [f]) = (&*name, &args[..])
            && self.may_be_active(f)
        {
            return Some(self.expr(&searched(v, &name, f)));
        }
        let written = self.result_as_written(v).map(|ty| self.env.expanded(&ty));
        let written = written.as_ref().map(behind_references);
        if let (Some(syn::Type::Array(array)), "map", [f]) = (written, &*name, &args[..]) {
            let n = Tokens(types::length(&array.len));
            return Some(self.made_of(&n, &parse_quote!(#v.iter().copied()), f));
        }
        let is_option = match written {
            Some(of) => types::is_option(of),
            None => {
                matches!(strip(v), syn::Expr::MethodCall(m) if OPTIONS.contains(&&*m.method.to_string()))
            }
        };
        if !is_option {
            return None;
        }
        let matched: syn::Expr = match (&*name, &args[..]) {
            ("map", [f]) => {
                parse_quote!(match #v { Some(__some) => Some((#f)(__some)), None => None })
            }
            ("filter", [f]) => {
                parse_quote!(match #v { Some(__some) if (#f)(&__some) => Some(__some), _ => None })
            }
            ("and_then", [f]) => {
                parse_quote!(match #v { Some(__some) => (#f)(__some), None => None })
            }
            ("map_or", [default, f]) => {
                parse_quote!(match #v { Some(__some) => (#f)(__some), None => #default })
            }
            ("map_or_else", [default, f]) => {
                parse_quote!(match #v { Some(__some) => (#f)(__some), None => (#default)() })
            }
            ("unwrap_or", [other]) if self.may_be_active(other) => {
                parse_quote!({
                    let __other = #other;
                    match #v { Some(__some) => __some, None => __other }
                })
            }
            ("unwrap_or_else", [f]) if self.may_be_active(f) => {
                parse_quote!(match #v { Some(__some) => __some, None => (#f)() })
            }
            _ => return None,
        };
        Some(self.expr(&matched))
    }

    /// What a method of a constant returns as an iterator: its items are collected first.
    /// `into`: it may as well be a sequence, unless its type is written.
    pub(super) fn collected(
        &mut self,
        e: &syn::Expr,
        base: &Expr,
        into: bool,
    ) -> Option<(Iter, Ty)> {
        let traits = self
            .types
            .traits(&self.types.peel(&base.ty))
            .unwrap_or_default();
        let is_call = matches!(strip(e), syn::Expr::MethodCall(_) | syn::Expr::Call(_));
        if !is_call || !traits.foreign || traits.integer || !matches!(base.kind, Kind::Passive(_)) {
            return None;
        }
        let written = self.result_as_written(e).as_ref().and_then(item_type);
        if into && written.is_none() {
            return None;
        }
        Some(self.items_of(e))
    }

    /// The items of a constant iterator, which go into a vector first.
    pub(super) fn items_of(&mut self, e: &syn::Expr) -> (Iter, Ty) {
        let span = e.extent();
        let written = self.result_as_written(e).as_ref().and_then(item_type);
        let written = written.or_else(|| match self.seen_among(e, &[]) {
            Some(Seen::Items(of)) => Some(self.env.expanded(&of)),
            _ => None,
        });
        let (e, written, by) = match written {
            Some(item) => with_numbers(e, item),
            None => (e.clone(), None, By::Value),
        };
        let item = self.foreign_part(written.as_ref());
        let value = self.passive(&parse_quote!(#e.collect::<Vec<_>>()), false);
        let ty = Ty::Vec(Box::new(item.clone()));
        self.unify(&value.ty, &ty, span);
        let name = format!("__items{}", self.locals.len());
        let local = self.bind(&name, false, ty.clone(), span);
        self.locals[local.0].once = true;
        let made = Step::bind(local, value);
        let base = Box::new(Expr::local(local, ty, span));
        let items = Iter::Seq { base, by };
        (Iter::After(vec![made], Box::new(items)), item_of(by, item))
    }
}

impl Reader<'_> {
    /// Whether this is a constant whose items have no index.
    pub(super) fn is_without_index(&mut self, e: &syn::Expr, base: &Expr) -> bool {
        let e = match strip(e) {
            syn::Expr::Reference(r) => strip(&r.expr),
            e => e,
        };
        let of = self.result_as_written(e).map(|ty| self.env.expanded(&ty));
        if let Some(syn::Type::Path(of)) = of.as_ref().map(behind_references) {
            let last = of.path.segments.last();
            return last.is_some_and(|last| WITHOUT_INDEX.iter().any(|name| last.ident == name))
                || self
                    .env
                    .passive(&of.to_token_stream().to_string(), "next")
                    .is_some();
        }
        matches!(e, syn::Expr::MethodCall(m)
            if matches!(base.kind, Kind::Passive(_)) && ITERATORS.iter().any(|name| m.method == name))
    }

    /// Whether a constant has such a method of its own, which returns an iterator.
    pub(super) fn returns_items(&self, m: &syn::ExprMethodCall) -> bool {
        let of = self.type_as_written(&m.receiver);
        of.is_some_and(|of| {
            let of = self.env.expanded(&of);
            let path = behind_references(&of).to_token_stream().to_string();
            let given = self.env.passive(&path, &m.method.to_string());
            given.as_ref().and_then(item_type).is_some()
        })
    }

    /// Whether the type of a constant is written, as that of a number.
    pub(super) fn is_number_as_written(&self, ty: &Ty) -> bool {
        let ty = self.types.shallow(ty);
        let written = match ty {
            Ty::Var(_) => self.types.written(&ty),
            _ => None,
        };
        let written = written.and_then(|tokens| syn::parse2::<syn::Type>(tokens.0.clone()).ok());
        written.is_some_and(|ty| matches!(ty, syn::Type::Path(_)) && is_scalar(&ty))
    }

    /// The type of a constant, also of what its methods return that are not differentiated.
    fn result_as_written(&mut self, e: &syn::Expr) -> Option<syn::Type> {
        if let Some(known) = self.made_type(e) {
            return Some(known);
        }
        let m = as_method(e)?;
        let of = self.result_as_written(&m.receiver)?;
        let of = self.env.expanded(behind_references(&of));
        let method = m.method.to_string();
        if method == "into_iter" && item_type(&of).is_some() {
            return Some(of);
        }
        let path = of.to_token_stream().to_string();
        if let ("into_iter", Some(syn::Type::Path(next))) =
            (&*method, self.env.passive(&path, "next"))
            && let [item] = types::arguments(&next.path)[..]
        {
            return Some(parse_quote!(impl Iterator<Item = #item>));
        }
        let known = self.env.passive(&path, &method);
        known.or_else(|| {
            let of = self.as_held(of, &m.receiver);
            let item = self.items_without_index(&of, m)?;
            Some(parse_quote!(impl Iterator<Item = #item>))
        })
    }
}

/// The lifetime of what an iterator gives as a reference and a list keeps as it is.
const OF_ITEM: &str = "'__item";

/// A reference as an iterator gives it.
fn given(ty: &syn::Type) -> syn::Type {
    match ty {
        syn::Type::Reference(r) => {
            let lifetime = Some(syn::Lifetime::new(OF_ITEM, Span::call_site()));
            syn::Type::Reference(syn::TypeReference {
                lifetime,
                ..r.clone()
            })
        }
        ty => ty.clone(),
    }
}

/// Whether a type is written as such a reference.
pub(super) fn is_given(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(r) if r.lifetime.as_ref().is_some_and(|l| l.to_string() == OF_ITEM))
}

/// Items with their numbers instead of references to these, or to what a collection by value has in their place; their
/// type, and how they are taken from a list: behind references, if there are such numbers.
fn with_numbers(e: &syn::Expr, item: syn::Type) -> (syn::Expr, Option<syn::Type>, By) {
    let number = |ty: &syn::Type| match ty {
        syn::Type::Reference(r) if is_scalar(&r.elem) || types::is_inferred(&r.elem) => {
            Some((*r.elem).clone())
        }
        _ => None,
    };
    // of a variable of the function rustc knows what it gives
    let read = |of: &syn::Type, item: &syn::Expr| -> syn::Expr {
        match types::is_inferred(of) {
            true => parse_quote!(*#item),
            false => parse_quote!(*::core::borrow::Borrow::<#of>::borrow(&#item)),
        }
    };
    if let Some(of) = number(&item) {
        let value = read(&of, &parse_quote!(__item));
        let copied = parse_quote!(#e.map(|__item| #value));
        return (copied, Some(of), By::Shared);
    }
    // of a set of pairs, references to these
    let (pair, is_behind) = match &item {
        syn::Type::Reference(r) => (&*r.elem, true),
        of => (of, false),
    };
    let is_number = |ty: &syn::Type| is_scalar(ty) || types::is_inferred(ty);
    let has_numbers = |pair: &syn::TypeTuple| pair.elems.iter().any(is_number);
    let pair = match pair {
        syn::Type::Tuple(pair) if !is_behind || has_numbers(pair) => pair,
        _ => return (e.clone(), Some(item), By::Value),
    };
    let (mut parts, mut types) = (Vec::<syn::Expr>::new(), Vec::new());
    for (k, ty) in pair.elems.iter().enumerate() {
        let k = syn::Index::from(k);
        let behind: syn::Type = parse_quote!(&#ty);
        let ty = if is_behind { &behind } else { ty };
        let of = number(ty);
        parts.push(match &of {
            Some(of) if !is_behind => read(of, &parse_quote!(__pair.#k)),
            Some(_) => parse_quote!(__pair.#k),
            None if is_behind => parse_quote!(&__pair.#k),
            None => parse_quote!(__pair.#k),
        });
        types.push(of.unwrap_or_else(|| given(ty)));
    }
    let whole = parse_quote!((#(#types),*));
    let by = match is_behind || pair.elems.iter().any(|ty| number(ty).is_some()) {
        true => By::Shared,
        false => By::Value,
    };
    (
        parse_quote!(#e.map(|__pair| (#(#parts),*))),
        Some(whole),
        by,
    )
}
