//! Families of parameters and results, as the runtime names them.

use crate::ir::{ArrayPart, Mode, Param, Role, Tree, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

/// Tuples of families are implemented up to this length.
pub(super) const MOST_ACTIVE: usize = 6;

/// Family of a parameter; `None` for what operators do not take.
pub(super) fn argument_family(p: &Param, rt: &TokenStream) -> Option<TokenStream> {
    if let Some(ArrayPart::Elements { rank: 2, .. }) = &p.array {
        return Some(array_family(2, rt));
    }
    if p.array == Some(ArrayPart::Store) {
        return nested_family(&p.ty, rt);
    }
    match (&p.ty, p.mode) {
        // scratch has the struct's floats; passive fields are those of the example
        (ty @ Type::Struct(_), Mode::Mut) if p.role == Role::Cache => struct_family(ty, rt),
        // numbers and other structs behind `&mut` are for helpers
        (Type::Float, Mode::Mut) => None,
        (ty, Mode::Mut) if ty.is_structs() => None,
        (ty, _) => struct_family(ty, rt).or_else(|| family(ty, rt)),
    }
}

/// Family of derived structs, and of sequences of them.
pub(super) fn struct_family(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    if !ty.is_structs() || !ty.has_floats() {
        return None;
    }
    Some(match ty {
        Type::Slice(row) | Type::Vec(row) => {
            let row = super::structs::struct_path(row);
            quote!(#rt::Structs<#row>)
        }
        Type::Array(row, n) => {
            let (row, n) = (super::structs::struct_path(row), &n.0);
            quote!(#rt::StructArray<{ #n }, #row>)
        }
        strukt => {
            let path = super::structs::struct_path(strukt);
            quote!(#rt::Struct<#path>)
        }
    })
}

/// Family of arrays of `ndarray`.
pub(super) fn array_family(rank: usize, rt: &TokenStream) -> TokenStream {
    let dim = quote::format_ident!("Ix{rank}");
    quote!(#rt::Nd<#rt::#dim>)
}

fn family(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Float => Some(quote!(#rt::Number)),
        Type::Array(t, n) => {
            let (cell, n) = (cell(t, rt)?, &n.0);
            Some(quote!(#rt::Array<{ #n }, #cell>))
        }
        Type::Slice(t) | Type::Vec(t) => {
            let cell = cell(t, rt)?;
            Some(quote!(#rt::Slice<#cell>))
        }
        Type::Lane
        | Type::Int(_)
        | Type::Bool
        | Type::Struct(_)
        | Type::Lanes(_)
        | Type::Opaque(_) => None,
    }
}

/// Family of vectors of vectors, by the type of their elements.
pub(super) fn nested_family(store: &Type, rt: &TokenStream) -> Option<TokenStream> {
    let cell = cell(store.element()?, rt)?;
    Some(quote!(#rt::Vectors<#cell>))
}

/// What is known of an element.
fn cell(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Float => Some(quote!(#rt::One)),
        Type::Array(t, n) => {
            let (cell, n) = (cell(t, rt)?, &n.0);
            Some(quote!(#rt::Row<{ #n }, #cell>))
        }
        Type::Lane
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Struct(_)
        | Type::Lanes(_)
        | Type::Opaque(_) => None,
    }
}

/// Family of a result; `None` for `()` and for integers.
pub(super) fn result_family(ret: &Tree<Type>, rt: &TokenStream) -> Option<TokenStream> {
    match ret {
        Tree::Leaf(ty) => struct_family(ty, rt).or_else(|| family(ty, rt)),
        Tree::Tuple(parts) if (2..=MOST_ACTIVE).contains(&parts.len()) => {
            let parts = parts
                .iter()
                .map(|t| result_family(t, rt))
                .collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#parts,)*)))
        }
        Tree::Tuple(_) => None,
    }
}
