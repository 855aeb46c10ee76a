//! Ranges with a name, `let part = 2 * e..2 * e + 3;`: each use is the range of two variables. What is asked of a
//! range that is written in place.

use super::Reader;
use super::expr::strip;
use super::lifted::behind_references;
use crate::lower::hir::Expr;
use crate::lower::types;
use crate::template::parse_quote;
use crate::tokens::regrouped;
use crate::walk::{self, Node, NodeMut, Onward};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

impl Reader<'_> {
    /// `(a..b).contains(&x)`, `(a..b).len()`, also of constants that are ranges: `None` of other methods.
    pub(super) fn range_method(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let range = match strip(&m.receiver) {
            syn::Expr::Range(range) => range.clone(),
            e => self.constant_range(e)?,
        };
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let (lo, hi) = (&range.start, &range.end);
        let is_open = matches!(range.limits, syn::RangeLimits::HalfOpen(_));
        let written: syn::Expr = match (m.method.to_string().as_str(), args.as_slice()) {
            ("contains", [item]) => {
                let item: syn::Expr = match strip(item) {
                    syn::Expr::Reference(r) => (*r.expr).clone(),
                    item => parse_quote!(*#item),
                };
                let above = lo
                    .iter()
                    .map(|lo| -> syn::Expr { parse_quote!(#lo <= __item) });
                let below = hi.iter().map(|hi| -> syn::Expr {
                    match is_open {
                        true => parse_quote!(__item < #hi),
                        false => parse_quote!(__item <= #hi),
                    }
                });
                let both = above.chain(below);
                parse_quote!({
                    let __item = #item;
                    #((#both))&&*
                })
            }
            ("len", []) if is_open => {
                let (lo, hi) = (lo.as_ref()?, hi.as_ref()?);
                parse_quote!({
                    let __lo: usize = #lo;
                    let __hi: usize = #hi;
                    __hi.saturating_sub(__lo)
                })
            }
            ("is_empty", []) => {
                let (lo, hi) = (lo.as_ref()?, hi.as_ref()?);
                match is_open {
                    true => parse_quote!(!(#lo < #hi)),
                    false => parse_quote!(!(#lo <= #hi)),
                }
            }
            ("start", []) => (**lo.as_ref()?).clone(),
            ("end", []) => (**hi.as_ref()?).clone(),
            _ => return None,
        };
        Some(self.expr(&written))
    }

    /// A constant that is a range, by its ends: `a[p.range(k)]`.
    pub(super) fn constant_range(&self, e: &syn::Expr) -> Option<syn::ExprRange> {
        let ty = self.env.expanded(&self.type_as_written(e)?);
        let of = behind_references(&ty);
        let name = types::range_of(of)?;
        if self.is_known_struct(&of.to_token_stream()) {
            return None;
        }
        let is_call = matches!(strip(e), syn::Expr::Call(_));
        let of: syn::Expr = match is_call {
            true => parse_quote!(__range),
            false => parse_quote!((#e)),
        };
        let end = |end: syn::Expr| -> syn::Expr {
            match is_call {
                true => parse_quote!({
                    let __range = #e;
                    #end
                }),
                false => end,
            }
        };
        let (lo, hi) = (end(parse_quote!(#of.start)), end(parse_quote!(#of.end)));
        Some(match name.as_str() {
            "Range" => parse_quote!(#lo..#hi),
            "RangeFrom" => parse_quote!(#lo..),
            "RangeTo" => parse_quote!(..#hi),
            "RangeInclusive" => {
                let lo = end(parse_quote!(#of.clone().into_inner().0));
                let hi = end(parse_quote!(#of.clone().into_inner().1));
                parse_quote!(#lo..=#hi)
            }
            _ => return None,
        })
    }
}

/// `(a..b).start`, `(a..b).end`
pub(super) fn end_of_range(f: &syn::ExprField) -> Option<&syn::Expr> {
    let (syn::Expr::Range(range), syn::Member::Named(name)) = (strip(&f.base), &f.member) else {
        return None;
    };
    match name.to_string().as_str() {
        "start" => range.start.as_deref(),
        "end" => range.end.as_deref(),
        _ => None,
    }
}

/// The statements of a block with ranges in the place of their names, if there are such.
pub(super) fn with_ranges(block: &syn::Block) -> Option<syn::Block> {
    block.stmts.iter().find_map(named_range)?;
    let mut stmts = Vec::new();
    let mut rest = block.stmts.clone().into_iter();
    while let Some(stmt) = rest.next() {
        let found = named_range(&stmt).map(|(name, range)| (name.clone(), range.clone()));
        let mut others: Vec<syn::Stmt> = rest.collect();
        let again = |name: &syn::Ident| {
            let mut bound = others.iter().flat_map(|s| walk::bound(Node::Stmt(s)));
            bound.any(|other| other == *name)
        };
        match found.filter(|(name, _)| !again(name)) {
            Some((name, range)) => {
                let mut written = range.clone();
                for (side, end) in [("start", &mut written.start), ("end", &mut written.end)] {
                    if let Some(e) = end {
                        let ident = syn::Ident::new(&format!("__{name}_{side}"), name.span());
                        stmts.push(parse_quote!(let #ident = #e;));
                        **e = parse_quote!(#ident);
                    }
                }
                others.iter_mut().for_each(|s| put(s, &name, &written));
            }
            None => stmts.push(stmt),
        }
        rest = others.into_iter();
    }
    Some(syn::Block {
        brace_token: block.brace_token,
        stmts,
    })
}

/// `let name = a..b;`
fn named_range(stmt: &syn::Stmt) -> Option<(&syn::Ident, &syn::ExprRange)> {
    let syn::Stmt::Local(local) = stmt else {
        return None;
    };
    let syn::Pat::Ident(pat) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let is_plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
    match strip(&init.expr) {
        syn::Expr::Range(range) if is_plain && local.attrs.is_empty() => Some((&pat.ident, range)),
        _ => None,
    }
}

/// Writes the range where its name is used: `name`, `name.clone()`.
fn put(stmt: &mut syn::Stmt, name: &syn::Ident, range: &syn::ExprRange) {
    let is_name = |e: &syn::Expr| matches!(strip(e), syn::Expr::Path(p) if p.path.is_ident(name));
    walk::change(NodeMut::Stmt(stmt), &mut |node| match node {
        NodeMut::Expr(e) => {
            let is_copy = matches!(strip(e), syn::Expr::MethodCall(m)
                if m.method == "clone" && is_name(&m.receiver));
            if is_copy || is_name(e) {
                *e = parse_quote!((#range));
                return Onward::Over;
            }
            Onward::Into
        }
        NodeMut::Macro(mac) => {
            mac.tokens = in_tokens(mac.tokens.clone(), name, range);
            Onward::Over
        }
        _ => Onward::Into,
    });
}

/// The same in what a macro is called with.
fn in_tokens(tokens: TokenStream, name: &syn::Ident, range: &syn::ExprRange) -> TokenStream {
    let mut after_dot = false;
    let each = tokens.into_iter().map(|tree| {
        let is_dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
        let is_member = after_dot;
        // `a..name` is no field
        after_dot = is_dot && !is_member;
        match tree {
            TokenTree::Ident(ident) if ident == *name && !is_member => parenthesized(range),
            TokenTree::Group(g) => regrouped(&g, in_tokens(g.stream(), name, range)).into(),
            other => other.into(),
        }
    });
    each.collect()
}

fn parenthesized(range: &syn::ExprRange) -> TokenStream {
    let whole: syn::Expr = parse_quote!((#range));
    whole.into_token_stream()
}
