//! The fields of the user's values: borrowed by views, rebuilt from lanes, and written.

use super::code::Code;
use super::field::{Field, Kind};
use crate::template::quote;
use proc_macro2::TokenStream;

impl<'a> Code<'a> {
    /// The field of a view: of the user's struct, or of a twin.
    pub(super) fn lend_field(
        &self,
        f: &Field<'a>,
        place: &TokenStream,
        plain: bool,
    ) -> TokenStream {
        let (rt, ty, real) = (&self.rt, f.ty, &self.s.real);
        match &f.kind {
            Kind::Number | Kind::ConstantNumber | Kind::Copied => quote!(#place),
            Kind::Array(..) | Kind::Vector(_) | Kind::ConstantFloats | Kind::Borrowed => {
                quote!(&#place)
            }
            Kind::Nested if plain && f.is_count() => {
                quote!(<#ty as #rt::Differentiable>::view_as::<#real>(&#place))
            }
            Kind::Nested if plain => quote!(<#ty as #rt::Differentiable>::view(&#place)),
            Kind::Nested => quote!(<#ty as #rt::Differentiable>::lend(&#place)),
            Kind::Structs(q, _) | Kind::StructVec(q) if plain => {
                quote!(#rt::Rows::<#q, _>::Plain(&#place))
            }
            Kind::Structs(..) | Kind::StructVec(_) => quote!(#rt::Rows::Made(&#place)),
        }
    }

    /// A new struct of the user's.
    pub(super) fn rebuilt(&self) -> TokenStream {
        let name = &self.s.input.ident;
        let fields = self.fields().iter().map(|f| {
            let member = &f.member;
            let value = self.rebuild_field(f, &quote!(self.#member));
            quote!(#member: #value)
        });
        // rustc takes a field that is there twice now for the one, now for the other
        match self.s.is_twice {
            true => quote!(loop {}),
            false => quote!(#name { #(#fields,)* }),
        }
    }

    /// The field of a new struct of the user's.
    pub(super) fn rebuild_field(&self, f: &Field<'a>, place: &TokenStream) -> TokenStream {
        let (rt, member, ty) = (&self.rt, &f.member, f.ty);
        match &f.kind {
            Kind::Number | Kind::Array(..) | Kind::Vector(_) => {
                quote!(::core::clone::Clone::clone(&__lanes.#member))
            }
            Kind::Nested if f.is_count() => quote!(::core::clone::Clone::clone(&#place)),
            Kind::Nested => {
                quote!(<#ty as #rt::Differentiable>::rebuild(&#place, &__lanes.#member))
            }
            Kind::Structs(q, _) | Kind::StructVec(q) if f.is_array() => {
                quote!(::core::array::from_fn(|__k| {
                    <#q as #rt::Differentiable>::rebuild(&#place[__k], &__lanes.#member[__k])
                }))
            }
            Kind::Structs(q, _) | Kind::StructVec(q) => quote!(
                #place.iter().zip(&__lanes.#member)
                    .map(|(__p, __l)| <#q as #rt::Differentiable>::rebuild(__p, __l))
                    .collect()
            ),
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                quote!(::core::clone::Clone::clone(&#place))
            }
        }
    }

    /// Replaces the floats of the field.
    pub(super) fn write_field(&self, f: &Field<'a>, place: &TokenStream) -> TokenStream {
        let (rt, member, ty) = (&self.rt, &f.member, f.ty);
        match &f.kind {
            Kind::Number | Kind::Array(..) | Kind::Vector(_) => {
                quote!(::core::clone::Clone::clone_from(&mut #place, &__lanes.#member);)
            }
            Kind::Nested if f.is_count() => TokenStream::new(),
            Kind::Nested => {
                quote!(<#ty as #rt::Differentiable>::write(&mut #place, &__lanes.#member);)
            }
            Kind::Structs(q, _) | Kind::StructVec(q) => quote!(
                for (__p, __l) in #place.iter_mut().zip(&__lanes.#member) {
                    <#q as #rt::Differentiable>::write(__p, __l);
                }
            ),
            Kind::ConstantNumber | Kind::ConstantFloats | Kind::Copied | Kind::Borrowed => {
                TokenStream::new()
            }
        }
    }
}
