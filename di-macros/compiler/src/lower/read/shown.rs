//! Derived structs and enums in messages, as values of the user's types: these know how they are written.
//!
//! ```text
//! eprintln!("{e:?}")   =>   eprintln!("{:?}", { let __arg0_0_value = __arg0_0.shown(); Fault { at: __arg0_0_value } })
//! ```

use super::Reader;
use crate::error;
use crate::ir::Tokens;
use crate::lower::hir::{Expr, Kind};
use crate::lower::ty::Ty;
use crate::template::parse_quote;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

impl Reader<'_> {
    /// What is written of a value, by names for its parts, which are noted.
    pub(super) fn shown(
        &mut self,
        value: Expr,
        own: &str,
        parts: &mut Vec<(String, Expr)>,
    ) -> TokenStream {
        let name = syn::Ident::new(own, Span::call_site());
        let Ty::Struct(path) = self.types.peel(&value.ty) else {
            parts.push((own.to_owned(), value));
            return name.to_token_stream();
        };
        match self.shown_struct(&value, &path, own, parts) {
            Some(shown) => shown.into_token_stream(),
            None => {
                self.cx.error_about(value.span, &error::SHOWN, &path.0);
                name.to_token_stream()
            }
        }
    }

    pub(super) fn shown_struct(
        &mut self,
        value: &Expr,
        path: &Tokens,
        own: &str,
        parts: &mut Vec<(String, Expr)>,
    ) -> Option<syn::Expr> {
        if !is_place(value) {
            return None;
        }
        let fields = self.env.fields(&path.0.to_string())?;
        let mut of: syn::Path = syn::parse2(path.0.clone()).ok()?;
        of.segments.last_mut()?.arguments = syn::PathArguments::None;
        let (mut named, mut bound) = (Vec::new(), Vec::<syn::Stmt>::new());
        for (k, (field, _)) in fields.iter().enumerate() {
            let ty = self.field_type(path, field);
            let part = Expr::new(
                Kind::Field(Box::new(value.clone()), field.clone()),
                ty.clone(),
                value.span,
            );
            let text = format!("{own}_{k}");
            let name = syn::Ident::new(&text, Span::call_site());
            let value = syn::Ident::new(&format!("{text}_value"), Span::call_site());
            let of_part: syn::Expr = match self.types.peel(&ty) {
                Ty::Struct(inner) => self.shown_struct(&part, &inner, &text, parts)?,
                inner => {
                    parts.push((text, part));
                    match inner {
                        Ty::Tuple(_) | Ty::Sum(_) | Ty::Bundle(..) => return None,
                        Ty::Array(..) if self.is_floats(&inner) => {
                            let rt = self.rt;
                            parse_quote!({
                                use #rt::Shown as _;
                                let __list = #name[..].shown();
                                ::core::array::from_fn(|__k| __list[__k].clone())
                            })
                        }
                        inner if self.is_floats(&inner) => {
                            let rt = self.rt;
                            parse_quote!({ use #rt::Shown as _; #name.shown() })
                        }
                        Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) => return None,
                        _ => parse_quote!(#name.clone()),
                    }
                }
            };
            bound.push(parse_quote!(let #value = #of_part;));
            named.push((field.clone(), value));
        }
        let whole = self.value_of_fields(&of, &named)?;
        Some(parse_quote!({ #(#bound)* #whole }))
    }

    /// Whether this is a float, or a list of floats.
    fn is_floats(&self, ty: &Ty) -> bool {
        match self.types.shallow(ty) {
            Ty::Float => true,
            Ty::Array(of, _) | Ty::Slice(of) | Ty::Vec(of) => self.is_floats(&of),
            _ => false,
        }
    }
}

fn is_place(value: &Expr) -> bool {
    match &value.kind {
        Kind::Local(_) => true,
        Kind::Field(of, _) | Kind::TupleField(of, _) | Kind::Index(of, _) => is_place(of),
        Kind::Deref(of) | Kind::Ref(_, of) => is_place(of),
        _ => false,
    }
}
