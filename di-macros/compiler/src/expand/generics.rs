//! Generic functions: which parameters their handles have.

use super::Origin;
use crate::emit::{Generics, Parameter};
use crate::error;
use crate::lower::ScalarName;
use crate::lower::extent::HasExtent;
use crate::report::Report;
use crate::template::{parse_quote, quote};
use crate::walk::{self, Node};
use quote::ToTokens;

/// The parameters of a function but for lifetimes; of a method after those of its block.
pub(super) fn generics_of(function: &syn::ItemFn, origin: &Origin<'_>) -> Generics {
    if origin.owner.is_some() && function.sig.generics.type_params().next().is_some() {
        return Generics::default();
    }
    let generics = &function.sig.generics;
    let scalar = ScalarName::of(function);
    let known = |tokens| match &scalar {
        Some(scalar) => scalar.as_float(tokens),
        None => tokens,
    };
    // what names a lifetime of the function is refused, or a lifetime itself
    let kept = |b: &&syn::TypeParamBound| {
        let text = b.to_token_stream().to_string();
        let mut lifetimes = generics.lifetimes();
        let named = lifetimes.any(|l| text.contains(&l.lifetime.to_string()));
        !named && !matches!(b, syn::TypeParamBound::Lifetime(_))
    };
    let params = generics.params.iter().filter_map(|p| match p {
        syn::GenericParam::Lifetime(_) => None,
        syn::GenericParam::Const(p) => {
            let ty = p.ty.to_token_stream();
            // any value will do: nothing that is common to all instances depends on it
            let value = match ty.to_string().as_str() {
                "bool" => quote!(false),
                "char" => quote!('0'),
                // rustc refuses it
                "f64" | "f32" => quote!(0.0),
                _ => quote!(0),
            };
            Some(Parameter::Constant(p.ident.clone(), ty, value))
        }
        syn::GenericParam::Type(p) => Some(match &scalar {
            Some(s) if s.name == p.ident => {
                let float = syn::Ident::new(s.float, p.ident.span());
                Parameter::Float(p.ident.clone(), quote!(::core::primitive::#float))
            }
            _ => {
                let bounds = p.bounds.iter().filter(kept);
                Parameter::Type(p.ident.clone(), known(quote!(#(#bounds)+*)))
            }
        }),
    });
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let predicates = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) => {
            let mut p = p.clone();
            p.bounds = p.bounds.iter().filter(kept).cloned().collect();
            (!p.bounds.is_empty()).then(|| known(p.to_token_stream()))
        }
        _ => None,
    });
    let copies = copied_types(function, scalar.as_ref()).into_iter();
    let copies = copies.map(|ty| quote!(#ty: ::core::marker::Copy));
    Generics::new(params.collect(), predicates.collect(), copies.collect())
}

/// Whether a parameter of a method or of its block is understood.
pub(super) fn is_lifetime_or_length(p: &syn::GenericParam) -> bool {
    match p {
        syn::GenericParam::Lifetime(_) => true,
        syn::GenericParam::Const(p) => p.ty == parse_quote!(usize),
        syn::GenericParam::Type(_) => false,
    }
}

/// Types of what is taken by value and depends on a type variable: constants, of which each sweep has a copy.
/// Whether they are `Copy` is asked where the function is used.
fn copied_types<'f>(function: &'f syn::ItemFn, float: Option<&ScalarName>) -> Vec<&'f syn::Type> {
    let variables = function.sig.generics.type_params().map(|p| &p.ident);
    let variables = variables.filter(|v| float.is_none_or(|s| s.name != **v));
    let variables: Vec<&syn::Ident> = variables.collect();
    let inputs = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(&*typed.ty),
        syn::FnArg::Receiver(_) => None,
    });
    inputs
        .filter(|ty| !matches!(ty, syn::Type::Reference(_)) && names_one_of(ty, &variables))
        .collect()
}

/// Whether a type depends on one of these variables.
fn names_one_of(ty: &syn::Type, variables: &[&syn::Ident]) -> bool {
    walk::has_path_from(Node::Type(ty), &mut |name| variables.contains(&name))
}

/// Refuses methods that are generic over types: a type leads to one handle for each of its methods.
/// False if there are some.
pub(super) fn check_method(sig: &syn::Signature, origin: &Origin<'_>, cx: &Report) -> bool {
    if origin.owner.is_none() {
        return true;
    }
    let mut plain = true;
    for p in &sig.generics.params {
        if !is_lifetime_or_length(p) {
            cx.error(p.extent(), &error::GENERICS);
            plain = false;
        }
    }
    plain
}
