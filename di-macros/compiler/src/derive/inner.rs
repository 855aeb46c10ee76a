//! Structs in the fields of a derived struct: each has a name of its own, which stands for nothing if it is not
//! derived. Then rustc says so once, and no more of what is made of it.

use super::field::{is_copied, is_passive, struct_path, vec_element};
use crate::symbol;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// A struct, as it is written, and its other name.
pub(super) struct Inner {
    name: Ident,
    path: syn::Type,
    /// It stands in a list of arguments, as of `Vec`: of one that is not there rustc has more to say then.
    is_argument: bool,
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
        let is_argument = matches!(&f.ty, syn::Type::Path(path) if vec_element(path).is_some());
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
        let path = std::mem::replace(ty, syn::parse_quote!(#name));
        if !is_known {
            found.push(Inner {
                name,
                path,
                is_argument,
                outer: own.clone(),
            });
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
        syn::Type::Array(a) => Some(&mut *a.elem).filter(|t| is_struct(t)),
        syn::Type::Path(path) => {
            let is_one = vec_element(path).is_some_and(is_struct);
            let last = path.path.segments.last_mut().filter(|_| is_one)?;
            match &mut last.arguments {
                syn::PathArguments::AngleBracketed(args) => match args.args.first_mut()? {
                    syn::GenericArgument::Type(t) => Some(t),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_struct(ty: &syn::Type) -> bool {
    struct_path(ty).is_some() && !is_copied(ty) && !is_passive(ty)
}

/// Whether a type is a name of one letter.
fn is_letter(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.get_ident().is_some_and(|i| i.to_string().len() == 1))
}

impl Inner {
    /// type __P0 = Layer;
    /// type __Q0 = __P0;   if it is derived
    pub(super) fn item(&self, rt: &TokenStream) -> TokenStream {
        let Inner { name, path, .. } = self;
        let at = path.span();
        let (check, written) = (
            format_ident!("__DERIVED{name}"),
            format_ident!("__P{name}", span = name.span()),
        );
        let (own, k) = (&self.outer, symbol::hash(&name.to_string()));
        let none = quote_spanned!(own.span()=> <>);
        let whole = path;
        let path = match self.is_argument {
            true => quote!(#rt::Itself<#path>),
            false => path.to_token_stream(),
        };
        let asked = quote_spanned!(at=> #rt::derived::<#written>());
        let known = quote_spanned!(at=> <#rt::Sound<{ #check }> as #rt::If<(#written)>>::Then);
        // of a name of one letter rustc has more to say, and in impls alone the same
        let named = match is_letter(whole) {
            true => quote!(
                impl #none #rt::Named<#k> for #own {
                    type Type = #rt::Itself<#whole>;
                }
                type #written = <#own as #rt::Named<#k>>::Type;
            ),
            false => quote!(type #written #none = #path;),
        };
        quote!(
            #named
            const #check: usize = {
                #asked;
                0
            };
            type #name = #known;
        )
    }
}
