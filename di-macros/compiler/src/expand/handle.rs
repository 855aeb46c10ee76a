//! The handle of a function, and what stands in its place if its signature is not understood.

use super::items::Items;
use super::{Origin, certain, closure, conditions, forwards, generics, message, names, panic};
use crate::emit::{self, Inherent};
use crate::options::Options;
use crate::report::Diagnostic;
use proc_macro2::TokenStream;
use quote::quote;

/// The handle with its own items.
pub(crate) fn handle(
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
    inherent: &Inherent,
) -> Items {
    let krate = options.krate();
    let rt = quote!(#krate::__private);
    let original = &origin.original;
    let name = options.handle(&function.sig.ident);
    let (cfgs, vis) = (conditions(&function.attrs), &function.vis);
    let generics = generics::generics_of(function, origin);
    // whoever uses the handle uses the function; one that is generic cannot be named like that
    let is_wrong = certain::has_parameter_twice(&function.sig.generics);
    let used = if inherent.is_empty() || is_wrong {
        TokenStream::new()
    } else {
        let instance = Some(generics.arguments()).filter(|_| origin.is_named);
        let instance = instance.filter(|i| !i.is_empty()).map(|i| quote!(::#i));
        quote!(let _ = #original #instance;)
    };
    // the handle of a method is as visible as the type, of which it cannot be told
    let (params, fields, values) = match origin.owner {
        Some(owner) => (
            quote!(<__P = #owner>),
            quote!({ __of: ::core::marker::PhantomData<fn(__P)> }),
            quote!({ __of: ::core::marker::PhantomData }),
        ),
        None => {
            let (fields, values) = generics.fields(&TokenStream::new());
            (generics.with_defaults(), fields, values)
        }
    };
    let quiet = crate::options::quiet();
    let copy = match origin.owner {
        None if generics.phantom().is_some() => generics.copies(&name, &quote!(#(#cfgs)*)),
        Some(_) => quote! {
            #(#cfgs)*
            #quiet
            impl ::core::clone::Clone for #name {
                #[inline]
                fn clone(&self) -> Self {
                    *self
                }
            }
            #(#cfgs)*
            impl ::core::marker::Copy for #name {}
        },
        None => TokenStream::new(),
    };
    let (declared, arguments) = (generics.for_impl(), generics.arguments());
    let bounds = generics.written_bounds();
    let blocks = inherent.blocks(
        &name,
        &quote!(#vis),
        &generics,
        &quote!(#(#cfgs)*),
        &rt,
        &forwards::forwards,
    );
    let derive = copy.is_empty().then(|| quote!(#[derive(Clone, Copy)]));
    let named = quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #derive
        #[allow(non_camel_case_types)]
        #vis struct #name #params #fields
    };
    let others = quote! {
        #copy
        #(#cfgs)*
        #[automatically_derived]
        #quiet
        impl #declared #name #arguments #bounds {
            /// The handle of the function.
            pub const AD: Self = {
                #used
                #name #values
            };
        }
        #blocks
    };
    Items {
        named,
        others,
        refused: None,
        asked: Vec::new(),
    }
}

/// The handle of a function whose signature is not understood: a type that is not known, since a constant
/// has no value, so that rustc is silent about all that is done with it. The constant has the first message,
/// and yields to rustc's on the function, as the others do.
pub(crate) fn refused(
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
    errors: &[Diagnostic],
) -> Items {
    let krate = options.krate();
    let rt = quote!(#krate::__private);
    let name = options.handle(&function.sig.ident);
    let (cfgs, vis) = (conditions(&function.attrs), &function.vis);
    let generics = generics::generics_of(function, origin);
    let (params, of) = match origin.owner {
        Some(owner) => (quote!(<__P = #owner>), quote!(*const __P)),
        None => (
            generics.with_defaults(),
            generics.phantom().unwrap_or_default(),
        ),
    };
    let quiet = crate::options::quiet();
    let copy = closure::as_closure(function, origin, &rt).map(|c| c.tokens);
    let body = |d: &Diagnostic| match &copy {
        Some(copy) if d.message.yields() => {
            let panic = panic(d);
            quote!(let _ = #copy; #panic)
        }
        _ => message(d),
    };
    let all = errors.iter().map(|d| {
        let message = body(d);
        quote!(#(#cfgs)* #quiet const _: () = { #message };)
    });
    let all = all.collect();
    let (first, others) = errors.split_first().expect("something is refused");
    let first = body(first);
    let others = others.iter().map(|d| {
        let message = body(d);
        quote!(#(#cfgs)* #quiet const _: () = { #message };)
    });
    let unknown = emit::if_constant(&quote!(#first; 0), &rt, &quote!(fn(#of)));
    // the constant is an argument of a type: of others that are not there rustc would say what could be added
    let params = match params.is_empty() && !names::misses_arguments(function) {
        true => quote!(<>),
        false => params,
    };
    let alias = quote!(#vis type #name #params = #unknown;);
    let named = quote!(
        #(#cfgs)*
        #quiet
        #[doc(hidden)]
        #[allow(non_camel_case_types, type_alias_bounds)]
        #alias
    );
    let others = quote!(
        // it is looked at, used or not
        #(#cfgs)*
        #quiet
        const _: fn(#name) = |_| ();
        #(#others)*
    );
    Items {
        named,
        others,
        refused: Some(all),
        asked: Vec::new(),
    }
}
