//! `ControlFlow` in bodies is a `Result`: what goes on is `Ok`, and what ends is `Err`.

use crate::template::parse_quote;
use crate::walk::{self, Node, NodeMut, Onward};

const METHODS: [(&str, &str); 6] = [
    ("break_value", "err"),
    ("continue_value", "ok"),
    ("is_break", "is_err"),
    ("is_continue", "is_ok"),
    ("map_break", "map_err"),
    ("map_continue", "map"),
];

/// The body with results, if it speaks of `ControlFlow`.
pub(super) fn as_results(block: &syn::Block) -> Option<syn::Block> {
    let is_one = |node: Node<'_>| matches!(node, Node::Path(path) if path.segments.iter().any(|s| s.ident == "ControlFlow"));
    if !walk::any(Node::Block(block), &mut |node| is_one(node)) {
        return None;
    }
    let mut block = block.clone();
    walk::change(NodeMut::Block(&mut block), &mut |node| {
        match node {
            NodeMut::Path(path) => {
                if let Some(result) = as_result(path) {
                    *path = result;
                }
            }
            NodeMut::Expr(syn::Expr::MethodCall(m)) => {
                let known = METHODS.iter().find(|(of, _)| m.method == of);
                if let Some((_, name)) = known {
                    m.method = syn::Ident::new(name, m.method.span());
                }
            }
            _ => {}
        }
        Onward::Into
    });
    Some(block)
}

/// `ControlFlow::Break`, `ControlFlow<B, C>`
fn as_result(path: &syn::Path) -> Option<syn::Path> {
    let mut names = path.segments.iter().rev();
    let last = names.next()?;
    if last.ident == "ControlFlow" {
        let args = super::super::types::arguments(path);
        return match args.as_slice() {
            [] => Some(parse_quote!(Result)),
            [b] => Some(parse_quote!(Result<(), #b>)),
            [b, c, ..] => Some(parse_quote!(Result<#c, #b>)),
        };
    }
    let is_it = names.next().is_some_and(|s| s.ident == "ControlFlow");
    let at = last.ident.span();
    match last.ident.to_string().as_str() {
        _ if !is_it => None,
        "Continue" => Some(syn::Ident::new("Ok", at).into()),
        "Break" => Some(syn::Ident::new("Err", at).into()),
        _ => None,
    }
}
