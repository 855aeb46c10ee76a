//! Structs that are kept on the tape for a callee's reverse code.

use super::Emitter;
use crate::error;
use crate::ir::{Place, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Puts a struct, or a slice of structs, or an array in one, on the tape.
    pub(crate) fn keep_struct(&self, place: &Place) -> TokenStream {
        let rt = self.rt;
        let lent = self.lend(place);
        match self.body.type_at(place) {
            Some(Type::Struct(path)) => {
                let path = &path.0;
                quote!(#rt::keep_struct::<#path, __S>(#lent, __tape);)
            }
            Some(Type::Slice(t) | Type::Array(t, _) | Type::Vec(t)) if t.is_structs() => {
                let row = super::structs::struct_path(&t);
                quote!(#rt::keep_rows::<#row, __S>(#lent, __tape);)
            }
            _ => {
                let flat = self.flat_slice(place);
                quote!(
                    let __kept = &#flat;
                    __tape.words.push_slice(__kept);
                    __tape.ints.push(__kept.len());
                )
            }
        }
    }

    /// What [`Emitter::keep_struct`] kept.
    pub(crate) fn kept_struct(
        &self,
        callee: &TokenStream,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> TokenStream {
        let rt = self.rt;
        let own = super::names::own(&format!("__own{k}"));
        match self.body.type_at(place) {
            Some(Type::Struct(path)) => {
                let path = &path.0;
                quote!(
                    let #own = if <#callee>::__NEEDS[#k] {
                        #rt::kept_struct::<#path, __S>(__tape, __cur)
                    } else {
                        <#path as #rt::Differentiable>::zero::<__S>()
                    };
                    let #name = <#path as #rt::Differentiable>::lend(&#own);
                )
            }
            Some(Type::Slice(t) | Type::Array(t, _) | Type::Vec(t)) if t.is_structs() => {
                let path = super::structs::struct_path(&t);
                quote!(
                    let #own = if <#callee>::__NEEDS[#k] {
                        #rt::kept_rows::<#path, __S>(__tape, __cur)
                    } else {
                        #rt::Vec::new()
                    };
                    let #name = #rt::Rows::<#path, __S>::Made(&#own);
                )
            }
            _ => self.kept_argument(callee, k, place, name),
        }
    }

    /// The same of what is lent by `&mut`, which the callee may only read.
    pub(crate) fn kept_if_read(
        &self,
        callee: &TokenStream,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> TokenStream {
        let rt = self.rt;
        let own = super::names::own(&format!("__own{k}"));
        let ty = self.body.type_at(place);
        let path = ty.as_ref().map(|t| super::structs::struct_path(t.leaf()));
        let (kept, zero, lent) = match ty {
            Some(Type::Struct(_)) => (
                quote!(#rt::kept_struct::<#path, __S>(__tape, __cur)),
                quote!(<#path as #rt::Differentiable>::zero::<__S>()),
                quote!(<#path as #rt::Differentiable>::lend(__own)),
            ),
            _ => (
                quote!(#rt::kept_rows::<#path, __S>(__tape, __cur)),
                quote!(#rt::Vec::new()),
                quote!(#rt::Rows::<#path, __S>::Made(&__own[..])),
            ),
        };
        quote!(
            let #own = if <#callee>::__NEEDS[#k] {
                ::core::option::Option::Some(#kept)
            } else if <#callee>::__MUT[#k] {
                ::core::option::Option::None
            } else {
                ::core::option::Option::Some(#zero)
            };
            let #name = #own.as_ref().map(|__own| #lent);
        )
    }

    /// A struct that is lent by `&mut` and only read has a fixed size.
    pub(crate) fn check_size(&self, callee: &TokenStream, k: usize, place: &Place) -> TokenStream {
        let rt = self.rt;
        let Some(Type::Struct(path)) = self.body.type_at(place) else {
            return TokenStream::new();
        };
        let (path, text) = (&path.0, error::RUN_TIME_SIZE.filled(""));
        quote!(
            const {
                ::core::assert!(
                    <#callee>::__MUT[#k] || <#path as #rt::Differentiable>::FIXED, #text
                )
            };
        )
    }
}
