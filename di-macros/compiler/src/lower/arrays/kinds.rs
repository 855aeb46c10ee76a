//! Types of arrays as they are written.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// How an array is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// `Array1<f64>`
    Owned,
    /// `ArrayView1<f64>`, and what stands behind `&`.
    Shared,
    /// `ArrayViewMut1<f64>`, and what stands behind `&mut`.
    Mut,
}

/// A type of arrays.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) rank: usize,
    pub(super) held: Held,
    /// Behind a reference.
    pub(super) referred: bool,
    pub(super) element: syn::Type,
}

const NAMES: [(&str, usize, Held); 8] = [
    ("Array1", 1, Held::Owned),
    ("Array2", 2, Held::Owned),
    ("ArrayView1", 1, Held::Shared),
    ("ArrayView2", 2, Held::Shared),
    ("ArrayViewMut1", 1, Held::Mut),
    ("ArrayViewMut2", 2, Held::Mut),
    ("ArrayRef1", 1, Held::Owned),
    ("ArrayRef2", 2, Held::Owned),
];

/// Whether any name of an array occurs.
pub(super) fn mentions_arrays(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => NAMES.iter().any(|(name, ..)| i == name),
        TokenTree::Group(g) => mentions_arrays(&g.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Rank of the type with this name.
pub(super) fn rank_of_name(name: &syn::Ident) -> Option<usize> {
    let found = NAMES.iter().find(|(n, ..)| name == n);
    found.map(|(_, rank, _)| *rank)
}

/// Reads a type; `None` if it is no array of rank 1 or 2.
pub(super) fn read(ty: &syn::Type) -> Option<Kind> {
    match crate::lower::types::ungroup(ty) {
        syn::Type::Reference(r) => {
            let inner = read(&r.elem)?;
            let held = match inner.held {
                Held::Owned if r.mutability.is_some() => Held::Mut,
                Held::Owned => Held::Shared,
                Held::Mut if r.mutability.is_none() => Held::Shared,
                other => other,
            };
            (!inner.referred).then_some(Kind {
                held,
                referred: true,
                ..inner
            })
        }
        syn::Type::Path(p) if p.qself.is_none() => {
            let last = p.path.segments.last()?;
            let (_, rank, held) = NAMES.iter().find(|(n, ..)| last.ident == n)?;
            let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
                return None;
            };
            let mut types = args.args.iter().filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            });
            let element = types.next()?.clone();
            types.next().is_none().then_some(Kind {
                rank: *rank,
                held: *held,
                referred: false,
                element,
            })
        }
        _ => None,
    }
}

/// Whether a type speaks of arrays somewhere.
pub(super) fn within(ty: &syn::Type) -> bool {
    mentions_arrays(&ty.to_token_stream())
}
