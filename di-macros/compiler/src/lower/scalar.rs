//! Functions that are generic over types: which of the parameters is the float, and code in which all of
//! them are as they were written.

use crate::error;
use crate::ir::{GenericCode, Tokens};
use crate::lower::code;
use crate::lower::extent::HasExtent;
use crate::report::Report;
use crate::sorted::Map;
use crate::tokens;
use crate::tokens::unraw;
use crate::walk::{self, Node};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::ParseStream;

/// `#[active_scalar(T)]`, or `#[active_scalar(T = f32)]`.
pub(crate) const ATTRIBUTE: &str = "active_scalar";

/// The type parameter that is the float.
#[derive(Clone, Debug)]
pub(crate) struct ScalarName {
    pub(crate) name: Ident,
    /// What it stands for in generated code.
    pub(crate) float: &'static str,
}

impl ScalarName {
    /// That of a function, if it has one that is understood.
    pub(crate) fn of(item: &syn::ItemFn) -> Option<ScalarName> {
        let attr = attribute(item)?;
        let found = attr.parse_args_with(|input: ParseStream<'_>| {
            let name: Ident = input.parse()?;
            if input.is_empty() {
                return Ok(ScalarName { name, float: "f64" });
            }
            input.parse::<syn::Token![=]>()?;
            let float: Ident = input.parse()?;
            let float = match float.to_string().as_str() {
                "f64" => "f64",
                "f32" => "f32",
                _ => return Err(input.error("no float")),
            };
            Ok(ScalarName { name, float })
        });
        let found = found.ok()?;
        let mut params = item.sig.generics.type_params();
        params.any(|p| p.ident == found.name).then_some(found)
    }

    /// Tokens with the float in its place.
    pub(crate) fn as_float(&self, tokens: TokenStream) -> TokenStream {
        let each = tokens.into_iter().flat_map(|tree| match tree {
            TokenTree::Ident(i) if i == self.name => code::primitive(self.float, i.span()),
            TokenTree::Group(g) => tokens::regrouped(&g, self.as_float(g.stream())).into(),
            other => other.into(),
        });
        each.collect()
    }

    /// What passive code of the function is put into.
    pub(super) fn code(&self, item: &syn::ItemFn) -> GenericCode {
        let generics = &item.sig.generics;
        let mut params = Vec::new();
        let mut arguments = Vec::new();
        for p in &generics.params {
            match p {
                syn::GenericParam::Lifetime(_) => {}
                syn::GenericParam::Type(p) if p.ident == self.name => {
                    params.push(p.to_token_stream());
                    arguments.push(code::primitive(self.float, p.ident.span()));
                }
                syn::GenericParam::Type(p) => {
                    params.push(p.to_token_stream());
                    arguments.push(p.ident.to_token_stream());
                }
                syn::GenericParam::Const(p) => {
                    params.push(p.to_token_stream());
                    arguments.push(p.ident.to_token_stream());
                }
            }
        }
        let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
        let predicates = predicates.filter(|p| matches!(p, syn::WherePredicate::Type(_)));
        let opaque = item.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(t) => match &*t.pat {
                syn::Pat::Ident(name) => {
                    let name = unraw(&name.ident);
                    Some((name, Tokens(super::signature::without_lifetimes(&t.ty))))
                }
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        });
        GenericCode {
            params: Tokens(code::listed(&params)),
            bounds: Tokens(code::bounds(predicates.map(ToTokens::to_token_stream))),
            arguments: Tokens(code::listed(&arguments)),
            float: Tokens(self.name.to_token_stream()),
            written: opaque.collect::<Map<_, _>>(),
            methods: Map::new(),
        }
    }
}

fn attribute(item: &syn::ItemFn) -> Option<&syn::Attribute> {
    item.attrs.iter().find(|a| a.path().is_ident(ATTRIBUTE))
}

/// Refuses what names no type parameter.
pub(super) fn check(item: &syn::ItemFn, cx: &Report) {
    if let Some(attr) = attribute(item)
        && ScalarName::of(item).is_none()
    {
        cx.error(attr.extent(), &error::ACTIVE_SCALAR);
    }
}

/// Names of the type parameters.
pub(super) fn type_variables(sig: &syn::Signature) -> Vec<String> {
    let params = sig.generics.type_params();
    params.map(|p| p.ident.to_string()).collect()
}

/// Names of the type parameters of which nothing is known: no operator is that of such a type.
pub(super) fn bare_variables(sig: &syn::Signature) -> Vec<String> {
    let is_bare = |b: &syn::TypeParamBound| match b {
        syn::TypeParamBound::Lifetime(_) => true,
        syn::TypeParamBound::Trait(t) => ["Copy", "Clone", "Sized"]
            .iter()
            .any(|n| t.path.is_ident(n)),
        _ => false,
    };
    let params = sig.generics.type_params();
    let bare = params.filter(|p| p.bounds.iter().all(is_bare));
    let mut names: Vec<String> = bare.map(|p| p.ident.to_string()).collect();
    for p in sig.generics.where_clause.iter().flat_map(|w| &w.predicates) {
        if let syn::WherePredicate::Type(of) = p {
            let told = !of.bounds.iter().all(is_bare);
            names.retain(|n| !(told && speaks_of(p, n)));
        }
    }
    names
}

fn speaks_of(predicate: &syn::WherePredicate, name: &str) -> bool {
    walk::any(
        Node::Predicate(predicate),
        &mut |node| matches!(node, Node::Ident(ident) if ident == name),
    )
}

/// Whether a type speaks of one of them.
pub(super) fn mentions(ty: &syn::Type, variables: &[String]) -> bool {
    walk::has_path_from(Node::Type(ty), &mut |name| {
        variables.iter().any(|v| name == v)
    })
}
