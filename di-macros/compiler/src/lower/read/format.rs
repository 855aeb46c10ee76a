//! Strings of formatting macros: which names they read, and whether they have as many places as arguments.

use super::expr::unraw;
use super::flows;
use crate::sorted::Set;
use crate::symbol::SELF;
use crate::template::parse_quote;
use crate::tokens;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The body with what its texts read as arguments, so that variables are found among the names: `format!("{x}")`   =>
/// `format!("{x}", x = x)`. `None` if texts read nothing, and there is no `ControlFlow`.
pub(crate) fn with_arguments(function: &syn::ItemFn) -> Option<syn::Block> {
    let flows = flows::as_results(&function.block);
    let is_read = |node: Node<'_>| matches!(node, Node::Macro(mac) if with_texts(&mac.tokens));
    if !walk::any(Node::Block(&function.block), &mut |node| is_read(node)) {
        return flows;
    }
    let variables = walk::bound(Node::Function(function));
    let mut block = flows.unwrap_or_else(|| (*function.block).clone());
    walk::change(NodeMut::Block(&mut block), &mut |node| {
        if let NodeMut::Macro(mac) = node {
            add_arguments(mac, &variables);
        }
        Onward::Into
    });
    Some(block)
}

// format!("{self:?}")   =>   format!("{self:?}", self = __self)
/// A macro with what its texts read of `self`, by the name that it has beside the block.
pub(crate) fn with_self(mac: &mut syn::Macro) {
    if with_texts(&mac.tokens) {
        add_arguments(mac, &[Ident::new(SELF, Span::call_site())]);
    }
}

fn add_arguments(mac: &mut syn::Macro, variables: &[Ident]) {
    let last = mac.path.segments.last().map(|s| s.ident.to_string());
    mac.tokens = arguments(last.as_deref(), std::mem::take(&mut mac.tokens), variables);
}

/// Whether there is a text that may read something.
fn with_texts(tokens: &TokenStream) -> bool {
    tokens::any(
        tokens.clone(),
        &mut |tree| matches!(tree, TokenTree::Literal(text) if text.to_string().contains('{')),
    )
}

/// The tokens of a macro with this name, and of those in them.
fn arguments(name: Option<&str>, tokens: TokenStream, variables: &[Ident]) -> TokenStream {
    let mut out = Vec::<TokenTree>::new();
    // the word in front, and that in front of `!`
    let (mut word, mut called) = (None, None);
    for tree in tokens {
        let tree = match tree {
            TokenTree::Group(g) => {
                let inner = arguments(called.as_deref(), g.stream(), variables);
                tokens::regrouped(&g, inner)
            }
            tree => tree,
        };
        (word, called) = match &tree {
            TokenTree::Ident(name) => (Some(name.to_string()), None),
            TokenTree::Punct(p) if p.as_char() == '!' => (None, word),
            _ => (None, None),
        };
        out.push(tree);
    }
    let text = match name {
        Some(
            "format" | "format_args" | "print" | "println" | "eprint" | "eprintln" | "panic"
            | "todo" | "unreachable" | "unimplemented",
        ) => 0,
        Some("write" | "writeln" | "assert" | "debug_assert") => 1,
        Some("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne") => 2,
        _ => return out.into_iter().collect(),
    };
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    let mut args = out.split(is_comma).skip(text);
    let Some([TokenTree::Literal(text)]) = args.next() else {
        return out.into_iter().collect();
    };
    let named = args.filter_map(|arg| match arg {
        [TokenTree::Ident(name), TokenTree::Punct(p), _, ..]
            if p.as_char() == '=' && p.spacing() == Spacing::Alone =>
        {
            Some(unraw(name))
        }
        _ => None,
    });
    let given: Vec<String> = named.collect();
    let found = captured(text).into_iter();
    let is_open = |name: &String| !given.contains(name);
    let found = found.filter(is_open).filter_map(|name| {
        let mut bound = variables.iter();
        let variable = bound.find(|variable| match &*name {
            "self" => *variable == SELF,
            _ => unraw(variable) == name,
        });
        Some((name, variable?))
    });
    let (at, ends) = (text.span(), out.last().is_some_and(is_comma));
    let mut out: TokenStream = out.into_iter().collect();
    for (k, (name, variable)) in found.enumerate() {
        // as the variable is bound, in a body that comes from elsewhere too
        let of = match variable == SELF {
            true => at,
            false => at.resolved_at(variable.span()),
        };
        let (name, value) = (Ident::new(&name, of), Ident::new(&unraw(variable), of));
        let argument: syn::ExprAssign = parse_quote!(#name = #value);
        if k > 0 || !ends {
            out.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
        }
        out.extend(argument.into_token_stream());
    }
    out
}

/// False if the string has another number of places than there are arguments without names, which rustc
/// refuses where the macro is expanded.
pub(super) fn fits(format: &syn::Expr, positional: usize) -> bool {
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = format
    else {
        return true;
    };
    let text = text.value().replace("{{", "").replace("}}", "");
    // widths and precisions are arguments too
    if text.contains(['$', '*']) {
        return true;
    }
    let (mut next, mut used) = (0, vec![false; positional]);
    for part in text.split('{').skip(1) {
        let inside = part.split(['}', ':']).next().unwrap_or_default().trim();
        let at = match inside.parse::<usize>() {
            Ok(at) => at,
            Err(_) if inside.is_empty() => {
                next += 1;
                next - 1
            }
            Err(_) => continue,
        };
        match used.get_mut(at) {
            Some(used) => *used = true,
            None => return false,
        }
    }
    used.into_iter().all(|used| used)
}

/// Names that a format string reads: `{x}`, `{x:?}`, `{:width$.precision$}`.
pub(super) fn captured(text: &Literal) -> Vec<String> {
    let syn::Lit::Str(text) = syn::Lit::new(text.clone()) else {
        return Vec::new();
    };
    let text = text.value().replace("{{", "").replace("}}", "");
    let mut names = Vec::new();
    for part in text.split('{').skip(1) {
        let Some((inside, _)) = part.split_once('}') else {
            continue;
        };
        let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
        names.push(name.trim().to_owned());
        for piece in spec.split('$').rev().skip(1) {
            let start = piece
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |k| k + 1);
            names.push(piece[start..].to_owned());
        }
    }
    names.retain(|n| n.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let names = names
        .iter()
        .map(|n| unraw(&Ident::new(n, Span::call_site())));
    names.collect::<Set<_>>().into_iter().collect()
}
