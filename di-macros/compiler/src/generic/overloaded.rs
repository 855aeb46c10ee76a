//! `#[overloaded]`: handles for any Rust on floats. Engines run a copy of the code in which floats are active numbers,
//! whose operators are overloaded, so that rustc itself finds the types.

mod constants;
mod conversions;
mod copy;
mod derived;
mod expressions;
mod imports;
mod known;
mod patterns;
mod statics;

use super::signature::{Read, Takes};
use crate::emit::Inherent;
use crate::error;
use crate::expand::{
    Origin, conditions, handle, is_test, messages, refused, with_content, without_handle,
};
use crate::lower::ACTIVE_SCALAR;
use crate::lower::extent::HasExtent;
use crate::options::{self, Options};
use crate::report::{Report, Stop};
use crate::sorted::Set;
use crate::template::{parse_quote, quote};
use crate::tokens;
use copy::Copier;
use known::Known;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};

/// Where the copy of a module is.
const COPY: &str = "__overloaded";

/// Expands `#[overloaded(attr)] item`.
pub(crate) fn overloaded(attr: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(parsed) = syn::parse2::<syn::Item>(item.clone()) else {
        // rustc says what cannot be read
        return item;
    };
    let cx = Report::default();
    let options = Options::parse(attr, &cx).without_code(&cx);
    match parsed {
        syn::Item::Fn(function) => alone(function, &options, cx),
        syn::Item::Mod(module) => with_content(module, &options, cx, |items, cx| {
            of_items(items, &options, cx)
        }),
        other => {
            cx.error(other.extent(), &error::OVERLOADED_ITEM);
            let messages = messages(cx);
            quote!(#other #messages)
        }
    }
}

/// The float of the code: `f64` if it is mentioned.
fn float_of(code: &impl ToTokens) -> Ident {
    let mentions = |name: &str| tokens::any(code.to_token_stream(), &mut |t| names(t, name));
    let is_single = mentions("f32") && !mentions("f64");
    format_ident!("{}", if is_single { "f32" } else { "f64" })
}

fn names(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(i) if i == name)
}

/// A function by itself.
fn alone(mut function: syn::ItemFn, options: &Options, cx: Report) -> TokenStream {
    options::show_groups(&mut function);
    let float = float_of(&function);
    let written = [syn::Item::Fn(function.clone())];
    let takes = takes(&float, &Known::of(&[], &float));
    let read = read(&function, takes, options, &cx);
    statics::refuse(&written, &Known::of(&written, &float), &cx);
    options::strip_marks(&mut function);
    let origin = Origin::free(&function.sig.ident);
    let items = || handle(&plain(&function), options, &origin, &Inherent::default());
    let generated = match cx.check() {
        Ok(()) => {
            let mut copy = Copier::new(&written, &float, options);
            let mut own = function.clone();
            own.attrs.retain(|a| !a.path().is_ident("cfg"));
            let callee = own.sig.ident.to_token_stream();
            let own = copy.item(syn::Item::Fn(own));
            let number = copy.number();
            let impls = impls(
                &read,
                &function,
                options,
                (&callee, &copy, &quote!(#number #own)),
            );
            let glue = read.glue(&options.handle(&function.sig.ident), &impls);
            let cfgs = conditions(&function.attrs);
            items().with(quote!(#(#cfgs)* #glue))
        }
        Err(Stop::Errors(errors)) => refused(&plain(&function), options, &origin, &errors),
        Err(Stop::Mismatch) => items(),
    };
    quote!(#function #generated)
}

/// The function as its handle sees it.
fn plain(function: &syn::ItemFn) -> syn::ItemFn {
    let mut plain = function.clone();
    plain.sig.generics = syn::Generics::default();
    plain
}

fn read(function: &syn::ItemFn, takes: Takes, options: &Options, cx: &Report) -> Read {
    let sig = &function.sig;
    let is_generic =
        sig.generics.type_params().next().is_some() || sig.generics.const_params().next().is_some();
    if is_generic || sig.asyncness.is_some() || sig.unsafety.is_some() {
        cx.error(sig.ident.extent(), &error::OVERLOADED_PARAMETER);
        let ignored = Report::default();
        let read = Read::new(sig, takes, options, &ignored);
        ignored.discard();
        return read;
    }
    Read::new(sig, takes, options, cx)
}

fn takes(float: &Ident, known: &Known) -> Takes {
    Takes {
        scalars: known.scalars.clone(),
        float: parse_quote!(::core::primitive::#float),
        is_plain: true,
        derived: known.derived.clone(),
        results: known.results.clone(),
        free: known.free(),
        other: &error::OVERLOADED_PARAMETER,
    }
}

/// The content of a module: its items, the handles of its functions, and its copy.
fn of_items(mut items: Vec<syn::Item>, options: &Options, cx: &Report) -> TokenStream {
    items.iter_mut().for_each(|item| take_rule(item, cx));
    let float = float_of(&quote!(#(#items)*));
    let known = Known::of(&items, &float);
    statics::refuse(&items, &known, cx);
    derived::derive_signatures(&mut items, &known, options);
    let mut copy = Copier::new(&items, &float, options);
    let (handles, passed) = handles(&items, &float, options, &copy, cx);
    let conversions = copy.conversions(&items, passed);
    let copies: TokenStream = items
        .iter()
        .map(|item| copy.item_of_module(item.clone()))
        .collect();
    items.iter_mut().for_each(unmarked);
    let (quiet, number, copy) = (options::quiet(), copy.number(), format_ident!("{COPY}"));
    quote! {
        #(#items)* #handles
        #[doc(hidden)]
        #[automatically_derived]
        #quiet
        pub mod #copy { #number #copies #conversions }
    }
}

/// Says that derivatives given by hand have no meaning in a copy that is run.
fn take_rule(item: &mut syn::Item, cx: &Report) {
    let syn::Item::Fn(f) = item else { return };
    f.attrs.retain(|attr| {
        let is_rule = options::is_named(attr, &["custom_rule", "implicit"]);
        if is_rule {
            cx.error(attr.extent(), &error::OVERLOADED_RULE);
        }
        !is_rule
    });
}

/// Whether another attribute makes the function's handle, or it is left out.
fn has_handle(f: &syn::ItemFn) -> bool {
    let names = ["differentiable", "generic"];
    (f.attrs.iter()).any(|attr| options::is_named(attr, &names) || options::is_skip(attr))
}

/// An item without the marks that are for this attribute.
fn unmarked(item: &mut syn::Item) {
    match item {
        syn::Item::Fn(f) if !has_handle(f) || f.attrs.iter().any(options::is_skip) => {
            options::strip_marks(f);
            // that of the module is enough
            f.attrs.retain(|a| {
                !a.path().is_ident(ACTIVE_SCALAR) && !options::is_named(a, &["overloaded"])
            });
        }
        syn::Item::Use(u) => u.attrs.retain(|a| !imports::is_of_copies(a)),
        _ => {}
    }
}

/// The types of what goes to functions with handles, and comes from them.
#[derive(Default)]
struct Passed {
    bound: Vec<TokenStream>,
    returned: Vec<TokenStream>,
}

/// The handles of all functions that can have one.
fn handles(
    items: &[syn::Item],
    float: &Ident,
    options: &Options,
    copy: &Copier,
    cx: &Report,
) -> (TokenStream, Passed) {
    let mut passed = Passed::default();
    let types: Set<String> = items.iter().filter_map(type_of).collect();
    let functions = items.iter().filter_map(|item| match item {
        syn::Item::Fn(f) if !types.contains(&f.sig.ident.to_string()) => Some(f),
        _ => None,
    });
    let functions = functions.filter(|f| !is_test(&f.attrs) && !has_handle(f));
    let module = format_ident!("{COPY}");
    let mut one = |function: &syn::ItemFn| {
        let own = Report::default();
        let read = read(function, takes(float, &copy.known), options, &own);
        let is_marked = function.sig.inputs.iter().any(|input| {
            matches!(input, syn::FnArg::Typed(p) if options::mark_of(&p.attrs, cx).is_some())
        });
        let mut bare = plain(function);
        options::strip_marks(&mut bare);
        let origin = Origin::free(&bare.sig.ident);
        match own.check() {
            Ok(()) => {
                let name = &function.sig.ident;
                passed.bound.extend(read.constants());
                if read.returns_structs {
                    passed.returned.push(function.sig.output.to_token_stream());
                }
                let callee = quote!(#module::#name);
                let impls = impls(
                    &read,
                    function,
                    options,
                    (&callee, copy, &TokenStream::new()),
                );
                let glue = read.glue(name, &impls);
                let cfgs = conditions(&function.attrs);
                handle(&bare, options, &origin, &Inherent::default())
                    .with(quote!(#(#cfgs)* #glue))
                    .into_token_stream()
            }
            Err(Stop::Errors(errors)) if is_marked => {
                refused(&bare, options, &origin, &errors).into_token_stream()
            }
            Err(Stop::Errors(_) | Stop::Mismatch) => without_handle(
                function,
                "has_parameters_or_a_result_that_operators_do_not_take",
            ),
        }
    };
    let handles = functions.map(&mut one).collect();
    (handles, passed)
}

/// The name of an item among types.
fn type_of(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Struct(i) => &i.ident,
        syn::Item::Enum(i) => &i.ident,
        syn::Item::Union(i) => &i.ident,
        syn::Item::Trait(i) => &i.ident,
        syn::Item::Type(i) => &i.ident,
        syn::Item::Mod(i) => &i.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// How the function is run: as it is written on floats, its copy on all other scalars.
fn impls(
    read: &Read,
    function: &syn::ItemFn,
    options: &Options,
    (callee, copy, items): (&TokenStream, &Copier, &TokenStream),
) -> TokenStream {
    let (rt, float) = (&read.rt, &read.takes.float);
    let (original, name) = (&function.sig.ident, options.handle(&function.sig.ident));
    let number = quote!(#rt::overloaded::Active<#float>);
    let plain = read.run(
        &original.to_token_stream(),
        &float.to_token_stream(),
        &read.arguments(&|name, _| name.to_token_stream()),
        false,
    );
    let run = read.run(
        callee,
        &number,
        &read.arguments(&|name, ty| copy.constant(name, ty, rt)),
        true,
    );
    let (x, contexts) = (read.x_pattern(), read.contexts());
    quote! {
        impl #rt::Primal for #name {
            fn primal<'__c>(
                __env: #rt::Env<'_, '__c, Self, #float>,
                #x: #rt::XRef<'_, Self, #float>,
                mut __y: #rt::Slot<'_, Self, #float>,
            ) where
                Self: '__c,
            {
                let (#(#contexts,)*) = __env.ctx;
                #plain
            }
        }
        impl #rt::overloaded::Overloaded for #name {
            fn overloaded<'__c>(
                (#(#contexts,)*): Self::Ctx<'__c>,
                #x: #rt::XRef<'_, Self, #number>,
                mut __y: #rt::Slot<'_, Self, #number>,
            ) where
                Self: '__c,
            {
                #items
                #run
            }
        }
        impl #rt::Generic for #name {
            fn generic<'__c, __S: #rt::Scalar<Real = #float>>(
                __env: #rt::Env<'_, '__c, Self, __S>,
                __x: #rt::XRef<'_, Self, __S>,
                __y: #rt::Slot<'_, Self, __S>,
            ) where
                Self: '__c,
            {
                #rt::overloaded::run::<Self, __S>(__env.ctx, __x, __y);
            }
        }
    }
}
