//! Passive code of a function that is generic over the float: in a generic function of its own, so that its
//! names mean what they mean in the user's. And what must hold of the float's methods.

use super::Emitter;
use super::op::user;
use crate::ir::{GenericCode, PlaceId, PlaceKind, Type, Val};
use crate::symbol;
use crate::template::quote;
use proc_macro2::{Ident, Span, TokenStream};

impl Emitter<'_> {
    /// T::from(n).unwrap()   =>   { fn __code<T: Float>(n: usize) -> T { .. } __code::<f64>(n) }
    pub(super) fn generic_code(
        &self,
        code: &GenericCode,
        ty: &Type,
        tokens: &TokenStream,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
    ) -> TokenStream {
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (name, v) in operands {
            let (ident, id) = (user(name), self.val(*v));
            let ty = as_written(&self.body.val(*v).ty, code);
            params.push(quote!(#ident: #ty));
            args.push(if self.generic(*v) {
                quote!(__S::primal(#id))
            } else {
                quote!(#id)
            });
        }
        for (name, p) in places {
            let (ident, id) = (user(name), self.variable(*p));
            let info = self.body.place(*p);
            if let Type::Opaque(_) = info.ty {
                let ty = code.written.get(name).map(|t| &t.0);
                params.push(quote!(#ident: #ty));
                args.push(quote!(#id));
                continue;
            }
            let ty = as_written(&info.ty, code);
            params.push(quote!(#ident: &#ty));
            args.push(match info.kind {
                PlaceKind::Local | PlaceKind::ValueParam(_) => quote!(&#id),
                PlaceKind::SharedParam(_)
                | PlaceKind::MutParam(_)
                | PlaceKind::State
                | PlaceKind::View
                | PlaceKind::Row
                | PlaceKind::Slot(_)
                | PlaceKind::ResultSlot(_) => quote!(&*#id),
            });
        }
        let result = as_written(ty, code);
        let (generics, arguments) = (&code.params.0, &code.arguments.0);
        let bounds = &code.bounds.0;
        quote!({
            fn __code<#generics>(#(#params),*) -> #result #bounds { #tokens }
            __code::<#arguments>(#(#args),*)
        })
    }

    /// A look at the float's methods, once: they are those of its instance.
    pub(super) fn check_methods(&self) -> TokenStream {
        let methods = self.body.generic.as_ref().map(|code| &code.methods);
        if methods.is_some_and(|m| !m.is_empty()) {
            quote!(Self::__agree();)
        } else {
            TokenStream::new()
        }
    }

    /// fn __agree() { .. }
    pub(super) fn methods_item(&self) -> TokenStream {
        let Some(code) = &self.body.generic else {
            return TokenStream::new();
        };
        if code.methods.is_empty() {
            return TokenStream::new();
        }
        let (rt, float, real) = (self.rt, &code.float.0, self.real());
        let (generics, arguments) = (&code.params.0, &code.arguments.0);
        let bounds = &code.bounds.0;
        let names: Vec<&String> = code.methods.keys().collect();
        // of one that is missing rustc speaks where the function calls it
        let theirs = code.methods.iter().enumerate().map(|(k, (name, at))| {
            let value = method(name, *at, &quote!(x), None);
            quote!(#k => #value)
        });
        let ours = names.iter().enumerate().map(|(k, name)| {
            let value = method(name, Span::call_site(), &quote!(x), Some(rt));
            quote!(#k => #value)
        });
        quote!(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn __agree() {
                static __SEEN: ::core::sync::atomic::AtomicBool = ::core::sync::atomic::AtomicBool::new(false);
                fn __theirs<#generics>(k: usize, x: #float, y: #float, z: #float, n: i32) -> #float #bounds {
                    match k { #(#theirs,)* _ => x }
                }
                fn __ours(k: usize, x: #real, y: #real, z: #real, n: i32) -> #real {
                    match k { #(#ours,)* _ => x }
                }
                #rt::agree(&__SEEN, &[#(#names),*], __theirs::<#arguments>, __ours);
            }
        )
    }
}

/// A call of a method on `x`, `y`, `z` and `n`, as a number; of the runtime's, if its path is given.
fn method(name: &str, at: Span, x: &TokenStream, rt: Option<&TokenStream>) -> TokenStream {
    let ident = Ident::new(name, at);
    let call = |args: &[TokenStream]| match rt {
        Some(rt) => quote!(#rt::Scalar::#ident(#x #(, #args)*)),
        None => quote!(#x.#ident(#(#args),*)),
    };
    if name == "sin_cos" {
        let both = call(&[]);
        return quote!({
            let (__s, __c) = #both;
            if n < 0 { __s } else { __c }
        });
    }
    if symbol::classify(name).is_some() {
        return quote!(if #x.#ident() { x } else { y });
    }
    let arity = symbol::elementary(name).map_or(1, |(_, n)| n);
    let mut args = [quote!(y), quote!(z)][..arity.saturating_sub(1).min(2)].to_vec();
    if symbol::has_integer(name) {
        args.pop();
        args.push(quote!(n));
    }
    call(&args)
}

/// A type as the user writes it.
fn as_written(ty: &Type, code: &GenericCode) -> TokenStream {
    match ty {
        Type::Float | Type::Lane => code.float.0.clone(),
        Type::Int(name) => {
            let name = Ident::new(name, Span::call_site());
            quote!(__p::#name)
        }
        Type::Bool => quote!(__p::bool),
        Type::Array(t, n) => {
            let (t, n) = (as_written(t, code), &n.0);
            quote!([#t; #n])
        }
        Type::Slice(t) => {
            let t = as_written(t, code);
            quote!([#t])
        }
        Type::Vec(t) => {
            let t = as_written(t, code);
            quote!(::std::vec::Vec<#t>)
        }
        Type::Struct(path) | Type::Lanes(path) | Type::Opaque(path) => path.0.clone(),
    }
}
