//! Generic functions: their handles have the same parameters, with defaults, so that the plain path of a
//! function leads to what is common to all instances, its constants. The code is in a type of its own:
//! `rt::Instance::Of`, or `rt::Infer<..>::Of` where the arguments of a call tell the lengths of the instance.
//! Its types are told to rustc by the arguments themselves: what `Infer` leads to has functions that are
//! generic over them.

use super::Emitter;
use super::names::{own, real};
use super::sound::{Source, struct_in};
use crate::ir::{Arg, Body, Call, Leaf, Tokens, Type};
use crate::template::quote;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};

/// A parameter of a generic function.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    /// Name, type, and a value of the type.
    Constant(Ident, TokenStream, TokenStream),
    /// Name and bounds.
    Type(Ident, TokenStream),
    /// Name of the float, and what it stands for: of this instance alone there is code.
    Float(Ident, TokenStream),
}

/// Parameters of a generic function; none for most.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generics {
    params: Vec<Parameter>,
    /// What stands behind `where`.
    predicates: Vec<TokenStream>,
    /// How many of these the function has itself.
    written: usize,
}

impl Generics {
    /// Takes the predicates of `where` beside the parameters, and what code asks for beside these.
    pub(crate) fn new(
        params: Vec<Parameter>,
        mut predicates: Vec<TokenStream>,
        asked: Vec<TokenStream>,
    ) -> Generics {
        let written = predicates.len();
        predicates.extend(asked);
        Generics {
            params,
            predicates,
            written,
        }
    }

    /// Whether there is one instance alone.
    pub(crate) fn is_empty(&self) -> bool {
        self.params
            .iter()
            .all(|p| matches!(p, Parameter::Float(..)))
    }

    /// `const N: usize`, `M: Model`, ..
    pub(crate) fn declared(&self) -> Vec<TokenStream> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Constant(name, ty, _) => Some(quote!(const #name: #ty)),
            Parameter::Type(name, bounds) => Some(quote!(#name: #bounds)),
            Parameter::Float(..) => None,
        });
        each.collect()
    }

    /// `const N: usize`, `M: ?Sized`, ..
    pub(crate) fn unbounded(&self) -> Vec<TokenStream> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Constant(name, ty, _) => Some(quote!(const #name: #ty)),
            Parameter::Type(name, _) => Some(quote!(#name: ?::core::marker::Sized)),
            Parameter::Float(..) => None,
        });
        each.collect()
    }

    /// The parameters that a path names, `const N: usize`, and their names.
    pub(super) fn named_in(&self, path: &TokenStream) -> (Vec<TokenStream>, Vec<&Ident>) {
        let text = path.to_string();
        let all = self.unbounded().into_iter().zip(self.names());
        all.filter(|(_, name)| names(&text, name)).unzip()
    }

    /// `M: Model`, ..
    pub(crate) fn types(&self) -> Vec<TokenStream> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Type(name, bounds) => Some(quote!(#name: #bounds)),
            Parameter::Constant(..) | Parameter::Float(..) => None,
        });
        each.collect()
    }

    /// `const N: usize`, ..
    fn constants(&self) -> (Vec<TokenStream>, Vec<&Ident>) {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Constant(name, ty, _) => Some((quote!(const #name: #ty), name)),
            Parameter::Type(..) | Parameter::Float(..) => None,
        });
        each.unzip()
    }

    /// Whether the handle has arguments.
    pub(super) fn has_arguments(&self) -> bool {
        !self.params.is_empty()
    }

    /// Whether some are types.
    pub(crate) fn has_types(&self) -> bool {
        let mut each = self.params.iter();
        each.any(|p| matches!(p, Parameter::Type(..)))
    }

    /// Constants with the names of the constant parameters: `const N: usize = 0;`
    pub(crate) fn as_items(&self) -> TokenStream {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Constant(name, ty, value) => Some(quote!(const #name: #ty = #value;)),
            Parameter::Type(..) | Parameter::Float(..) => None,
        });
        each.collect()
    }

    /// `N`, `M`, ..
    pub(crate) fn names(&self) -> Vec<&Ident> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Constant(name, ..) | Parameter::Type(name, _) => Some(name),
            Parameter::Float(..) => None,
        });
        each.collect()
    }

    /// `<N, M>`, with the float for what stands for it; nothing if there are none.
    pub(crate) fn arguments(&self) -> TokenStream {
        if self.params.is_empty() {
            return TokenStream::new();
        }
        let each = self.params.iter().map(|p| match p {
            Parameter::Constant(name, ..) | Parameter::Type(name, _) => quote!(#name),
            Parameter::Float(_, float) => quote!(#float),
        });
        quote!(<#(#each),*>)
    }

    /// `<N, M>` of the type that the code is in; nothing if there are none.
    fn code_arguments(&self) -> TokenStream {
        listed(&self.names())
    }

    /// `<const N: usize>`; nothing if there are none.
    pub(crate) fn for_impl(&self) -> TokenStream {
        listed(&self.declared())
    }

    /// `<const N: usize = 0, M: ?Sized = ()>`; nothing if there are none.
    pub(crate) fn with_defaults(&self) -> TokenStream {
        listed(&self.defaults())
    }

    fn defaults(&self) -> Vec<TokenStream> {
        let each = self.params.iter().map(|p| match p {
            Parameter::Constant(name, ty, value) => quote!(const #name: #ty = #value),
            Parameter::Type(name, _) => quote!(#name: ?::core::marker::Sized = ()),
            Parameter::Float(name, float) => quote!(#name = #float),
        });
        each.collect()
    }

    /// The same with one more parameter behind them.
    pub(crate) fn with_defaults_and(&self, last: TokenStream) -> TokenStream {
        let each = self.defaults().into_iter().chain([last]);
        listed(&each.collect::<Vec<_>>())
    }

    /// `M: Copy`, .. of `where`.
    pub(crate) fn predicates(&self) -> &[TokenStream] {
        &self.predicates
    }

    /// `where M: Copy`; nothing if there is none.
    pub(crate) fn bounds(&self) -> TokenStream {
        let predicates = &self.predicates;
        if predicates.is_empty() {
            return TokenStream::new();
        }
        quote!(where #(#predicates),*)
    }

    /// The same for the function itself.
    pub(crate) fn written_bounds(&self) -> TokenStream {
        let predicates = &self.predicates[..self.written];
        if predicates.is_empty() {
            return TokenStream::new();
        }
        quote!(where #(#predicates),*)
    }

    /// The same for what operators are given: `where M: Copy, M: 'static`.
    pub(super) fn lasting_predicates(&self) -> Vec<TokenStream> {
        let types = self.params.iter().filter_map(|p| match p {
            Parameter::Type(name, _) => Some(quote!(#name: 'static)),
            Parameter::Constant(..) | Parameter::Float(..) => None,
        });
        self.predicates.iter().cloned().chain(types).collect()
    }

    /// Behind `where`.
    pub(crate) fn lasting(&self) -> TokenStream {
        let each = self.lasting_predicates();
        if each.is_empty() {
            return TokenStream::new();
        }
        quote!(where #(#each),*)
    }

    /// `PhantomData<fn(*const M)>`, if there are types.
    pub(crate) fn phantom(&self) -> Option<TokenStream> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Type(name, _) | Parameter::Float(name, _) => Some(quote!(*const #name)),
            Parameter::Constant(..) => None,
        });
        let each: Vec<TokenStream> = each.collect();
        (!each.is_empty()).then(|| quote!(::core::marker::PhantomData<fn(#(#each),*)>))
    }

    /// Fields of a struct with these parameters, as visible as is said, and their values.
    pub(crate) fn fields(&self, vis: &TokenStream) -> (TokenStream, TokenStream) {
        match self.phantom() {
            Some(ty) => (
                quote!({ #vis __of: #ty }),
                quote!({ __of: ::core::marker::PhantomData }),
            ),
            None => (quote!({}), quote!({})),
        }
    }

    /// `, PhantomData`, of a tuple struct that ends in one.
    pub(super) fn phantom_value(&self) -> Option<TokenStream> {
        let value = quote!(, ::core::marker::PhantomData);
        self.has_types().then_some(value)
    }

    /// `impl Clone` and `impl Copy` for what is bound in part.
    pub(super) fn partial_copies(&self, name: &Ident) -> TokenStream {
        let (unbounded, names) = (self.unbounded(), self.names());
        quote! {
            impl<'__c, __C: ::core::marker::Copy, __V: ::core::marker::Copy, #(#unbounded),*>
                ::core::clone::Clone for #name<'__c, __C, __V, #(#names),*>
            {
                fn clone(&self) -> Self {
                    *self
                }
            }
            impl<'__c, __C: ::core::marker::Copy, __V: ::core::marker::Copy, #(#unbounded),*>
                ::core::marker::Copy for #name<'__c, __C, __V, #(#names),*> {}
        }
    }

    /// Fields of a struct without the float.
    pub(super) fn free_fields(&self) -> TokenStream {
        match self.free_phantom() {
            Some(ty) => quote!({ __of: #ty }),
            None => quote!({}),
        }
    }

    /// `PhantomData<fn(*const M)>`, if there are types beside the float.
    pub(super) fn free_phantom(&self) -> Option<TokenStream> {
        let each = self.params.iter().filter_map(|p| match p {
            Parameter::Type(name, _) => Some(quote!(*const #name)),
            Parameter::Float(..) | Parameter::Constant(..) => None,
        });
        let each: Vec<TokenStream> = each.collect();
        (!each.is_empty()).then(|| quote!(::core::marker::PhantomData<fn(#(#each),*)>))
    }

    /// `impl Clone` and `impl Copy` for such a struct, whatever the types are.
    pub(crate) fn copies(&self, name: &Ident) -> TokenStream {
        let (declared, arguments) = (listed(&self.unbounded()), self.arguments());
        quote! {
            impl #declared ::core::clone::Clone for #name #arguments {
                #[inline]
                fn clone(&self) -> Self {
                    *self
                }
            }
            impl #declared ::core::marker::Copy for #name #arguments {}
        }
    }

    /// The type that the code of a handle is in, with its arguments.
    pub(crate) fn code(&self, handle: &Ident) -> TokenStream {
        if self.is_empty() {
            return quote!(#handle);
        }
        let (name, arguments) = (code_name(handle), self.code_arguments());
        quote!(#name #arguments)
    }
}

/// `<a, b>`; nothing if there are none.
fn listed<T: ToTokens>(each: &[T]) -> TokenStream {
    if each.is_empty() {
        return TokenStream::new();
    }
    quote!(<#(#each),*>)
}

/// Name of the type that leads to the code of a function that is generic over lengths and types, when the
/// lengths are known.
pub(super) fn lengths_name(handle: &Ident) -> Ident {
    let name = handle.to_string();
    format_ident!(
        "__{}_lengths",
        name.trim_start_matches("r#"),
        span = Span::call_site().located_at(handle.span())
    )
}

/// That type with its parameters, and its arguments.
pub(super) fn lengths_type(handle: &Ident, generics: &Generics) -> (TokenStream, TokenStream) {
    let (declared, names) = generics.constants();
    if names.is_empty() {
        return (TokenStream::new(), quote!(#handle));
    }
    let name = lengths_name(handle);
    (listed(&declared), quote!(#name<#(#names),*>))
}

/// Name of the type that the code of a generic function is in.
pub(super) fn code_name(handle: &Ident) -> Ident {
    let name = handle.to_string();
    format_ident!(
        "__{}_generic",
        name.trim_start_matches("r#"),
        span = Span::call_site().located_at(handle.span())
    )
}

/// What leads from the arguments of a call to the code: `impl Infer<(..)> for f`. Nothing if they do not
/// tell: then calls have generic arguments.
pub(super) fn infer(body: &Body, source: &Source<'_>, rt: &TokenStream) -> TokenStream {
    let (name, generics) = (source.name, source.generics);
    let (declared, constants) = generics.constants();
    let of = if generics.has_types() {
        lengths_type(name, generics).1
    } else {
        generics.code(name)
    };
    if constants.is_empty() {
        return quote!(
            impl<__T> #rt::Infer<__T> for #name {
                type Of = #of;
            }
        );
    }
    let mut free = Vec::new();
    let mut told = String::new();
    // a type that is a parameter is not known before the lengths
    let typed = |lengths: &str| {
        let types = generics.params.iter().filter_map(|p| match p {
            Parameter::Type(name, _) => Some(name),
            Parameter::Constant(..) | Parameter::Float(..) => None,
        });
        types.into_iter().any(|n| names(lengths, n))
    };
    let pattern = |free: &mut Vec<TokenStream>, told: &mut String, k: usize, ty: &Type| {
        let lengths = lengths_of(ty);
        if !constants.iter().any(|n| names(&lengths, n)) || typed(&lengths) {
            let any = own(&format!("__T{k}"));
            free.push(quote!(#any));
            return quote!(#any);
        }
        told.push_str(&lengths);
        told.push(' ');
        let any = own(&format!("__L{k}"));
        shape(ty, &real(body), rt, &mut || {
            free.push(quote!(#any));
            quote!(#any)
        })
    };
    let params = body.params.iter().enumerate();
    let shapes: Vec<TokenStream> = params
        .map(|(k, p)| pattern(&mut free, &mut told, k, &p.ty))
        .collect();
    let all = |text: &str| constants.iter().all(|n| names(text, n));
    let by_parameters: String = body
        .params
        .iter()
        .map(|p| lengths_of(&p.ty) + " ")
        .filter(|text| !typed(text))
        .collect();
    let results = if all(&by_parameters) {
        // a call may drop them
        free.push(quote!(__R));
        quote!(__R)
    } else {
        let results = body.ret.leaves().into_iter().enumerate();
        let results = results.map(|(k, ty)| pattern(&mut free, &mut told, shapes.len() + k, ty));
        let results: Vec<TokenStream> = results.collect();
        if !all(&told) {
            return TokenStream::new();
        }
        quote!((#(#results,)*))
    };
    quote!(
        impl<#(#free,)* #(#declared),*> #rt::Infer<((#(#shapes,)*), #results)> for #name {
            type Of = #of;
        }
    )
}

/// What the lengths in a type are made of.
fn lengths_of(ty: &Type) -> String {
    match ty {
        Type::Array(t, n) => format!("{} {}", n.0, lengths_of(t)),
        Type::Slice(t) | Type::Vec(t) => lengths_of(t),
        Type::Struct(path) => path.0.to_string(),
        Type::Opaque(path) if has_arguments(&path.0) => path.0.to_string(),
        Type::Float | Type::Lane | Type::Int(_) | Type::Bool | Type::Lanes(_) | Type::Opaque(_) => {
            String::new()
        }
    }
}

/// `Table<3>`, and no lifetimes, which have no names here.
fn has_arguments(path: &TokenStream) -> bool {
    let text = path.to_string();
    text.contains('<') && !text.contains(['\'', '&'])
}

fn names(text: &str, name: &Ident) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|w| *name == w)
}

/// A type as far as lengths can be inferred from it: of what, and how many if that is known. `any`: how
/// many, of a sequence.
fn shape(
    ty: &Type,
    real: &TokenStream,
    rt: &TokenStream,
    any: &mut dyn FnMut() -> TokenStream,
) -> TokenStream {
    match ty {
        Type::Array(t, n) => {
            let (t, n) = (written(t, real), &n.0);
            quote!(#rt::Sequenced<#t, #rt::Length<{ #n }>>)
        }
        Type::Slice(t) | Type::Vec(t) => {
            let (t, n) = (written(t, real), any());
            quote!(#rt::Sequenced<#t, #n>)
        }
        Type::Struct(path) => path.0.clone(),
        // it may be a slice, which has no size
        Type::Opaque(path) if has_arguments(&path.0) => {
            let path = &path.0;
            quote!(::core::marker::PhantomData<#path>)
        }
        Type::Float | Type::Lane | Type::Int(_) | Type::Bool | Type::Lanes(_) | Type::Opaque(_) => {
            quote!(())
        }
    }
}

/// A type of elements, as the user writes it.
fn written(ty: &Type, real: &TokenStream) -> TokenStream {
    match ty {
        Type::Array(t, n) => {
            let (t, n) = (written(t, real), &n.0);
            quote!([#t; #n])
        }
        Type::Struct(path) => path.0.clone(),
        Type::Float => real.clone(),
        // of no matter for lengths
        Type::Lane
        | Type::Int(_)
        | Type::Bool
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Lanes(_)
        | Type::Opaque(_) => quote!(()),
    }
}

/// Whether the lengths of generic functions could be inferred from this.
fn tells(ty: &Type) -> bool {
    match ty {
        Type::Array(..) => true,
        Type::Slice(t) | Type::Vec(t) => tells(t),
        Type::Struct(path) => path.0.clone().into_iter().count() > 1,
        Type::Opaque(path) => has_arguments(&path.0),
        Type::Float | Type::Lane | Type::Int(_) | Type::Bool | Type::Lanes(_) => false,
    }
}

/// The type whose functions are called, if the callee's path alone is not it: the callee may be generic.
///
/// `known`: what paths of structs become.
pub(super) fn instance_of(
    body: &Body,
    call: &Call,
    rt: &TokenStream,
    known: &mut dyn FnMut(&mut Tokens),
) -> Option<TokenStream> {
    let callee = &call.callee.0;
    let of_method = callee.to_string().starts_with('<');
    if let Some(instance) = &call.instance {
        let instance = &instance.0;
        if of_method {
            return Some(instance.clone());
        }
        return Some(quote!(<#callee #instance as #rt::Instance>::Of));
    }
    // of unknown type
    let foreign = call.args.iter().any(|a| matches!(a, Arg::Verbatim { .. }));
    let args = call.args.iter().map(|arg| match arg {
        Arg::Value(_) | Arg::Verbatim { .. } => None,
        Arg::Place(place) | Arg::Ref(place) if body.is_constant_part(place) => None,
        Arg::Place(place) | Arg::Ref(place) | Arg::Mut(place) => body.type_at(place),
    });
    let results = call.result.leaves().into_iter().map(|leaf| match leaf {
        Leaf::Val(_) => None,
        Leaf::Place(p) => Some(body.place(*p).ty.clone()),
    });
    let mut types: Vec<Option<Type>> = args.chain(results).collect();
    if of_method || !(foreign || types.iter().flatten().any(tells)) {
        return None;
    }
    for ty in types.iter_mut().flatten() {
        struct_in(ty, known);
    }
    let real = real(body);
    let shapes = types.iter().map(|ty| match ty {
        Some(ty) => shape(ty, &real, rt, &mut || quote!(())),
        None => quote!(()),
    });
    let mut shapes: Vec<TokenStream> = shapes.collect();
    let results = shapes.split_off(call.args.len());
    Some(quote!(<#callee as #rt::Infer<((#(#shapes,)*), (#(#results,)*))>>::Of))
}

impl Emitter<'_> {
    /// The type whose functions are called.
    pub(super) fn target(&self, call: &Call) -> TokenStream {
        let target = call.target.as_ref().unwrap_or(&call.callee);
        self.if_sound(&target.0)
    }
}
