//! Enums: a struct of the number of the variant and of what all variants hold, where what the others hold is zero.

use super::code::Code;
use super::field::Field;
use crate::error;
use crate::lower::variants::{TAG, field_name, member_name, stored};
use crate::report::Report;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::spanned::Spanned;

/// A variant.
pub(super) struct Variant {
    name: Ident,
    /// What it holds: its own name for it, and that of the struct.
    members: Vec<(syn::Member, Ident)>,
    /// Whether these have names.
    is_named: bool,
}

/// Writes the struct in the place of an enum.
pub(super) fn take(input: &mut syn::DeriveInput, cx: &Report) -> Option<Vec<Variant>> {
    let syn::Data::Enum(data) = &input.data else {
        return None;
    };
    let all = data.variants.iter().enumerate().map(|(k, v)| {
        let members = v.fields.members().zip(&v.fields).enumerate();
        let members = members.map(|(n, (member, field))| {
            let name = field_name(k, &member_name(n, field));
            (member, format_ident!("{name}"))
        });
        Variant {
            name: v.ident.clone(),
            members: members.collect(),
            is_named: matches!(v.fields, syn::Fields::Named(_)),
        }
    });
    let all = all.collect();
    let attrs = data.variants.iter().flat_map(|v| {
        let of_fields = v.fields.iter().flat_map(|f| &f.attrs);
        v.attrs.iter().chain(of_fields)
    });
    for condition in attrs.filter(|a| a.path().is_ident("cfg")) {
        cx.error(condition.span(), &error::DERIVE_NOT_A_STRUCT);
    }
    for parameter in &input.generics.params {
        cx.error(parameter.span(), &error::DERIVE_GENERICS);
    }
    let item = syn::ItemEnum {
        attrs: Vec::new(),
        vis: input.vis.clone(),
        enum_token: data.enum_token,
        ident: input.ident.clone(),
        generics: syn::Generics::default(),
        brace_token: data.brace_token,
        variants: data.variants.clone(),
    };
    let mut fields = stored(&item);
    // what an enum holds is seen where it is
    fields.iter_mut().for_each(|f| f.vis = input.vis.clone());
    input.data = syn::Data::Struct(syn::DataStruct {
        struct_token: <syn::Token![struct]>::default(),
        fields,
        semi_token: None,
    });
    Some(all)
}

/// The variants as the enum has them, with fields that the struct has.
pub(super) fn written(variants: &[Variant], fields: &syn::Fields) -> Vec<TokenStream> {
    let field = |name: &Ident| {
        let mut fields = fields.iter();
        let mut found = fields.find(|f| f.ident.as_ref() == Some(name))?.clone();
        (found.ident, found.colon_token) = (None, None);
        found.vis = syn::Visibility::Inherited;
        Some(found)
    };
    let all = variants.iter().map(|v| {
        let name = &v.name;
        let fields = v.members.iter().map(|(member, own)| match member {
            syn::Member::Named(member) => {
                let found = field(own);
                let (attrs, ty) = (
                    found.iter().flat_map(|f| &f.attrs),
                    found.iter().map(|f| &f.ty),
                );
                quote!(#(#attrs)* #member: #(#ty)*)
            }
            syn::Member::Unnamed(_) => {
                let found = field(own);
                quote!(#found)
            }
        });
        match v.is_named {
            true => quote!(#name { #(#fields),* }),
            false if v.members.is_empty() => quote!(#name),
            false => quote!(#name(#(#fields),*)),
        }
    });
    all.collect()
}

/// What variants hold must have a zero, and some of it is differentiated.
pub(super) fn check(fields: &[Field<'_>], input: &syn::DeriveInput, cx: &Report) {
    for f in fields.iter().filter(|f| !f.is_held()) {
        cx.error_about(
            f.ty.span(),
            &error::DERIVE_VARIANT,
            quote::ToTokens::to_token_stream(f.ty),
        );
    }
    if cx.is_clean() && !fields.iter().any(Field::is_active) {
        cx.error(input.ident.span(), &error::DERIVE_NOT_A_STRUCT);
    }
}

impl<'a> Code<'a> {
    /// `match self { E::A(__f1) => .., E::B => .. }`: what becomes of each variant, by its number.
    fn each_variant(
        &self,
        then: impl Fn(usize, &Variant, &[&Field<'a>]) -> TokenStream,
    ) -> Option<TokenStream> {
        let variants = self.s.variants.as_ref()?;
        let enumeration = &self.s.input.ident;
        let arms = variants.iter().enumerate().map(|(k, variant)| {
            let (name, fields) = (&variant.name, self.fields_of(variant));
            let members = variant.members.iter().map(|(member, _)| member);
            let vars = fields.iter().map(|f| &f.var);
            let body = then(k, variant, &fields);
            quote!(#enumeration::#name { #(#members: #vars,)* } => #body)
        });
        Some(quote!(match self { #(#arms,)* }))
    }

    /// The fields of the struct that a variant has.
    fn fields_of(&self, variant: &Variant) -> Vec<&Field<'a>> {
        let is_it =
            |f: &Field<'a>, name: &Ident| matches!(&f.member, syn::Member::Named(of) if of == name);
        let names = variant.members.iter().map(|(_, name)| name);
        let fields = names.filter_map(|name| self.fields().iter().find(|f| is_it(f, name)));
        fields.collect()
    }

    /// The view of an enum.
    pub(super) fn viewed_variants(&self) -> Option<TokenStream> {
        let (rt, real) = (&self.rt, &self.s.real);
        let chosen = self.each_variant(|k, _, own| {
            let fields = self.all(|f| {
                let (member, var) = (&f.member, &f.var);
                match member {
                    syn::Member::Named(name) if name == TAG => quote!(#k),
                    _ if own.iter().any(|own| own.member == *member) => {
                        self.lend_field(f, &quote!((*#var)), true)
                    }
                    _ => quote!(__blank.#member),
                }
            });
            self.make(&self.view, fields)
        })?;
        // what is in no variant needs none
        Some(quote! {
            let __blank = <Self as #rt::Differentiable>::shorten::<#real>(<Self as #rt::Optional>::none());
            #chosen
        })
    }

    /// A new value of the user's, of the same variant.
    pub(super) fn rebuilt_variants(&self) -> Option<TokenStream> {
        let name = &self.s.input.ident;
        self.each_variant(|_, variant, own| {
            let (members, variant) = (variant.members.iter().map(|m| &m.0), &variant.name);
            let values = own.iter().map(|f| {
                let var = &f.var;
                self.rebuild_field(f, &quote!((*#var)))
            });
            quote!(#name::#variant { #(#members: #values,)* })
        })
    }

    /// Replaces the floats of the variant that there is.
    pub(super) fn written_variants(&self) -> Option<TokenStream> {
        self.each_variant(|_, _, own| {
            let each = own.iter().map(|f| {
                let var = &f.var;
                self.write_field(f, &quote!((*#var)))
            });
            quote!({ #(#each)* })
        })
    }
}
