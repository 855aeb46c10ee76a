//! What is kept on the tape for a callee's reverse code.

use super::Emitter;
use super::call::measured;
use crate::ir::{Keep, Place, PlaceId, ReverseCall, Tape, Type};
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

impl Emitter<'_> {
    /// A vector that stays where it is.
    pub(super) fn read_in_place(&self, tape: &Tape, place: PlaceId) -> TokenStream {
        match tape {
            Tape::Keep { base, .. } => {
                let base = self.val(*base);
                quote!(let #base: __p::usize = 0;)
            }
            Tape::Kept { .. } => {
                let (own, of) = (self.place_ident(place), self.forward_ident(place));
                quote!(let #own: &[__S] = &#of[..];)
            }
            Tape::Release { .. } | Tape::Shape { .. } | Tape::ReleaseShape { .. } => {
                TokenStream::new()
            }
        }
    }

    /// A struct that is kept as a whole, if some callee asks for its values.
    pub(crate) fn whole_struct(
        &self,
        tape: &Tape,
        path: &TokenStream,
        any: &TokenStream,
    ) -> TokenStream {
        let rt = self.rt;
        let lend = |place: PlaceId| {
            let place = self.place_ident(place);
            quote!(<#path as #rt::Differentiable>::lend(&#place))
        };
        match tape {
            Tape::Keep { base, place, .. } => {
                let (base, lent) = (self.val(*base), lend(*place));
                quote!(let #base: __p::usize = if #any {
                    #rt::keep_whole::<#path, __S>(#lent, __tape)
                } else {
                    0
                };)
            }
            Tape::Kept { base, place, .. } => {
                let (base, place) = (self.val(*base), self.place_ident(*place));
                quote!(let #place = if #any {
                    #rt::kept_whole::<#path, __S>(__tape, #base)
                } else {
                    <#path as #rt::Differentiable>::zero::<__S>()
                };)
            }
            Tape::Release { .. } => {
                quote!(if #any { #rt::release_whole::<#path, __S>(__tape, __cur); })
            }
            Tape::Shape { end, place } => {
                let (end, lent) = (self.val(*end), lend(*place));
                quote!(
                    let #end: __p::usize = #rt::keep_shape::<#path, __S>(#lent, __tape);
                )
            }
            Tape::ReleaseShape { .. } => {
                quote!(#rt::release_shape::<#path, __S>(__tape, __cur);)
            }
        }
    }

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

    /// What [`Emitter::keep_struct`] kept; then what gives its buffer back.
    pub(crate) fn kept_struct(
        &self,
        c: &ReverseCall,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> (TokenStream, TokenStream) {
        let (rt, callee) = (self.rt, &c.call.callee.0);
        let own = super::names::own(&format!("__own{k}"));
        match self.body.type_at(place) {
            Some(Type::Struct(path)) => {
                let path = &path.0;
                let kept = quote!(
                    let #own = if <#callee>::__NEEDS[#k] {
                        #rt::kept_struct::<#path, __S>(__tape, __cur)
                    } else {
                        <#path as #rt::Differentiable>::zero::<__S>()
                    };
                    let #name = <#path as #rt::Differentiable>::lend(&#own);
                );
                (kept, TokenStream::new())
            }
            Some(Type::Slice(t) | Type::Array(t, _) | Type::Vec(t)) if t.is_structs() => {
                let path = super::structs::struct_path(&t);
                let kept = quote!(
                    let #own = if <#callee>::__NEEDS[#k] {
                        #rt::kept_rows::<#path, __S>(__tape, __cur, __pool)
                    } else {
                        #rt::Vec::new()
                    };
                    let #name = #rt::Rows::<#path, __S>::Made(&#own);
                );
                (kept, quote!(__pool.give(#own);))
            }
            _ => (self.kept_argument(c, k, place, name), TokenStream::new()),
        }
    }

    /// The same of what is lent by `&mut`, which the callee may only read.
    pub(crate) fn kept_if_read(
        &self,
        callee: &TokenStream,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> (TokenStream, TokenStream) {
        let rt = self.rt;
        let own = super::names::own(&format!("__own{k}"));
        let ty = self.body.type_at(place);
        let one = ty.as_ref().map(|t| t.element().unwrap_or(t));
        let path = one.map(super::structs::struct_path);
        let (kept, zero, lent, give) = match ty {
            Some(Type::Struct(_)) => (
                quote!(#rt::kept_struct::<#path, __S>(__tape, __cur)),
                quote!(<#path as #rt::Differentiable>::zero::<__S>()),
                quote!(<#path as #rt::Differentiable>::lend(__own)),
                TokenStream::new(),
            ),
            _ => (
                quote!(#rt::kept_rows::<#path, __S>(__tape, __cur, __pool)),
                quote!(#rt::Vec::new()),
                quote!(#rt::Rows::<#path, __S>::Made(&__own[..])),
                quote!(__pool.give(#own.unwrap_or_default());),
            ),
        };
        let kept = quote!(
            let #own = if <#callee>::__NEEDS[#k] {
                ::core::option::Option::Some(#kept)
            } else if <#callee>::__MUT[#k] {
                ::core::option::Option::None
            } else {
                ::core::option::Option::Some(#zero)
            };
            let #name = #own.as_ref().map(|__own| #lent);
        );
        (kept, give)
    }

    /// Values behind a reference that the augmented call has kept, if the callee asked for them: how many they are follows
    /// from the type, from the shadow, or from what was kept with them.
    pub(crate) fn kept_argument(
        &self,
        c: &ReverseCall,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> TokenStream {
        let callee = &c.call.callee.0;
        let value = in_rows(quote!(__kept), self.body.type_at(place).as_ref());
        if let Keep::Fixed(count) = c.keep[k] {
            let part = self.kept_part(c.record, k, count);
            return quote!(let #name = if <#callee>::__NEEDS[#k] {
                let __kept = &#part;
                #value
            } else {
                &[]
            };);
        }
        let count = match measured(c, k) {
            Some(shadow) => {
                let flat = self.flat_slice(shadow);
                quote!(#flat.len())
            }
            None => quote!(__cur.ints(__tape, 1)[0]),
        };
        quote!(let #name = if <#callee>::__NEEDS[#k] {
            let __n = #count;
            let __kept = __cur.words(__tape, __n);
            #value
        } else {
            &[]
        };)
    }

    /// A struct that is borrowed by `&mut` and only read has a fixed size, or can be kept with its lengths.
    pub(crate) fn check_size(&self, callee: &TokenStream, k: usize, place: &Place) -> TokenStream {
        let rt = self.rt;
        let Some(ty @ Type::Struct(_)) = self.body.type_at(place) else {
            return TokenStream::new();
        };
        let path = super::structs::struct_path(&ty);
        let has_size = super::structs::has_size(&path, self.body.has_lengths(&ty), rt);
        let text = super::structs::lost_size(self.body.has_lengths(&ty));
        quote!(
            const {
                ::core::assert!(
                    <#callee>::__MUT[#k] || #has_size, #text
                )
            };
        )
    }
}

/// Numbers one after the other, as the elements of a sequence of this type.
pub(super) fn in_rows(numbers: TokenStream, of: Option<&Type>) -> TokenStream {
    match of.and_then(Type::element) {
        Some(row @ Type::Array(_, n)) => {
            let (n, inner) = (&n.0, in_rows(numbers, Some(row)));
            quote!(#inner.as_chunks::<{ #n }>().0)
        }
        _ => numbers,
    }
}
