//! Copies of lists of derived structs that are constants: `let mut bodies = data.bodies.clone();`. What is changed later
//! may be differentiated, so each struct is made anew, field by field.

use super::Reader;
use super::expr::strip;
use super::lifted::{behind_references, element};
use proc_macro2::Span;
use quote::ToTokens;

/// Whether a pattern is a variable that may be changed.
pub(super) fn is_changed(pat: &syn::Pat) -> bool {
    matches!(pat, syn::Pat::Ident(p) if p.mutability.is_some())
}

impl Reader<'_> {
    // { let mut copied = Vec::new(); for of in list.iter() { copied.push(P { x: of.x, .. }); } copied }
    pub(super) fn copied_structs(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::MethodCall(m) = strip(e) else {
            return None;
        };
        let is_copy = matches!(&*m.method.to_string(), "clone" | "to_vec" | "to_owned");
        if !is_copy || !m.args.is_empty() || !self.is_of_opaque(e) {
            return None;
        }
        let list = self.env.expanded(&self.type_as_written(&m.receiver)?);
        let list = behind_references(&list);
        let of = element(list).filter(|of| self.is_derived(of))?;
        if matches!(list, syn::Type::Array(_)) && m.method != "to_vec" {
            return None;
        }
        let one = self.copied_struct(of, &syn::parse_quote!(__of))?;
        let receiver = &m.receiver;
        Some(syn::parse_quote!({
            let mut __copied: Vec<#of> = Vec::new();
            for __of in #receiver.iter() {
                __copied.push(#one);
            }
            __copied
        }))
    }

    /// A derived struct, made of the fields of another one. None if there are lists of structs in it.
    fn copied_struct(&self, of: &syn::Type, from: &syn::Expr) -> Option<syn::Expr> {
        let fields = self.env.fields(&of.to_token_stream().to_string())?;
        let mut made: Vec<syn::FieldValue> = Vec::new();
        for (name, ty) in fields {
            let member: syn::Member = match name.parse::<usize>() {
                Ok(number) => syn::Member::Unnamed(number.into()),
                Err(_) => syn::Member::Named(syn::Ident::new(&name, Span::call_site())),
            };
            let field: syn::Expr = syn::parse_quote!(#from.#member);
            let value = match &ty {
                ty if self.is_derived(ty) => self.copied_struct(ty, &field)?,
                ty if element(ty).is_some_and(|of| self.is_derived(of)) => return None,
                syn::Type::Path(p)
                    if p.path
                        .get_ident()
                        .is_some_and(|of| self.has_default(&of.to_string())) =>
                {
                    field
                }
                _ => syn::parse_quote!(#field.clone()),
            };
            made.push(syn::parse_quote!(#member: #value));
        }
        Some(syn::parse_quote!(#of { #(#made),* }))
    }
}
