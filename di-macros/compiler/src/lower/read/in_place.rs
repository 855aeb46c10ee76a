//! Methods whose bodies stand in the place of their calls.

use super::Reader;
use super::expr::unraw;
use crate::ir::Tokens;
use crate::lower::hir::Expr;
use crate::lower::ty::Ty;
use crate::lower::{inline, types};

impl Reader<'_> {
    /// The body of a method that stands in the place of its calls.
    pub(super) fn method_in_place(
        &mut self,
        m: &syn::ExprMethodCall,
        receiver: &Expr,
        path: &Tokens,
    ) -> Option<syn::Expr> {
        let (of, name) = (&path.0, &m.method);
        let function = self.env.higher(&format!("{of}::{}", unraw(name)))?;
        let Some(syn::FnArg::Typed(own)) = function.sig.inputs.first() else {
            return None;
        };
        let (this, is_borrowed) = (
            &m.receiver,
            matches!(self.types.shallow(&receiver.ty), Ty::Ref(..)),
        );
        let this: syn::Expr = match types::ungroup(&own.ty) {
            syn::Type::Reference(r) if !is_borrowed => {
                let mutable = &r.mutability;
                syn::parse_quote!(&#mutable #this)
            }
            syn::Type::Reference(r) if r.mutability.is_some() => syn::parse_quote!(&mut *#this),
            _ => syn::parse_quote!(#this),
        };
        let args = m.args.iter();
        let call = syn::parse_quote_spanned!(name.span()=> #of::#name(#this #(, #args)*));
        let body = inline::inlined(self.env, call, &mut self.inlined);
        (!matches!(body, syn::Expr::Call(_))).then_some(body)
    }
}
