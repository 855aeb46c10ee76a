//! What is in the variants of constants, and variants of an enum without data that a branch chooses. Which one it is is an integer, however that is found,
//! and passive code makes the variant of it.
//!
//! ```text
//! if x > 0.0 { Act::Tanh } else { Act::Relu }   =>   match if x > 0.0 { 0 } else { 1 } { 0 => Act::Tanh, _ => Act::Relu }
//! ```

use super::Reader;
use super::expr::unraw;
use super::lifted::behind_references;
use super::pattern::is_rest;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::sorted::Map;
use quote::ToTokens;

impl Reader<'_> {
    /// The types of the names in a pattern that looks into a constant, as its enums and structs write them.
    pub(super) fn parts_as_written(&mut self, pat: &syn::Pat, ty: &Ty) -> Map<String, Ty> {
        let (mut found, of) = (Map::new(), self.constant_type(ty));
        let by_ref = match self.types.shallow(ty) {
            Ty::Ref(..) => Some(true),
            Ty::Opaque(_) => Some(false),
            // a reference or not
            _ => None,
        };
        self.written_parts(pat, of.as_ref(), by_ref, &mut found);
        let parts = found.into_iter().map(|(name, (of, by_ref))| {
            // numbers behind references are looked at as they are
            let ty = match by_ref {
                Some(by_ref) if self.is_derived(&of) => {
                    let of = Ty::Opaque(Tokens(of.into_token_stream()));
                    if by_ref { Ty::reference(false, of) } else { of }
                }
                _ => self.foreign(),
            };
            (name, ty)
        });
        parts.collect()
    }

    /// `by_ref`: whether names are references, as far as this is known.
    fn written_parts(
        &self,
        pat: &syn::Pat,
        of: Option<&syn::Type>,
        by_ref: Option<bool>,
        found: &mut Map<String, (syn::Type, Option<bool>)>,
    ) {
        let of = of.map(|ty| behind_references(ty).clone());
        let field = |path: &syn::Path, member: &str| {
            let path = self.resolve_use(path).to_token_stream().to_string();
            let of = of.as_ref().map(|ty| ty.to_token_stream().to_string());
            let last = path.rsplit("::").next().unwrap_or_default();
            let beside = of.and_then(|of| self.env.field(&format!("{of}::{last}"), member));
            beside.or_else(|| self.env.field(&path, member))
        };
        match pat {
            syn::Pat::Ident(p) => {
                let by_ref = if p.by_ref.is_some() {
                    Some(true)
                } else {
                    by_ref
                };
                found.extend(of.map(|ty| (unraw(&p.ident), (ty, by_ref))));
            }
            syn::Pat::Reference(r) => {
                self.written_parts(&r.pat, of.as_ref(), Some(false), found);
            }
            syn::Pat::Paren(p) => self.written_parts(&p.pat, of.as_ref(), by_ref, found),
            syn::Pat::Or(or) => {
                let cases = or.cases.iter();
                cases.for_each(|p| self.written_parts(p, of.as_ref(), by_ref, found));
            }
            syn::Pat::Tuple(t) if !t.elems.iter().any(is_rest) => {
                let Some(syn::Type::Tuple(parts)) = of else {
                    return;
                };
                for (p, ty) in t.elems.iter().zip(&parts.elems) {
                    self.written_parts(p, Some(ty), by_ref, found);
                }
            }
            syn::Pat::TupleStruct(t) if !t.elems.iter().any(is_rest) => {
                for (k, p) in t.elems.iter().enumerate() {
                    let ty = field(&t.path, &k.to_string());
                    self.written_parts(p, ty.as_ref(), by_ref, found);
                }
            }
            syn::Pat::Struct(s) => {
                for f in &s.fields {
                    let ty = field(&s.path, &f.member.to_token_stream().to_string());
                    self.written_parts(&f.pat, ty.as_ref(), by_ref, found);
                }
            }
            _ => {}
        }
    }

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
        Some(self.keeping_value(which, |r, _| {
            let mut variant = r.passive(
                &syn::parse_quote!(match kept { #(#first => #variants,)* _ => #last }),
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
