//! The items of a function whose derivatives are given: by other functions, or by an equation that
//! its result solves. The same items and signatures as those of a differentiated body, in the generic scalar;
//! derivative functions are annotated themselves, so that second order is an instantiation with dual numbers.

mod fits;
mod given;
mod implicit;
mod substitute;

use super::binding::with_lifetime;
use super::function::Signature;
use super::names::own;
use super::{Context, Emitter, Generics, Kind};
use crate::analysis::activity::activity;
use crate::analysis::renewed::NEVER;
use crate::analysis::views::Views;
use crate::ir::{Body, Mode, Param, Role, Type};
use crate::purpose;
use crate::template::quote;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::ToTokens;

/// Where the derivatives come from.
pub(crate) enum Derivatives {
    /// One function for each number; paths as they were written.
    Partials(Vec<TokenStream>),
    /// A module with one function for each number, generic in the scalar, which takes the numbers, the
    /// constants and the result.
    Row(TokenStream),
    /// A function of tangents; its transpose, if that is given too.
    Tangent(TokenStream, Option<TokenStream>),
    /// A function of adjoints.
    Adjoint(TokenStream),
    /// A backend that computes them from values of the function; an expression.
    Backend(TokenStream),
    /// The result solves an equation.
    Implicit(Equation),
}

/// An equation for the result.
pub(crate) struct Equation {
    /// The residual that vanishes, or the map that stays.
    pub(crate) function: TokenStream,
    /// Is it a map, whose fixed point the result is?
    pub(crate) fixed_point: bool,
    /// Parameters that the equation does not take.
    pub(crate) without: Vec<usize>,
    /// The solver of linear systems.
    pub(crate) solver: Option<TokenStream>,
}

/// What the rule is for.
pub(crate) struct RuleTarget<'a> {
    /// The user's function.
    pub(crate) function: &'a Ident,
    /// Its handle's type.
    pub(crate) handle: &'a Ident,
    /// Path of the runtime's hidden module.
    pub(crate) rt: &'a TokenStream,
}

/// Generates the items of a rule. Of the body only the signature counts.
pub(crate) fn generate_rule(
    body: &Body,
    derivatives: &Derivatives,
    target: &RuleTarget<'_>,
) -> TokenStream {
    let facts = activity(body, &Views::of(body));
    let of = |role: Role| -> Vec<usize> {
        (0..body.params.len())
            .filter(|k| body.params[*k].role == role)
            .collect()
    };
    let generics = Generics::default();
    let cx = Context::new(target.rt, target.handle, &generics);
    let rule = Rule {
        e: Emitter::new(body, &facts, Kind::Primal, cx),
        body,
        target,
        active: of(Role::Active),
        constants: of(Role::Constant),
        output: of(Role::Output).first().copied(),
        results: body.ret.leaves().len(),
    };
    let fits = rule.fits(derivatives);
    if !purpose::runs() && fits.is_some() {
        let called = super::gives::constants(body);
        return quote!(#called #fits);
    }
    let parts = match derivatives {
        Derivatives::Partials(paths) => {
            let args = rule.each(|k, _| rule.reborrowed(k));
            let call = |at: usize| {
                let path = &paths[at];
                quote!(#path::__primal(#(#args,)* __pool))
            };
            rule.by_partials(false, call)
        }
        Derivatives::Row(module) => {
            let (y, mut args) = (rule.y(0), rule.each_active(|k| rule.reborrowed(k)));
            args.extend(rule.constants.iter().map(|k| rule.reborrowed(*k)));
            let call = |at: usize| {
                let partial = Ident::new(&format!("d{at}"), proc_macro2::Span::call_site());
                quote!(#module::#partial(#(#args,)* #y))
            };
            rule.by_partials(true, call)
        }
        Derivatives::Tangent(tangent, adjoint) => rule.by_tangent(tangent, adjoint.as_ref()),
        Derivatives::Adjoint(adjoint) => rule.by_adjoint(adjoint),
        Derivatives::Backend(backend) => rule.by_backend(backend),
        Derivatives::Implicit(equation) => rule.by_equation(equation),
    };
    let items = rule.items(&parts);
    quote!(#fits #items)
}

/// The parameters and results of a rule.
struct Rule<'a> {
    e: Emitter<'a>,
    body: &'a Body,
    target: &'a RuleTarget<'a>,
    active: Vec<usize>,
    constants: Vec<usize>,
    /// The slice that the result is written to, if it is not returned.
    output: Option<usize>,
    /// How many numbers are returned.
    results: usize,
}

/// What differs from rule to rule. Names: `__arg{k}` and `__slot{k}` of parameters, `__y{j}` and
/// `__seed{j}` of numbers that are returned, `__y` and `__yb` of a slice that is written to.
struct Parts {
    words: TokenStream,
    ints: TokenStream,
    /// Whether the reverse sweep reads the slice parameter.
    needs: Vec<TokenStream>,
    /// The tangents of the results, from `__arg`, `__slot` and `__y`.
    pushforward: TokenStream,
    /// Keeps what the reverse sweep reads, after the function itself ran.
    record: TokenStream,
    /// Adds to the adjoints of the parameters. Slices of parameters, `__words` and `__ints` are there;
    /// of what is on the tape the last was kept first.
    pullback: TokenStream,
}

impl Rule<'_> {
    fn items(&self, parts: &Parts) -> TokenStream {
        let RuleTarget { rt, .. } = self.target;
        let Parts {
            words,
            ints,
            needs,
            pushforward,
            record,
            pullback,
        } = parts;
        let (count, never) = (needs.len(), NEVER);
        let sig = self.signature();
        let (bound, markers) = (sig.scalar_bound(), sig.markers());
        let (ret, lanes, adjoint) = (
            self.e.ret_ty(),
            self.e.ret_lane_ty(false),
            self.e.ret_lane_ty(true),
        );
        let values = sig.values();
        let seeded = sig.slotted(Signature::value, "Seed");
        let shadowed = sig.slotted(Signature::value, "Shadow");
        let reversed = sig.slotted(Signature::reverse_value, "Shadow");
        let without_output: Vec<&TokenStream> = (seeded.iter().enumerate())
            .filter(|(k, _)| Some(*k) != self.output)
            .map(|(_, t)| t)
            .collect();
        let passed = self.each(|k, _| self.reborrowed(k));
        // without branches, the pattern is that of the primal
        let pattern = purpose::finds_patterns().then(|| {
            let primal = quote!(::core::result::Result::Ok(Self::__primal(#(#passed,)* __pool)));
            sig.pattern(&values, &ret, &primal)
        });
        let pushed = self.each_input(|k, _| {
            let (arg, slot) = (self.arg(k), self.slot(k));
            quote!(#arg, #slot)
        });
        let backward = self.each(|k, p| {
            let (arg, slot) = (self.arg(k), self.slot(k));
            let value = match (p.role, p.mode) {
                (Role::Active, Mode::Ref) => quote!(#arg),
                (Role::Active, _) | (Role::Output, _) => quote!(()),
                _ if p.mode == Mode::Value && p.ty.is_scalar() => quote!(()),
                _ => quote!(#arg),
            };
            quote!(#value, #slot)
        });
        let (y_params, y_args, primal) = (self.y_params(), self.y_args(), self.primal());
        let ys = self.results_as(|j| self.y(j).into_token_stream());
        let seeds = self.results_as(|j| self.seed(j).into_token_stream());
        let (dy_param, dy_ret) = match self.output {
            Some(_) => (quote!(__dy: &mut [__A],), quote!(())),
            None => (quote!(), lanes.clone()),
        };
        let tangent_end = match self.output {
            Some(k) => {
                let (arg, slot) = (self.arg(k), self.slot(k));
                quote!(
                    Self::__pushforward(#(#pushed,)* &#arg[..], &mut #slot[..], __pool);
                    ((), ())
                )
            }
            None => quote!(
                let #ys = __result;
                let __tangents = Self::__pushforward(#(#pushed,)* #(#y_args,)* __pool);
                (__result, __tangents)
            ),
        };
        let y_of_output = self.output.map(|k| {
            let arg = self.arg(k);
            quote!(let __y: &[__S] = &#arg[..];)
        });
        let constants = super::gives::constants(self.body);
        let bind_seeds = match self.output {
            Some(k) => {
                let slot = self.slot(k);
                quote!(let __yb: &mut [__A] = &mut #slot[..];)
            }
            None => quote!(let #seeds = __result_adjoint;),
        };
        quote!(
            #[doc(hidden)]
            pub const __WORDS: usize = #words;
            #[doc(hidden)]
            pub const __INTS: usize = #ints;
            #[doc(hidden)] pub const __RECORDS: bool = true;
            #[doc(hidden)] pub const __TAPE: bool = true;
            #[doc(hidden)] pub const __BUFFERS: bool = true;
            #[doc(hidden)]
            pub const fn __visit(__seen: &mut #rt::Seen) {
                __seen.takes_buffers();
            }
            #constants
            #[doc(hidden)]
            pub const __NEEDS: [bool; #count] = [#(#needs),*];
            #[doc(hidden)]
            pub const __RENEWS: [u64; #count] = [#never; #count];
            #[doc(hidden)]
            #[inline]
            pub fn __primal<#bound>(#(#values,)* __pool: &mut #rt::Pool) -> #ret {
                #primal
            }
            #pattern
            #[doc(hidden)]
            #[inline]
            fn __pushforward<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#without_output,)* #(#y_params,)* #dy_param __pool: &mut #rt::Pool,
            ) -> #dy_ret {
                #pushforward
            }
            #[doc(hidden)]
            #[inline]
            pub fn __tangent<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#seeded,)* __pool: &mut #rt::Pool,
            ) -> (#ret, #lanes) {
                let __result = Self::__primal(#(#passed,)* __pool);
                #tangent_end
            }
            #[doc(hidden)]
            #[inline]
            pub fn __augmented<#bound>(
                #(#values,)* __words: &mut [__S], __ints: &mut [usize], __tape: &mut #rt::Tape<__S>,
                __pool: &mut #rt::Pool,
            ) -> #ret {
                let (__words, __ints) = (&mut __words[..Self::__WORDS], &mut __ints[..Self::__INTS]);
                let __result = Self::__primal(#(#passed,)* __pool);
                let #ys = __result;
                #y_of_output
                #record
                __result
            }
            #[doc(hidden)]
            #[inline]
            pub fn __reverse<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#reversed,)* __result_adjoint: #adjoint, __words: &[__S], __ints: &[usize],
                __tape: &#rt::Tape<__S>, __cur: &mut #rt::Cursor, __pool: &mut #rt::Pool,
            ) {
                let (__words, __ints) = (&__words[..Self::__WORDS], &__ints[..Self::__INTS]);
                #bind_seeds
                #pullback
            }
            #[doc(hidden)]
            #[inline]
            pub fn __fused<#bound, __A: #rt::Lanes<__S>, #(#markers),*>(
                #(#shadowed,)* __result_adjoint: #adjoint,
                __tape: &mut #rt::Tape<__S>, __pool: &mut #rt::Pool,
            ) -> #ret {
                let mut __rec = [<__S as ::core::default::Default>::default(); Self::__WORDS];
                let mut __irec = [0usize; Self::__INTS];
                let __result = Self::__augmented(#(#passed,)* &mut __rec, &mut __irec, __tape, __pool);
                let mut __cur = __tape.cursor();
                Self::__reverse(
                    #(#backward,)* __result_adjoint, &__rec, &__irec, __tape, &mut __cur, __pool,
                );
                __result
            }
        )
    }

    /// The user's function, as a rule of whatever scalar there is.
    fn primal(&self) -> TokenStream {
        let RuleTarget {
            function,
            handle,
            rt,
        } = self.target;
        let real = self.e.real();
        let kept = self.constants.iter().map(|k| {
            let p = &self.body.params[*k];
            with_lifetime(p.written.0.clone(), false)
        });
        let names = |stem: &str, n: usize| -> Vec<Ident> {
            (0..n).map(|i| own(&format!("__{stem}{i}"))).collect()
        };
        let (n, m) = (self.active.len(), self.results.max(1));
        let (xs, dxs, xbs) = (names("x", n), names("dx", n), names("xb", n));
        let (ys, dys, ybs) = (names("y", m), names("dy", m), names("yb", m));
        let of = |list: &[usize], k: usize| list.iter().position(|a| *a == k).unwrap_or(0);
        let context = |k: usize| {
            let at = Literal::usize_unsuffixed(of(&self.constants, k));
            quote!(::core::clone::Clone::clone(&self.#at))
        };
        let input = |k: usize| {
            let x = &xs[of(&self.active, k)];
            if self.is_number(k) {
                quote!(#x[0])
            } else {
                self.fitted(k, x)
            }
        };
        let last = Literal::usize_unsuffixed(self.constants.len());
        let pool = quote!(&mut self.#last.borrow_mut());
        let store = |names: &[Ident], call: TokenStream| {
            if self.output.is_some() {
                return quote!(#call;);
            }
            let places = self.results_as(|j| {
                let y = &names[j];
                quote!(#y[0])
            });
            quote!(#places = #call;)
        };
        let call = self.each(|k, p| match p.role {
            Role::Active => input(k),
            Role::Constant => context(k),
            Role::Output | Role::InOut | Role::Cache => self.fitted(k, &ys[0]),
        });
        let run = store(&ys, quote!(#function(#(#call),*)));
        let slotted = |names: &[Ident], kind: &str, borrow: TokenStream, out: TokenStream| {
            let kind = Ident::new(kind, proc_macro2::Span::call_site());
            self.each(|k, p| {
                if Some(k) == self.output {
                    return out.clone();
                }
                if p.role == Role::Constant {
                    let c = context(k);
                    return quote!(#c, (),);
                }
                let (value, slot) = (input(k), &names[of(&self.active, k)]);
                let slot = if self.is_number(k) {
                    quote!(#borrow #slot[0])
                } else {
                    quote!(#slot)
                };
                quote!(#value, #rt::#kind::<_, #rt::Live>::new(#slot),)
            })
        };
        let out = match self.output {
            Some(k) => self.fitted_mut(k, quote!(&mut __scratch[..])),
            None => TokenStream::new(),
        };
        let (seeds, shadows) = (
            slotted(&dxs, "Seed", quote!(&), quote!()),
            slotted(
                &xbs,
                "Shadow",
                quote!(&mut),
                quote!(#out, &mut __adjoint[..],),
            ),
        );
        let (push_rest, pull_rest, before) = match self.output {
            Some(_) => {
                let (y, dy, yb) = (&ys[0], &dys[0], &ybs[0]);
                (
                    quote!(#y, #dy,),
                    quote!((),),
                    quote!(let mut __scratch = #y.to_vec(); let mut __adjoint = #yb.to_vec();),
                )
            }
            None => {
                let seeds = self.results_as(|j| {
                    let yb = &ybs[j];
                    quote!(#yb[0])
                });
                (quote!(#(#ys[0],)*), quote!(#seeds,), quote!())
            }
        };
        let push = store(
            &dys,
            quote!(#handle::__pushforward(#(#seeds)* #push_rest #pool)),
        );
        let args: Vec<TokenStream> = (self.active.iter())
            .map(|k| {
                let arg = self.arg(*k);
                if self.is_number(*k) {
                    quote!(::core::slice::from_ref(&#arg))
                } else {
                    quote!(&#arg[..])
                }
            })
            .collect();
        let contexts = self.constants.iter().map(|k| self.arg(*k));
        let (outs, results) = match self.output {
            Some(k) => {
                let arg = self.arg(k);
                (quote!(&mut #arg[..]), quote!())
            }
            None => (
                quote!(#(&mut #ys),*),
                self.results_as(|j| {
                    let y = &ys[j];
                    quote!(#y[0])
                }),
            ),
        };
        let declared = if self.output.is_some() {
            quote!()
        } else {
            quote!(#(let mut #ys = [<__S as ::core::default::Default>::default()];)*)
        };
        quote!(
            struct __Rule<'__c>(#(#kept,)* ::core::cell::RefCell<&'__c mut #rt::Pool>);
            impl<'__c> #rt::rules::Rule<#real, #n, #m> for __Rule<'__c> {
                fn primal(&self, [#(#xs),*]: [&[#real]; #n], [#(#ys),*]: [&mut [#real]; #m]) {
                    #run
                }
                fn with_pool<__T>(&self, __run: impl ::core::ops::FnOnce(&mut #rt::Pool) -> __T) -> __T { __run(#pool) }
                fn pushforward<__S: #rt::Scalar<Real = #real>, __A: #rt::Lanes<__S>>(
                    &self, [#(#xs),*]: [&[__S]; #n], [#(#ys),*]: [&[__S]; #m],
                    [#(#dxs),*]: [&[__A]; #n], [#(#dys),*]: [&mut [__A]; #m],
                ) {
                    #push
                }
                fn pullback<__S: #rt::Scalar<Real = #real>, __A: #rt::Lanes<__S>>(
                    &self, [#(#xs),*]: [&[__S]; #n], [#(#ys),*]: [&[__S]; #m],
                    [#(#ybs),*]: [&[__A]; #m], [#(#xbs),*]: [&mut [__A]; #n],
                ) {
                    #before
                    #handle::__fused(
                        #(#shadows)* #pull_rest &mut #rt::Tape::new(), #pool
                    );
                }
            }
            #declared
            <__S as #rt::Scalar>::call_rule(
                &__Rule(#(#contexts,)* ::core::cell::RefCell::new(__pool)), [#(#args),*], [#outs],
            );
            #results
        )
    }

    // ---- parameters ----

    fn signature(&self) -> Signature<'_, '_> {
        Signature { e: &self.e }
    }

    fn arg(&self, k: usize) -> Ident {
        self.e.arg(k)
    }

    fn slot(&self, k: usize) -> Ident {
        self.e.slot_arg(k)
    }

    fn is_number(&self, k: usize) -> bool {
        self.body.params[k].ty == Type::Float
    }

    /// One piece of code for each parameter.
    fn each(&self, mut item: impl FnMut(usize, &Param) -> TokenStream) -> Vec<TokenStream> {
        (self.body.params.iter().enumerate())
            .map(|(k, p)| item(k, p))
            .collect()
    }

    /// One for each but the output.
    fn each_input(&self, mut item: impl FnMut(usize, &Param) -> TokenStream) -> Vec<TokenStream> {
        (self.body.params.iter().enumerate())
            .filter(|(k, _)| Some(*k) != self.output)
            .map(|(k, p)| item(k, p))
            .collect()
    }

    /// One for each active parameter.
    fn each_active(&self, item: impl FnMut(usize) -> TokenStream) -> Vec<TokenStream> {
        self.active.iter().copied().map(item).collect()
    }

    /// A value that is needed again afterwards.
    fn reborrowed(&self, k: usize) -> TokenStream {
        let arg = self.arg(k);
        match self.body.params[k].mode {
            Mode::Mut => quote!(&mut *#arg),
            // what is not looked into may not be `Copy`
            Mode::Value if matches!(self.body.params[k].ty, Type::Opaque(_)) => {
                quote!(::core::clone::Clone::clone(&#arg))
            }
            Mode::Value | Mode::Ref => quote!(#arg),
        }
    }

    /// A slice as what the parameter is: an array if its length is in the type.
    fn fitted(&self, k: usize, slice: impl ToTokens) -> TokenStream {
        match self.body.params[k].mode {
            Mode::Mut => self.fitted_mut(k, slice),
            _ => self.fitted_shared(k, slice),
        }
    }

    fn fitted_shared(&self, k: usize, slice: impl ToTokens) -> TokenStream {
        self.fitted_behind(k, slice, &quote!(&))
    }

    fn fitted_mut(&self, k: usize, slice: impl ToTokens) -> TokenStream {
        self.fitted_behind(k, slice, &quote!(&mut))
    }

    fn fitted_behind(&self, k: usize, slice: impl ToTokens, and: &TokenStream) -> TokenStream {
        match &self.body.params[k].ty {
            Type::Array(_, n) => {
                let n = &n.0;
                quote!(<#and [_; #n] as ::core::convert::TryFrom<#and [_]>>::try_from(#slice)
                    .expect("the length is that of the type"))
            }
            _ => slice.into_token_stream(),
        }
    }

    // ---- results ----

    fn y(&self, j: usize) -> Ident {
        own(&format!("__y{j}"))
    }

    fn seed(&self, j: usize) -> Ident {
        own(&format!("__seed{j}"))
    }

    /// The numbers that are returned, as they are returned.
    fn results_as(&self, mut item: impl FnMut(usize) -> TokenStream) -> TokenStream {
        let mut j = 0;
        self.e.tree(&self.body.ret.map(&mut |_| {
            j += 1;
            item(j - 1)
        }))
    }

    /// All results, as arguments behind those of the function.
    fn y_args(&self) -> Vec<TokenStream> {
        let ys = (0..self.results).map(|j| self.y(j).to_token_stream());
        match self.output {
            Some(k) => vec![self.fitted_shared(k, quote!(__y))],
            None => ys.collect(),
        }
    }

    fn y_params(&self) -> Vec<TokenStream> {
        let ys = (0..self.results).map(|j| self.y(j));
        match self.output {
            Some(_) => vec![quote!(__y: &[__S])],
            None => ys.map(|y| quote!(#y: __S)).collect(),
        }
    }

    /// Places of the function among those of an array of needs: `flags` by parameter.
    fn needs(&self, mut of_slice: impl FnMut(usize) -> TokenStream) -> Vec<TokenStream> {
        self.each(|k, p| match (p.role, p.mode) {
            (Role::Active, Mode::Ref) => of_slice(k),
            _ => quote!(false),
        })
    }
}
