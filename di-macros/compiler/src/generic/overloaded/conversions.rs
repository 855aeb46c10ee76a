//! What is bound to a handle, as the copy takes it.

use super::Passed;
use super::copy::Copier;
use super::known::is_derived;
use crate::sorted::Set;
use crate::template::{list, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

impl Copier {
    /// What the copy takes for a constant that is bound to the handle.
    pub(super) fn constant(&self, name: &Ident, ty: &syn::Type, rt: &TokenStream) -> TokenStream {
        if !self.is_converted(&ty.to_token_stream()) {
            return name.to_token_stream();
        }
        match ty {
            syn::Type::Reference(r) if matches!(&*r.elem, syn::Type::Slice(_)) => {
                quote!(&#rt::overloaded::list(#name))
            }
            syn::Type::Reference(_) => quote!(&#rt::overloaded::Overload::overload(#name)),
            _ => quote!(#rt::overloaded::Overload::overload(&#name)),
        }
    }

    fn is_converted(&self, ty: &TokenStream) -> bool {
        self.has_floats(ty) || self.known.names_type(ty)
    }

    /// How what is bound to handles becomes what the copy takes: values of the module's types, and views of derived
    /// structs. And how structs that functions return become what engines store.
    pub(super) fn conversions(&self, items: &[syn::Item], passed: Passed) -> TokenStream {
        let named = |types: Vec<TokenStream>| {
            let mut found = Set::new();
            let types = types.into_iter();
            types.for_each(|ty| self.known.reach(ty, &mut found));
            found
        };
        let (mut found, returned) = (named(passed.bound), named(passed.returned));
        for name in &self.known.derived {
            self.known
                .reach(self.known.fields[name].clone(), &mut found);
        }
        let of = |item: &syn::Item| match item {
            syn::Item::Struct(s) if found.contains(&s.ident.to_string()) => Some(self.of_struct(s)),
            syn::Item::Struct(s) if is_derived(&s.attrs) => Some(self.of_view(s)),
            syn::Item::Enum(e) if found.contains(&e.ident.to_string()) => Some(self.of_enum(e)),
            _ => None,
        };
        let results = items.iter().filter_map(|item| match item {
            syn::Item::Struct(s) if returned.contains(&s.ident.to_string()) => self
                .known
                .results
                .contains(&s.ident.to_string())
                .then(|| self.of_result(s)),
            _ => None,
        });
        items.iter().filter_map(of).chain(results).collect()
    }

    /// A struct that is returned becomes what engines store of it.
    fn of_result(&self, s: &syn::ItemStruct) -> TokenStream {
        let (rt, name, float) = (&self.rt, &s.ident, &self.float);
        let float = quote!(::core::primitive::#float);
        let own = quote!(<super::#name as #rt::Differentiable>);
        let one = |from: TokenStream, scalar: TokenStream| {
            let fields = s.fields.members();
            let fields =
                fields.map(|member| quote!(#rt::overloaded::Overload::overload(&self.#member)));
            let fields = list(fields);
            quote! {
                impl #rt::overloaded::Overload<#own::Lanes<#scalar>> for #from {
                    fn overload(&self) -> #own::Lanes<#scalar> {
                        #own::from_fields::<#scalar>(#fields)
                    }
                }
            }
        };
        let copied = one(
            name.to_token_stream(),
            quote!(#rt::overloaded::Active<#float>),
        );
        let plain = one(quote!(super::#name), float.clone());
        quote!(#copied #plain)
    }

    fn of_struct(&self, s: &syn::ItemStruct) -> TokenStream {
        let (name, members) = (&s.ident, self.members(s));
        let own = self.conversion(name, &s.generics, &|to| quote!(#to #members));
        let view = is_derived(&s.attrs).then(|| self.of_view(s));
        quote!(#own #view)
    }

    fn members(&self, s: &syn::ItemStruct) -> TokenStream {
        let rt = &self.rt;
        let members: Vec<_> = s.fields.members().collect();
        quote!({ #(#members: #rt::overloaded::Overload::overload(&self.#members)),* })
    }

    /// A view of a derived struct has the same members: it becomes a struct of the copy, and, on floats, one of the
    /// module.
    fn of_view(&self, s: &syn::ItemStruct) -> TokenStream {
        let (rt, name, float) = (&self.rt, &s.ident, &self.float);
        let members = self.members(s);
        let float = quote!(::core::primitive::#float);
        let own = quote!(super::#name);
        let one = |to: &TokenStream, scalar: &TokenStream| {
            quote! {
                impl<'__v> #rt::overloaded::Overload<#to> for <#own as #rt::Differentiable>::View<'__v, #scalar> {
                    fn overload(&self) -> #to { #to #members }
                }
            }
        };
        let copied = one(
            &name.to_token_stream(),
            &quote!(#rt::overloaded::Active<#float>),
        );
        let plain = one(&own, &float);
        quote!(#copied #plain)
    }

    fn of_enum(&self, e: &syn::ItemEnum) -> TokenStream {
        let (rt, name) = (&self.rt, &e.ident);
        let value = |to: &TokenStream| {
            let arms = e.variants.iter().map(|v| {
                let variant = &v.ident;
                let members: Vec<_> = v.fields.members().collect();
                let names: Vec<_> = (0..members.len())
                    .map(|k| quote::format_ident!("__f{k}"))
                    .collect();
                quote!(super::#name::#variant { #(#members: #names),* } => #to::#variant {
                    #(#members: #rt::overloaded::Overload::overload(#names)),*
                })
            });
            quote!(match self { #(#arms,)* })
        };
        self.conversion(name, &e.generics, &value)
    }

    /// To the type of the copy, and to itself, as a part of a struct that the module takes.
    fn conversion(
        &self,
        name: &Ident,
        generics: &syn::Generics,
        value: &dyn Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let rt = &self.rt;
        let (declared, arguments, bounds) = generics.split_for_impl();
        if generics.type_params().next().is_some() {
            return TokenStream::new();
        }
        let own = quote!(super::#name);
        let all = [name.to_token_stream(), own.clone()].map(|to| {
            let value = value(&to);
            quote! {
                impl #declared #rt::overloaded::Overload<#to #arguments> for #own #arguments #bounds {
                    fn overload(&self) -> #to #arguments { #value }
                }
            }
        });
        quote!(#(#all)*)
    }
}
