//! `#[generic]`: a handle for a function that is generic over the scalar. Its body is any Rust and is not looked
//! into; the signature says what the runtime needs to know.

mod glue;
pub(crate) mod overloaded;
mod signature;

use crate::emit::Inherent;
use crate::error;
use crate::expand::{Origin, conditions, handle, not_a_function, refused};
use crate::lower::extent::HasExtent;
use crate::options::{self, Options};
use crate::report::{Report, Stop};
use crate::sorted::Set;
use crate::template::quote;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use signature::{Read, Takes};
use syn::{Type, TypeParamBound};

/// Expands `#[generic(attr)] item`.
pub(crate) fn generic(attr: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        return not_a_function(item);
    };
    let cx = Report::default();
    let options = Options::parse(attr, &cx).without_code(&cx);
    let scalar = scalar_of(&function.sig);
    if scalar.is_none() {
        let span = if function.sig.generics.params.is_empty() {
            function.sig.ident.extent()
        } else {
            function.sig.generics.params.extent()
        };
        cx.error(span, &error::GENERIC_SCALAR);
    }
    let read = scalar.map(|(scalar, float)| {
        let takes = Takes {
            scalars: Set::from_iter([scalar.to_string()]),
            float,
            is_plain: false,
            derived: Set::new(),
            results: Set::new(),
            free: Set::new(),
            other: &error::GENERIC_PARAMETER,
        };
        Read::new(&function.sig, takes, &options, &cx)
    });
    options::strip_marks(&mut function);
    // the handle is one for all scalars
    let mut plain = function.clone();
    plain.sig.generics = syn::Generics::default();
    let origin = Origin::free(&plain.sig.ident);
    let items = || handle(&plain, &options, &origin, &Inherent::default());
    let generated = match (cx.check(), read) {
        (Ok(()), Some(read)) => {
            let impls = impls(&read, &function, &options);
            let glue = read.glue(&options.handle(&function.sig.ident), &impls);
            let cfgs = conditions(&function.attrs);
            items().with(quote!(#(#cfgs)* #glue))
        }
        (Err(Stop::Errors(errors)), _) => refused(&plain, &options, &origin, &errors),
        (Ok(()) | Err(Stop::Mismatch), _) => items(),
    };
    quote!(#function #generated)
}

/// How the function is run.
fn impls(read: &Read, function: &syn::ItemFn, options: &Options) -> TokenStream {
    let (rt, float) = (&read.rt, &read.takes.float);
    let (original, name) = (&function.sig.ident, options.handle(&function.sig.ident));
    let body = read.run(
        &quote!(#original::<__S>),
        &quote!(__S),
        &read.arguments(&|name, _| name.to_token_stream()),
        false,
    );
    let (x, contexts) = (read.x_pattern(), read.contexts());
    let (caches, families) = read.caches();
    quote! {
        impl #rt::Primal for #name {
            fn primal<'__c>(
                __env: #rt::Env<'_, '__c, Self, #float>,
                __x: #rt::XRef<'_, Self, #float>,
                __y: #rt::Slot<'_, Self, #float>,
            ) where
                Self: '__c,
            {
                <Self as #rt::Generic>::generic::<#float>(__env, __x, __y);
            }
        }
        impl #rt::Generic for #name {
            fn generic<'__c, __S: #rt::Scalar<Real = #float>>(
                __env: #rt::Env<'_, '__c, Self, __S>,
                #x: #rt::XRef<'_, Self, __S>,
                mut __y: #rt::Slot<'_, Self, __S>,
            ) where
                Self: '__c,
            {
                let (#(#contexts,)*) = __env.ctx;
                let #caches = <#families as #rt::Family>::lanes_mut::<__S>(__env.caches);
                #body
            }
        }
    }
}

/// The type parameter and its float type: `S: Scalar<Real = f64>`, and nothing else.
fn scalar_of(sig: &syn::Signature) -> Option<(Ident, Type)> {
    let mut params = sig.generics.params.iter();
    let (Some(syn::GenericParam::Type(param)), None) = (params.next(), params.next()) else {
        return None;
    };
    let predicates = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
    let others = predicates.filter_map(|p| match p {
        syn::WherePredicate::Type(p) if is(&p.bounded_ty, &param.ident) => Some(&p.bounds),
        _ => None,
    });
    let bounds = param.bounds.iter().chain(others.flatten());
    let float = bounds.filter_map(float_of).next()?;
    Some((param.ident.clone(), float))
}

/// The float type of a bound `Scalar<Real = f64>`.
fn float_of(bound: &TypeParamBound) -> Option<Type> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    let syn::PathArguments::AngleBracketed(args) = &bound.path.segments.last()?.arguments else {
        return None;
    };
    args.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::AssocType(a) if a.ident == "Real" => Some(a.ty.clone()),
        _ => None,
    })
}

/// Is a type this parameter?
fn is(ty: &Type, param: &Ident) -> bool {
    matches!(ty, Type::Path(p) if p.qself.is_none() && p.path.is_ident(param))
}
