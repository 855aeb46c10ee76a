//! Impl blocks of the traits of operators. A type may have several of one trait, for itself and for what is lent,
//! and with several types on the right: the handle is found by the types on both sides.

use crate::lower::environment::{of_any_length, spelled};
use crate::lower::inline::aliases_among;
use crate::symbol::OPERATOR_TRAITS;
use crate::template::{parse_quote, quote};
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Literal, TokenStream};
use quote::ToTokens;

/// Writes other names of aliases as aliases, and the types of operators without them.
pub(super) fn write_types(items: &mut [syn::Item]) {
    let env = aliases_among(items);
    for item in &mut *items {
        if let syn::Item::Use(import) = item
            && let syn::UseTree::Rename(r) = &import.tree
            && env.knows(&r.ident.to_string())
        {
            let (attrs, vis, name, of) = (&import.attrs, &import.vis, &r.rename, &r.ident);
            *item = parse_quote!(#(#attrs)* #vis type #name = #of;);
        }
    }
    let env = aliases_among(items);
    for item in items {
        if let syn::Item::Impl(block) = item
            && Operator::of(block).is_some()
            && let Some((_, path, _)) = &mut block.trait_
        {
            *block.self_ty = env.expanded(&block.self_ty);
            if let syn::Type::Path(of) = env.expanded(&parse_quote!(#path)) {
                *path = of.path;
            }
        }
    }
}

/// The types of such an impl.
pub(super) struct Operator {
    /// On the left, with lifetimes that last.
    left: syn::Type,
    /// On the right; `()` if there is none.
    right: syn::Type,
    /// It may be called by its name as well: of the impls of one trait that for the type itself, and in products
    /// with a number.
    pub(super) is_plain: bool,
}

impl Operator {
    /// None if the block is not one of an operator.
    pub(super) fn of(item: &syn::ItemImpl) -> Option<Operator> {
        let last = item.trait_.as_ref()?.1.segments.last()?;
        let (_, binary) = OPERATOR_TRAITS
            .iter()
            .find(|(name, _)| last.ident == name)?;
        let left = lasting(&item.self_ty);
        let written = match &last.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.first(),
            _ => None,
        };
        let right = match written {
            Some(syn::GenericArgument::Type(ty)) => lasting(ty),
            _ if *binary => left.clone(),
            _ => parse_quote!(()),
        };
        let number = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if is_number(&p.path));
        let own = matches!(left, syn::Type::Path(_)) && !number(&left);
        // sums are of the type itself, products are multiples
        let product = ["Mul", "Div", "Rem"]
            .iter()
            .any(|p| last.ident.to_string().starts_with(p));
        let same = match (*binary, product) {
            (false, _) => true,
            (true, true) => number(&right),
            (true, false) => tokens(&left) == tokens(&right) || names_self(&right),
        };
        Some(Operator {
            is_plain: own && same,
            left,
            right,
        })
    }

    /// The type on the right, if that on the left is a number: what is generated is no more visible than it.
    pub(super) fn visible(&self) -> Option<&syn::Path> {
        match &self.left {
            syn::Type::Path(p) if is_number(&p.path) => owner_of(&self.right),
            _ => None,
        }
    }

    /// The types on both sides.
    pub(super) fn types(&self) -> Vec<syn::Type> {
        let right = if names_self(&self.right) {
            &self.left
        } else {
            &self.right
        };
        vec![self.left.clone(), right.clone()]
    }

    /// The same, as environments spell them: of any lengths unless these are `exact`.
    pub(super) fn sides(&self, exact: bool) -> (String, String) {
        let of = |ty: &syn::Type| match ty {
            syn::Type::Tuple(_) => String::new(),
            ty if exact => tokens(ty),
            ty => {
                let mut ty = ty.clone();
                walk::change(NodeMut::Type(&mut ty), &mut |node| {
                    if let NodeMut::Path(path) = node
                        && let Some(last) = path.segments.last_mut()
                    {
                        last.arguments = syn::PathArguments::None;
                    }
                    Onward::Into
                });
                of_any_length(&spelled(&tokens(&ty)))
            }
        };
        let types = self.types();
        (of(&types[0]), of(&types[1]))
    }

    /// What uses of the operator name, for tests: two of one type may be written once.
    pub(super) fn paths(&self, rt: &TokenStream, hash: &Literal) -> Vec<TokenStream> {
        let own = |ty: &syn::Type| match ty {
            syn::Type::Path(p) if is_number(&p.path) => quote!(::core::primitive::#p),
            _ if names_self(ty) => self.left.to_token_stream(),
            ty => ty.to_token_stream(),
        };
        let (left, right) = (own(&self.left), own(&self.right));
        let mut paths = vec![quote!(<#left as #rt::Operator<#hash, #right>>::Handle)];
        if left.to_string() == right.to_string() {
            paths.push(quote!(<#left as #rt::Operator<#hash>>::Handle));
        }
        paths
    }

    /// Part of the handle's name: the types.
    pub(super) fn shown(&self) -> String {
        let text = format!("{} {}", tokens(&self.left), tokens(&self.right));
        let text = text.replace('&', " ref ").replace("'static", " ");
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
        words.join("_")
    }
}

/// The type itself of `V` or `&V`.
pub(super) fn owner_of(ty: &syn::Type) -> Option<&syn::Path> {
    match ty {
        syn::Type::Path(p) if p.qself.is_none() => Some(&p.path),
        syn::Type::Reference(r) if r.mutability.is_none() => match &*r.elem {
            syn::Type::Path(p) if p.qself.is_none() => Some(&p.path),
            _ => None,
        },
        _ => None,
    }
}

fn names_self(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"))
}

fn is_number(path: &syn::Path) -> bool {
    path.is_ident("f64") || path.is_ident("f32")
}

fn tokens(ty: &syn::Type) -> String {
    ty.to_token_stream().to_string()
}

/// The type, in which every reference has the longest lifetime.
pub(super) fn lasting(ty: &syn::Type) -> syn::Type {
    let mut ty = ty.clone();
    walk::change(NodeMut::Type(&mut ty), &mut |node| {
        match node {
            NodeMut::Type(syn::Type::Reference(r)) => {
                r.lifetime = Some(parse_quote!('static));
            }
            NodeMut::Lifetime(l) => *l = parse_quote!('static),
            _ => {}
        }
        Onward::Into
    });
    ty
}
