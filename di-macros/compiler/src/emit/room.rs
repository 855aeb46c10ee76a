//! Room for constants that become part of what a callee differentiates.

use super::Emitter;
use crate::ir::{Arg, Place, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    /// A constant behind a reference that may become part of what the callee differentiates. A vector of vectors goes
    /// to constants alone as it is.
    pub(super) fn is_lifted(&self, place: &Place) -> bool {
        let ty = self.body.type_at(place);
        let of = ty.as_ref().and_then(Type::element);
        self.is_plain(place) && self.is_float(place) && !matches!(of, Some(Type::Vec(_)))
    }

    /// Where lifted constants are kept during a call: what makes the room, and what puts it back.
    pub(super) fn stores(&self, args: &[Arg]) -> (TokenStream, TokenStream) {
        args.iter()
            .enumerate()
            .map(|(k, a)| self.room(a, k))
            .unzip()
    }

    pub(super) fn room(&self, arg: &Arg, k: usize) -> (TokenStream, TokenStream) {
        match arg {
            Arg::Ref(place) if self.is_lifted(place) => {
                let (rt, store) = (self.rt, super::names::own(&format!("__store{k}")));
                (
                    quote!(let mut #store = ::core::default::Default::default();),
                    quote!(#rt::Room::put(#store, __pool);),
                )
            }
            Arg::Verbatim { lifted: true, .. } => {
                let store = super::names::own(&format!("__store{k}"));
                (
                    quote!(let mut #store = ::core::default::Default::default();),
                    TokenStream::new(),
                )
            }
            _ => (TokenStream::new(), TokenStream::new()),
        }
    }

    /// Constant code as an argument; `kept`: the lists that it reads and that are under other names here.
    pub(super) fn code_value(
        &self,
        arg: &Arg,
        k: usize,
        kept: &[(&str, TokenStream)],
    ) -> TokenStream {
        let Arg::Verbatim {
            tokens,
            operands,
            places,
            lifted,
        } = arg
        else {
            return self.arg_value(arg, k);
        };
        let code = self.verbatim_of(&tokens.0, operands, places, kept);
        if !lifted {
            return code;
        }
        let (rt, store) = (self.rt, super::names::own(&format!("__store{k}")));
        quote!(#rt::lift_struct(#code, &mut #store))
    }
}
