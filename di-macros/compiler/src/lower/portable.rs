//! Bodies that mean the same in another module: what they name is their own, belongs to their type, or is in scope
//! everywhere. Such a body may stand in the place of a call anywhere.

use super::environment::names_of;
use super::is_integer_name;
use crate::sorted::Set;
use crate::walk::{self, Node, Onward};
use quote::ToTokens;

/// Types, variants and modules that every module knows, and the block itself.
const KNOWN: [&str; 17] = [
    "Box", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Vec", "bool",
    "char", "core", "f32", "f64", "self", "std",
];
/// Macros that every module knows.
const MACROS: [&str; 5] = ["assert", "debug_assert", "panic", "unreachable", "vec"];

/// Whether the body of a method of a block is such a one.
pub(crate) fn is_portable(f: &syn::ImplItemFn, block: &syn::ItemImpl) -> bool {
    let mut types = Set::new();
    super::aliases::collect(block.self_ty.to_token_stream(), &mut types);
    types.extend(names_of(&block.generics));
    for p in &f.sig.generics.params {
        super::aliases::collect(p.to_token_stream(), &mut types);
    }
    let mut variables = Set::new();
    let mut bind = |node: Node<'_>| {
        if let Node::Pat(syn::Pat::Ident(p)) = node
            && !is_constant(&p.ident)
        {
            variables.insert(p.ident.to_string());
        }
        Onward::Into
    };
    walk::read(Node::Signature(&f.sig), &mut bind);
    walk::read(Node::Block(&f.block), &mut bind);
    Names { types, variables }.mean_the_same(Node::Block(&f.block))
}

struct Names {
    /// The type of the block, and parameters of generics.
    types: Set<String>,
    variables: Set<String>,
}

impl Names {
    fn mean_the_same(&self, root: Node<'_>) -> bool {
        let is_strange = |node: Node<'_>| match node {
            Node::Expr(syn::Expr::Call(call)) => match &*call.func {
                // a variable may have the name of a function
                syn::Expr::Path(p) if self.is_variable(&p.path) => Onward::Found,
                _ => Onward::Into,
            },
            Node::Path(path) if self.is_variable(path) || self.is_known(path) => Onward::Into,
            Node::Path(_) | Node::Item(_) => Onward::Found,
            // a constant of its module
            Node::Pat(syn::Pat::Ident(p)) if is_constant(&p.ident) => Onward::Found,
            Node::Macro(mac) => {
                let is_known = MACROS.iter().any(|name| mac.path.is_ident(name));
                let arguments = walk::arguments(mac).filter(|_| is_known);
                match arguments.is_some_and(|a| a.iter().all(|e| self.mean_the_same(Node::Expr(e))))
                {
                    true => Onward::Over,
                    false => Onward::Found,
                }
            }
            _ => Onward::Into,
        };
        !walk::read(root, &mut { is_strange })
    }

    fn is_variable(&self, path: &syn::Path) -> bool {
        let name = path.get_ident().map(ToString::to_string);
        name.is_some_and(|name| self.variables.contains(&name))
    }

    fn is_known(&self, path: &syn::Path) -> bool {
        // what it leads to is of its module
        if path.segments.len() > 1 && path.segments[0].ident == "self" {
            return false;
        }
        let first = path.segments.first().map(|s| s.ident.to_string());
        first.is_some_and(|name| {
            KNOWN.contains(&&*name) || is_integer_name(&name) || self.types.contains(&name)
        })
    }
}

fn is_constant(name: &proc_macro2::Ident) -> bool {
    name != "None" && name.to_string().starts_with(char::is_uppercase)
}
