//! `impl From<Len> for f64`: nothing can be written beside a number, so the conversion is a method of the struct, whose
//! body stands in the place of its calls.
//!
//! ```text
//! impl From<Len> for f64 {                   impl Len {
//!     fn from(l: Len) -> Self { l.m }   =>       #[ad(in_place)]
//! }                                              fn __into_f64(self) -> f64 { let l: Len = self; l.m }
//!                                            }
//! ```

use super::marks::is_test;
use super::operators::Operator;
use crate::lower::{arguments, conversion, extension, is_integer_name, iterated, ungroup};
use crate::options;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::Span;

/// Traits of std whose methods have no derivatives, or are not called by their names.
const PLAIN_TRAITS: &[&str] = &[
    "Debug",
    "Deref",
    "DerefMut",
    "Display",
    "Drop",
    "Eq",
    "FromStr",
    "Hash",
    "IntoIterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Write",
];

/// Whether a block is that of a number, and no operator.
pub(super) fn is_of_number(block: &syn::ItemImpl) -> bool {
    let is_one = |name: &syn::Ident| {
        let name = name.to_string();
        ["f64", "f32", "bool"].contains(&&*name) || is_integer_name(&name)
    };
    matches!(ungroup(&block.self_ty), syn::Type::Path(p) if p.path.get_ident().is_some_and(is_one))
        && Operator::of(block).is_none()
}

/// The method of the struct, also of what it gives where it is iterated.
pub(super) fn as_method(item: &syn::Item) -> Option<syn::ItemImpl> {
    let syn::Item::Impl(block) = item else {
        return None;
    };
    if let Some(items) = iterated::as_method(block) {
        return Some(items);
    }
    let of = block.trait_.as_ref()?.1.segments.last()?;
    let arguments = arguments(&block.trait_.as_ref()?.1);
    let is_conversion = is_of_number(block) && of.ident == "From";
    let (true, [syn::ImplItem::Fn(f)], [from]) =
        (is_conversion, block.items.as_slice(), &arguments[..])
    else {
        return None;
    };
    let (owner, this): (_, syn::Receiver) = match ungroup(from) {
        syn::Type::Reference(r) => (&*r.elem, parse_quote!(&self)),
        owner => (owner, parse_quote!(self)),
    };
    let Some(syn::FnArg::Typed(p)) = f.sig.inputs.first() else {
        return None;
    };
    let number = &block.self_ty;
    let float = quote::ToTokens::to_token_stream(number).to_string();
    let name = syn::Ident::new(&conversion(&float), Span::call_site());
    let (pat, ty, mut body) = (&p.pat, &p.ty, f.block.clone());
    walk::change(NodeMut::Block(&mut body), &mut |node| {
        if let NodeMut::Path(path) = node
            && let Some(first) = path.segments.first_mut()
            && first.ident == "Self"
        {
            first.ident = syn::Ident::new(&float, first.ident.span());
        }
        Onward::Into
    });
    let (generics, lifetimes) = (&block.generics, &block.generics.where_clause);
    Some(parse_quote! {
        impl #generics #owner #lifetimes {
            #[ad(in_place)]
            fn #name(#this) -> #number {
                let #pat: #ty = self;
                #body
            }
        }
    })
}

/// Whether the functions of a block of a module are differentiated, but for those that are marked.
pub(super) fn is_differentiated_block(block: &syn::ItemImpl) -> bool {
    let is_plain = |path: &syn::Path| {
        let last = path.segments.last().map(|s| s.ident.to_string());
        last.is_some_and(|name| PLAIN_TRAITS.contains(&&*name))
    };
    !is_test(&block.attrs)
        && !is_of_number(block)
        && extension::owner(block).is_none()
        && !block.attrs.iter().any(options::is_skip)
        && !block.trait_.as_ref().is_some_and(|t| is_plain(&t.1))
        && block
            .generics
            .params
            .iter()
            .all(|p| !matches!(p, syn::GenericParam::Type(_)))
}
