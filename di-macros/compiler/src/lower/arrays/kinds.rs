//! Types of arrays as they are written.

use crate::template::parse_quote;
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
    /// In a field of a derived struct: a struct of the runtime.
    pub(super) is_stored: bool,
}

/// An array in a field of a derived struct.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    name: &'static str,
    rank: usize,
    element: &'static str,
}

const STORED: [Stored; 4] = [
    Stored {
        name: "VectorOfF64",
        rank: 1,
        element: "f64",
    },
    Stored {
        name: "MatrixOfF64",
        rank: 2,
        element: "f64",
    },
    Stored {
        name: "VectorOfF32",
        rank: 1,
        element: "f32",
    },
    Stored {
        name: "MatrixOfF32",
        rank: 2,
        element: "f32",
    },
];

impl Stored {
    /// What the runtime calls it.
    pub(crate) fn path(self, rt: &TokenStream) -> syn::Type {
        let name = syn::Ident::new(self.name, proc_macro2::Span::call_site());
        parse_quote!(#rt::nd::#name)
    }

    /// The elements in row-major order, and the lengths.
    pub(crate) fn fields(self) -> syn::FieldsNamed {
        let element = syn::Ident::new(self.element, proc_macro2::Span::call_site());
        match self.rank {
            1 => parse_quote!({ pub data: Vec<#element> }),
            _ => {
                parse_quote!({ pub data: Vec<#element>, pub rows: usize, pub columns: usize })
            }
        }
    }

    /// Those that variables of a function may hold, by what it names.
    pub(super) fn named_in(tokens: &TokenStream, float: &str) -> Vec<Stored> {
        let all = STORED.into_iter().filter(|stored| stored.element == float);
        all.filter(|_| mentions_arrays(tokens)).collect()
    }

    /// That of these elements.
    pub(super) fn of(rank: usize, element: &syn::Type) -> Option<Stored> {
        let element = element.to_token_stream().to_string();
        let mut all = STORED.into_iter();
        all.find(|stored| stored.rank == rank && stored.element == element)
    }
}

/// How an array is stored in a field; nothing of other types.
pub(crate) fn stored_as(ty: &syn::Type) -> Option<Stored> {
    let kind = read(ty).filter(|kind| !kind.referred && !kind.is_stored)?;
    let is_array = kind.held == Held::Owned && is_array(ty);
    Stored::of(kind.rank, &kind.element).filter(|_| is_array)
}

/// `Array1`, `Array2`: no reference to the inside of one.
fn is_array(ty: &syn::Type) -> bool {
    let syn::Type::Path(p) = crate::lower::types::ungroup(ty) else {
        return false;
    };
    let last = p.path.segments.last();
    last.is_some_and(|s| s.ident == "Array1" || s.ident == "Array2")
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
        TokenTree::Ident(i) => {
            NAMES.iter().any(|(name, ..)| i == name) || STORED.iter().any(|s| i == s.name)
        }
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
            if let Some(stored) = STORED.iter().find(|stored| last.ident == stored.name) {
                let element = syn::Ident::new(stored.element, last.ident.span());
                return Some(Kind {
                    rank: stored.rank,
                    held: Held::Owned,
                    referred: false,
                    element: parse_quote!(#element),
                    is_stored: true,
                });
            }
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
                is_stored: false,
            })
        }
        _ => None,
    }
}

/// Whether a type speaks of arrays somewhere.
pub(super) fn within(ty: &syn::Type) -> bool {
    mentions_arrays(&ty.to_token_stream())
}
