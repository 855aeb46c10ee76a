//! An alias, and the type that it is with arguments.

use crate::walk::{self, NodeMut, Onward};
use syn::{GenericArgument, GenericParam, PathArguments};

/// `type Square<const N: usize> = [[f64; N]; N];`
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    params: Vec<GenericParam>,
    of: syn::Type,
}

impl Alias {
    /// What it stands for, where its parameters have their names.
    #[cfg(feature = "ndarray")]
    pub(crate) fn target(&self) -> &syn::Type {
        &self.of
    }

    pub(crate) fn new(item: syn::ItemType) -> Alias {
        Alias {
            params: item.generics.params.into_iter().collect(),
            of: *item.ty,
        }
    }

    /// The type with these arguments. `None` if they are not one for each parameter, as where there are defaults.
    pub(crate) fn with(&self, arguments: &PathArguments) -> Option<syn::Type> {
        let given: Vec<&GenericArgument> = match arguments {
            PathArguments::None => Vec::new(),
            PathArguments::AngleBracketed(given) => given.args.iter().collect(),
            PathArguments::Parenthesized(_) => return None,
        };
        let is_lifetime = |p: &&GenericParam| matches!(p, GenericParam::Lifetime(_));
        let lifetimes = self.params.iter().filter(is_lifetime).count();
        // lifetimes come first, and may be left out
        let is_complete = given.len() == self.params.len();
        if !is_complete && given.len() + lifetimes != self.params.len() {
            return None;
        }
        let skipped = if is_complete { 0 } else { lifetimes };
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
                    *e = syn::parse_quote!(#path);
                }
                _ => fits = false,
            }
            Onward::Over
        });
        fits.then_some(of)
    }
}
