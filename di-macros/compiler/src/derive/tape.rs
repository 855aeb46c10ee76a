//! Values of structs: zeros, and how they are kept on a tape. Those of fixed size are one block there, and others
//! are kept field by field.

use super::code::{Code, inner_struct};
use super::data::Data;
use super::field::{Field, Kind, Passive};
use crate::template::quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

impl<'a> Code<'a> {
    pub(super) fn tape(&self) -> TokenStream {
        let (rt, of) = (&self.rt, &self.of);
        let scalar = quote!(__S: #rt::Scalar);
        let inner: Vec<_> = self.fields().iter().filter_map(inner_struct).collect();
        let constants =
            |fixed: TokenStream, held: TokenStream, words: TokenStream, ints: TokenStream| {
                quote! {
                    const FIXED: bool = #fixed;
                    const HELD: bool = #held;
                    const WORDS: usize = #words;
                    const INTS: usize = #ints;
                }
            };
        let methods = |inline: TokenStream,
                       zero: TokenStream,
                       keep: TokenStream,
                       kept: TokenStream| {
            quote! {
                #inline
                fn zero<#scalar>() -> Self::Of<__S> {
                    #zero
                }
                #inline
                fn keep<#scalar>(__view: Self::View<'_, __S>, __words: &mut [__S], __ints: &mut [usize]) {
                    #keep
                }
                #inline
                fn kept<#scalar>(__words: &[__S], __ints: &[usize]) -> Self::Of<__S> {
                    #kept
                }
            }
        };
        let all_held = quote!(true #(&& <#inner as #rt::Differentiable>::HELD)*);
        let make_zero = || self.make(of, self.all(|f| self.zero_field(f)));
        if !self.fixed && self.held {
            let constants = constants(quote!(false), all_held, quote!(0), quote!(0));
            let never = quote!(::core::unreachable!(
                "structs with vectors are kept field by field"
            ));
            let methods = methods(TokenStream::new(), make_zero(), never.clone(), never);
            let hold = self.hold();
            return quote!(#constants #methods #hold);
        }
        if !self.fixed {
            let constants = constants(quote!(false), quote!(false), quote!(0), quote!(0));
            let never = quote!(::core::unreachable!(
                "the compiler asks for structs of fixed size alone"
            ));
            let methods = methods(TokenStream::new(), never.clone(), never.clone(), never);
            return quote!(#constants #methods);
        }
        let sizes: Vec<_> = self.fields().iter().map(|f| self.size(f)).collect();
        let (words, ints): (Vec<_>, Vec<_>) = sizes.iter().cloned().unzip();
        let constants = constants(
            quote!(true #(&& <#inner as #rt::Differentiable>::FIXED)*),
            all_held,
            quote!(0 #(+ #words)*),
            quote!(0 #(+ #ints)*),
        );
        let steps = |method: &TokenStream, code: &dyn Fn(&Field<'a>) -> TokenStream| {
            let steps = self.fields().iter().zip(&sizes).map(|(f, (words, ints))| {
                let code = code(f);
                quote!(
                    let (__w, __words) = __words.#method(#words);
                    let (__i, __ints) = __ints.#method(#ints);
                    #code
                )
            });
            quote!(#(#steps)*)
        };
        let keep = steps(&quote!(split_at_mut), &|f| self.keep_field(f));
        let kept = steps(&quote!(split_at), &|f| {
            let (var, value) = (&f.var, self.kept_field(f));
            quote!(let #var = #value;)
        });
        let made = self.make(of, self.all(|f| f.var.to_token_stream()));
        let inline = quote!(#[cfg_attr(not(debug_assertions), inline(always))]);
        let methods = methods(inline, make_zero(), keep, quote!(#kept #made));
        let hold = self.hold();
        quote!(#constants #methods #hold)
    }

    /// Field by field, and back from the last to the first. Of a struct of fixed size only if one in it is not.
    fn hold(&self) -> TokenStream {
        let (rt, of) = (&self.rt, &self.of);
        let scalar = quote!(__S: #rt::Scalar);
        let hold = self.fields().iter().map(|f| self.hold_field(f));
        let fetched = self.fields().iter().rev().map(|f| {
            let (var, value) = (&f.var, self.held_field(f));
            quote!(let #var = #value;)
        });
        let made = self.make(of, self.all(|f| f.var.to_token_stream()));
        quote! {
            fn hold<#scalar>(__view: Self::View<'_, __S>, __tape: &mut #rt::Tape<__S>) {
                #(#hold)*
            }
            fn held<#scalar>(__tape: &#rt::Tape<__S>, __cur: &mut #rt::Cursor) -> Self::Of<__S> {
                #(#fetched)*
                #made
            }
        }
    }

    fn hold_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, member, ty) = (&self.rt, &f.member, f.ty);
        match &f.kind {
            _ if f.is_list => self.hold_passive(f.ty, &quote!(&__view.#member)),
            Kind::Vector(family) => {
                quote!(#rt::hold_floats::<#family, __S>(__view.#member, __tape);)
            }
            Kind::Nested | Kind::Structs(..) => {
                quote!(<#ty as #rt::Differentiable>::hold(__view.#member, __tape);)
            }
            Kind::StructVec(q) => quote!(#rt::keep_rows::<#q, __S>(__view.#member, __tape);),
            _ => {
                let (keep, (words, ints)) = (self.keep_field(f), self.size(f));
                quote!({
                    let (__w, __i) = (__tape.words.block(#words), __tape.ints.block(#ints));
                    #keep
                })
            }
        }
    }

    fn held_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, ty) = (&self.rt, f.ty);
        match &f.kind {
            _ if f.is_list => self.held_passive(f.ty),
            Kind::Vector(family) => quote!(#rt::held_floats::<#family, __S>(__tape, __cur)),
            Kind::Nested | Kind::Structs(..) => {
                quote!(<#ty as #rt::Differentiable>::held(__tape, __cur))
            }
            Kind::StructVec(q) => quote!(#rt::held_rows::<#q, __S>(__tape, __cur)),
            _ => {
                let (kept, (words, ints)) = (self.kept_field(f), self.size(f));
                quote!({
                    let (__w, __i) = (__cur.words(__tape, #words), __cur.ints(__tape, #ints));
                    #kept
                })
            }
        }
    }

    /// Puts what is passive on the tape; `of` borrows it.
    fn hold_passive(&self, ty: &syn::Type, of: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        match Passive::of(ty) {
            Passive::Text => quote!(#rt::hold_text::<__S>(#of, __tape);),
            Passive::List(each) => {
                let hold = self.hold_passive(each, &quote!(__each));
                quote!(#rt::hold_list::<_, __S>(#of, __tape, |__each, __tape| { #hold });)
            }
            Passive::Option(some) => {
                let hold = self.hold_passive(some, &quote!(__each));
                quote!(#rt::hold_list::<_, __S>((#of).as_slice(), __tape, |__each, __tape| { #hold });)
            }
            Passive::Block => {
                let keep = self.keep(ty);
                quote!({
                    let (__w, __i) = (__tape.words.block(#keep::WORDS), __tape.ints.block(#keep::INTS));
                    #keep::keep(#of, __w, __i);
                })
            }
        }
    }

    /// What [`Self::hold_passive`] put there.
    fn held_passive(&self, ty: &syn::Type) -> TokenStream {
        let rt = &self.rt;
        match Passive::of(ty) {
            Passive::Text => quote!(#rt::held_text::<__S>(__tape, __cur)),
            Passive::List(each) => {
                let held = self.held_passive(each);
                quote!(#rt::held_list::<_, __S>(__tape, __cur, |__tape, __cur| #held))
            }
            Passive::Option(some) => {
                let held = self.held_passive(some);
                quote!(#rt::held_list::<_, __S>(__tape, __cur, |__tape, __cur| #held).pop())
            }
            Passive::Block => {
                let keep = self.keep(ty);
                quote!({
                    let (__w, __i) = (__cur.words(__tape, #keep::WORDS), __cur.ints(__tape, #keep::INTS));
                    #keep::kept(__w, __i)
                })
            }
        }
    }

    /// Floats and integers of a field on a tape.
    fn size(&self, f: &Field<'a>) -> (TokenStream, TokenStream) {
        let (rt, ty) = (&self.rt, f.ty);
        match &f.kind {
            _ if f.is_kept => {
                let keep = self.keep(f.ty);
                (quote!(#keep::WORDS), quote!(#keep::INTS))
            }
            Kind::Number => (quote!(1), quote!(0)),
            Kind::Array(_, n) => (n.clone(), quote!(0)),
            Kind::Nested => (
                quote!(<#ty as #rt::Differentiable>::WORDS),
                quote!(<#ty as #rt::Differentiable>::INTS),
            ),
            Kind::Structs(q, n) => (
                quote!((#n) * <#q as #rt::Differentiable>::WORDS),
                quote!((#n) * <#q as #rt::Differentiable>::INTS),
            ),
            _ => (quote!(0), quote!(0)),
        }
    }

    /// In whose name enums are kept, and how.
    pub(super) fn keeping(&self, data: &Data) -> (TokenStream, TokenStream) {
        if self.s.kept.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let by = self.by();
        let keeping = data.keeping(&self.s.kept, &by, (&self.s.real, &self.rt));
        (quote!(pub struct #by;), keeping)
    }

    fn by(&self) -> TokenStream {
        match self.s.kept.is_empty() {
            true => quote!(()),
            false => quote!(__Kept),
        }
    }

    /// How a tape holds what is passive.
    fn keep(&self, ty: &syn::Type) -> TokenStream {
        let (rt, real) = (&self.rt, &self.s.real);
        let by = self.by();
        quote!(<#ty as #rt::Keep<#real, #by>>)
    }

    fn zero_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, ty, family) = (&self.rt, f.ty, f.family(&self.rt));
        match &f.kind {
            _ if f.is_kept => {
                let keep = self.keep(f.ty);
                quote!(#keep::zero())
            }
            Kind::Array(..) => quote!(<#family as #rt::Family>::store(
                &<#family as #rt::Family>::fixed_shape().expect("an array"),
                <__S as ::core::default::Default>::default(),
            )),
            Kind::Nested => quote!(<#ty as #rt::Differentiable>::zero()),
            Kind::Structs(q, _) => {
                quote!(::core::array::from_fn(|_| <#q as #rt::Differentiable>::zero()))
            }
            _ => quote!(::core::default::Default::default()),
        }
    }

    fn keep_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, member, ty, family) = (&self.rt, &f.member, f.ty, f.family(&self.rt));
        match &f.kind {
            _ if f.is_kept => {
                let keep = self.keep(f.ty);
                quote!(#keep::keep(&__view.#member, __w, __i);)
            }
            Kind::Number => quote!(__w[0] = __view.#member;),
            Kind::Array(..) => quote!(
                let mut __k = 0;
                <#family as #rt::Family>::values::<__S>(__view.#member, &mut |__v| {
                    __w[__k] = __v;
                    __k += 1;
                });
            ),
            Kind::Nested => {
                quote!(<#ty as #rt::Differentiable>::keep(__view.#member, __w, __i);)
            }
            Kind::Structs(q, _) => quote!(
                let (__nw, __ni) = (<#q as #rt::Differentiable>::WORDS, <#q as #rt::Differentiable>::INTS);
                for __k in 0..__view.#member.len() {
                    <#q as #rt::Differentiable>::keep(
                        __view.#member.at(__k),
                        &mut __w[__k * __nw..][..__nw],
                        &mut __i[__k * __ni..][..__ni],
                    );
                }
            ),
            _ => TokenStream::new(),
        }
    }

    fn kept_field(&self, f: &Field<'a>) -> TokenStream {
        let (rt, ty, family) = (&self.rt, f.ty, f.family(&self.rt));
        match &f.kind {
            _ if f.is_kept => {
                let keep = self.keep(f.ty);
                quote!(#keep::kept(__w, __i))
            }
            Kind::Number => quote!(__w[0]),
            Kind::Array(..) => quote!({
                let mut __array = <#family as #rt::Family>::store(
                    &<#family as #rt::Family>::fixed_shape().expect("an array"),
                    <__S as ::core::default::Default>::default(),
                );
                let mut __k = 0;
                <#family as #rt::Family>::each_mut::<__S>(&mut __array, &mut |__v| {
                    *__v = __w[__k];
                    __k += 1;
                });
                __array
            }),
            Kind::Nested => quote!(<#ty as #rt::Differentiable>::kept(__w, __i)),
            Kind::Structs(q, _) => quote!({
                let (__nw, __ni) = (<#q as #rt::Differentiable>::WORDS, <#q as #rt::Differentiable>::INTS);
                ::core::array::from_fn(|__k| {
                    <#q as #rt::Differentiable>::kept(&__w[__k * __nw..][..__nw], &__i[__k * __ni..][..__ni])
                })
            }),
            _ => quote!(::core::unreachable!("a field of fixed size")),
        }
    }
}
