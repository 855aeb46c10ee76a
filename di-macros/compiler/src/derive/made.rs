//! How a struct is made of its floats, if it has no other fields: so operators return it.

use super::code::{Code, inner_struct};
use super::field::Kind;
use crate::template::quote;
use proc_macro2::TokenStream;

impl Code<'_> {
    /// The impl that makes the struct of its lanes, where they tell all of it.
    pub(super) fn made(&self) -> TokenStream {
        let Code { rt, params, me, .. } = self;
        let (real, name) = (&self.s.real, &self.s.input.ident);
        let fields: Option<Vec<TokenStream>> = (self.fields().iter())
            .map(|f| {
                let (member, ty) = (&f.member, f.ty);
                let lanes = quote!(__lanes.#member);
                let made = |ty: &dyn quote::ToTokens| quote!(<#ty as #rt::OfFloats<__R>>::made);
                let value = match &f.kind {
                    Kind::Number | Kind::Array(..) | Kind::Vector(_) => lanes,
                    Kind::Nested if f.is_count() => {
                        quote!(<#ty as #rt::OfFloats<__R>>::made_as(#lanes))
                    }
                    Kind::Nested => {
                        let made = made(ty);
                        quote!(#made(#lanes))
                    }
                    Kind::Structs(q, _) => {
                        let made = made(q);
                        quote!(#lanes.map(#made))
                    }
                    // the lanes of an array whose elements have lengths are a vector
                    Kind::StructVec(q) if f.is_array() => {
                        let made = made(q);
                        quote!({
                            let mut __all = #lanes.into_iter().map(#made);
                            ::core::array::from_fn(|_| __all.next().expect("lanes of each element"))
                        })
                    }
                    Kind::StructVec(q) => {
                        let made = made(q);
                        quote!(#lanes.into_iter().map(#made).collect())
                    }
                    Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                        return None;
                    }
                };
                Some(quote!(#member: #value))
            })
            .collect();
        let Some(fields) = fields.filter(|_| !self.s.is_twice) else {
            return TokenStream::new();
        };
        // the struct whose float type it is says nothing of that
        let inner = self.fields().iter().filter_map(|f| {
            let q = inner_struct(f)?;
            let own = quote!(<#q as #rt::Differentiable>::Real);
            Some(match own.to_string() == real.to_string() || f.is_count() {
                true => quote!(#q: #rt::OfFloats<__R>),
                false => quote!(#q: #rt::OfFloats<__R> + #rt::Differentiable<Real = #real>),
            })
        });
        quote! {
            impl<__R, #(#params),*> #rt::OfFloats<__R> for #me
            where
                #(#inner,)*
            {
                fn made(__lanes: <Self as #rt::Differentiable>::Lanes<#real>) -> Self {
                    #name { #(#fields,)* }
                }
            }
        }
    }
}
