//! Sorting: what a comparison compares is taken out of its closure, as a key of one element.

use super::Reader;
use super::expr::strip;
use crate::error;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat, SeqOp, SortBy};
use crate::lower::ty::Ty;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

/// A comparison that is understood.
struct Comparison<'e> {
    by: SortBy,
    descending: bool,
    /// Pattern and key of one of the two elements; `None` for the element itself.
    key: Option<(&'e syn::Pat, &'e syn::Expr)>,
}

impl Reader<'_> {
    /// `x.sort_by(|a, b| a.total_cmp(b))` and its kin.
    pub(super) fn sort(&mut self, m: &syn::ExprMethodCall, base: Expr, elem: Ty) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let found = match (name.as_str(), args.as_slice()) {
            ("sort" | "sort_unstable", []) => Some(Comparison {
                by: SortBy::Int,
                descending: false,
                key: None,
            }),
            ("sort_by" | "sort_unstable_by", [f]) => comparison(strip(f)),
            ("sort_by_key" | "sort_unstable_by_key", [f]) => match strip(f) {
                syn::Expr::Closure(c) if c.inputs.len() == 1 => Some(Comparison {
                    by: SortBy::Int,
                    descending: false,
                    key: Some((&c.inputs[0], &c.body)),
                }),
                _ => None,
            },
            _ => {
                return self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, name);
            }
        };
        let whole = |c: &Comparison<'_>| c.key.is_none() && c.by != SortBy::Partial;
        let Some(found) = found.filter(|c| whole(c) || !name.contains("unstable")) else {
            return self.refuse_about(m.method.extent(), &error::SORT, name);
        };
        let (element, key) = self.scoped(|r| match found.key {
            None => {
                let local = r.bind("element", false, elem.clone(), span);
                let ty = elem.clone();
                let kind = Kind::Local(local);
                (Pat::Bind(local), Expr { kind, ty, span })
            }
            Some((pat, key)) => {
                let pat = r.pattern(pat, &Ty::reference(false, elem.clone()));
                (pat, r.expr(key))
            }
        });
        let key_ty = self.types.peel(&key.ty);
        match found.by {
            SortBy::Total | SortBy::Partial => self.unify(&key_ty, &Ty::Float, key.span),
            SortBy::Int => {
                if matches!(key_ty, Ty::Float | Ty::Tuple(_) | Ty::Array(..)) {
                    return self.refuse_about(m.method.extent(), &error::SORT, name);
                }
            }
        }
        let op = SeqOp::Sort {
            by: found.by,
            descending: found.descending,
            element,
        };
        Expr {
            kind: Kind::Seq(op, vec![base, key]),
            ty: Ty::unit(),
            span,
        }
    }
}

/// What `|a, b| ..` compares.
fn comparison(f: &syn::Expr) -> Option<Comparison<'_>> {
    let c = match f {
        syn::Expr::Path(p) if p.path.segments.last()?.ident == "total_cmp" => {
            return Some(Comparison {
                by: SortBy::Total,
                descending: false,
                key: None,
            });
        }
        syn::Expr::Closure(c) if c.inputs.len() == 2 => c,
        _ => return None,
    };
    let (first, second) = (&c.inputs[0], &c.inputs[1]);
    let mut body = strip(&c.body);
    if let syn::Expr::Block(b) = body
        && let [syn::Stmt::Expr(only, None)] = b.block.stmts.as_slice()
    {
        body = strip(only);
    }
    let mut descending = false;
    if let syn::Expr::MethodCall(m) = body
        && m.method == "reverse"
        && m.args.is_empty()
    {
        descending = true;
        body = strip(&m.receiver);
    }
    let mut unwrapped = false;
    if let syn::Expr::MethodCall(m) = body
        && (m.method == "unwrap" || m.method == "expect")
    {
        unwrapped = true;
        body = strip(&m.receiver);
    }
    let (name, left, right) = match body {
        syn::Expr::MethodCall(m) if m.args.len() == 1 => {
            (m.method.to_string(), &*m.receiver, &m.args[0])
        }
        syn::Expr::Call(call) if call.args.len() == 2 => match strip(&call.func) {
            syn::Expr::Path(p) => (
                p.path.segments.last()?.ident.to_string(),
                &call.args[0],
                &call.args[1],
            ),
            _ => return None,
        },
        _ => return None,
    };
    let by = match (name.as_str(), unwrapped) {
        ("total_cmp", false) => SortBy::Total,
        ("partial_cmp", true) => SortBy::Partial,
        ("cmp", false) => SortBy::Int,
        _ => return None,
    };
    let (left, right) = (bare(left), bare(right));
    let (a, b) = (names(first), names(second));
    let like = |e: &syn::Expr, from: &[Ident], to: &[Ident]| {
        renamed(e.to_token_stream(), from, to).to_string()
    };
    let same_pattern = renamed(second.to_token_stream(), &b, &a).to_string()
        == first.to_token_stream().to_string();
    if a.len() != b.len() || !same_pattern {
        return None;
    }
    let straight = mentions(left, &a) && !mentions(left, &b);
    let key = if straight { left } else { right };
    let other = if straight { right } else { left };
    let fits = mentions(key, &a)
        && !mentions(key, &b)
        && !mentions(other, &a)
        && like(other, &b, &a) == key.to_token_stream().to_string();
    if !fits {
        return None;
    }
    let itself =
        matches!((strip(key), a.as_slice()), (syn::Expr::Path(p), [only]) if p.path.is_ident(only));
    Some(Comparison {
        by,
        descending: descending == straight,
        key: (!itself).then_some((first, key)),
    })
}

/// Without references and parentheses around it.
fn bare(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) if r.mutability.is_none() => bare(&r.expr),
        other => other,
    }
}

/// Names that a pattern binds.
fn names(pat: &syn::Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.0.push(p.ident.clone());
        }
    }
    let mut found = Names(Vec::new());
    found.visit_pat(pat);
    found.0
}

fn mentions(e: &syn::Expr, names: &[Ident]) -> bool {
    fn any(tokens: TokenStream, names: &[Ident]) -> bool {
        tokens.into_iter().any(|t| match t {
            TokenTree::Ident(i) => names.contains(&i),
            TokenTree::Group(g) => any(g.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    any(e.to_token_stream(), names)
}

fn renamed(tokens: TokenStream, from: &[Ident], to: &[Ident]) -> TokenStream {
    tokens
        .into_iter()
        .map(|t| match t {
            TokenTree::Ident(i) => match from.iter().position(|f| *f == i) {
                Some(k) if k < to.len() => TokenTree::Ident(to[k].clone()),
                Some(_) | None => TokenTree::Ident(i),
            },
            TokenTree::Group(g) => TokenTree::Group(proc_macro2::Group::new(
                g.delimiter(),
                renamed(g.stream(), from, to),
            )),
            other => other,
        })
        .collect()
}
