//! Variants of an enum without data that a branch chooses. Which one it is is an integer, however that is found,
//! and passive code makes the variant of it.
//!
//! ```text
//! if x > 0.0 { Act::Tanh } else { Act::Relu }   =>   match if x > 0.0 { 0 } else { 1 } { 0 => Act::Tanh, _ => Act::Relu }
//! ```

use super::Reader;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use quote::ToTokens;

impl Reader<'_> {
    /// An `if` or `match` all of whose values are variants.
    pub(super) fn chosen_variant(&mut self, e: &syn::Expr) -> Option<Expr> {
        let (mut which, mut variants) = (e.clone(), Vec::new());
        if !number(&mut which, &mut variants) {
            return None;
        }
        let last = variants.pop()?;
        let of = self.type_of_variant(&last);
        let first = (0..variants.len()).map(syn::Index::from);
        let which = self.expr(&which);
        Some(self.keeping_as("__which", which, |r, _| {
            let mut variant = r.passive(
                &syn::parse_quote!(match __which { #(#first => #variants,)* _ => #last }),
                false,
            );
            if let Some(of) = of {
                variant.ty = Ty::Opaque(Tokens(of.to_token_stream()));
            }
            variant
        }))
    }
}

/// Puts the number of each variant in its place; whether there is nothing else.
fn number(e: &mut syn::Expr, variants: &mut Vec<syn::Path>) -> bool {
    match e {
        syn::Expr::If(i) => {
            let Some((_, els)) = &mut i.else_branch else {
                return false;
            };
            number_block(&mut i.then_branch, variants) && number(els, variants)
        }
        syn::Expr::Match(m) => (m.arms.iter_mut()).all(|arm| number(&mut arm.body, variants)),
        syn::Expr::Block(b) if b.label.is_none() => number_block(&mut b.block, variants),
        syn::Expr::Path(p) if p.qself.is_none() && is_variant(&p.path) => {
            let k = variants.len();
            variants.push(p.path.clone());
            *e = syn::parse_quote!(#k);
            true
        }
        _ => false,
    }
}

fn number_block(block: &mut syn::Block, variants: &mut Vec<syn::Path>) -> bool {
    match block.stmts.as_mut_slice() {
        [syn::Stmt::Expr(e, None)] => number(e, variants),
        _ => false,
    }
}

/// `Act::Tanh` by its looks: neither a constant in capitals nor an order, which is a number.
fn is_variant(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
    let is_camel = |name: &String| {
        name.starts_with(char::is_uppercase)
            && (name.contains(char::is_lowercase) || name.chars().count() == 1)
    };
    let (variant, of) = (names.next(), names.next());
    variant.as_ref().is_some_and(is_camel) && of.is_some_and(|of| is_camel(&of) && of != "Ordering")
}
