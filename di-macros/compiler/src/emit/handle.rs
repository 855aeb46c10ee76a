//! The glue between a handle and the runtime: `with`, `fix_<param>`, `output`, and the impl of the
//! trait that operators ask for. Knows parameters and results, not the body.

use super::names::own;
use super::op::user;
use crate::ir::{Body, Mode, Param, Role, Tree, Type};
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// What the glue is written for.
pub(crate) struct Target<'a> {
    /// The handle's type.
    pub(crate) name: &'a Ident,
    /// The function's float type, as a path.
    pub(crate) float: &'a TokenStream,
    /// Path of the runtime's hidden module.
    pub(crate) rt: &'a TokenStream,
}

/// Everything in one `const` item, so that no name of ours is visible outside.
///
/// Nothing if operators cannot take the function: it has no active parameter, several outputs, or
/// results that are not floats. It can still be called from other annotated functions.
pub(crate) fn emit(body: &Body, target: &Target<'_>) -> TokenStream {
    let Some(glue) = Glue::new(body, target) else {
        return quote!(const _: () = (););
    };
    let handle_impl = glue.handle_impl();
    let binding = glue.binding();
    quote! {
        #[automatically_derived]
        #[allow(warnings, clippy::all)]
        const _: () = {
            #handle_impl
            #binding
        };
    }
}

/// The parameters, sorted by what becomes of them.
struct Glue<'a> {
    body: &'a Body,
    target: &'a Target<'a>,
    active: Vec<usize>,
    /// Constants and caches: what `with` takes.
    contexts: Vec<usize>,
    caches: Vec<usize>,
    output: Option<usize>,
    /// Family of the result or output.
    y: TokenStream,
}

/// Which arguments are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
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
            (0..body.params.len()).filter(|k| body.params[*k].role == role).collect()
        };
        let (active, caches, outputs) = (of(Role::Active), of(Role::Cache), of(Role::Output));
        let contexts = (0..body.params.len())
            .filter(|k| matches!(body.params[*k].role, Role::Constant | Role::Cache))
            .collect();
        let returned = result_family(&body.ret, target.rt);
        let output = outputs.first().copied();
        let y = match output {
            Some(k) if outputs.len() == 1 => argument_family(&body.params[k], target.rt)?,
            Some(_) => return None,
            None => returned?,
        };
        let fits = !active.is_empty()
            && active.len() <= MOST_ACTIVE
            && of(Role::InOut).is_empty()
            && active.iter().chain(&caches).all(|k| argument_family(&body.params[*k], target.rt).is_some());
        fits.then_some(Glue { body, target, active, contexts, caches, output, y })
    }

    fn param(&self, k: usize) -> &'a Param {
        &self.body.params[k]
    }

    fn family(&self, k: usize) -> TokenStream {
        argument_family(self.param(k), self.target.rt).expect("Glue::new looked at it")
    }

    // ---- the trait ----

    fn handle_impl(&self) -> TokenStream {
        let Target { name, float, rt } = self.target;
        let y = &self.y;
        let args = list(self.active.iter().map(|k| self.family(*k)));
        let caches = list(self.caches.iter().map(|k| self.family(*k)));
        let kind = if self.output.is_some() { quote!(InPlace) } else { quote!(Returning) };
        let ctx = list(self.contexts.iter().map(|k| self.context_type(*k)));
        let names = self.active.iter().map(|k| self.param(*k).name.as_str());
        let examples = list(self.caches.iter().map(|k| self.context(*k)));
        let (in_args, in_ctx) = (self.arguments(), self.context_pattern());
        let in_caches = list(self.caches.iter().map(|k| cache(*k)));
        let in_caches_t = list(self.caches.iter().map(|k| cache_lanes(*k)));
        let slots = list(self.active.iter().map(|k| slot(*k)));
        let scalar = quote!(__S: #rt::Scalar<Real = #float>);

        let call = |form: Form, function: TokenStream, rest: TokenStream| {
            let args = (0..self.body.params.len()).map(|k| self.pass(k, form));
            quote!(#name::#function(#(#args,)* #rest))
        };
        let primal = self.result(call(Form::Values, quote!(__primal), quote!()));
        let augmented =
            self.result(call(Form::Values, quote!(__augmented), quote!(__words, __ints, __tape)));
        let tangent = call(Form::Tangent, quote!(__tangent), quote!());
        let tangent = match self.output {
            Some(_) => quote!(let _ = #tangent;),
            None => quote!((*__y, *__dy) = #tangent;),
        };
        let seed = if self.output.is_some() { quote!(()) } else { quote!(__yb) };
        let reverse = call(
            Form::Reverse,
            quote!(__reverse),
            quote!(#seed, __words, __ints, __tape, __cursor, __pool),
        );
        let fused = self.result(call(Form::Fused, quote!(__fused), quote!(#seed, __tape, __pool)));
        quote! {
            impl #rt::Handle for #name {
                type Real = #float;
                type Args = #args;
                type Caches = #caches;
                type Y = #y;
                type Kind = #rt::#kind;
                type Ctx<'__c> = #ctx;
                const WORDS: usize = #name::__WORDS;
                const RECORDS: bool = #name::__RECORDS;
                const INTS: usize = #name::__INTS;
                const NAMES: &'static [&'static str] = &[#(#names),*];

                #[inline(always)]
                fn shorten<'__s, '__l: '__s>(__ctx: Self::Ctx<'__l>) -> Self::Ctx<'__s> {
                    __ctx
                }
                #[inline(always)]
                fn caches<'__c>(#in_ctx: Self::Ctx<'__c>) -> <Self::Caches as #rt::Family>::Ref<'__c, #float> {
                    #examples
                }
                #[inline(always)]
                fn primal<#scalar>(
                    #in_args: #rt::ArgsRef<'_, Self, __S>,
                    #in_ctx: Self::Ctx<'_>,
                    #in_caches: #rt::Scratch<'_, Self, __S>,
                    __y: #rt::Out<'_, Self, __S>,
                ) {
                    #primal
                }
                #[inline(always)]
                fn tangent<#scalar, __T: #rt::Lanes<__S>, __M: #rt::Marks>(
                    #in_args: #rt::ArgsRef<'_, Self, __S>,
                    #slots: #rt::ArgsSeeds<'_, Self, __T, __M>,
                    #in_ctx: Self::Ctx<'_>,
                    #in_caches: #rt::Scratch<'_, Self, __S>,
                    #in_caches_t: #rt::ScratchLanes<'_, Self, __T>,
                    __y: #rt::Out<'_, Self, __S>,
                    __dy: #rt::OutLanes<'_, Self, __T>,
                ) {
                    #tangent
                }
                #[inline(always)]
                fn augmented<#scalar>(
                    #in_args: #rt::ArgsRef<'_, Self, __S>,
                    #in_ctx: Self::Ctx<'_>,
                    #in_caches: #rt::Scratch<'_, Self, __S>,
                    __y: #rt::Out<'_, Self, __S>,
                    __words: &mut [__S],
                    __ints: &mut [usize],
                    __tape: &mut #rt::Tape<__S>,
                ) {
                    #augmented
                }
                #[inline(always)]
                fn reverse<#scalar, __A: #rt::Lanes<__S>, __M: #rt::Marks>(
                    #in_args: #rt::ArgsRef<'_, Self, __S>,
                    #slots: #rt::ArgsShadows<'_, Self, __A, __M>,
                    #in_ctx: Self::Ctx<'_>,
                    #in_caches_t: #rt::ScratchLanes<'_, Self, __A>,
                    __yb: #rt::OutAdjoint<'_, Self, __A>,
                    __words: &[__S],
                    __ints: &[usize],
                    __tape: &#rt::Tape<__S>,
                    __cursor: &mut #rt::Cursor,
                    __pool: &mut #rt::Shadows<__A>,
                ) {
                    #reverse;
                }
                #[inline(always)]
                fn fused<#scalar, __A: #rt::Lanes<__S>, __M: #rt::Marks>(
                    #in_args: #rt::ArgsRef<'_, Self, __S>,
                    #slots: #rt::ArgsShadows<'_, Self, __A, __M>,
                    #in_ctx: Self::Ctx<'_>,
                    #in_caches: #rt::Scratch<'_, Self, __S>,
                    #in_caches_t: #rt::ScratchLanes<'_, Self, __A>,
                    __y: #rt::Out<'_, Self, __S>,
                    __yb: #rt::OutAdjoint<'_, Self, __A>,
                    __tape: &mut #rt::Tape<__S>,
                    __pool: &mut #rt::Shadows<__A>,
                ) {
                    #fused
                }
            }
        }
    }

    /// f(..)   =>   *__y = f(..);
    fn result(&self, call: TokenStream) -> TokenStream {
        match self.output {
            Some(_) => quote!(#call;),
            None => quote!(*__y = #call;),
        }
    }

    fn arguments(&self) -> TokenStream {
        list(self.active.iter().map(|k| argument(*k)))
    }

    fn context_pattern(&self) -> TokenStream {
        list(self.contexts.iter().map(|k| self.context(*k)))
    }

    /// The variable of a constant, or of the example of a cache.
    fn context(&self, k: usize) -> TokenStream {
        let name = own(&format!("__ctx{k}"));
        quote!(#name)
    }

    /// What the function of this form takes for parameter `k`.
    fn pass(&self, k: usize, form: Form) -> TokenStream {
        let p = self.param(k);
        let value = match (p.role, form) {
            (Role::Active, Form::Reverse) if p.mode == Mode::Value => quote!(()),
            (Role::Active, _) => self.active_value(k),
            (Role::Constant, Form::Reverse) if p.mode == Mode::Value && p.ty.is_scalar() => quote!(()),
            (Role::Constant, _) => self.context(k),
            (Role::Cache | Role::Output | Role::InOut, Form::Reverse) => quote!(()),
            (Role::Cache, _) => cache(k),
            (Role::Output | Role::InOut, _) => quote!(__y),
        };
        let slot = match (p.role, form) {
            (_, Form::Values) => return value,
            (Role::Active, _) => slot(k),
            (Role::Constant, _) => quote!(()),
            (Role::Cache, _) => cache_lanes(k),
            (Role::Output | Role::InOut, Form::Tangent) => quote!(__dy),
            (Role::Output | Role::InOut, _) => quote!(__yb),
        };
        quote!(#value, #slot)
    }

    /// An active parameter's value, from what its family hands over.
    fn active_value(&self, k: usize) -> TokenStream {
        let (p, a) = (self.param(k), argument(k));
        match (p.mode, &p.ty) {
            (Mode::Value, Type::Array(..)) => quote!(*#a),
            (Mode::Value, Type::Vec(_)) => quote!((#a).to_vec()),
            (Mode::Ref | Mode::Mut, Type::Float) => quote!(&#a),
            _ => a,
        }
    }

    // ---- binding ----

    fn binding(&self) -> TokenStream {
        if self.active.len() > 1 { self.partial_binding() } else { self.simple_binding() }
    }

    /// One active parameter: all contexts at once, then the output.
    fn simple_binding(&self) -> TokenStream {
        let Target { name, rt, .. } = self.target;
        let open = quote!((#rt::Open, ()));
        if !self.contexts.is_empty() {
            let (params, values) = self.with_params();
            return quote! {
                impl #name {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with<'__c>(self, #params) -> #rt::Bound<'__c, #name, #open> {
                        #rt::Bound::new(#values, #open)
                    }
                }
            };
        }
        self.unbound(&open)
    }

    /// No contexts and nothing fixed: the handle itself is the function.
    fn unbound(&self, open: &TokenStream) -> TokenStream {
        let Target { name, rt, float } = self.target;
        if self.output.is_some() {
            return quote! {
                impl #name {
                    /// Binds the buffer that the function writes to.
                    #[inline]
                    pub fn output<'__o, __Y>(self, y: &'__o mut __Y) -> #rt::WithOutput<'__o, 'static, #name, #open, __Y>
                    where
                        __Y: #rt::ContainerMut<<#name as #rt::Handle>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Bound::new((), #open).output(y)
                    }
                }
            };
        }
        quote! {
            impl #rt::Function for #name {
                type Bound = #rt::Bound<'static, #name, #open>;
                #[inline]
                fn bind(self) -> Self::Bound {
                    #rt::Bound::new((), #open)
                }
            }
        }
    }

    /// Several active parameters: a type of its own, whose methods have their names.
    fn partial_binding(&self) -> TokenStream {
        let Target { name, rt, float } = self.target;
        let partial = format_ident!("__{}_bound", name, span = Span::call_site());
        let all_open = list(self.active.iter().map(|_| quote!(#rt::Open)));
        let ctx = list(self.contexts.iter().map(|k| self.context_type(*k)));
        let no_ctx = if self.contexts.is_empty() { quote!(()) } else { quote!(#rt::Open) };
        let fixes = self.active.iter().enumerate().map(|(at, k)| self.fix(at, *k, &partial, &no_ctx));
        let unbound = if self.contexts.is_empty() { self.unbound(&all_open) } else { TokenStream::new() };
        let with = if self.contexts.is_empty() {
            TokenStream::new()
        } else {
            let (params, values) = self.with_params();
            quote! {
                impl #name {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with<'__c>(self, #params) -> #partial<'__c, #ctx, #all_open> {
                        #partial(#rt::Partial::new(#values, #all_open))
                    }
                }
                impl<'__c, __V> #partial<'__c, #rt::Open, __V> {
                    /// Binds constants, and examples of the caches' shapes.
                    #[inline]
                    pub fn with(self, #params) -> #partial<'__c, #ctx, __V> {
                        #partial(#rt::Partial::new(#values, self.0.fixed))
                    }
                }
            }
        };
        let finish = if self.output.is_some() {
            quote! {
                impl<'__c, __V> #partial<'__c, #ctx, __V> {
                    /// Binds the buffer that the function writes to.
                    #[inline]
                    pub fn output<'__o, __Y>(self, y: &'__o mut __Y) -> #rt::WithOutput<'__o, '__c, #name, __V, __Y>
                    where
                        __Y: #rt::ContainerMut<<#name as #rt::Handle>::Y, #float> + ?::core::marker::Sized,
                    {
                        #rt::Bound::new(self.0.ctx, self.0.fixed).output(y)
                    }
                }
            }
        } else {
            quote! {
                impl<'__c, __V> #rt::Function for #partial<'__c, #ctx, __V>
                where
                    #rt::Bound<'__c, #name, __V>: #rt::Evaluate,
                {
                    type Bound = #rt::Bound<'__c, #name, __V>;
                    #[inline]
                    fn bind(self) -> Self::Bound {
                        #rt::Bound::new(self.0.ctx, self.0.fixed)
                    }
                }
            }
        };
        quote! {
            #[doc(hidden)]
            #[derive(Clone, Copy)]
            struct #partial<'__c, __C, __V>(#rt::Partial<'__c, __C, __V>);
            #(#fixes)*
            #unbound
            #with
            #finish
        }
    }

    /// `fix_a`, on the handle and on what is already bound.
    fn fix(&self, at: usize, k: usize, partial: &Ident, no_ctx: &TokenStream) -> TokenStream {
        let Target { name, rt, float } = self.target;
        let p = self.param(k);
        let fix = format_ident!("fix_{}", p.name, span = p.span);
        let value = user(&raw_if_needed(&p.name));
        let family = self.family(k);
        let given = quote!(#rt::Given<<#family as #rt::Family>::Ref<'__c, #float>>);
        let (ty, taken) = match &p.ty {
            Type::Float => (quote!(&'__c #float), quote!(*#value)),
            Type::Struct(path) => {
                let path = &path.0;
                (quote!(&'__c #path), quote!(#rt::Differentiable::view(#value)))
            }
            _ => (quote!(<#family as #rt::Family>::Ref<'__c, #float>), quote!(#value)),
        };
        let others: Vec<Ident> = (0..self.active.len()).map(|i| own(&format!("__V{i}"))).collect();
        let generics = others.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, v)| v);
        let before = list(others.iter().enumerate().map(|(i, v)| if i == at { quote!(#rt::Open) } else { quote!(#v) }));
        let after = list(others.iter().enumerate().map(|(i, v)| if i == at { given.clone() } else { quote!(#v) }));
        let names: Vec<Ident> = (0..self.active.len()).map(|i| own(&format!("__v{i}"))).collect();
        let pattern =
            list(names.iter().enumerate().map(|(i, v)| if i == at { quote!(_) } else { quote!(#v) }));
        let values = list(names.iter().enumerate().map(|(i, v)| {
            if i == at { quote!(#rt::Given(#taken)) } else { quote!(#v) }
        }));
        let first = list((0..self.active.len()).map(|i| if i == at { given.clone() } else { quote!(#rt::Open) }));
        let first_values = list(
            (0..self.active.len()).map(|i| if i == at { quote!(#rt::Given(#taken)) } else { quote!(#rt::Open) }),
        );
        quote! {
            impl #name {
                /// Holds this parameter constant: nothing is paid for its derivative.
                #[inline]
                pub fn #fix<'__c>(self, #value: #ty) -> #partial<'__c, #no_ctx, #first> {
                    #partial(#rt::Partial::new(::core::default::Default::default(), #first_values))
                }
            }
            impl<'__c, __C, #(#generics),*> #partial<'__c, __C, #before> {
                /// Holds this parameter constant: nothing is paid for its derivative.
                #[inline]
                pub fn #fix(self, #value: #ty) -> #partial<'__c, __C, #after> {
                    let #pattern = self.0.fixed;
                    #partial(#rt::Partial::new(self.0.ctx, #values))
                }
            }
        }
    }

    /// Parameters of `with`, and the list of their values.
    fn with_params(&self) -> (TokenStream, TokenStream) {
        let params = self.contexts.iter().map(|k| {
            let (name, ty) = (self.context_name(*k), self.context_type(*k));
            quote!(#name: #ty)
        });
        let params = quote!(#(#params),*);
        (params, list(self.contexts.iter().map(|k| {
            let name = self.context_name(*k);
            quote!(#name)
        })))
    }

    fn context_name(&self, k: usize) -> Ident {
        let mut name = user(&raw_if_needed(&self.param(k).name));
        name.set_span(self.param(k).span);
        name
    }

    /// The type that `with` takes: as written, borrowed for as long as the binding; caches by `&`.
    fn context_type(&self, k: usize) -> TokenStream {
        let p = self.param(k);
        with_lifetime(p.written.0.clone(), p.role == Role::Cache)
    }
}

/// Tuples of families are implemented up to this length.
const MOST_ACTIVE: usize = 6;

fn argument(k: usize) -> TokenStream {
    let name = own(&format!("__arg{k}"));
    quote!(#name)
}

fn slot(k: usize) -> TokenStream {
    let name = own(&format!("__slot{k}"));
    quote!(#name)
}

fn cache(k: usize) -> TokenStream {
    let name = own(&format!("__cache{k}"));
    quote!(#name)
}

fn cache_lanes(k: usize) -> TokenStream {
    let name = own(&format!("__cache_t{k}"));
    quote!(#name)
}

/// a, b   =>   (a, (b, ()))
fn list(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    items.rev().fold(quote!(()), |tail, item| quote!((#item, #tail)))
}

/// Family of a parameter; `None` for what operators do not take.
fn argument_family(p: &Param, rt: &TokenStream) -> Option<TokenStream> {
    match (&p.ty, p.mode) {
        (Type::Float, Mode::Mut) => None,
        (Type::Struct(path), _) => {
            let path = &path.0;
            Some(quote!(#rt::Struct<#path>))
        }
        (ty, _) => family(ty, rt),
    }
}

fn family(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Float => Some(quote!(#rt::Number)),
        Type::Array(t, n) => {
            let (cell, n) = (cell(t, rt)?, &n.0);
            Some(quote!(#rt::Array<{ #n }, #cell>))
        }
        Type::Slice(t) | Type::Vec(t) => {
            let cell = cell(t, rt)?;
            Some(quote!(#rt::Slice<#cell>))
        }
        Type::Lane | Type::Int(_) | Type::Bool | Type::Struct(_) | Type::Opaque(_) => None,
    }
}

/// What is known of an element.
fn cell(ty: &Type, rt: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Float => Some(quote!(#rt::One)),
        Type::Array(t, n) => {
            let (cell, n) = (cell(t, rt)?, &n.0);
            Some(quote!(#rt::Row<{ #n }, #cell>))
        }
        Type::Lane
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Struct(_)
        | Type::Opaque(_) => None,
    }
}

/// Family of a result; `None` for `()` and for integers.
fn result_family(ret: &Tree<Type>, rt: &TokenStream) -> Option<TokenStream> {
    match ret {
        Tree::Leaf(ty) => family(ty, rt),
        Tree::Tuple(parts) if (2..=MOST_ACTIVE).contains(&parts.len()) => {
            let parts = parts.iter().map(|t| result_family(t, rt)).collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#parts,)*)))
        }
        Tree::Tuple(_) => None,
    }
}

/// Elided lifetimes become `'__c`; with `shared`, the outermost `&mut` becomes `&`. Arguments of
/// function types keep theirs.
fn with_lifetime(tokens: TokenStream, shared: bool) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut outermost = shared;
    let mut callable = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(p) if p.as_char() == '&' => {
                out.extend([TokenTree::Punct(p)]);
                let elided = match tokens.peek() {
                    Some(TokenTree::Punct(next)) => next.as_char() != '\'',
                    _ => true,
                };
                if elided {
                    out.extend(lifetime());
                } else if let (Some(quote), Some(name)) = (tokens.next(), tokens.next()) {
                    out.extend(named(quote, name));
                }
                let next_is_mut = matches!(tokens.peek(), Some(TokenTree::Ident(i)) if i == "mut");
                if outermost && next_is_mut {
                    tokens.next();
                }
                outermost = false;
            }
            TokenTree::Punct(p) if p.as_char() == '\'' => match tokens.next() {
                Some(name) => out.extend(named(TokenTree::Punct(p), name)),
                None => out.extend([TokenTree::Punct(p)]),
            },
            TokenTree::Group(g) => {
                let inner = if callable { g.stream() } else { with_lifetime(g.stream(), false) };
                let mut group = Group::new(g.delimiter(), inner);
                group.set_span(g.span());
                out.extend([TokenTree::Group(group)]);
                callable = false;
            }
            TokenTree::Ident(i) => {
                callable = ["fn", "Fn", "FnMut", "FnOnce"].iter().any(|f| i == f);
                out.extend([TokenTree::Ident(i)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

fn lifetime() -> [TokenTree; 2] {
    [
        TokenTree::Punct(Punct::new('\'', Spacing::Joint)),
        TokenTree::Ident(Ident::new("__c", Span::call_site())),
    ]
}

/// `'_` as ours, others as they are.
fn named(quote: TokenTree, name: TokenTree) -> [TokenTree; 2] {
    if matches!(&name, TokenTree::Ident(i) if i == "_") { lifetime() } else { [quote, name] }
}

/// `type` as `r#type`.
fn raw_if_needed(name: &str) -> String {
    const KEYWORDS: [&str; 36] = [
        "as", "async", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum", "extern",
        "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "priv",
        "pub", "ref", "return", "static", "struct", "trait", "try", "type", "where", "while",
    ];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}
