//! `impl IntoIterator for &W`: what a struct gives where it is iterated. Its method is one of the struct, whose body
//! stands in the place of its calls.
//!
//! ```text
//! impl<'a> IntoIterator for &'a W {                  impl<'a> W {
//!     type Item = &'a f64;                               #[ad(in_place)]
//!     type IntoIter = Iter<'a, f64>;           =>        fn __items_ref(&'a self) -> impl Iterator<Item = &'a f64> {
//!     fn into_iter(self) -> Self::IntoIter {                 self.v.iter()
//!         self.v.iter()                                  }
//!     }                                              }
//! }
//! ```

use super::ungroup;
use crate::template::parse_quote;

/// The names of such methods: by value, by reference, and by a reference that may change what is behind it.
pub(super) const OWN: &str = "__items_own";
pub(super) const REF: &str = "__items_ref";
pub(super) const MUT: &str = "__items_mut";

/// Whether a method has one of these names.
pub(super) fn is_one(name: &syn::Ident) -> bool {
    [OWN, REF, MUT].iter().any(|own| name == own)
}

/// The block with the method; `None` of other blocks.
pub(crate) fn as_method(block: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let of = block.trait_.as_ref()?.1.segments.last()?;
    if of.ident != "IntoIterator" {
        return None;
    }
    let of_name = |name: &str| {
        block.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(ty) if ty.ident == name => Some(&ty.ty),
            _ => None,
        })
    };
    let method = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) if f.sig.ident == "into_iter" => Some(f),
        _ => None,
    })?;
    let (item, body) = (of_name("Item")?, &method.block);
    let mutable = method.sig.receiver()?.mutability;
    let (owner, this, name): (_, syn::Receiver, _) = match ungroup(&block.self_ty) {
        syn::Type::Reference(r) => {
            let (lifetime, mutable) = (&r.lifetime, &r.mutability);
            let name = if mutable.is_some() { MUT } else { REF };
            (&*r.elem, parse_quote!(&#lifetime #mutable self), name)
        }
        owner => (owner, parse_quote!(#mutable self), OWN),
    };
    let name = syn::Ident::new(name, method.sig.ident.span());
    let (attrs, generics, clause) = (&block.attrs, &block.generics, &block.generics.where_clause);
    Some(parse_quote! {
        #(#attrs)*
        impl #generics #owner #clause {
            #[ad(in_place)]
            fn #name(#this) -> impl Iterator<Item = #item> #body
        }
    })
}
