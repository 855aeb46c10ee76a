//! Whether a function asks a type parameter for what depends on its inputs: `K::k(theta)`, or `p.energy(r)` of a
//! constant `p: &P`. Which function that is follows from the call.

use super::taken::{holds_struct, is_open};
use crate::lower::environment::speaks_of_floats;
use crate::lower::types::typed;
use crate::sorted::Set;
use crate::tokens::regrouped;
use crate::walk::{self, Node, Onward};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// Whether what varies is passed to a function of a type parameter that no parameter has, or to a method of a constant
/// of a type parameter.
pub(super) fn asks_type_parameters(sig: &syn::Signature, block: &syn::Block) -> bool {
    let parameters = sig.inputs.to_token_stream().to_string();
    let is_free = |v: &&syn::TypeParam| {
        let mut words = parameters.split(|c: char| !c.is_alphanumeric() && c != '_');
        !words.any(|word| v.ident == word)
    };
    let free: Vec<_> = sig.generics.type_params().filter(is_free).collect();
    let mut constants = Set::new();
    let marked = sig.inputs.iter().filter_map(typed);
    for p in marked.filter(|p| !p.attrs.is_empty() && is_open(&p.ty, sig)) {
        names(p.pat.to_token_stream(), &mut constants);
    }
    if free.is_empty() && constants.is_empty() {
        return false;
    }
    let varying = varying(sig, block);
    walk::any(Node::Block(block), &mut |node| match node {
        Node::Expr(syn::Expr::Call(call)) => {
            matches!(&*call.func, syn::Expr::Path(p) if p.path.segments.len() > 1
                && free.iter().any(|v| p.path.segments[0].ident == v.ident))
                && mentions(&call.args, &varying)
        }
        Node::Expr(syn::Expr::MethodCall(m)) => {
            matches!(&*m.receiver, syn::Expr::Path(p)
                if p.path.get_ident().is_some_and(|name| constants.contains(&name.to_string())))
                && mentions(&m.args, &varying)
        }
        _ => false,
    })
}

/// The names of what may depend on the inputs, as far as the syntax tells.
fn varying(sig: &syn::Signature, block: &syn::Block) -> Set<String> {
    let mut varying = Set::new();
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(_) => {
                varying.insert("self".to_owned());
            }
            syn::FnArg::Typed(p)
                if p.attrs.is_empty() && (speaks_of_floats(&p.ty) || holds_struct(&p.ty, sig)) =>
            {
                names(p.pat.to_token_stream(), &mut varying);
            }
            syn::FnArg::Typed(_) => {}
        }
    }
    loop {
        let before = varying.len();
        walk::read(Node::Block(block), &mut |node| {
            match node {
                Node::Local(syn::Local {
                    pat,
                    init: Some(init),
                    ..
                }) if mentions(&init.expr, &varying) => names(pattern(pat), &mut varying),
                Node::Expr(e) => assigned(e, &mut varying),
                _ => {}
            }
            Onward::Into
        });
        if varying.len() == before {
            return varying;
        }
    }
}

/// The names that an expression binds or writes to, if what it gives them varies.
fn assigned(e: &syn::Expr, varying: &mut Set<String>) {
    match e {
        syn::Expr::Let(l) if mentions(&l.expr, varying) => names(pattern(&l.pat), varying),
        syn::Expr::Assign(a) if mentions(&a.right, varying) => written(&a.left, varying),
        syn::Expr::Binary(b) if walk::is_assignment(&b.op) && mentions(&b.right, varying) => {
            written(&b.left, varying);
        }
        syn::Expr::ForLoop(l) if mentions(&l.expr, varying) => {
            names(items(&l.expr, &l.pat), varying);
        }
        syn::Expr::Match(m) if mentions(&m.expr, varying) => {
            for arm in &m.arms {
                names(pattern(&arm.pat), varying);
            }
        }
        syn::Expr::MethodCall(m) if mentions(&m.receiver, varying) => {
            for arg in &m.args {
                if let syn::Expr::Closure(c) = arg {
                    for input in &c.inputs {
                        names(items(&m.receiver, input), varying);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The names of what is written to: those of indices do not vary by it.
fn written(place: &syn::Expr, varying: &mut Set<String>) {
    match place {
        syn::Expr::Index(i) => written(&i.expr, varying),
        syn::Expr::Field(f) => written(&f.base, varying),
        syn::Expr::Paren(p) => written(&p.expr, varying),
        syn::Expr::Unary(u) => written(&u.expr, varying),
        syn::Expr::MethodCall(m) => written(&m.receiver, varying),
        syn::Expr::Tuple(t) => t.elems.iter().for_each(|part| written(part, varying)),
        place => names(place.to_token_stream(), varying),
    }
}

/// A pattern of items of a chain, without the number of an item.
fn items(chain: &syn::Expr, pat: &syn::Pat) -> TokenStream {
    match (chain, pat) {
        (syn::Expr::MethodCall(m), syn::Pat::Tuple(t)) if m.method == "enumerate" => {
            t.elems.iter().skip(1).map(pattern).collect()
        }
        (_, pat) => pattern(pat),
    }
}

/// A pattern without types.
fn pattern(pat: &syn::Pat) -> TokenStream {
    match pat {
        syn::Pat::Type(t) => t.pat.to_token_stream(),
        pat => pat.to_token_stream(),
    }
}

fn mentions(code: &impl ToTokens, varying: &Set<String>) -> bool {
    let mut found = Set::new();
    names(without_casts(code.to_token_stream()), &mut found);
    !found.is_disjoint(varying)
}

/// Code without what is cast, which is an integer.
fn without_casts(tokens: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) if name == "as" => {
                trees.pop();
            }
            TokenTree::Group(g) => trees.push(regrouped(&g, without_casts(g.stream()))),
            tree => trees.push(tree),
        }
    }
    trees.into_iter().collect()
}

/// The names in some code, without those of fields and methods, and without what is asked for its length alone.
pub(super) fn names(tokens: TokenStream, found: &mut Set<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_dot = |k: usize| matches!(trees.get(k), Some(TokenTree::Punct(p)) if p.as_char() == '.');
    for (k, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(name) => {
                // behind two dots it ends a range
                let is_member = k > 0 && is_dot(k - 1) && !(k > 1 && is_dot(k - 2));
                let is_measured = is_dot(k + 1)
                    && matches!(trees.get(k + 2), Some(TokenTree::Ident(m)) if m == "len")
                    && matches!(trees.get(k + 3), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                if !(is_member || is_measured) {
                    found.insert(name.to_string());
                }
            }
            TokenTree::Group(g) => names(g.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
