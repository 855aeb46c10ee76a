//! Trait objects of an annotated module. All types behind `&dyn Trait` are known there, if the trait has one impl
//! block for each, so that a call of a method is a choice between calls of theirs:
//!
//! ```text
//! payoff.value(s)   =>   match payoff.__which() {
//!                            0usize => { let __object: &Put = payoff.__as_Put(); __object.value(s) }
//!                            ..
//!                        }
//! ```

use super::traits::Traits;
use crate::lower::environment::speaks_of_floats;
use crate::symbol::{cast, object};
use crate::template::{parse_quote, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

/// A trait, and the types that have it.
pub(super) struct Objects<'a> {
    of_trait: &'a syn::ItemTrait,
    types: Vec<&'a Ident>,
}

impl<'a> Objects<'a> {
    /// The traits of a module of which there are objects.
    pub(super) fn of(items: &'a [syn::Item]) -> Vec<Objects<'a>> {
        let text: TokenStream = items.iter().map(ToTokens::to_token_stream).collect();
        let named = after_dyn(text);
        let traits = items.iter().filter_map(|item| match item {
            syn::Item::Trait(t) if t.generics.params.is_empty() && takes_values(t) => Some(t),
            _ => None,
        });
        let used = traits.filter(|t| named.iter().any(|name| t.ident == name));
        used.filter_map(|of_trait| Objects::among(of_trait, items))
            .collect()
    }

    /// None if not all of its types are known.
    fn among(of_trait: &'a syn::ItemTrait, items: &'a [syn::Item]) -> Option<Objects<'a>> {
        let types = types_with(of_trait, items)?;
        (!types.is_empty()).then_some(Objects { of_trait, types })
    }

    /// The trait that its types have beside it.
    fn hidden(&self) -> Ident {
        object(&self.of_trait.ident.to_string())
    }

    /// That trait without bodies, as others know it.
    pub(super) fn signature(&self) -> TokenStream {
        let (name, types) = (self.hidden(), &self.types);
        let casts = types.iter().map(|ty| cast(&ty.to_string()));
        quote!(trait #name { #(fn #casts(&self) -> &#types;)* })
    }

    /// That trait and its impls.
    fn items(&self) -> TokenStream {
        let (name, types) = (self.hidden(), &self.types);
        let casts: Vec<Ident> = types.iter().map(|ty| cast(&ty.to_string())).collect();
        let message = format!(
            "`{}` is implemented outside of its annotated module",
            self.of_trait.ident
        );
        let numbers = 0..types.len();
        quote! {
            #[doc(hidden)]
            #[allow(warnings, clippy::all)]
            #[diagnostic::on_unimplemented(
                message = #message,
                note = "there are trait objects of it in the module, which has to know all of their types: move the `impl` block there"
            )]
            pub trait #name {
                fn __which(&self) -> ::core::primitive::usize;
                #(fn #casts(&self) -> &#types { ::core::unreachable!() })*
            }
            #(
                #[allow(warnings, clippy::all)]
                impl #name for #types {
                    fn __which(&self) -> ::core::primitive::usize { #numbers }
                    fn #casts(&self) -> &#types { self }
                }
            )*
        }
    }
}

/// The types that have a trait. None if not all of them are known.
pub(super) fn types_with<'a>(
    of_trait: &syn::ItemTrait,
    items: &'a [syn::Item],
) -> Option<Vec<&'a Ident>> {
    let mut types = Vec::new();
    for item in items {
        let syn::Item::Impl(block) = item else {
            continue;
        };
        let last = block.trait_.as_ref().and_then(|t| t.1.segments.last());
        if last.is_none_or(|last| last.ident != of_trait.ident) {
            continue;
        }
        let syn::Type::Path(owner) = &*block.self_ty else {
            return None;
        };
        let is_conditional = block.attrs.iter().any(|a| a.path().is_ident("cfg"));
        if is_conditional || !block.generics.params.is_empty() {
            return None;
        }
        types.push(owner.path.get_ident()?);
    }
    Some(types)
}

/// A trait as it is written, and what stands beside it if there are objects of it.
pub(super) fn original(of_trait: &syn::ItemTrait, objects: &[Objects<'_>]) -> TokenStream {
    let mut original = Traits::original(of_trait);
    let own = objects.iter().find(|o| o.of_trait.ident == of_trait.ident);
    let items = own.map(|own| {
        let name = own.hidden();
        original.colon_token.get_or_insert_default();
        original.supertraits.push(parse_quote!(#name));
        own.items()
    });
    quote!(#original #items)
}

/// Whether a method is given what may be differentiated. Of other traits there may be types anywhere.
fn takes_values(of_trait: &syn::ItemTrait) -> bool {
    let holds_values = |input: &syn::FnArg| match input {
        syn::FnArg::Typed(p) => {
            let text = p.ty.to_token_stream().to_string();
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_type = |word: &str| word.starts_with(char::is_uppercase) && word != "String";
            speaks_of_floats(&p.ty) || words.any(is_type)
        }
        syn::FnArg::Receiver(_) => false,
    };
    let gives_values = |f: &syn::TraitItemFn| {
        matches!(f.sig.output, syn::ReturnType::Type(..)) && f.sig.inputs.iter().any(holds_values)
    };
    let mut items = of_trait.items.iter();
    items.any(|item| matches!(item, syn::TraitItem::Fn(f) if gives_values(f)))
}

/// The words behind `dyn`.
pub(super) fn after_dyn(tokens: TokenStream) -> Vec<String> {
    let (mut found, mut is_dyn) = (Vec::new(), false);
    for tree in tokens {
        match tree {
            proc_macro2::TokenTree::Ident(word) => {
                if is_dyn {
                    found.push(word.to_string());
                }
                is_dyn = word == "dyn";
            }
            proc_macro2::TokenTree::Group(group) => {
                found.extend(after_dyn(group.stream()));
                is_dyn = false;
            }
            _ => is_dyn = false,
        }
    }
    found
}
