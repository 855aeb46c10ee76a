//! The glue between a handle and the runtime: the impl of the trait that operators ask for. Knows
//! parameters and results, not the body. What binds data is in `binding`.

use super::binding::for_calls;
use super::family::{MOST_ACTIVE, argument_family, array_family, nested_family, result_family};
use super::instance::Generics;
use super::names::{argument, cache, cache_lanes, own, slot};
use super::outcome::success;
use crate::ir::{ArrayPart, Body, Mode, Param, Returned, Role, Type};
use crate::purpose;
use crate::template::{list, quote};
use proc_macro2::{Ident, TokenStream};

/// What the glue is written for.
pub(crate) struct Target<'a> {
    /// The handle's type.
    pub(crate) name: &'a Ident,
    pub(crate) generics: &'a Generics,
    /// The function's float type, as a path.
    pub(crate) float: &'a TokenStream,
    /// The function's visibility.
    pub(crate) vis: &'a TokenStream,
    /// Path of the runtime's hidden module.
    pub(crate) rt: &'a TokenStream,
    pub(crate) forms: super::Forms,
    /// The result, if there are arrays of `ndarray` in it.
    pub(crate) result: Option<Returned>,
    /// What the function is called by, and how it takes its parameters, if it can be called from here.
    pub(crate) original: Option<(TokenStream, Vec<Taken>)>,
}

/// How the user's function takes a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Value,
    /// A slice or an array behind a reference.
    List,
    /// Anything else behind a reference.
    Behind,
}

impl Target<'_> {
    /// The handle's type, with its arguments.
    pub(super) fn handle(&self) -> TokenStream {
        let (name, arguments) = (self.name, self.generics.arguments());
        quote!(#name #arguments)
    }
}

/// What operators need of a function. Nothing if operators cannot take it: it has no active parameter, several outputs, or
/// results that are not floats. It can still be called from other annotated functions.
pub(crate) fn emit(body: &Body, target: &Target<'_>) -> TokenStream {
    let Some(glue) = Glue::new(body, target) else {
        return for_calls(body, target);
    };
    let handle_impl = glue.handle_impl();
    let binding = glue.binding();
    quote! {
        #handle_impl
        #binding
    }
}

/// Is it a constant or a cache that `with` takes? Parts of arrays are not taken alone.
pub(super) fn is_context(p: &Param) -> bool {
    matches!(p.role, Role::Constant | Role::Cache)
        && !matches!(
            p.array,
            Some(ArrayPart::Length { .. } | ArrayPart::Rows { .. })
        )
}

/// The parameters, sorted by what becomes of them.
pub(super) struct Glue<'a> {
    pub(super) body: &'a Body,
    pub(super) target: &'a Target<'a>,
    pub(super) active: Vec<usize>,
    /// Constants and caches: what `with` takes.
    pub(super) contexts: Vec<usize>,
    caches: Vec<usize>,
    pub(super) output: Option<usize>,
    /// Family of the result or output.
    y: TokenStream,
}

/// Which arguments are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One for each parameter.
    Values,
    /// Value and tangent.
    Tangent,
    /// Nothing or a value behind `&`, and an adjoint.
    Reverse,
    /// Value and adjoint.
    Fused,
}

impl<'a> Glue<'a> {
    fn new(body: &'a Body, target: &'a Target<'a>) -> Option<Self> {
        let of = |role: Role| -> Vec<usize> {
            (0..body.params.len())
                .filter(|k| body.params[*k].role == role)
                .collect()
        };
        let (active, caches, outputs) = (of(Role::Active), of(Role::Cache), of(Role::Output));
        let contexts: Vec<usize> = (0..body.params.len())
            .filter(|k| is_context(&body.params[*k]))
            .collect();
        let returned = match target.result {
            Some(Returned::Array(rank)) => {
                success(body)?;
                Some(array_family(rank, target.rt))
            }
            Some(Returned::Parts) => None,
            None if body.returns_rows => match body.ret.leaves().first() {
                Some(store) => nested_family(store, target.rt),
                None => None,
            },
            None => result_family(success(body)?, target.rt),
        };
        let output = outputs.first().copied();
        let y = match output {
            Some(k) if outputs.len() == 1 => argument_family(&body.params[k], target.rt)?,
            Some(_) => return None,
            None => returned?,
        };
        let fits = !active.is_empty()
            && active.len() <= MOST_ACTIVE
            && of(Role::InOut).is_empty()
            && active
                .iter()
                .chain(&caches)
                .all(|k| argument_family(&body.params[*k], target.rt).is_some());
        fits.then_some(Glue {
            body,
            target,
            active,
            contexts,
            caches,
            output,
            y,
        })
    }

    pub(super) fn param(&self, k: usize) -> &'a Param {
        &self.body.params[k]
    }

    pub(super) fn family(&self, k: usize) -> TokenStream {
        argument_family(self.param(k), self.target.rt).expect("Glue::new looked at it")
    }

    // ---- the trait ----

    fn handle_impl(&self) -> TokenStream {
        let Target { float, rt, .. } = self.target;
        let (declared, handle) = (self.target.generics.for_impl(), self.target.handle());
        let bounds = self.bounds();
        let y = &self.y;
        let args = list(self.active.iter().map(|k| self.family(*k)));
        let caches = list(self.caches.iter().map(|k| self.family(*k)));
        let kind = if self.output.is_some() {
            quote!(InPlace)
        } else {
            quote!(Returning)
        };
        let ctx = list(self.contexts.iter().map(|k| self.context_type(*k)));
        let names = self.active.iter().map(|k| self.param(*k).shown());
        let code = purpose::runs().then(|| self.code());
        // in the impl a name that is missing could be meant for one of the trait's types
        let (outside, ctx) = match self.target.generics.has_arguments() {
            true => (TokenStream::new(), ctx),
            false => {
                let owned = self.owned().into_iter();
                let owned = owned.map(|(name, ty)| quote!(type #name = #ty;));
                (
                    quote!(type __Ctx<'__c> = #ctx; #(#owned)*),
                    quote!(__Ctx<'__c>),
                )
            }
        };
        quote! {
            #outside
            impl #declared #rt::Handle for #handle #bounds {
                type Real = #float;
                type Args = #args;
                type Caches = #caches;
                type Y = #y;
                type Kind = #rt::#kind;
                type Ctx<'__c> = #ctx;
                const FRESH: bool = true;
                const NAMES: &'static [&'static str] = &[#(#names),*];
                #code
            }
        }
    }

    /// Sizes of the record, and the functions.
    fn code(&self) -> TokenStream {
        let Target {
            name, float, rt, ..
        } = self.target;
        let code = self.target.generics.code(name);
        let examples = list(self.caches.iter().map(|k| self.example(*k)));
        let (in_args, in_ctx) = (self.arguments(), self.context_pattern());
        let constants = (self.contexts.iter())
            .filter(|k| self.param(**k).role == Role::Constant)
            .map(|k| self.context(*k));
        let snapshots = constants.map(|c| quote!(#rt::Probe(&#c).snapshot(__snapshot);));
        let in_caches = list(self.caches.iter().map(|k| cache(*k)));
        let in_caches_t = list(self.caches.iter().map(|k| cache_lanes(*k)));
        let slots = list(self.active.iter().map(|k| slot(*k)));
        let scalar = quote!(__S: #rt::Scalar<Real = #float>);
        let values =
            quote!(#rt::Primals { args: #in_args, ctx: #in_ctx, caches: #in_caches, y: __y });
        let adjoints = quote!(#rt::Adjoints { args: #slots, caches: #in_caches_t, y: __yb });

        let call = |form: Form, function: TokenStream, rest: TokenStream| {
            let args = (0..self.body.params.len()).map(|k| self.pass(k, form));
            let lengths = self.lengths(form);
            let call = quote!(<#code>::#function(#(#args,)* #rest));
            if lengths.is_empty() {
                call
            } else {
                quote!({ #lengths #call })
            }
        };
        let primal = self.result(call(Form::Values, quote!(__primal), quote!(__pool)));
        let plain = self.itself().map(|call| {
            quote! {
                fn plain(__at: #rt::Primals<Self, #float>, __pool: &mut #rt::Pool) {
                    let #values = __at;
                    #call
                }
            }
        });
        // where inputs decide whether it fails, the pattern is that of success
        let wanted = |pattern: TokenStream| match self.body.fallible {
            Some(_) => quote!({
                let (__ok, __v, __e) = #pattern;
                (__ok != ::core::option::Option::Some(false), __v, __e)
            }),
            None => pattern,
        };
        // else the trait's own, which runs the primal
        let pattern = self.target.forms.pattern.then(|| {
            let pattern = call(Form::Values, quote!(__pattern), quote!(__pool));
            let pattern = self.result(match self.target.result {
                _ if self.output.is_some() => wanted(quote!(#pattern?)),
                Some(Returned::Array(2)) if self.body.fallible.is_some() => wanted(quote!({
                    let (__ok, (__v, __m, __n), __e) = #pattern?;
                    (__ok, (__v, #rt::demand(__m)?, #rt::demand(__n)?), __e)
                })),
                Some(Returned::Array(2)) => quote!({
                    let (__v, __m, __n) = #pattern?;
                    (__v, #rt::demand(__m)?, #rt::demand(__n)?)
                }),
                _ => wanted(quote!(#pattern?)),
            });
            quote! {
                fn pattern<__S: #rt::Abstract<Real = #float>>(
                    __at: #rt::Primals<Self, __S>,
                    __pool: &mut #rt::Pool,
                ) -> ::core::result::Result<(), #rt::Undecided> {
                    let #values = __at;
                    #pattern
                    ::core::result::Result::Ok(())
                }
            }
        });
        let augmented = self.result(call(
            Form::Values,
            quote!(__augmented),
            quote!(__words, __ints, __tape, __pool),
        ));
        let tangent = call(Form::Tangent, quote!(__tangent), quote!(__pool));
        let tangent = self.result_and_tangent(&tangent);
        let seed_of = |seed: TokenStream| match self.body.fallible {
            Some(_) => quote!(((), #seed, ())),
            None => seed,
        };
        let seed = match self.target.result {
            _ if self.output.is_some() && self.body.fallible.is_some() => quote!(((), (), ())),
            _ if self.output.is_some() => quote!(()),
            Some(Returned::Array(2)) => seed_of(quote!((#rt::nd::whole_mut(__yb), (), ()))),
            Some(_) => seed_of(quote!(#rt::nd::whole_mut(__yb))),
            None if self.body.returns_rows => seed_of(quote!((__yb.0, ()))),
            None => seed_of(quote!(__yb)),
        };
        let reverse = call(
            Form::Reverse,
            quote!(__reverse),
            quote!(#seed, __words, __ints, __tape, __cursor, __pool),
        );
        let apart = quote! {
            #rt::both_sweeps::<Self, __S, __A, __M, { <#name>::__WORDS }, { <#name>::__INTS }>(
                __at, __b, __tape, __pool,
            );
        };
        let fused = if self.target.forms.fused {
            let fused = self.result(call(
                Form::Fused,
                quote!(__fused),
                quote!(#seed, __tape, __pool),
            ));
            let or_apart = self.target.forms.asked.then(|| {
                quote!(if !<#name>::__JOINT {
                    return #apart
                })
            });
            quote! {
                #or_apart
                let #values = __at;
                let #adjoints = __b;
                #fused
            }
        } else {
            apart
        };
        quote! {
            const WORDS: usize = <#name>::__WORDS;
            const RECORDS: bool = <#name>::__RECORDS;
            const INTS: usize = <#name>::__INTS;
            const BUFFERS: bool = <#name>::__BUFFERS;
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn shorten<'__s, '__l: '__s>(__ctx: Self::Ctx<'__l>) -> Self::Ctx<'__s> {
                __ctx
            }
            #[inline]
            fn constants(#in_ctx: Self::Ctx<'_>, __snapshot: &mut #rt::Snapshot) {
                use #rt::Unseen as _;
                #(#snapshots)*
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn caches<'__c>(#in_ctx: Self::Ctx<'__c>) -> <Self::Caches as #rt::Family>::Ref<'__c, #float> {
                #examples
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn primal<#scalar>(__at: #rt::Primals<Self, __S>, __pool: &mut #rt::Pool) {
                let #values = __at;
                #primal
            }
            #plain
            #pattern
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn tangent<#scalar, __T: #rt::Lanes<__S>, __M: #rt::Marks>(
                __at: #rt::Primals<Self, __S>,
                __t: #rt::Tangents<Self, __T, __M>,
                __pool: &mut #rt::Pool,
            ) {
                let #values = __at;
                let #rt::Tangents { args: #slots, caches: #in_caches_t, y: __dy } = __t;
                #tangent
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn augmented<#scalar>(
                __at: #rt::Primals<Self, __S>,
                __record: #rt::Record<__S>,
                __pool: &mut #rt::Pool,
            ) {
                let #values = __at;
                let #rt::Record { words: __words, ints: __ints, tape: __tape } = __record;
                #augmented
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn reverse<#scalar, __A: #rt::Lanes<__S>, __M: #rt::Marks>(
                #in_args: #rt::ArgsRef<'_, Self, __S>,
                #in_ctx: Self::Ctx<'_>,
                __b: #rt::Adjoints<Self, __A, __M>,
                __kept: #rt::Kept<__S>,
                __pool: &mut #rt::Pool,
            ) {
                let #adjoints = __b;
                let #rt::Kept { words: __words, ints: __ints, tape: __tape } = __kept;
                let __cursor = &mut __tape.cursor();
                #reverse;
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn fused<#scalar, __A: #rt::Lanes<__S>, __M: #rt::Marks>(
                __at: #rt::Primals<Self, __S>,
                __b: #rt::Adjoints<Self, __A, __M>,
                __tape: &mut #rt::Tape<__S>,
                __pool: &mut #rt::Pool,
            ) {
                #fused
            }
        }
    }

    fn arguments(&self) -> TokenStream {
        list(self.active.iter().map(|k| argument(*k)))
    }

    fn context_pattern(&self) -> TokenStream {
        list(self.contexts.iter().map(|k| self.context(*k)))
    }

    /// The variable of a constant, or of the example of a cache.
    pub(super) fn context(&self, k: usize) -> TokenStream {
        let name = own(&format!("__ctx{k}"));
        quote!(#name)
    }

    /// The example of a cache, as its family reads it.
    pub(super) fn example(&self, k: usize) -> TokenStream {
        let (p, value) = (self.param(k), self.context(k));
        match (&p.array, &p.ty) {
            (Some(ArrayPart::Elements { rank: 2, .. }), _) => quote!(#value.view()),
            (_, Type::Struct(path)) => {
                let (rt, path) = (self.target.rt, &path.0);
                quote!(<#path as #rt::Differentiable>::view(#value))
            }
            _ => value,
        }
    }

    /// What the function of this form takes for parameter `k`.
    pub(super) fn pass(&self, k: usize, form: Form) -> TokenStream {
        let p = self.param(k);
        let rt = self.target.rt;
        if let Some(ArrayPart::Length { of, axis }) = p.array {
            return match form {
                Form::Values => self.length(of, axis),
                Form::Reverse => quote!((), ()),
                Form::Tangent | Form::Fused => {
                    let n = self.length(of, axis);
                    quote!(#n, ())
                }
            };
        }
        if let Some(ArrayPart::Rows { of }) = p.array {
            let rows = match (self.param(of).role, form) {
                (Role::Active | Role::Constant | Role::Cache, _) => argument(of),
                (Role::Output | Role::InOut, Form::Reverse) => quote!(__yb),
                (Role::Output | Role::InOut, _) => quote!(__y),
            };
            return match form {
                Form::Values => quote!(#rows.1),
                Form::Tangent | Form::Reverse | Form::Fused => quote!(#rows.1, ()),
            };
        }
        let part = (p.array == Some(ArrayPart::Store)).then(|| quote!(.0));
        let matrix = matches!(p.array, Some(ArrayPart::Elements { rank: 2, .. }));
        let value = match (p.role, form) {
            (Role::Constant, _) if p.array.is_some() => {
                let value = self.context(k);
                quote!(&#rt::nd::flat(#value)[..])
            }
            (Role::Cache, Form::Values | Form::Tangent | Form::Fused) if matrix => {
                let value = cache(k);
                quote!(#rt::nd::whole_mut(#value))
            }
            (Role::Output | Role::InOut, Form::Values | Form::Tangent | Form::Fused) if matrix => {
                quote!(#rt::nd::whole_mut(__y))
            }
            (Role::Active, Form::Reverse) if p.mode == Mode::Value => quote!(()),
            (Role::Active, _) => self.active_value(k),
            (Role::Constant, Form::Reverse) if p.mode == Mode::Value && p.ty.is_scalar() => {
                quote!(())
            }
            (Role::Constant, _) => self.context(k),
            (Role::Cache | Role::Output | Role::InOut, Form::Reverse) => quote!(()),
            (Role::Cache, _) => self.scratch(k),
            (Role::Output | Role::InOut, _) => quote!(__y #part),
        };
        let slot = match (p.role, form) {
            (_, Form::Values) => return value,
            (Role::Cache, _) if matrix => {
                let lanes = cache_lanes(k);
                quote!(#rt::nd::whole_mut(#lanes))
            }
            (Role::Output | Role::InOut, Form::Tangent) if matrix => {
                quote!(#rt::nd::whole_mut(__dy))
            }
            (Role::Output | Role::InOut, _) if matrix => quote!(#rt::nd::whole_mut(__yb)),
            (Role::Active, _) => slot(k),
            (Role::Constant, _) => quote!(()),
            (Role::Cache, _) => cache_lanes(k),
            (Role::Output | Role::InOut, Form::Tangent) => quote!(__dy #part),
            (Role::Output | Role::InOut, _) => quote!(__yb #part),
        };
        quote!(#value, #slot)
    }

    /// A cache as the function takes it. A struct is made of its floats and of what else the example holds.
    fn scratch(&self, k: usize) -> TokenStream {
        let (p, value) = (self.param(k), cache(k));
        let Type::Struct(path) = &p.ty else {
            return value;
        };
        let (rt, path, example) = (self.target.rt, &path.0, self.example(k));
        quote!(&mut <#path as #rt::Differentiable>::own(
            <#path as #rt::Differentiable>::assemble(&*#value, #example)
        ))
    }

    /// A length of a matrix that is a parameter.
    fn length(&self, of: usize, axis: usize) -> TokenStream {
        let name = own(&format!("__len{of}_{axis}"));
        quote!(#name)
    }

    /// let __len0_0 = ..;   before the matrices are handed over
    fn lengths(&self, form: Form) -> TokenStream {
        let mut tokens = TokenStream::new();
        if form == Form::Reverse {
            return tokens;
        }
        for p in &self.body.params {
            let Some(ArrayPart::Length { of, axis }) = p.array else {
                continue;
            };
            let name = self.length(of, axis);
            let array = match self.param(of).role {
                Role::Active => argument(of),
                Role::Constant => self.context(of),
                Role::Cache => cache(of),
                Role::Output | Role::InOut => quote!(__y),
            };
            tokens.extend(quote!(let #name = #array.shape()[#axis];));
        }
        tokens
    }

    /// An active parameter's value, from what its family hands over.
    fn active_value(&self, k: usize) -> TokenStream {
        let (p, a) = (self.param(k), argument(k));
        let rt = self.target.rt;
        if let Some(ArrayPart::Elements { rank: 2, .. }) = p.array {
            return match p.ty {
                Type::Vec(_) => quote!(__pool.take_copy(#rt::nd::whole(#a))),
                _ => quote!(#rt::nd::whole(#a)),
            };
        }
        if p.array == Some(ArrayPart::Store) {
            return match p.mode {
                Mode::Value => quote!(__pool.take_copy(#a.0)),
                Mode::Ref | Mode::Mut => quote!(#a.0),
            };
        }
        match (p.mode, &p.ty) {
            (Mode::Value, Type::Struct(path)) => {
                let (rt, path) = (self.target.rt, &path.0);
                quote!(<#path as #rt::Differentiable>::own(#a))
            }
            (Mode::Value, Type::Array(t, _)) if t.is_structs() => quote!(#a.to_array()),
            (Mode::Value, Type::Vec(t)) if t.is_structs() => {
                quote!(#a.copied_to(__pool.take_empty(#a.len())))
            }
            (Mode::Value, Type::Array(..)) => quote!(*#a),
            (Mode::Value, Type::Vec(_)) => quote!(__pool.take_copy(&(#a)[..])),
            (Mode::Ref | Mode::Mut, Type::Float) => quote!(&#a),
            _ => a,
        }
    }
}
