//! An alias, and the type that it is with arguments.

use crate::lower::environment::TRANSPARENT;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use syn::{GenericArgument, GenericParam, PathArguments};

/// `type Square<const N: usize> = [[f64; N]; N];`
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    params: Vec<GenericParam>,
    /// What their arguments are where they are left out.
    defaults: Vec<Option<GenericArgument>>,
    of: syn::Type,
}

impl Alias {
    /// What it stands for, where its parameters have their names.
    #[cfg(feature = "ndarray")]
    pub(crate) fn target(&self) -> &syn::Type {
        &self.of
    }

    pub(crate) fn new(item: syn::ItemType) -> Alias {
        let default = |p: &GenericParam| match p {
            GenericParam::Type(p) => p.default.clone().map(GenericArgument::Type),
            GenericParam::Const(p) => p.default.clone().map(GenericArgument::Const),
            GenericParam::Lifetime(_) => None,
        };
        Alias {
            defaults: item.generics.params.iter().map(default).collect(),
            params: item.generics.params.into_iter().collect(),
            of: *item.ty,
        }
    }

    /// The type with these arguments. `None` if they do not fit the parameters.
    pub(crate) fn with(&self, arguments: &PathArguments) -> Option<syn::Type> {
        let mut given: Vec<&GenericArgument> = match arguments {
            PathArguments::None => Vec::new(),
            PathArguments::AngleBracketed(given) => given.args.iter().collect(),
            PathArguments::Parenthesized(_) => return None,
        };
        let is_lifetime = |p: &&GenericParam| matches!(p, GenericParam::Lifetime(_));
        let lifetimes = self.params.iter().filter(is_lifetime).count();
        // lifetimes come first, and may be left out
        let are_given = given
            .iter()
            .any(|a| matches!(a, GenericArgument::Lifetime(_)));
        let skipped = if are_given { 0 } else { lifetimes };
        // so may what has a default, at the end
        let others = self.defaults.iter().skip(skipped + given.len());
        given.extend(others.map_while(Option::as_ref));
        if given.len() + skipped != self.params.len() {
            return None;
        }
        let argument = |name: &syn::Ident| {
            let at = self.params.iter().position(|p| match p {
                GenericParam::Lifetime(p) => p.lifetime.ident == *name,
                GenericParam::Type(p) => p.ident == *name,
                GenericParam::Const(p) => p.ident == *name,
            })?;
            Some(at.checked_sub(skipped).map(|at| given[at]))
        };
        let (mut of, mut fits) = (self.of.clone(), true);
        walk::change(NodeMut::Type(&mut of), &mut |node| {
            let found = match &node {
                NodeMut::Lifetime(l) => argument(&l.ident),
                NodeMut::Type(syn::Type::Path(p)) => p.path.get_ident().and_then(argument),
                NodeMut::Expr(syn::Expr::Path(p)) => p.path.get_ident().and_then(argument),
                _ => None,
            };
            let Some(found) = found else {
                return Onward::Into;
            };
            match (node, found) {
                (NodeMut::Lifetime(l), None) => l.ident = syn::Ident::new("_", l.ident.span()),
                (NodeMut::Lifetime(l), Some(GenericArgument::Lifetime(given))) => {
                    *l = given.clone()
                }
                (NodeMut::Type(ty), Some(GenericArgument::Type(given))) => *ty = given.clone(),
                (NodeMut::Expr(e), Some(GenericArgument::Const(given))) => *e = given.clone(),
                // the name of a constant
                (NodeMut::Expr(e), Some(GenericArgument::Type(syn::Type::Path(given)))) => {
                    let path = given.path.clone();
                    *e = parse_quote!(#path);
                }
                _ => fits = false,
            }
            Onward::Over
        });
        fits.then_some(of)
    }
}

/// Whether a type says by itself what it is made of, but for the names of other types.
pub(super) fn is_plain(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => is_plain(&r.elem),
        syn::Type::Slice(s) => is_plain(&s.elem),
        syn::Type::Array(a) => is_plain(&a.elem),
        syn::Type::Tuple(t) => t.elems.iter().all(is_plain),
        syn::Type::Path(p) => p.qself.is_none() && p.path.segments.iter().all(is_plain_segment),
        // nobody looks into an object; a function is known by its parameter
        syn::Type::TraitObject(_) | syn::Type::BareFn(_) => true,
        _ => false,
    }
}

fn is_plain_segment(segment: &syn::PathSegment) -> bool {
    match &segment.arguments {
        syn::PathArguments::None => true,
        syn::PathArguments::AngleBracketed(args) => {
            TRANSPARENT.iter().any(|name| segment.ident == name)
                && args
                    .args
                    .iter()
                    .all(|a| matches!(a, syn::GenericArgument::Type(ty) if is_plain(ty)))
        }
        syn::PathArguments::Parenthesized(_) => false,
    }
}
