//! Integers and bools that are computed here and lent to a callee: reverse code hands them over once
//! more, from the tape.

use super::Emitter;
use super::kept::in_rows;
use crate::ir::{Place, PlaceId, Type};
use crate::template::quote;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::ToTokens;

impl Emitter<'_> {
    /// Writes an integer or a bool to as many integers of the tape as it takes.
    pub(crate) fn to_ints(
        &self,
        ty: &Type,
        value: &impl ToTokens,
        slot: impl Fn(u32) -> TokenStream,
    ) -> TokenStream {
        let (fits, low) = (self.fits(ty), slot(0));
        let mut code = quote!(#fits #low = #value as usize;);
        if ty.slots() == 2 {
            let high = slot(1);
            code.extend(quote!(#high = (#value >> 64) as usize;));
        }
        code
    }

    /// Reads it again.
    pub(crate) fn read_ints(&self, of: &Type, slot: impl Fn(u32) -> TokenStream) -> TokenStream {
        let (ty, low) = (self.ty(of, false), slot(0));
        if *of == Type::Bool {
            return quote!(#low != 0);
        }
        if of.slots() == 1 {
            return quote!(#low as #ty);
        }
        let high = slot(1);
        quote!(#low as #ty | (#high as #ty) << 64)
    }

    /// Refuses an integer that is wider than what holds it: rustc alone knows the platform.
    fn fits(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Int(name)
                if name.starts_with('<') || name.ends_with("64") || name.ends_with("128") =>
            {
                let (rt, slots) = (self.rt, ty.slots() as usize);
                let ty = self.ty(ty, false);
                quote!(const { #rt::fits::<#ty>(#slots) };)
            }
            _ => quote!(),
        }
    }

    /// After the augmented call: what the callee's reverse takes again.
    pub(crate) fn keep_integers(
        &self,
        callee: &TokenStream,
        k: usize,
        place: &Place,
    ) -> TokenStream {
        let keep = self.keep_list(place);
        if self.is_array(place) {
            quote!({ #keep })
        } else {
            quote!(if <#callee>::__NEEDS[#k] { #keep })
        }
    }

    /// The same of a list that is taken in any case.
    pub(crate) fn keep_list(&self, place: &Place) -> TokenStream {
        let ty = self.body.type_at(place).unwrap_or(Type::Bool);
        if ty.is_structs() {
            return self.keep_struct(place);
        }
        let flat = self.flat(place);
        let fits = self.fits(ty.leaf());
        let is_wide = ty.leaf().slots() == 2;
        let high = is_wide.then(|| quote!(__tape.ints.push((*__int >> 64) as usize);));
        let twice = is_wide.then(|| quote!(*2));
        quote!(
            #fits
            let __kept = &#flat[..];
            for __int in __kept {
                __tape.ints.push(*__int as usize);
                #high
            }
            __tape.ints.push(__kept.len() #twice);
        )
    }

    /// Before the reverse call: a reference to them, under a name. After it: what gives their buffer back.
    pub(crate) fn kept_integers(
        &self,
        callee: &TokenStream,
        k: usize,
        place: &Place,
        name: &Ident,
    ) -> (TokenStream, TokenStream) {
        self.kept(place, name, Some(quote!(<#callee>::__NEEDS[#k])))
    }

    /// The same of a list that was kept in any case.
    pub(crate) fn kept_list(&self, place: &Place, name: &Ident) -> (TokenStream, TokenStream) {
        match self.body.type_at(place) {
            Some(ty) if ty.is_structs() => {
                let rt = self.rt;
                let row = super::structs::struct_path(ty.element().unwrap_or(&ty));
                let own = super::names::own(&format!("{name}_store"));
                let kept = quote!(
                    let #own = #rt::kept_rows::<#row, __S>(__tape, __cur, __pool);
                    let #name = &#own[..];
                );
                (kept, quote!(__pool.give(#own);))
            }
            _ => self.kept(place, name, None),
        }
    }

    /// The list as the code has it that reads it: an array is a copy, since `&&[usize; 3]` is no slice.
    pub(crate) fn kept_value(&self, list: PlaceId, kept: &Ident) -> TokenStream {
        match self.body.place(list).ty {
            Type::Array(..) => quote!(*#kept),
            _ => quote!(#kept),
        }
    }

    fn kept(
        &self,
        place: &Place,
        name: &Ident,
        asked: Option<TokenStream>,
    ) -> (TokenStream, TokenStream) {
        let ty = self.body.type_at(place).unwrap_or(Type::Bool);
        let store_name = super::names::own(&format!("{name}_store"));
        let (store, read, give) = match ty.leaf() {
            Type::Int(name) if name == "usize" => (quote!(()), quote!(__ints), TokenStream::new()),
            leaf => {
                let store = match leaf.slots() {
                    1 => {
                        let one = self.read_ints(leaf, |_| quote!(*__int));
                        quote!(__pool.take_map(__ints, |__int| #one))
                    }
                    _ => {
                        let one = self.read_ints(leaf, |k| {
                            let k = Literal::u32_unsuffixed(k);
                            quote!(__int[#k])
                        });
                        quote!(__pool.take_map(__ints.as_chunks::<2>().0, |__int| #one))
                    }
                };
                (
                    store,
                    quote!(&__store[..]),
                    quote!(__pool.give(#store_name);),
                )
            }
        };
        // the rows again, and the whole if it is an array
        let value = in_rows(read, Some(&ty));
        let take = quote!(
            let __n = __cur.ints(__tape, 1)[0];
            let __ints = __cur.ints(__tape, __n);
        );
        let bind = quote!(let #store_name = #store;);
        let value = quote!({ let __store = &#store_name; let _ = __store; #value });
        if self.is_array(place) {
            let Type::Array(row, n) = &ty else {
                unreachable!("emit: an array")
            };
            let (row, n) = (self.ty(row, false), &n.0);
            let kept = quote!(
                #take
                #bind
                let #name: &[#row; { #n }] =
                    #value.try_into().expect("an array of its own length was kept");
            );
            (kept, give)
        } else {
            let row = ty.element().map(|t| self.ty(t, false));
            let ints = match asked {
                Some(asked) => quote!(if #asked { #take __ints } else { &[] }),
                None => quote!({ #take __ints }),
            };
            let kept = quote!(
                let __ints: &[usize] = #ints;
                #bind
                let #name: &[#row] = #value;
            );
            (kept, give)
        }
    }

    fn is_array(&self, place: &Place) -> bool {
        matches!(self.body.type_at(place), Some(Type::Array(..)))
    }
}
