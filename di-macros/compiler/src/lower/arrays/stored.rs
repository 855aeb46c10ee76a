//! Arrays in fields of derived structs: to the rest of the compiler a struct of the runtime, of the elements and the
//! lengths.

use super::array::{Array, bare, strip};
use super::kinds::{self, Kind, Stored};
use super::{Flat, Owner};
use crate::lower::types::element;
use crate::template::parse_quote;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

impl Flat<'_> {
    /// The array in a field of a derived struct that is differentiated.
    pub(super) fn stored_kind(&self, e: &syn::Expr) -> Option<Kind> {
        self.kind_of(e).filter(|kind| self.is_stored(kind, e))
    }

    pub(super) fn is_stored(&self, kind: &Kind, e: &syn::Expr) -> bool {
        kind.is_stored && self.owner_of(e) != Owner::Constant
    }

    /// Such an array: the elements and the lengths are fields of it.
    pub(super) fn stored_array(&mut self, e: &syn::Expr, kind: &Kind) -> Option<Array> {
        self.is_changed = true;
        let place = self.steady_place(bare(e))?;
        let dims = match kind.rank {
            1 => vec![parse_quote!(#place.data.len())],
            _ => [parse_quote!(rows), parse_quote!(columns)]
                .map(|length: syn::Ident| {
                    let n = self.name("n");
                    self.before
                        .push(parse_quote!(let #n: usize = #place.#length;));
                    parse_quote!(#n)
                })
                .into(),
        };
        Some(Array::whole(parse_quote!(#place.data), dims, false))
    }

    /// A place that stays the same if it is read again.
    pub(super) fn steady_place(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        match bare(e) {
            e @ syn::Expr::Path(_) => Some(e.clone()),
            syn::Expr::Field(f) => {
                let (base, member) = (self.steady_place(&f.base)?, &f.member);
                Some(parse_quote!(#base.#member))
            }
            syn::Expr::Index(i) => {
                let base = self.steady_place(&i.expr)?;
                let index = self.bounded(&i.index);
                let index = self.atom("k", index);
                Some(parse_quote!(#base[#index]))
            }
            e => {
                let (list, part) = part_of_list(e)?;
                let base = self.steady_place(list)?;
                let index = match part {
                    Part::First => parse_quote!(0),
                    Part::Last => parse_quote!(#base.len() - 1),
                    Part::At(k) => self.bounded(k),
                };
                let index = self.atom("k", index);
                Some(parse_quote!(#base[#index]))
            }
        }
    }

    /// An array as a field of a derived struct holds it.
    pub(super) fn stored_value(&mut self, e: &syn::Expr, kind: &Kind) -> Option<syn::Expr> {
        self.is_changed = true;
        let array = self.array(e)?;
        if array.exclusive {
            // what is written to it has to reach the array
            self.refuse(e, &crate::error::ARRAY_PLACE);
            return None;
        }
        if array.rank() != kind.rank {
            self.cx.mismatch();
            return None;
        }
        let array = match array.owned {
            true => array,
            false => self.copied(&array),
        };
        let stored = Stored::of(kind.rank, &kind.element)?;
        let (path, base) = (stored.path(&self.rt.to_token_stream()), &array.base);
        Some(match array.dims.as_slice() {
            [m, n] => parse_quote!(#path { data: #base, rows: #m, columns: #n }),
            _ => parse_quote!(#path { data: #base }),
        })
    }

    /// A struct, with arrays in its fields.
    pub(super) fn struct_of(&mut self, s: &syn::ExprStruct) -> syn::Expr {
        let (path, mut new) = (s.path.to_token_stream().to_string(), s.clone());
        for field in &mut new.fields {
            let name = field.member.to_token_stream().to_string();
            let ty = self.env.field(&path, name.trim_start_matches("r#"));
            field.colon_token = field.colon_token.or(Some(Default::default()));
            field.expr = self.value_of_type(&field.expr, ty.as_ref());
        }
        if let Some(rest) = &mut new.rest {
            **rest = self.bounded(rest);
        }
        syn::Expr::Struct(new)
    }

    /// The same of a struct whose fields have numbers; `None` if it is none.
    pub(super) fn made_by_call(&mut self, c: &syn::ExprCall) -> Option<syn::Expr> {
        let syn::Expr::Path(p) = strip(&c.func) else {
            return None;
        };
        let path = p.path.to_token_stream().to_string();
        self.env
            .field(&path, "0")
            .filter(|_| self.env.is_struct(&path))?;
        let mut new = c.clone();
        for (k, arg) in new.args.iter_mut().enumerate() {
            let ty = self.env.field(&path, &k.to_string());
            *arg = self.value_of_type(arg, ty.as_ref());
        }
        Some(syn::Expr::Call(new))
    }

    /// A value that a field or a list with elements of this type holds.
    pub(super) fn value_of_type(&mut self, e: &syn::Expr, ty: Option<&syn::Type>) -> syn::Expr {
        let Some(ty) = ty.filter(|ty| kinds::within(ty)) else {
            return self.bounded(e);
        };
        if let Some(kind) = kinds::read(ty).filter(|kind| kind.is_stored) {
            let value = self.stored_value(e, &kind);
            return value.unwrap_or_else(|| e.clone());
        }
        let of = element(ty);
        match (of, listed(e)) {
            (Some(of), None) => self.list_of(e, ty, of),
            (Some(of), Some(list)) => {
                let list: Vec<syn::Expr> = (list.iter())
                    .map(|e| self.value_of_type(e, Some(of)))
                    .collect();
                match strip(e) {
                    syn::Expr::Macro(_) => parse_quote!(vec![#(#list),*]),
                    _ => parse_quote!([#(#list),*]),
                }
            }
            _ => self.bounded(e),
        }
    }
}

/// Which element of a list.
pub(super) enum Part<'e> {
    First,
    Last,
    At(&'e syn::Expr),
}

/// `ws.last().unwrap()`: the list and which of its elements this is.
pub(super) fn part_of_list(e: &syn::Expr) -> Option<(&syn::Expr, Part<'_>)> {
    let syn::Expr::MethodCall(m) = strip(e) else {
        return None;
    };
    let syn::Expr::MethodCall(of) = strip(&m.receiver) else {
        return None;
    };
    let part = match (of.method.to_string().as_str(), of.args.first()) {
        ("first" | "first_mut", None) => Part::First,
        ("last" | "last_mut", None) => Part::Last,
        ("get" | "get_mut", Some(k)) => Part::At(k),
        _ => return None,
    };
    (m.method == "unwrap" || m.method == "expect").then_some((&*of.receiver, part))
}

/// The elements of `vec![a, b]` and `[a, b]`.
pub(super) fn listed(e: &syn::Expr) -> Option<Vec<syn::Expr>> {
    match strip(e) {
        syn::Expr::Array(a) => Some(a.elems.iter().cloned().collect()),
        syn::Expr::Macro(m) if m.mac.path.is_ident("vec") => {
            let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
            let list = list.parse2(m.mac.tokens.clone()).ok()?;
            Some(list.into_iter().collect())
        }
        _ => None,
    }
}
