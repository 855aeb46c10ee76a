//! Functions that a body is given go by other names in it.

use crate::sorted::Map;
use crate::tokens::regrouped;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{TokenStream, TokenTree};

/// Calls functions by their other names.
pub(super) fn rename(names: &Map<String, syn::Ident>, body: &mut syn::Block) {
    walk::change(NodeMut::Block(body), &mut |node| match node {
        NodeMut::ExprPath(p) => {
            let known = p.path.get_ident().and_then(|i| names.get(&i.to_string()));
            if let Some(name) = known {
                p.path = name.clone().into();
            }
            Onward::Over
        }
        NodeMut::Macro(mac) => {
            mac.tokens = renamed(mac.tokens.clone(), names);
            Onward::Over
        }
        NodeMut::Item(_) => Onward::Over,
        _ => Onward::Into,
    });
}

/// The same in the tokens of a macro, but for fields and methods.
fn renamed(tokens: TokenStream, names: &Map<String, syn::Ident>) -> TokenStream {
    let mut dots = 0;
    let each = tokens.into_iter().map(|tree| {
        let is_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
        let before = dots;
        dots = if is_dot { dots + 1 } else { 0 };
        match tree {
            // behind two it ends a range
            TokenTree::Ident(name) if before != 1 => {
                let other = names.get(&name.to_string()).cloned();
                TokenTree::Ident(other.unwrap_or(name))
            }
            TokenTree::Group(g) => regrouped(&g, renamed(g.stream(), names)),
            tree => tree,
        }
    });
    each.collect()
}
