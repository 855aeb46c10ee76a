//! Elements that std finds in constant tables.

use super::Reader;
use super::expr::strip;
use super::lifted::behind_references;
use super::of_std::Seen;
use crate::lower::hir::{Expr, Iter};
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use quote::ToTokens;

impl Reader<'_> {
    /// `rows.iter().find(..).unwrap().1[k]`   =>   `{ let __of = rows.iter().find(..).unwrap(); __of.1[k] }` of a
    /// constant tuple that is found by what is differentiated.
    pub(super) fn part_of_found(&mut self, e: &syn::Expr) -> Option<Expr> {
        let is_part = matches!(e, syn::Expr::Field(_) | syn::Expr::Index(_));
        let (mut code, mut root) = (is_part.then(|| e.clone())?, None);
        let mut below = Some(&mut code);
        while let Some(of) = below.take() {
            below = match of {
                syn::Expr::Field(f) => Some(&mut f.base),
                syn::Expr::Index(i) => Some(&mut i.expr),
                syn::Expr::MethodCall(_) if self.finds_tuple(of) => {
                    root = Some(std::mem::replace(of, parse_quote!(__of)));
                    None
                }
                _ => None,
            };
        }
        root.map(|root| self.expr(&parse_quote!({ let __of = #root; #code })))
    }

    fn finds_tuple(&self, e: &syn::Expr) -> bool {
        let of = self.type_as_written(e).map(|ty| self.env.expanded(&ty));
        (of.as_ref().map(behind_references)).is_some_and(|of| matches!(of, syn::Type::Tuple(_)))
    }

    /// `names.iter().filter_map(|n| TABLE.iter().find(..))` of constants alone.
    pub(super) fn elements_found(&mut self, m: &syn::ExprMethodCall) -> Option<(Iter, Ty)> {
        let chain = syn::Expr::MethodCall(m.clone());
        let Some(Seen::Items(of)) = self.seen_among(&chain, &[]) else {
            return None;
        };
        let is_element = self.is_element(behind_references(&self.env.expanded(&of)));
        (is_element && !self.may_be_active(&chain)).then(|| self.items_of(&chain))
    }

    /// Whether an element of a constant table is found that is no number, or may be, or a part of such:
    /// `TABLE.iter().find(..)`
    pub(super) fn finds_element(&self, e: &syn::Expr) -> bool {
        let e = match strip(e) {
            syn::Expr::Field(f) => return self.finds_element(&f.base),
            syn::Expr::Index(i) => return self.finds_element(&i.expr),
            e => e,
        };
        let of = self.type_as_written(e).map(|ty| self.env.expanded(&ty));
        let of = of.as_ref().and_then(|ty| match types::ungroup(ty) {
            syn::Type::Path(p) if types::is_option(ty) => {
                types::arguments(&p.path).first().copied()
            }
            ty => Some(ty),
        });
        (of.map(behind_references)).is_some_and(|of| self.is_element(of))
    }

    fn is_element(&self, of: &syn::Type) -> bool {
        matches!(of, syn::Type::Tuple(_)) || self.is_known_struct(&of.to_token_stream())
    }
}
