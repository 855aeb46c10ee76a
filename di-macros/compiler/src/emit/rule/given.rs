//! Rules whose derivatives are functions: partial derivatives, tangents, or adjoints.
//!
//! A function of tangents is linear in them, and so is one of adjoints. Hence their own tangent code
//! by these parameters alone takes several at once, whatever the values in their place; and their
//! reverse code is the transpose.

use super::super::numbers::Numbers;
use super::{Parts, Rule};
use crate::ir::{Mode, Role};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Rule<'_> {
    /// `dy = sum of dx_k p_k(x)`
    pub(super) fn by_partials(
        &self,
        with_result: bool,
        partial: impl Fn(usize) -> TokenStream,
    ) -> Parts {
        let rt = self.target.rt;
        let all = || self.active.iter().enumerate();
        let tangents = all().map(|(at, k)| {
            let partial = partial(at);
            let (marker, slot) = (self.e.marker(*k), self.slot(*k));
            quote!(if <#marker as #rt::Activity>::LIVE {
                let __part = #rt::Lanes::<__S>::scale(#slot.value(), #partial);
                #rt::Lanes::<__S>::acc(&mut __dy, __part);
            })
        });
        let adjoints = all().map(|(at, k)| {
            let partial = partial(at);
            let (marker, slot) = (self.e.marker(*k), self.slot(*k));
            quote!(if <#marker as #rt::Activity>::LIVE {
                let mut #slot = #slot;
                #slot.acc::<__S>(
                    #rt::Lanes::<__S>::scale(__seed, #partial),
                );
            })
        });
        let (words, ints, record, restore) = self.record_numbers(with_result);
        let seed = self.seed(0);
        Parts {
            words: quote!(#words),
            ints: quote!(#ints),
            needs: self.needs(|_| quote!(false)),
            pushforward: quote!(
                let mut __dy: __A = <__A as #rt::Zero>::zero();
                #(#tangents)*
                __dy
            ),
            record,
            pullback: quote!(
                #restore
                let __seed = #seed;
                #(#adjoints)*
            ),
        }
    }

    /// `dy = t(x, y, dx)`
    pub(super) fn by_tangent(&self, tangent: &TokenStream, adjoint: Option<&TokenStream>) -> Parts {
        let pushforward = self.push_by_tangent(tangent);
        if let Some(adjoint) = adjoint {
            return self.with_adjoint(adjoint, pushforward);
        }
        let rt = self.target.rt;
        // the reverse code of t by its tangents
        let inputs = self.each_input(|k, _| self.reborrowed(k));
        let (ys, again) = (self.y_args(), self.each_active(|k| self.reborrowed(k)));
        let (before, out, after, keep) = match self.output {
            Some(k) => {
                let value = self.fitted_mut(k, quote!(&mut __scratch[..]));
                (
                    quote!(let mut __scratch = __pool.take_dirty(__y.len(), <__S as ::core::default::Default>::default());),
                    quote!(#value,),
                    quote!(__pool.give(__scratch);),
                    quote!(__tape.words.push_slice(__y);),
                )
            }
            None => (quote!(), quote!(), quote!(), quote!()),
        };
        let record = quote!(
            #before
            #tangent::__augmented(#(#inputs,)* #(#ys,)* #(#again,)* #out __words, __ints, __tape, __pool);
            #after
            #keep
        );
        let back = |k: usize| {
            let arg = self.arg(k);
            if self.is_number(k) {
                quote!(())
            } else {
                quote!(#arg)
            }
        };
        let inputs = self.each_input(|k, p| {
            let arg = self.arg(k);
            if p.role == Role::Active {
                let value = back(k);
                quote!(#value, #rt::no_slot())
            } else {
                quote!(#arg, ())
            }
        });
        let again = self.each_active(|k| {
            let (value, slot) = (back(k), self.slot(k));
            quote!(#value, #slot)
        });
        let (popped, ys, out, seeds, clear) = match self.output {
            Some(_) => (
                quote!(let __y = __cur.words(__tape, __yb.len());),
                vec![quote!(__y)],
                quote!((), &mut *__yb,),
                quote!(()),
                quote!(__yb.fill(<__A as #rt::Zero>::zero());),
            ),
            None => (
                quote!(),
                vec![quote!(()); self.results],
                quote!(),
                self.results_as(|j| {
                    let seed = self.seed(j);
                    quote!(#seed)
                }),
                quote!(),
            ),
        };
        let inner = self.body.params.len() - usize::from(self.output.is_some());
        let first = inner + self.y_args().len();
        Parts {
            words: quote!(#tangent::__WORDS),
            ints: quote!(#tangent::__INTS),
            needs: self.needs(|k| {
                let input = (0..k).filter(|i| Some(*i) != self.output).count();
                let again = first + self.active.iter().filter(|a| **a < k).count();
                quote!(#tangent::__NEEDS[#input] || #tangent::__NEEDS[#again])
            }),
            pushforward,
            record,
            pullback: quote!(
                #popped
                #tangent::__reverse(
                    #(#inputs,)* #(#ys, #rt::no_slot(),)* #(#again,)* #out
                    #seeds, __words, __ints, __tape, __cur, __pool,
                );
                #clear
            ),
        }
    }

    /// `xb += a(x, y, yb)`
    pub(super) fn by_adjoint(&self, adjoint: &TokenStream) -> Parts {
        let rt = self.target.rt;
        // the reverse code of a by its adjoints, with the tangents as what comes in
        let inputs = self.each_input(|k, _| self.reborrowed(k));
        let dead = self.each_input(|k, p| match (p.role, p.mode) {
            (Role::Active, _) if self.is_number(k) => quote!((), #rt::no_slot()),
            (Role::Active, _) => {
                let arg = self.arg(k);
                quote!(#arg, #rt::no_slot())
            }
            (_, Mode::Value) if p.ty.is_scalar() => quote!((), ()),
            _ => {
                let arg = self.reborrowed(k);
                quote!(#arg, ())
            }
        });
        let (ys, slices) = (self.y_args(), self.slices());
        let (reread, shadows): (Vec<TokenStream>, Vec<TokenStream>) = match self.output {
            Some(k) => {
                let y = self.fitted_shared(k, quote!(__y));
                let shadow = quote!(#y, #rt::Shadow::<_, #rt::Live>::new(&mut *__dy));
                (vec![y], vec![shadow])
            }
            None => (0..self.results)
                .map(|j| {
                    let seed = self.seed(j);
                    let shadow = quote!((), #rt::Shadow::<_, #rt::Live>::new(&mut #seed));
                    (quote!(()), shadow)
                })
                .unzip(),
        };
        let declared = match self.output {
            Some(_) => quote!(__dy.fill(<__A as #rt::Zero>::zero());),
            None => {
                let seeds = (0..self.results).map(|j| self.seed(j));
                quote!(#(let mut #seeds: __A = <__A as #rt::Zero>::zero();)*)
            }
        };
        let returned = self.results_as(|j| {
            let seed = self.seed(j);
            quote!(#seed)
        });
        let copies = slices.iter().map(|k| {
            let (arg, slot) = (self.arg(*k), self.slot(*k));
            let (room, incoming) = (self.room(*k), self.dead(*k));
            quote!(
                let mut #room = __pool.take_copy(#arg);
                let mut #incoming = match #slot.get() {
                    ::core::option::Option::Some(__t) => __pool.take_copy(__t),
                    ::core::option::Option::None => __pool.take(#arg.len(), <__A as #rt::Zero>::zero()),
                };
            )
        });
        let outs = slices.iter().map(|k| {
            let room = self.room(*k);
            self.fitted_mut(*k, quote!(&mut #room[..]))
        });
        let incoming = slices.iter().map(|k| {
            let incoming = self.dead(*k);
            quote!((), &mut #incoming[..])
        });
        let given = slices.iter().map(|k| {
            let (room, incoming) = (self.room(*k), self.dead(*k));
            quote!(__pool.give(#room); __pool.give(#incoming);)
        });
        let seeds = self.numbers_as(|k| {
            let slot = self.slot(k);
            quote!(#slot.value())
        });
        let fetched = quote!(let __seeds = #seeds;);
        let pushforward = quote!(
            #declared
            #fetched
            // a vector of one, which keeps its storage
            let mut __tapes = __pool.take_dirty(1, #rt::Tape::<__S>::new());
            __tapes[0].reset();
            #(#copies)*
            let mut __rec = [__S::default(); #adjoint::__WORDS];
            let mut __irec = [0usize; #adjoint::__INTS];
            #adjoint::__augmented(
                #(#inputs,)* #(#ys,)* #(#ys,)* #(#outs,)* &mut __rec, &mut __irec, &mut __tapes[0], __pool,
            );
            #adjoint::__reverse(
                #(#dead,)* #(#reread, #rt::no_slot(),)* #(#shadows,)* #(#incoming,)*
                __seeds, &__rec, &__irec, &__tapes[0], &mut __tapes[0].cursor(), __pool,
            );
            #(#given)*
            __pool.give(__tapes);
            #returned
        );
        self.with_adjoint(adjoint, pushforward)
    }

    fn push_by_tangent(&self, tangent: &TokenStream) -> TokenStream {
        let rt = self.target.rt;
        let inputs = self.dead_inputs();
        let ys = self.y_args();
        let seeds = self.each_active(|k| {
            let (value, slot) = (self.reborrowed(k), self.slot(k));
            quote!(#value, #slot)
        });
        match self.output {
            Some(k) => {
                let value = self.fitted_mut(k, quote!(&mut __scratch[..]));
                quote!(
                    __dy.fill(<__A as #rt::Zero>::zero());
                    let mut __scratch = __pool.take_dirty(__y.len(), <__S as ::core::default::Default>::default());
                    #tangent::__tangent(
                        #(#inputs,)* #(#ys, #rt::no_slot(),)* #(#seeds,)* #value, __dy, __pool,
                    );
                    __pool.give(__scratch);
                )
            }
            None => quote!(
                #tangent::__tangent(#(#inputs,)* #(#ys, #rt::no_slot(),)* #(#seeds,)* __pool).1
            ),
        }
    }

    /// The reverse sweep through the tangent code of the function of adjoints.
    fn with_adjoint(&self, adjoint: &TokenStream, pushforward: TokenStream) -> Parts {
        let rt = self.target.rt;
        let (words, ints, mut record, restore) = self.record_numbers(true);
        let inputs = self.each_input(|k, p| {
            let arg = self.arg(k);
            match p.role {
                Role::Active if self.is_number(k) => quote!(#arg, #rt::no_slot()),
                Role::Active => {
                    let arg = self.fitted(k, &arg);
                    quote!(#arg, #rt::no_slot())
                }
                _ => quote!(#arg, ()),
            }
        });
        let slices = self.slices();
        let (popped, ys, seeds, clear) = match self.output {
            Some(k) => {
                let y = self.fitted_shared(k, quote!(__y));
                record.extend(quote!(__tape.words.push_slice(__y);));
                (
                    quote!(let __y = __cur.words(__tape, __yb.len());),
                    self.y_args(),
                    vec![quote!(#y, #rt::Seed::<_, #rt::Live>::new(&*__yb))],
                    quote!(__yb.fill(<__A as #rt::Zero>::zero());),
                )
            }
            None => (
                quote!(),
                self.y_args(),
                (0..self.results)
                    .map(|j| {
                        let (y, seed) = (self.y(j), self.seed(j));
                        quote!(#y, #rt::Seed::<_, #rt::Live>::new(&#seed))
                    })
                    .collect(),
                quote!(),
            ),
        };
        let taken = slices.iter().map(|k| {
            let (arg, slot) = (self.arg(*k), self.slot(*k));
            let (room, dead) = (self.room(*k), self.dead(*k));
            quote!(
                let mut #room = __pool.take_dirty(#arg.len(), <__S as ::core::default::Default>::default());
                let mut #dead = ::std::vec::Vec::new();
                let #slot: &mut [__A] = match #slot.into_inner() {
                    ::core::option::Option::Some(__a) => __a,
                    ::core::option::Option::None => {
                        #dead = __pool.take(#arg.len(), <__A as #rt::Zero>::zero());
                        &mut #dead[..]
                    }
                };
            )
        });
        let outs = slices.iter().map(|k| {
            let (slot, room) = (self.slot(*k), self.room(*k));
            let value = self.fitted_mut(*k, quote!(&mut #room[..]));
            quote!(#value, #slot)
        });
        let given = slices.iter().map(|k| {
            let (room, dead) = (self.room(*k), self.dead(*k));
            quote!(__pool.give(#room); __pool.give(#dead);)
        });
        let pattern = self.numbers_as(|k| {
            let slot = self.slot(k);
            let name = quote::format_ident!("{}_part", slot);
            quote!(#name)
        });
        let added = self.active.iter().filter(|k| self.is_number(**k)).map(|k| {
            let slot = self.slot(*k);
            let name = quote::format_ident!("{}_part", slot);
            quote!(let mut #slot = #slot; #slot.acc::<__S>(#name);)
        });
        Parts {
            words: quote!(#words),
            ints: quote!(#ints),
            needs: self.needs(|_| quote!(true)),
            pushforward,
            record,
            pullback: quote!(
                #restore
                #popped
                #(#taken)*
                let (_, #pattern) = #adjoint::__tangent(
                    #(#inputs,)* #(#ys, #rt::no_slot(),)* #(#seeds,)* #(#outs,)* __pool,
                );
                #(#added)*
                #(#given)*
                #clear
            ),
        }
    }

    /// Values with dead slots.
    fn dead_inputs(&self) -> Vec<TokenStream> {
        let rt = self.target.rt;
        self.each_input(|k, p| {
            let value = self.reborrowed(k);
            match p.role {
                Role::Active => quote!(#value, #rt::no_slot()),
                _ => quote!(#value, ()),
            }
        })
    }

    pub(super) fn slices(&self) -> Vec<usize> {
        (self.active.iter().copied())
            .filter(|k| !self.is_number(*k))
            .collect()
    }

    fn room(&self, k: usize) -> proc_macro2::Ident {
        super::own(&format!("__room{k}"))
    }

    fn dead(&self, k: usize) -> proc_macro2::Ident {
        super::own(&format!("__dead{k}"))
    }

    /// What a function of adjoints returns: nothing, one, or a tuple, for the numbers.
    pub(super) fn numbers_as(&self, mut item: impl FnMut(usize) -> TokenStream) -> TokenStream {
        let items: Vec<TokenStream> = (self.active.iter().copied())
            .filter(|k| self.is_number(*k))
            .map(&mut item)
            .collect();
        match &items[..] {
            [one] => one.clone(),
            _ => quote!((#(#items),*)),
        }
    }

    /// Keeps numbers, and constants that reverse code is not handed: how many floats and integers,
    /// and the code on both sides.
    pub(super) fn record_numbers(&self, results: bool) -> (usize, usize, TokenStream, TokenStream) {
        let Numbers {
            mut words,
            ints,
            mut record,
            mut restore,
        } = self.e.record_numbers();
        for j in (0..self.results).filter(|_| results) {
            let y = self.y(j);
            record.extend(quote!(__words[#words] = #y;));
            restore.extend(quote!(let #y = __words[#words];));
            words += 1;
        }
        (words, ints, record, restore)
    }
}
