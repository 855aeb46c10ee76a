//! Calls of functions that are generic over types and do not name them.

use crate::emit::Generics;
use crate::template::{parse_quote, quote};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// The functions of a type for a function that is generic over types, for calls that do not name them: the
/// types are parameters of the functions, and rustc infers them from the arguments.
///
/// `pub fn __primal<M: Model, S: ..>(..) -> .. { <__f_generic<M>>::__primal(..) }`
pub(super) fn forwards(code: &TokenStream, handle: &Ident, generics: &Generics) -> TokenStream {
    let code = without_bodies(code);
    let items = syn::parse2::<syn::ItemImpl>(quote!(impl __Code { #code }));
    let items = items.expect("code of our own is well-formed").items;
    let (types, of) = (generics.types(), generics.code(handle));
    let each = items.into_iter().filter_map(|item| match item {
        syn::ImplItem::Fn(f) if !f.sig.inputs.is_empty() => Some(f),
        _ => None,
    });
    each.map(|mut f| {
        let params = types.iter().map(|p| parse_quote!(#p));
        let params: Vec<syn::GenericParam> = params.collect();
        f.sig.generics.params.extend(params);
        let predicates = generics.predicates().iter().map(|p| parse_quote!(#p));
        let predicates: Vec<syn::WherePredicate> = predicates.collect();
        let bounds = &mut f.sig.generics.make_where_clause().predicates;
        bounds.extend(predicates);
        let (attrs, vis, sig, name) = (&f.attrs, &f.vis, &f.sig, &f.sig.ident);
        let args = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(t) => Some(&t.pat),
            syn::FnArg::Receiver(_) => None,
        });
        quote!(#(#attrs)* #vis #sig { <#of>::#name(#(#args),*) })
    })
    .collect()
}

/// Functions with nothing in them.
fn without_bodies(code: &TokenStream) -> TokenStream {
    let mut trees = code.clone().into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(tree) = trees.next() {
        // `Row<{ N }, T>` is no body
        let argument =
            matches!(trees.peek(), Some(TokenTree::Punct(p)) if matches!(p.as_char(), '>' | ','));
        match &tree {
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace && !argument => {
                out.extend(quote!({}));
            }
            _ => out.extend([tree]),
        }
    }
    out
}
