//! Local floats without a derivative that constant parameters of callees borrow. The adjoint sweep lends them once more.

use super::Emitter;
use super::kept::in_rows;
use crate::ir::{Place, Type};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

impl Emitter<'_> {
    /// Puts them on the tape.
    pub(crate) fn keep_constants(&self, place: &Place) -> TokenStream {
        let (rt, flat) = (self.rt, self.flat_slice(place));
        quote!(#rt::keep_constants(&#flat, __tape);)
    }

    /// Before the reverse call: a reference to them, under a name. After it: what gives their buffer back.
    pub(crate) fn kept_constants(&self, place: &Place, name: &Ident) -> (TokenStream, TokenStream) {
        let rt = self.rt;
        let own = super::names::own(&format!("{name}_store"));
        let ty = self.body.type_at(place);
        let value = in_rows(quote!(#own), ty.as_ref());
        let value = match &ty {
            Some(Type::Array(_, n)) => {
                let n = &n.0;
                quote!(#value.first_chunk::<{ #n }>().expect("an array of its own length was kept"))
            }
            _ => quote!(&#value[..]),
        };
        let bind = quote!(
            let #own = #rt::kept_constants(__tape, __cur, __pool);
            let #name = #value;
        );
        (bind, quote!(__pool.give(#own);))
    }
}
