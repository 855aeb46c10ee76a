//! Rules of results that solve an equation: the implicit function theorem.
//!
//! With `r(y, p) = 0`: `r_y dy = -r_p dp`, and `pb -= r_p^T l` where `r_y^T l = yb`. A fixed point
//! `y = g(y, p)` is the same with `r_y = I - g_y` and the other sign. The derivatives of `r` are its
//! own generated ones. (Griewank, Walther 2008, chapter 15; Christianson 1994.)

use super::{Equation, Parts, Rule};
use crate::ir::Role;
use crate::template::quote;
use proc_macro2::TokenStream;

impl Rule<'_> {
    pub(super) fn by_equation(&self, equation: &Equation) -> Parts {
        match self.output {
            Some(k) => self.system(k, equation),
            None => self.number(equation),
        }
    }

    /// Parameters that the equation takes, with live slots or dead ones.
    fn taken(&self, equation: &Equation, live: bool) -> Vec<TokenStream> {
        let rt = self.target.rt;
        self.each_taken(equation, |k, role| {
            let (value, slot) = (self.reborrowed(k), self.slot(k));
            match role {
                Role::Active if live => quote!(#value, #slot),
                Role::Active => quote!(#value, #rt::no_slot()),
                _ => quote!(#value, ()),
            }
        })
    }

    fn each_taken(
        &self,
        equation: &Equation,
        mut item: impl FnMut(usize, Role) -> TokenStream,
    ) -> Vec<TokenStream> {
        (self.body.params.iter().enumerate())
            .filter(|(k, _)| Some(*k) != self.output && !equation.without.contains(k))
            .map(|(k, p)| item(k, p.role))
            .collect()
    }

    /// Values and slots for the equation's reverse code.
    fn handed_back(&self, equation: &Equation) -> Vec<TokenStream> {
        self.each_taken(equation, |k, role| {
            let (arg, slot) = (self.arg(k), self.slot(k));
            match role {
                Role::Active if self.is_number(k) => quote!((), #slot),
                Role::Active => quote!(#arg, #slot),
                _ => quote!(#arg, ()),
            }
        })
    }

    fn needs_of(&self, equation: &Equation) -> Vec<TokenStream> {
        let path = &equation.function;
        self.needs(|k| {
            if equation.without.contains(&k) {
                return quote!(false);
            }
            let before = (0..k)
                .filter(|i| Some(*i) != self.output && !equation.without.contains(i))
                .count();
            let at = 1 + before;
            quote!(#path::__NEEDS[#at])
        })
    }

    /// One equation for one number.
    fn number(&self, equation: &Equation) -> Parts {
        let (rt, path) = (self.target.rt, &equation.function);
        let real = self.e.real();
        let (y, seed) = (self.y(0), self.seed(0));
        let one = quote!(<__S as #rt::Scalar>::from_real(<#real as #rt::Real>::from_f64(1.0)));
        let (live, dead) = (self.taken(equation, true), self.taken(equation, false));
        let values = self.each_taken(equation, |k, _| self.reborrowed(k));
        let back = self.handed_back(equation);
        // by -1 / r_y, or 1 / (1 - g_y)
        let factor = if equation.fixed_point {
            quote!(#one / (#one - __slope))
        } else {
            quote!(-(#one / __slope))
        };
        let slope = quote!({
            let __one = #one;
            let (_, __slope): (_, __S) = #path::__tangent(
                #y, #rt::Seed::<__S, #rt::Live>::new(&__one), #(#dead,)* __pool,
            );
            #factor
        });
        Parts {
            words: quote!(1 + #path::__WORDS),
            ints: quote!(#path::__INTS),
            needs: self.needs_of(equation),
            pushforward: quote!(
                let (_, __right): (_, __A) = #path::__tangent(#y, #rt::no_slot(), #(#live,)* __pool);
                #rt::Lanes::<__S>::scale(__right, #slope)
            ),
            record: quote!(
                __words[0] = #slope;
                #path::__augmented(#y, #(#values,)* &mut __words[1..], __ints, __tape, __pool);
            ),
            pullback: quote!(
                let __l: __A = #rt::Lanes::<__S>::scale(#seed, __words[0]);
                #path::__reverse(
                    (), #rt::no_slot(), #(#back,)* __l, &__words[1..], __ints, __tape, __cur, __pool,
                );
            ),
        }
    }

    /// A system: a residual for each number of the slice.
    fn system(&self, output: usize, equation: &Equation) -> Parts {
        let (rt, path) = (self.target.rt, &equation.function);
        let (live, dead) = (self.taken(equation, true), self.taken(equation, false));
        let values = self.each_taken(equation, |k, _| self.reborrowed(k));
        let back = self.handed_back(equation);
        let fixed = equation.fixed_point;
        let solver = match &equation.solver {
            Some(path) => quote!(#path),
            None => quote!(#rt::implicit::Dense),
        };
        let (y, out) = (
            self.fitted_shared(output, quote!(__y)),
            self.fitted_mut(output, quote!(&mut __scratch[..])),
        );
        // the matrix column by column, factored
        let factor = quote!(
            let mut __unit = __pool.take(__n, <__S as ::core::default::Default>::default());
            #rt::implicit::factor::<__S, #solver>(
                #fixed, &mut __matrix[..], &mut __pivots[..], &mut __unit,
                |__unit: &[__S], __column: &mut [__S]| {
                    #path::__tangent(
                        #y, #rt::Seed::<[__S], #rt::Live>::new(__unit), #(#dead,)* #out, __column, __pool,
                    );
                },
            );
            __pool.give(__unit);
        );
        Parts {
            words: quote!(#path::__WORDS),
            ints: quote!(#path::__INTS),
            needs: self.needs_of(equation),
            pushforward: quote!(
                let __n = __y.len();
                let mut __scratch = __pool.take(__n, <__S as ::core::default::Default>::default());
                __dy.fill(<__A as #rt::Zero>::zero());
                #path::__tangent(#y, #rt::no_slot(), #(#live,)* #out, &mut *__dy, __pool);
                let mut __matrix = __pool.take(__n * __n, <__S as ::core::default::Default>::default());
                let mut __pivots = __pool.take(__n, 0usize);
                #factor
                #rt::implicit::solve::<__S, __A, #solver>(#fixed, &__matrix, &__pivots, __dy);
                __pool.give(__scratch);
                __pool.give(__matrix);
                __pool.give(__pivots);
            ),
            record: quote!(
                let __n = __y.len();
                let mut __scratch = __pool.take(__n, <__S as ::core::default::Default>::default());
                #path::__augmented(#y, #(#values,)* #out, __words, __ints, __tape, __pool);
                __tape.words.push_slice(__y);
                let mut __matrix = __pool.take(__n * __n, <__S as ::core::default::Default>::default());
                let __base = __tape.ints.mark();
                __tape.ints.block(__n);
                {
                    let __pivots = __tape.ints.block_at(__base, __n);
                    #factor
                }
                __tape.words.push_slice(&__matrix);
                __pool.give(__matrix);
                __pool.give(__scratch);
            ),
            pullback: quote!(
                let __n = __yb.len();
                let __matrix = __cur.words(__tape, __n * __n);
                let __pivots = __cur.ints(__tape, __n);
                let __y = __cur.words(__tape, __n);
                #rt::implicit::solve_transposed::<__S, __A, #solver>(#fixed, __matrix, __pivots, __yb);
                #path::__reverse(
                    __y, #rt::no_slot(), #(#back,)* (), &mut *__yb, (),
                    __words, __ints, __tape, __cur, __pool,
                );
                __yb.fill(<__A as #rt::Zero>::zero());
            ),
        }
    }
}
