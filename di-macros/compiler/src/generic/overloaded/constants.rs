//! Constants, whose values rustc computes on floats.

use super::copy::{Copier, Mode};
use crate::template::{parse_quote, quote};
use crate::tokens;
use crate::walk::NodeMut;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

impl Copier {
    /// A constant item. One of the module has the value that the original has.
    pub(super) fn constant_item(
        &mut self,
        item: &mut syn::ItemConst,
        is_of_module: bool,
    ) -> TokenStream {
        item.attrs.retain(|a| a.path().is_ident("cfg"));
        let (rt, name) = (&self.rt, &item.ident);
        let of_module = is_of_module && name != "_";
        let known = &self.known;
        let scalar = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if known.is_scalar(&p.path));
        let value = match &*item.ty {
            _ if !of_module => None,
            ty if scalar(ty) => Some(self.lifted(&quote!(super::#name))),
            syn::Type::Array(a) if scalar(&a.elem) => {
                Some(quote!(#rt::overloaded::array(super::#name)))
            }
            syn::Type::Array(a) => match &*a.elem {
                syn::Type::Array(b) if scalar(&b.elem) => {
                    Some(quote!(#rt::overloaded::grid(super::#name)))
                }
                _ => None,
            },
            syn::Type::Reference(r) => match &*r.elem {
                syn::Type::Slice(s) if scalar(&s.elem) => {
                    Some(quote!(&#rt::overloaded::slice::<_, { super::#name.len() }>(super::#name)))
                }
                _ => None,
            },
            _ => None,
        };
        let code = item.ty.to_token_stream();
        let is_plain = !self.has_floats(&code) && !self.known.names_type(&code);
        match value {
            Some(value) => {
                self.change(NodeMut::Type(&mut item.ty));
                *item.expr = syn::Expr::Verbatim(value);
            }
            None if of_module && is_plain => {
                *item.expr = parse_quote!(super::#name);
            }
            None => self.initialize(&mut item.ty, &mut item.expr),
        }
        item.to_token_stream()
    }

    /// The value of a constant or a static, from what is written.
    pub(super) fn initialize(&mut self, ty: &mut syn::Type, value: &mut syn::Expr) {
        let code = ty.to_token_stream();
        let is_scalar = matches!(ty, syn::Type::Path(p) if self.known.is_scalar(&p.path));
        let is_plain = !self.has_floats(&code) && !self.known.names_type(&code);
        self.change(NodeMut::Type(ty));
        let mode = if is_scalar || is_plain {
            Mode::Plain
        } else {
            Mode::Table
        };
        let outside = std::mem::replace(&mut self.mode, mode);
        self.change(NodeMut::Expr(value));
        self.mode = outside;
        if is_scalar {
            *value = syn::Expr::Verbatim(self.lifted(&value.to_token_stream()));
        }
    }

    /// Of a float in the table of a constant what is computed, which rustc does on floats.
    pub(super) fn computed(&mut self, e: &mut syn::Expr) -> bool {
        let is_computed = match e {
            syn::Expr::Binary(_) | syn::Expr::Cast(_) => true,
            syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)),
            _ => false,
        };
        let float = &self.float;
        let code = e.to_token_stream();
        let is_float = self.has_floats(&code)
            || tokens::any(
                code,
                &mut |t| matches!(t, TokenTree::Ident(i) if i == float || self.known.of_std(&i.clone().into()).is_some()),
            );
        if !is_computed || !is_float {
            return false;
        }
        self.mode = Mode::Plain;
        self.change(NodeMut::Expr(e));
        self.mode = Mode::Table;
        *e = syn::Expr::Verbatim(self.lifted(&e.to_token_stream()));
        true
    }

    /// An expression that rustc evaluates on floats: constants of the copy give theirs.
    pub(super) fn plain_expr(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Path(p) = e
            && p.qself.is_none()
            && let Some(path) = self.known.of_std(&p.path)
        {
            p.path = path;
            return;
        }
        if let syn::Expr::Path(p) = e
            && p.path
                .segments
                .last()
                .is_some_and(|s| self.known.is_float(&s.ident.to_string()))
        {
            *e = syn::Expr::Verbatim(quote!(#p.of_constant()));
            return;
        }
        self.change_below(NodeMut::Expr(e));
    }
}
