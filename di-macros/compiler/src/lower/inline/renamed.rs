//! Functions that a body is given go by other names in it.

use crate::sorted::Map;
use crate::tokens::regrouped;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{TokenStream, TokenTree};

/// Calls functions by their other names, where no variable has theirs.
pub(super) fn rename(names: &Map<String, syn::Ident>, root: NodeMut<'_>) {
    let without = |names: &Map<String, syn::Ident>, pat: Node<'_>| {
        let bound = walk::bound(pat);
        let free = names
            .iter()
            .filter(|(name, _)| bound.iter().all(|b| b != *name));
        free.map(|(name, other)| (name.clone(), other.clone()))
            .collect()
    };
    walk::change(root, &mut |node| match node {
        NodeMut::Block(block) => {
            let mut names: Map<_, _> = names.clone();
            for stmt in &mut block.stmts {
                rename(&names, NodeMut::Stmt(stmt));
                if let syn::Stmt::Local(local) = stmt {
                    names = without(&names, Node::Pat(&local.pat));
                }
            }
            Onward::Over
        }
        NodeMut::Expr(syn::Expr::Closure(closure)) => {
            let inputs = closure.inputs.iter();
            let names = inputs.fold(names.clone(), |names, pat| without(&names, Node::Pat(pat)));
            rename(&names, NodeMut::Expr(&mut closure.body));
            Onward::Over
        }
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
