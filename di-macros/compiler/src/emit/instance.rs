//! Generic functions: their handles have the same parameters, with defaults, so that the plain path of a
//! function leads to what is common to all instances, its constants. The code is in a type of its own:
//! `rt::Instance::Of`, or `rt::Infer<..>::Of` where the arguments of a call tell the instance.

use super::Emitter;
use super::names::{own, real};
use super::sound::{Source, struct_in};
use crate::ir::{Arg, Body, Call, Leaf, Tokens, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// Constant parameters of a generic function; none for most.
#[derive(Clone, Debug, Default)]
pub(crate) struct Generics {
    /// Name, type, and a value of the type.
    params: Vec<(Ident, TokenStream, TokenStream)>,
}

impl Generics {
    /// Takes name, type, and a value of the type.
    pub(crate) fn new(params: Vec<(Ident, TokenStream, TokenStream)>) -> Generics {
        Generics { params }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// `const N: usize`, ..
    pub(crate) fn declared(&self) -> Vec<TokenStream> {
        let each = self.params.iter();
        each.map(|(name, ty, _)| quote!(const #name: #ty)).collect()
    }

    /// `const N: usize = 0`, ..
    pub(crate) fn defaulted(&self) -> Vec<TokenStream> {
        let each = self.params.iter();
        each.map(|(name, ty, value)| quote!(const #name: #ty = #value))
            .collect()
    }

    /// Constants with the names of the parameters: `const N: usize = 0;`
    pub(crate) fn as_items(&self) -> TokenStream {
        let defaulted = self.defaulted();
        quote!(#(#defaulted;)*)
    }

    /// `N`, ..
    pub(crate) fn names(&self) -> Vec<&Ident> {
        self.params.iter().map(|p| &p.0).collect()
    }

    /// `<N, M>`; nothing if there are none.
    pub(crate) fn arguments(&self) -> TokenStream {
        if self.is_empty() {
            return TokenStream::new();
        }
        let names = self.names();
        quote!(<#(#names),*>)
    }

    /// `<const N: usize>`; nothing if there are none.
    pub(crate) fn for_impl(&self) -> TokenStream {
        if self.is_empty() {
            return TokenStream::new();
        }
        let declared = self.declared();
        quote!(<#(#declared),*>)
    }

    /// `<const N: usize = 0>`; nothing if there are none.
    pub(crate) fn with_defaults(&self) -> TokenStream {
        if self.is_empty() {
            return TokenStream::new();
        }
        let defaulted = self.defaulted();
        quote!(<#(#defaulted),*>)
    }

    /// The type that the code of a handle is in, with its arguments.
    pub(crate) fn code(&self, handle: &Ident) -> TokenStream {
        if self.is_empty() {
            return quote!(#handle);
        }
        let (name, arguments) = (code_name(handle), self.arguments());
        quote!(#name #arguments)
    }
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
    let mut free = Vec::new();
    let mut told = String::new();
    let pattern = |free: &mut Vec<TokenStream>, told: &mut String, k: usize, ty: &Type| {
        let lengths = lengths_of(ty);
        if !generics.names().iter().any(|n| names(&lengths, n)) {
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
    let all = |text: &str| generics.names().iter().all(|n| names(text, n));
    let by_parameters: String = body
        .params
        .iter()
        .map(|p| lengths_of(&p.ty) + " ")
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
    let (declared, of) = (generics.declared(), generics.code(name));
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
        Type::Opaque(path) if has_arguments(&path.0) => path.0.clone(),
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
    if let Some(instance) = &call.instance {
        let instance = &instance.0;
        return Some(quote!(<#callee #instance as #rt::Instance>::Of));
    }
    // of unknown type
    let foreign = call.args.iter().any(|a| matches!(a, Arg::Verbatim { .. }));
    let args = call.args.iter().map(|arg| match arg {
        Arg::Value(_) | Arg::Verbatim { .. } => None,
        Arg::Place(place) | Arg::Ref(place) | Arg::Mut(place) => body.type_at(place),
    });
    let results = call.result.leaves().into_iter().map(|leaf| match leaf {
        Leaf::Val(_) => None,
        Leaf::Place(p) => Some(body.place(*p).ty.clone()),
    });
    let mut types: Vec<Option<Type>> = args.chain(results).collect();
    let of_method = callee.to_string().starts_with('<');
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
