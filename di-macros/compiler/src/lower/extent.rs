//! Stretches of the user's code, from the first token to the last.
//!
//! Joining two spans into one is not possible on stable Rust, so that both are kept.

use crate::report::Extent;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Syntax knows where it stands.
pub(crate) trait HasExtent {
    fn extent(&self) -> Extent;
}

impl<T: ToTokens> HasExtent for T {
    fn extent(&self) -> Extent {
        extent_of(self.to_token_stream())
    }
}

fn extent_of(tokens: TokenStream) -> Extent {
    let mut trees = tokens.into_iter();
    let Some(first) = trees.next() else {
        return Span::call_site().into();
    };
    let end = trees.last().map_or_else(|| first.span(), |t| t.span());
    Extent {
        start: first.span(),
        end,
    }
}

/// The same of an expression, without its tokens, which would be written for each expression that it is part of.
pub(crate) fn of_expr(e: &syn::Expr) -> Extent {
    match ends(e) {
        Some((start, end)) => Extent { start, end },
        None => e.extent(),
    }
}

fn ends(e: &syn::Expr) -> Option<(Span, Span)> {
    let start = |e: &syn::Expr| of_expr(e).start;
    let end = |e: &syn::Expr| of_expr(e).end;
    let (attrs, found) = match e {
        syn::Expr::Lit(l) => (&l.attrs, (l.lit.span(), l.lit.span())),
        syn::Expr::Path(p) if p.qself.is_none() && p.path.leading_colon.is_none() => {
            let (first, last) = (p.path.segments.first()?, p.path.segments.last()?);
            if !last.arguments.is_none() {
                return None;
            }
            (&p.attrs, (first.ident.span(), last.ident.span()))
        }
        syn::Expr::Binary(b) => (&b.attrs, (start(&b.left), end(&b.right))),
        syn::Expr::Assign(a) => (&a.attrs, (start(&a.left), end(&a.right))),
        syn::Expr::Index(i) => {
            let end = i.bracket_token.span.join();
            (&i.attrs, (start(&i.expr), end))
        }
        syn::Expr::Call(c) => (&c.attrs, (start(&c.func), c.paren_token.span.join())),
        syn::Expr::MethodCall(m) => {
            let end = m.paren_token.span.join();
            (&m.attrs, (start(&m.receiver), end))
        }
        syn::Expr::Field(f) => (&f.attrs, (start(&f.base), f.member.span())),
        syn::Expr::Paren(p) => {
            let whole = p.paren_token.span.join();
            (&p.attrs, (whole, whole))
        }
        syn::Expr::Reference(r) => (&r.attrs, (r.and_token.span, end(&r.expr))),
        syn::Expr::Unary(u) => (&u.attrs, (u.op.span(), end(&u.expr))),
        _ => return None,
    };
    attrs.is_empty().then_some(found)
}
