//! Calls that choose among constants by numbers that are differentiated: `site.layer(z).gamma`, where `layer` returns a
//! reference. What is chosen has no derivative by what it is chosen with.
//!
//! ```text
//! site.layer(z).gamma   =>   { let __cut0 = passive(z); site.layer(__cut0).gamma }
//! ```

use super::Reader;
use super::expr::{strip, unraw};
use super::plain::is_plain;
use crate::ir::Tokens;
use crate::lower::extent::HasExtent;
use crate::lower::hir::{Expr, Kind};
use crate::lower::methods::Method;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::template::parse_quote;
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// What numbers are bound to that only choose.
const CUT: &str = "__cut";

impl Reader<'_> {
    /// `passive(e)`: active values go in, no derivative comes out.
    pub(super) fn explicit_passive(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::ExprPath,
        arg: &syn::Expr,
    ) -> Expr {
        if is_plain(arg) {
            let e = self.expr(arg);
            let (ty, span) = (self.types.peel(&e.ty), call.extent());
            return Expr::new(
                Kind::Cut(
                    Tokens(self.resolve_use(&path.path).to_token_stream()),
                    Box::new(e),
                ),
                ty,
                span,
            );
        }
        match self.choosing(arg) {
            Some((lets, code)) => self.expr(&parse_quote!({ #(#lets)* #path(#code) })),
            None => self.passive(&syn::Expr::Call(call.clone()), true),
        }
    }

    /// Code whose calls choose by constants alone, with what is bound in front, if some choose by what is differentiated.
    pub(super) fn choosing(&self, e: &syn::Expr) -> Option<(Vec<syn::Stmt>, syn::Expr)> {
        let (mut code, mut lets) = (e.clone(), Vec::<syn::Stmt>::new());
        walk::change(NodeMut::Expr(&mut code), &mut |node| {
            let NodeMut::Expr(part) = node else {
                return Onward::Over;
            };
            let (args, chooses) = match part {
                syn::Expr::MethodCall(m) => {
                    let chooses = self.returns_reference(m);
                    (&mut m.args, chooses)
                }
                syn::Expr::Call(c) => (&mut c.args, false),
                syn::Expr::Field(_)
                | syn::Expr::Paren(_)
                | syn::Expr::Reference(_)
                | syn::Expr::Unary(_) => return Onward::Into,
                _ => return Onward::Over,
            };
            for arg in args {
                let cut: syn::Expr = match is_explicit(arg) {
                    true => arg.clone(),
                    false if chooses && self.is_active_number(arg) => parse_quote!(passive(#arg)),
                    false => continue,
                };
                let name = Ident::new(&format!("{CUT}{}", lets.len()), Span::call_site());
                lets.push(parse_quote!(let #name = #cut;));
                *arg = parse_quote!(#name);
            }
            Onward::Into
        });
        (!lets.is_empty()).then_some((lets, code))
    }

    /// Whether a method of the user's returns a reference into what it is called on: one with a lifetime may be an argument.
    fn returns_reference(&self, m: &syn::ExprMethodCall) -> bool {
        let Some(of) = self.type_as_written(&m.receiver) else {
            return false;
        };
        let of = types::behind_pointers(&self.env.expanded(&of)).to_token_stream();
        let name = unraw(&m.method);
        let own = self
            .env
            .method_of(&of, &name)
            .and_then(Method::plain_output);
        let own = own.or_else(|| self.env.passive(&of.to_string(), &name));
        let is_reference = |ty: &syn::Type| matches!(types::ungroup(ty), syn::Type::Reference(r) if r.mutability.is_none() && r.lifetime.is_none());
        own.is_some_and(|ty| match types::ungroup(&ty) {
            syn::Type::Path(p) if types::is_option(&ty) => {
                types::arguments(&p.path).into_iter().all(is_reference)
            }
            ty => is_reference(ty),
        })
    }

    fn is_active_number(&self, arg: &syn::Expr) -> bool {
        let is_float = match strip(arg) {
            syn::Expr::Path(p) => self.local_by(&p.path).is_some_and(|local| {
                let local = &self.locals[local.0];
                !local.name.starts_with(CUT) && matches!(self.types.shallow(&local.ty), Ty::Float)
            }),
            syn::Expr::Binary(_) | syn::Expr::Index(_) | syn::Expr::MethodCall(_) => true,
            _ => false,
        };
        is_float && is_plain(arg) && self.may_be_active(arg)
    }
}

/// `passive(x)`
fn is_explicit(e: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = strip(e) else {
        return false;
    };
    let is_it = |p: &syn::ExprPath| p.path.segments.last().is_some_and(|s| s.ident == "passive");
    matches!(strip(&c.func), syn::Expr::Path(p) if is_it(p)) && c.args.len() == 1
}
