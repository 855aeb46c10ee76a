//! Float literals in the patterns of a `match`, which active numbers are compared with instead.

use super::copy::Copier;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use quote::{ToTokens, format_ident};

/// Moves the float literals of an arm's pattern into its guard.
pub(super) fn guarded(arm: &mut syn::Arm, copy: &Copier) {
    let mut conditions = Vec::new();
    take(&mut arm.pat, copy, &mut conditions);
    if conditions.is_empty() {
        return;
    }
    // which is changed as other code is
    let condition: syn::Expr = parse_quote!(#(#conditions)&&*);
    let (keyword, guard) = match arm.guard.take() {
        Some((keyword, guard)) => {
            let guard = syn::Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: Default::default(),
                expr: guard,
            });
            let both = syn::ExprBinary {
                attrs: Vec::new(),
                left: Box::new(condition),
                op: syn::BinOp::And(Default::default()),
                right: Box::new(guard),
            };
            (keyword, syn::Expr::Binary(both))
        }
        None => (Default::default(), condition),
    };
    arm.guard = Some((keyword, Box::new(guard)));
}

fn take(pat: &mut syn::Pat, copy: &Copier, conditions: &mut Vec<syn::Expr>) {
    walk::change(NodeMut::Pat(pat), &mut |node| {
        let NodeMut::Pat(pat) = node else {
            return Onward::Into;
        };
        let name = format_ident!("__number{}", conditions.len());
        match pat {
            syn::Pat::Lit(of) if copy.is_float(&of.lit) => {
                conditions.push(parse_quote!((#name.eq(&#of))));
            }
            syn::Pat::Range(range) if copy.has_floats(&range.to_token_stream()) => {
                let syn::ExprRange {
                    start, limits, end, ..
                } = range;
                conditions.push(parse_quote!(((#start #limits #end).contains(&#name))));
            }
            // each alternative would need a condition of its own
            syn::Pat::Or(or) if alone(or, copy) => {
                let all = or.cases.iter().filter_map(|case| match case {
                    syn::Pat::Lit(of) => Some(of),
                    _ => None,
                });
                conditions.push(parse_quote!((#(#name.eq(&#all))||*)));
            }
            _ => return Onward::Into,
        }
        *pat = syn::Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: name,
            subpat: None,
        });
        Onward::Over
    });
}

fn alone(or: &syn::PatOr, copy: &Copier) -> bool {
    or.cases
        .iter()
        .all(|case| matches!(case, syn::Pat::Lit(of) if copy.is_float(&of.lit)))
}
