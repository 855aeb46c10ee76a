//! Derived enums: a value is kept as a struct of the number of its variant and of what all variants hold. What other
//! variants hold is zero.

use crate::template::parse_quote;
use crate::tokens::unraw;
use proc_macro2::{Ident, Span};

/// The field with the number of the variant.
pub(crate) const TAG: &str = "__variant";

/// The field for what variant number `k` holds under this name.
pub(crate) fn field_name(k: usize, member: &str) -> String {
    format!("__{k}_{member}")
}

/// The name of a field of a variant, or its number.
pub(crate) fn member_name(k: usize, field: &syn::Field) -> String {
    match &field.ident {
        Some(ident) => unraw(ident),
        None => k.to_string(),
    }
}

/// The fields of the struct.
pub(crate) fn stored(of: &syn::ItemEnum) -> syn::Fields {
    let tag = Ident::new(TAG, Span::call_site());
    let mut fields: syn::FieldsNamed = parse_quote!({ pub #tag: usize });
    for (k, variant) in of.variants.iter().enumerate() {
        for (n, field) in variant.fields.iter().enumerate() {
            let name = field_name(k, &member_name(n, field));
            fields.named.push(syn::Field {
                ident: Some(Ident::new(&name, Span::call_site())),
                vis: parse_quote!(pub),
                colon_token: Some(<syn::Token![:]>::default()),
                ..field.clone()
            });
        }
    }
    syn::Fields::Named(fields)
}
