//! Structs in the fields of a derived struct: each has a name of its own, which stands for nothing if it is not
//! derived. Then rustc says so once, and no more of what is made of it.

use super::field::{is_copied, is_passive, struct_in_row, struct_path};
use crate::lower::vec_element;
use crate::template::{parse_quote, quote};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::spanned::Spanned;

/// A struct, as it is written, and its other name.
pub(super) struct Inner {
    name: Ident,
    path: syn::Type,
    /// The struct with the field. Rustc may speak of its parameters.
    outer: Ident,
}

/// Gives the structs in the fields other names. Those of a generic struct keep theirs: they may depend on its
/// parameters, which no constant can.
pub(super) fn name_structs(input: &mut syn::DeriveInput) -> Vec<Inner> {
    let mut found: Vec<Inner> = Vec::new();
    let own = input.ident.clone();
    let syn::Data::Struct(data) = &mut input.data else {
        return found;
    };
    if !input.generics.params.is_empty() {
        return found;
    }
    for f in &mut data.fields {
        let constant = f.attrs.iter().any(|a| a.path().is_ident("constant"));
        let Some(ty) = struct_in(&mut f.ty).filter(|_| !constant) else {
            continue;
        };
        let text = ty.to_token_stream().to_string();
        if own == text || text == "Self" {
            continue;
        }
        let known = found
            .iter()
            .find(|i| i.path.to_token_stream().to_string() == text);
        let name = match known {
            Some(inner) => inner.name.clone(),
            None => {
                let at = Span::call_site().located_at(ty.span());
                format_ident!("__Q{}", found.len(), span = at)
            }
        };
        let is_known = known.is_some();
        let path = std::mem::replace(ty, parse_quote!(#name));
        if !is_known {
            let outer = own.clone();
            found.push(Inner { name, path, outer });
        }
    }
    found
}

/// The part of a type that may be a derived struct.
fn struct_in(ty: &mut syn::Type) -> Option<&mut syn::Type> {
    if is_copied(ty) || is_passive(ty) {
        return None;
    }
    if struct_path(ty).is_some() {
        return Some(ty);
    }
    match ty {
        syn::Type::Array(a) if is_row(&a.elem) => struct_in(&mut a.elem),
        syn::Type::Path(path) if vec_element(path).is_some_and(is_row) => {
            match &mut path.path.segments.last_mut()?.arguments {
                syn::PathArguments::AngleBracketed(args) => match args.args.first_mut()? {
                    syn::GenericArgument::Type(t) => struct_in(t),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether this is a struct, or an array of such.
fn is_row(ty: &syn::Type) -> bool {
    struct_in_row(ty).is_some() && !is_copied(ty) && !is_passive(ty)
}

impl Inner {
    /// type __P0 = Layer;
    /// type __Q0 = __P0;   if it is derived
    pub(super) fn item(&self, rt: &TokenStream) -> TokenStream {
        let Inner { name, path, outer } = self;
        let check = format_ident!("__DERIVED{name}");
        let written = format_ident!("__P{name}", span = name.span());
        let none = quote_spanned!(outer.span()=> <>);
        let asked = quote_spanned!(path.span()=> #rt::derived::<#written>());
        let known =
            quote_spanned!(path.span()=> <#rt::Sound<{ #check }> as #rt::If<(#written)>>::Then);
        quote!(
            type #written #none = #path;
            const #check: usize = {
                #asked;
                0
            };
            type #name = #known;
        )
    }
}
