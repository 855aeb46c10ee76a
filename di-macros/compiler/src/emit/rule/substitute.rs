//! Rules whose derivatives another backend computes from values of the function.

use super::{Parts, Rule};
use crate::ir::Role;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};

impl Rule<'_> {
    /// `dy = J dx`, `xb += J^T yb`, with `J` by the backend.
    pub(super) fn by_backend(&self, backend: &TokenStream) -> Parts {
        let rt = self.target.rt;
        let real = self.e.real();
        let (words, ints, record, restore) = self.record_numbers(false);
        let flat = self.flat();
        let values = quote!(
            #flat
            let __substitute = #backend;
            let __values = #rt::Values { f: &__flat, backend: &__substitute };
        );
        let seeds = self.active.iter().map(|k| {
            let (arg, slot) = (self.arg(*k), self.slot(*k));
            if self.is_number(*k) {
                return quote!(__dx.push(#slot.value()););
            }
            quote!(match #slot.get() {
                ::core::option::Option::Some(__t) => __dx.extend_from_slice(&__t[..]),
                ::core::option::Option::None => {
                    __dx.resize(__dx.len() + #arg.len(), <__A as #rt::Zero>::zero());
                }
            })
        });
        let results = self.results;
        let (rows, out) = match self.output {
            Some(_) => (quote!(__y.len()), quote!(__dy.copy_from_slice(&__out);)),
            None => {
                let mut j = 0usize;
                let tuple = self.results_as(|_| {
                    j += 1;
                    let at = j - 1;
                    quote!(__out[#at])
                });
                (quote!(#results), tuple)
            }
        };
        let adjoints = self.active.iter().map(|k| {
            let (arg, slot) = (self.arg(*k), self.slot(*k));
            if self.is_number(*k) {
                return quote!(
                    let mut #slot = #slot;
                    #slot.acc::<__S>(__xb[__at]);
                    __at += 1;
                );
            }
            quote!(
                if let ::core::option::Option::Some(__a) = #slot.into_inner() {
                    for (__a, __b) in __a.iter_mut().zip(&__xb[__at..]) {
                        #rt::Lanes::<__S>::acc(__a, *__b);
                    }
                }
                __at += #arg.len();
            )
        });
        let (incoming, clear) = match self.output {
            Some(_) => (
                quote!(__yb.to_vec()),
                quote!(__yb.fill(<__A as #rt::Zero>::zero());),
            ),
            None => {
                let seeds = (0..self.results).map(|j| self.seed(j));
                (quote!([#(#seeds),*].to_vec()), quote!())
            }
        };
        Parts {
            words: quote!(#words),
            ints: quote!(#ints),
            needs: self.needs(|_| quote!(true)),
            pushforward: quote!(
                #values
                let mut __dx = #rt::Vec::<__A>::with_capacity(__x.len());
                #(#seeds)*
                let mut __out = #rt::Vec::<__A>::new();
                __out.resize(#rows, <__A as #rt::Zero>::zero());
                #rt::rules::Rule::<#real, 1, 1>::pushforward::<__S, __A>(
                    &__values, [&__x[..]], [&[]], [&__dx[..]], [&mut __out[..]],
                );
                #out
            ),
            record,
            pullback: quote!(
                #restore
                #values
                let mut __xb = #rt::Vec::<__A>::new();
                __xb.resize(__x.len(), <__A as #rt::Zero>::zero());
                let __incoming: #rt::Vec<__A> = #incoming;
                #rt::rules::Rule::<#real, 1, 1>::pullback::<__S, __A>(
                    &__values, [&__x[..]], [&[]], [&__incoming[..]], [&mut __xb[..]],
                );
                let mut __at = 0usize;
                #(#adjoints)*
                let _ = __at;
                #clear
            ),
        }
    }

    /// `__flat`, the function from all its inputs in one slice to all its results in another, and `__x`,
    /// the inputs of this call.
    fn flat(&self) -> TokenStream {
        let (rt, real) = (self.target.rt, self.e.real());
        let function = self.target.function;
        let part = |k: usize| super::own(&format!("__part{k}"));
        let length = |k: usize| super::own(&format!("__length{k}"));
        let lengths = self.active.iter().map(|k| {
            let (arg, length) = (self.arg(*k), length(*k));
            if self.is_number(*k) {
                quote!(let #length = 1usize;)
            } else {
                quote!(let #length = #arg.len();)
            }
        });
        let split = self.active.iter().map(|k| {
            let (part, length): (Ident, Ident) = (part(*k), length(*k));
            quote!(let (#part, __in) = __in.split_at(#length);)
        });
        let args = self.each(|k, p| match p.role {
            Role::Active if self.is_number(k) => {
                let part = part(k);
                quote!(#part[0])
            }
            Role::Active => self.fitted(k, part(k)),
            Role::Constant => {
                let arg = self.arg(k);
                quote!(::core::clone::Clone::clone(&#arg))
            }
            Role::Output | Role::InOut | Role::Cache => self.fitted(k, quote!(__out)),
        });
        let call = quote!(#function(#(#args),*));
        let run = if self.output.is_some() {
            quote!(#call;)
        } else {
            let mut j = 0usize;
            let places = self.results_as(|_| {
                j += 1;
                let at = j - 1;
                quote!(__out[#at])
            });
            quote!(#places = #call;)
        };
        let inputs = self.active.iter().map(|k| {
            let arg = self.arg(*k);
            if self.is_number(*k) {
                quote!(__x.push(#arg);)
            } else {
                quote!(__x.extend_from_slice(&#arg[..]);)
            }
        });
        quote!(
            #(#lengths)*
            let __flat = |__in: &[#real], __out: &mut [#real]| {
                #(#split)*
                let _ = __in;
                #run
            };
            let mut __x = #rt::Vec::<__S>::new();
            #(#inputs)*
        )
    }
}
