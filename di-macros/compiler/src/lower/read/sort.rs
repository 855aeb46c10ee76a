//! Sorting: what a comparison compares is taken out of its closure, as a key of one element.

use super::Reader;
use super::expr::{as_closure, strip};
use crate::error;
use crate::lower::environment::replaced;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind, Pat, SeqOp, SortBy};
use crate::lower::ty::Ty;
use crate::template::parse_quote;
use crate::tokens;
use crate::walk::{self, Node};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

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
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        self.permuted(m, &args, base, elem, None)
    }

    /// `x.select_nth_unstable(k)` and its kin: sorted, every element is where it belongs.
    pub(super) fn select_nth(&mut self, m: &syn::ExprMethodCall, base: Expr, elem: Ty) -> Expr {
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let Some((k, by)) = args.split_first() else {
            self.cx.mismatch();
            return self.refused(m.extent());
        };
        let k = self.expr(k);
        self.unify(&k.ty.clone(), &Ty::usize(), k.span);
        self.permuted(m, by, base, elem, Some(k))
    }

    fn permuted(
        &mut self,
        m: &syn::ExprMethodCall,
        args: &[&syn::Expr],
        base: Expr,
        elem: Ty,
        nth: Option<Expr>,
    ) -> Expr {
        let span = m.extent();
        let name = m.method.to_string();
        let itself = |by| Comparison {
            by,
            descending: false,
            key: None,
        };
        let unstable = name.contains("unstable");
        let found = match (how(&name), args) {
            (Some(How::Natural), []) => Some(itself(SortBy::Int)),
            (Some(How::By), [f]) => comparison(strip(f)),
            (Some(How::Key), [f]) => match strip(f) {
                syn::Expr::Closure(c) if c.inputs.len() == 1 => {
                    let (key, descending) = reversed(&c.body);
                    Some(Comparison {
                        by: SortBy::Int,
                        descending,
                        key: Some((&c.inputs[0], key)),
                    })
                }
                _ => None,
            },
            _ => {
                return self.refuse_about(m.method.extent(), &error::UNKNOWN_SEQUENCE_METHOD, name);
            }
        };
        // how equal elements come out is open where the sort is not stable
        let certain = |c: &Comparison<'_>| !unstable || c.key.is_none();
        let parts = found.as_ref().and_then(by_parts);
        let sort = match (found, args) {
            (Some(_), _) if !unstable && parts.is_some() => {
                parts.and_then(|f| self.by_comparison(&f, &elem))
            }
            (Some(found), _) if certain(&found) => self.by_key(found, m, elem.clone()),
            (None, [f]) if !unstable => self.by_comparison(f, &elem),
            _ => None,
        };
        let Some((op, key)) = sort else {
            return self.refuse_about(m.method.extent(), &error::SORT, name);
        };
        let mut operands = vec![base];
        operands.extend(key);
        let Some(k) = nth else {
            return Expr::new(Kind::Seq(op, operands), Ty::unit(), span);
        };
        operands.push(k);
        let rest = Ty::reference(true, Ty::Slice(Box::new(elem.clone())));
        Expr::new(
            Kind::Seq(SeqOp::Select(Box::new(op)), operands),
            Ty::Tuple(vec![rest.clone(), Ty::reference(true, elem), rest]),
            span,
        )
    }

    /// Any comparison of two elements, written out.
    fn by_comparison(&mut self, f: &syn::Expr, elem: &Ty) -> Option<(SeqOp, Option<Expr>)> {
        let element = Ty::reference(false, elem.clone());
        let mut lambda = self.lambda(f, &[element.clone(), element])?;
        self.number_of_ordering(&mut lambda.body);
        Some((SeqOp::SortBy(lambda), None))
    }

    fn by_key(
        &mut self,
        found: Comparison<'_>,
        m: &syn::ExprMethodCall,
        elem: Ty,
    ) -> Option<(SeqOp, Option<Expr>)> {
        let span = m.extent();
        let (element, key) = self.scoped(|r| match found.key {
            None => {
                let local = r.unnamed("element", elem.clone(), span);
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
            SortBy::Int if matches!(key_ty, Ty::Float | Ty::Array(..)) => {
                return None;
            }
            // in their own order values may be equal that are not the same
            SortBy::Int | SortBy::Partial if self.has_own_order(&key_ty) => {
                let is_stable = !m.method.to_string().contains("unstable");
                let by_key = written_out(&found);
                return is_stable.then(|| self.by_comparison(&by_key, &elem))?;
            }
            SortBy::Int => {}
            SortBy::Total | SortBy::Partial => self.unify(&key_ty, &Ty::Float, key.span),
        }
        let op = SeqOp::Sort {
            by: found.by,
            descending: found.descending,
            element,
        };
        Some((op, Some(key)))
    }
}

/// What a sort compares.
enum How {
    Natural,
    By,
    Key,
}

fn how(name: &str) -> Option<How> {
    Some(match name {
        "sort" | "sort_unstable" | "select_nth_unstable" => How::Natural,
        "sort_by" | "sort_unstable_by" | "select_nth_unstable_by" => How::By,
        "sort_by_key"
        | "sort_by_cached_key"
        | "sort_unstable_by_key"
        | "select_nth_unstable_by_key" => How::Key,
        _ => return None,
    })
}

/// `Reverse(key)`
fn reversed(key: &syn::Expr) -> (&syn::Expr, bool) {
    if let syn::Expr::Call(call) = strip(key)
        && let syn::Expr::Path(p) = strip(&call.func)
        && p.path.segments.last().is_some_and(|s| s.ident == "Reverse")
        && let Some(inner) = call.args.first()
    {
        return (inner, true);
    }
    (key, false)
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
    let (a, b) = (
        walk::bound(Node::Pat(first)),
        walk::bound(Node::Pat(second)),
    );
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

/// A comparison of tuples as that of their components, one after the other.
///
/// ```text
/// |t| (t.0, Reverse(t.1))   =>   |__a, __b| {
///                                    let (__a0, __a1) = { let t = __a; (t.0, t.1) };
///                                    let (__b0, __b1) = { let t = __b; (t.0, t.1) };
///                                    __a0.cmp(&__b0).then(__b1.cmp(&__a1))
///                                }
/// ```
fn by_parts(c: &Comparison<'_>) -> Option<syn::Expr> {
    let (pat, key) = c.key?;
    let (syn::Expr::Tuple(tuple), SortBy::Int) = (strip(key), c.by) else {
        return None;
    };
    let (parts, descending): (Vec<_>, Vec<_>) = tuple.elems.iter().map(reversed).unzip();
    let name = |of: &str, k: usize| Ident::new(&format!("__{of}{k}"), Span::call_site());
    let names = |of: &str| -> Vec<Ident> { (0..parts.len()).map(|k| name(of, k)).collect() };
    let (first, second) = (names("a"), names("b"));
    let compared = descending.iter().enumerate().map(|(k, descending)| {
        let (a, b) = match c.descending != *descending {
            true => (&second[k], &first[k]),
            false => (&first[k], &second[k]),
        };
        parse_quote!(#a.cmp(&#b))
    });
    let order: syn::Expr =
        compared.reduce(|all: syn::Expr, next| parse_quote!(#all.then(#next)))?;
    Some(parse_quote!(|__a, __b| {
        let (#(#first,)*) = { let #pat = __a; (#(#parts,)*) };
        let (#(#second,)*) = { let #pat = __b; (#(#parts,)*) };
        #order
    }))
}

/// The comparison by the key that a closure returns for an element; the other way round if that is a `Reverse`.
pub(super) fn by_key_of_one(f: &syn::Expr) -> Option<syn::Expr> {
    let c = as_closure(f)?;
    let (key, descending) = reversed(&c.body);
    Some(written_out(&Comparison {
        by: SortBy::Int,
        descending,
        key: Some((c.inputs.first()?, key)),
    }))
}

/// `|t| t.kind`   =>   `|__a, __b| { let __first = { let t = __a; t.kind }; let __second = ..; __first.cmp(&__second) }`
fn written_out(c: &Comparison<'_>) -> syn::Expr {
    let key = |of: &str| -> syn::Expr {
        let of = Ident::new(of, Span::call_site());
        match c.key {
            Some((pat, key)) => parse_quote!({ let #pat = #of; #key }),
            None if c.by == SortBy::Partial => parse_quote!(#of),
            None => parse_quote!(*#of),
        }
    };
    let (first, second) = match c.descending {
        true => (key("__b"), key("__a")),
        false => (key("__a"), key("__b")),
    };
    let order: syn::Expr = match c.by {
        SortBy::Partial => {
            parse_quote!(::core::option::Option::unwrap(
                __first.partial_cmp(&__second)
            ))
        }
        SortBy::Int | SortBy::Total => parse_quote!(__first.cmp(&__second)),
    };
    parse_quote!(|__a, __b| {
        let __first = #first;
        let __second = #second;
        #order
    })
}

/// Without references and parentheses around it.
fn bare(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) if r.mutability.is_none() => bare(&r.expr),
        other => other,
    }
}

fn mentions(e: &syn::Expr, names: &[Ident]) -> bool {
    tokens::any(
        e.to_token_stream(),
        &mut |tree| matches!(tree, TokenTree::Ident(i) if names.contains(i)),
    )
}

fn renamed(tokens: TokenStream, from: &[Ident], to: &[Ident]) -> TokenStream {
    replaced(tokens, &|name| {
        let k = from.iter().position(|f| f == name)?;
        to.get(k).map(Ident::to_token_stream)
    })
}
