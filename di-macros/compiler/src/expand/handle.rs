//! The handle of a function, and what stands in its place if its signature is not understood.

use super::items::Items;
use super::operators::lasting;
use super::{Origin, asks, closure, conditions, forwards, generics, message, panic};
use crate::emit::{self, Inherent};
use crate::lower::inline;
use crate::options::Options;
use crate::report::Diagnostic;
use crate::template::{parse_quote, quote};
use crate::walk::{self, Node, Onward};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};

/// The handle with its own items.
pub(crate) fn handle(
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
    inherent: &Inherent,
) -> Items {
    declare(function, options, origin, inherent).quieted(&conditions(&function.attrs), options)
}

/// The same, of which no lint is silenced.
pub(crate) fn declare(
    function: &syn::ItemFn,
    options: &Options,
    origin: &Origin<'_>,
    inherent: &Inherent,
) -> Items {
    let rt = emit::runtime();
    let original = &origin.original;
    let name = options.handle(&function.sig.ident);
    let (cfgs, vis) = (conditions(&function.attrs), &function.vis);
    let generics = generics::generics_of(function, origin);
    // whoever uses the handle uses the function; one that is generic cannot be named like that
    let used = if inherent.is_empty() {
        TokenStream::new()
    } else {
        let instance = origin.is_named.then(|| origin.instance(&generics));
        quote!(let _ = #original #instance;)
    };
    let behind = behind(function, origin);
    let (params, fields, values) = match &behind {
        Some(behind) => (
            generics.with_defaults_and(quote!(__P = #behind)),
            quote!({ __of: ::core::marker::PhantomData<fn(__P)> }),
            quote!({ __of: ::core::marker::PhantomData }),
        ),
        None => {
            let (fields, values) = generics.fields(&TokenStream::new());
            (generics.with_defaults(), fields, values)
        }
    };
    let copy = match behind {
        None if generics.phantom().is_some() => generics.copies(&name),
        Some(_) => generics.copies(&name),
        None => TokenStream::new(),
    };
    let (declared, arguments) = (generics.for_impl(), generics.arguments());
    let bounds = generics.written_bounds();
    let (types, blocks) =
        inherent.blocks(&name, &quote!(#vis), &generics, &rt, &forwards::forwards);
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
        impl #declared #name #arguments #bounds {
            /// The handle of the function.
            pub const AD: Self = {
                #used
                #name #values
            };
        }
        #blocks
    };
    let types = types.iter().map(|ty| {
        quote! {
            #(#cfgs)*
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #ty
        }
    });
    Items {
        named,
        others,
        types: types.collect(),
        refused: None,
        asked: Vec::new(),
    }
}

/// What stands for the handle of a function that is inlined where it is called.
pub(super) fn inlined(function: &syn::ItemFn) -> TokenStream {
    let sig = &function.sig;
    let why = if inline::takes_rows_of_structs(sig) {
        "has_no_handle_until_each_row_of_structs_is_in_a_struct"
    } else if inline::takes_named_numbers(sig) {
        "has_no_handle_until_its_list_of_texts_and_numbers_is_marked_constant"
    } else if inline::takes_collections(sig, &Clone::clone) {
        "has_no_handle_until_its_map_or_deque_is_marked_constant"
    } else {
        "is_inlined_and_has_no_handle"
    };
    without_handle(function, why)
}

/// What stands for the handle of a function that a module leaves as it is.
pub(super) fn undifferentiated(function: &syn::ItemFn) -> TokenStream {
    without_handle(function, "has_no_parameter_that_is_differentiated")
}

/// A handle that is none. Its name is the message of rustc where it is given to an operator.
pub(crate) fn without_handle(function: &syn::ItemFn, why: &str) -> TokenStream {
    let name = &function.sig.ident;
    let (cfgs, vis, quiet) = (
        conditions(&function.attrs),
        &function.vis,
        crate::options::quiet(),
    );
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    let none = format_ident!("{plain}_{why}");
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #name {}
        #(#cfgs)*
        #quiet
        const _: () = {
            #[derive(Clone, Copy)]
            pub struct #none;
            impl #name {
                /// There is none.
                pub const AD: #none = #none;
            }
        };
    }
}

/// What the handle must not be more visible than: the type that a method belongs to, or the types that a
/// function is given, all of which its impls name. How visible those are is not known here, so they become
/// the default of a parameter of the handle, by which rustc sees it.
fn behind(function: &syn::ItemFn, origin: &Origin<'_>) -> Option<TokenStream> {
    if let Some(owner) = origin.owner {
        return Some(owner_for_good(owner));
    }
    let sig = origin.written.as_ref().unwrap_or(&function.sig);
    let is_private = matches!(function.vis, syn::Visibility::Inherited);
    if is_private || function.sig.generics.type_params().count() > 0 {
        return None;
    }
    let types = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(&*typed.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let result = match &sig.output {
        syn::ReturnType::Type(_, ty) => Some(&**ty),
        syn::ReturnType::Default => None,
    };
    let types = types.chain(result);
    let types: Vec<_> = types.filter(|ty| may_be_private(ty)).collect();
    let lifetimes = sig.generics.lifetimes().map(|l| &l.lifetime);
    (!types.is_empty()).then(|| quote!(for<#(#lifetimes),*> fn(#(&#types),*)))
}

/// The type of a block, where no lifetime can be inferred.
fn owner_for_good(owner: &syn::Path) -> TokenStream {
    lasting(&parse_quote!(#owner)).into_token_stream()
}

/// Whether a type names another one that may be private to its module.
fn may_be_private(ty: &syn::Type) -> bool {
    let names_one = walk::read(Node::Type(ty), &mut |node| match node {
        Node::Type(syn::Type::Path(path)) => {
            let first = path.path.segments[0].ident.to_string();
            let is_primitive =
                path.path.get_ident().is_some() && first.starts_with(char::is_lowercase);
            match is_primitive || asks::is_of_std(&first) {
                true => Onward::Into,
                false => Onward::Found,
            }
        }
        // is not allowed within the type of a function
        Node::Type(syn::Type::ImplTrait(_)) => Onward::Over,
        _ => Onward::Into,
    });
    names_one && !ty.to_token_stream().to_string().contains("impl ")
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
        Some(owner) => {
            let owner = owner_for_good(owner);
            (quote!(<__P = #owner>), quote!(*const __P))
        }
        None => (
            generics.with_defaults(),
            generics.phantom().unwrap_or_default(),
        ),
    };
    let quiet = crate::options::quiet();
    let copy = closure::as_closure(function, origin, &rt);
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
        ..Items::default()
    }
}
