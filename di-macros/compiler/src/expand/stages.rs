//! The two stages of an attribute: what stands beside the item and what it asks of others, and what is generated when
//! they have answered.

use super::aliases::OfFile;
use super::names::name_types_of_constants;
use super::signatures::{self, Answer, Resumed};
use super::structs::plain_variants;
use super::traits::Traits;
use super::{
    Items, Origin, aliases, expand_free, handle, macros, message, methods, module, not_a_function,
    original,
};
use crate::answer::{answering, can_be_asked};
use crate::emit::Inherent;
use crate::expand::asks;
use crate::lower::aliases::{Outside, has_named_lengths};
use crate::lower::{extension, inline, iterated};
use crate::options::{self, Options};
use crate::report::{Report, Stop};
use crate::template::quote;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Expands `#[differentiable(attr)] item`.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Mod(mut module)) => {
            let at = module.ident.span();
            if let Some((_, items)) = &mut module.content {
                macros::in_module(items, at);
            }
            module::expand_module(&attr, module)
        }
        Ok(syn::Item::Impl(written)) => {
            let cx = Report::default();
            let options = Options::parse(attr.clone(), &cx);
            let plain = macros::in_block(&written);
            let (mut block, of_file) = aliases::in_block(plain.as_ref().unwrap_or(&written));
            if extension::owner(&written).is_some() {
                let (original, messages) = (methods::original(&written), messages(cx));
                return quote!(#original #messages);
            }
            let OfFile {
                checks,
                known,
                types,
                ..
            } = of_file;
            methods::skip_texts(&mut block);
            block = iterated::as_method(&block).unwrap_or(block);
            let item = block.to_token_stream();
            let mut asked = askable(&syn::Item::Impl(block.clone()));
            asked.extend(types);
            let mut others = TokenStream::new();
            let env = signatures::environment(&known);
            asked.extend(signatures::further(
                &known,
                &env,
                &item,
                written.impl_token.span,
            ));
            if asked.is_empty() {
                let items = methods::expand_impl(&options, &block, &env, &cx);
                asked = items.asked;
                // two traits may have methods of one name
                let (quiet, generated) = (options::quiet(), &items.others);
                others = quote!(#quiet const _: () = { #generated };);
            }
            if !asked.is_empty() {
                others = signatures::ask(&known, &asked, &options, &attr, &item);
            }
            let (original, messages) = (methods::original(&written), messages(cx));
            quote!(#original #messages #others #checks)
        }
        Ok(syn::Item::Fn(written)) => {
            let plain = macros::in_function(&written);
            let (function, of_file) = aliases::in_function(plain.as_ref().unwrap_or(&written));
            let (original, signature) = (original(&written), handing_on(&function));
            // its body goes where it is called
            if inline::stands_in_place(&function) {
                let (inlined, checks) = (handle::inlined(&function), of_file.checks);
                return quote!(#original #signature #inlined #checks);
            }
            let cx = Report::default();
            let options = Options::parse(attr.clone(), &cx);
            let generated = generated(&function, &options, &attr, &of_file);
            let (messages, checks) = (messages(cx), of_file.checks);
            quote!(#original #signature #messages #generated #checks)
        }
        Ok(syn::Item::Type(alias)) => {
            let (name, generics, of) = (&alias.ident, &alias.generics, &alias.ty);
            let answer = quote!(type #name #generics = #of;);
            let signature = answering(name, &alias.vis, &alias.attrs, &answer);
            quote!(#alias #signature)
        }
        Ok(syn::Item::Enum(of)) => {
            let (name, generics, variants) = (&of.ident, &of.generics, plain_variants(&of));
            let answer = quote!(enum #name #generics { #(#variants),* });
            let signature = answering(name, &of.vis, &of.attrs, &answer);
            quote!(#of #signature)
        }
        // what it leaves to blocks is read from the file
        Ok(syn::Item::Trait(of_trait)) => Traits::original(&of_trait).into_token_stream(),
        _ => not_a_function(item),
    }
}

/// Expands the function of a closure, which stands in a block of its own.
pub(crate) fn expand_closure(function: TokenStream) -> TokenStream {
    match syn::parse2::<syn::ItemFn>(function.clone()) {
        Ok(function) => {
            let (options, original) = (Options::default(), original(&function));
            let nothing = OfFile::default();
            let items = generated(&function, &options, &TokenStream::new(), &nothing);
            quote!(#original #items)
        }
        Err(_) => not_a_function(function),
    }
}

/// The macro by which a function of no annotated module, without aliases, hands its signature on.
fn handing_on(function: &syn::ItemFn) -> TokenStream {
    if !has_named_lengths(&function.sig) {
        return signatures::handing_on(function);
    }
    let outside = Outside::at(function.sig.ident.span());
    signatures::handing_on(&outside.function(function))
}

/// What stands behind a function, or the question that comes before it.
pub(super) fn generated(
    function: &syn::ItemFn,
    options: &Options,
    attr: &TokenStream,
    of_file: &OfFile,
) -> TokenStream {
    let known = &of_file.known;
    let mut asked = askable(&syn::Item::Fn(function.clone()));
    asked.extend(of_file.types.iter().cloned());
    let env = signatures::environment(known);
    let (text, at) = (function.to_token_stream(), function.sig.ident.span());
    asked.extend(signatures::further(known, &env, &text, at));
    if asked.is_empty() {
        let items = expand_free(options, function.clone(), env, false);
        if items.asked.is_empty() {
            return items.into_token_stream();
        }
        // functions that are values
        asked = items.asked;
    }
    let named = declared(function, options);
    let item = function.to_token_stream();
    let asks = signatures::ask(known, &asked, options, attr, &item);
    quote!(#named #asks)
}

/// Expands an item whose questions are answered by the items of a source, for tests.
pub(crate) fn expand_among(
    attr: &TokenStream,
    item: TokenStream,
    around: &[syn::Item],
) -> TokenStream {
    let asked = match syn::parse2::<syn::Item>(item.clone()) {
        Ok(item @ (syn::Item::Fn(_) | syn::Item::Impl(_))) => askable(&item),
        _ => Vec::new(),
    };
    if asked.is_empty() {
        return expand(attr.clone(), item);
    }
    let cx = Report::default();
    let options = Options::parse(attr.clone(), &cx);
    let (mut answers, mut asked) = (Vec::new(), asked);
    loop {
        answers.extend(asked.into_iter().map(|path| Answer::found_in(around, path)));
        let env = signatures::environment(&answers);
        let items = match syn::parse2::<syn::Item>(item.clone()) {
            Ok(syn::Item::Impl(block)) => methods::expand_impl(&options, &block, &env, &cx),
            Ok(syn::Item::Fn(function)) => expand_free(&options, function, env, false),
            _ => Items::default(),
        };
        if items.asked.is_empty() {
            let messages = messages(cx);
            let original = match syn::parse2::<syn::ItemFn>(item.clone()) {
                Ok(function) => {
                    let signature = signatures::handing_on(&function);
                    let original = original(&function);
                    quote!(#original #signature)
                }
                Err(_) => item,
            };
            return quote!(#original #messages #items);
        }
        asked = items.asked;
    }
}

/// What an item has to know of others before anything is lowered.
fn askable(item: &syn::Item) -> Vec<TokenStream> {
    let mut asked = asks::of(item);
    asked.retain(can_be_asked);
    asked
}

/// The handle of a function by itself.
pub(super) fn declared(function: &syn::ItemFn, options: &Options) -> TokenStream {
    let origin = Origin {
        written: Some(function.sig.clone()),
        ..Origin::free(&function.sig.ident)
    };
    let mut function = function.clone();
    name_types_of_constants(&mut function.sig);
    handle(&function, options, &origin, &Inherent::default()).named
}

/// Goes on with an item when those of which it has to know more have answered. What has its name is there already.
pub(crate) fn resume(input: TokenStream) -> TokenStream {
    let Resumed {
        answers,
        attr,
        item,
    } = match syn::parse2(input) {
        Ok(resumed) => resumed,
        Err(err) => return err.into_compile_error(),
    };
    let cx = Report::default();
    let options = Options::parse(attr.clone(), &cx);
    let parsed = syn::parse2::<syn::Item>(item.clone());
    let at = parsed.as_ref().map_or_else(|_| Span::call_site(), place_of);
    let answers = signatures::with_bodies(answers, at);
    let env = signatures::environment(&answers);
    let further = signatures::further(&answers, &env, &item, at);
    if !further.is_empty() {
        cx.discard();
        return signatures::ask(&answers, &further, &options, &attr, &item);
    }
    let items = if let Ok(syn::Item::Impl(block)) = parsed {
        let cx = Report::default();
        let items = methods::expand_impl(&options, &block, &env, &cx);
        // of the block itself nothing was said before, and nothing has its functions' names
        let messages = messages(cx);
        Items {
            refused: None,
            ..items.with(messages)
        }
    } else if let Ok(syn::Item::Fn(function)) = parsed {
        expand_free(&options, function, env, false)
    } else {
        Items::default()
    };
    // what is wrong with the attribute was reported before
    cx.discard();
    if !items.asked.is_empty() {
        return signatures::ask(&answers, &items.asked, &options, &attr, &item);
    }
    items.refused.unwrap_or(items.others)
}

/// A token of an item that the user wrote.
fn place_of(item: &syn::Item) -> Span {
    match item {
        syn::Item::Fn(function) => function.sig.ident.span(),
        syn::Item::Impl(block) => block.impl_token.span,
        _ => Span::call_site(),
    }
}

/// What was noted, as errors of rustc.
pub(crate) fn messages(cx: Report) -> TokenStream {
    match cx.check() {
        Err(Stop::Errors(errors)) => errors.iter().map(message).collect(),
        Err(Stop::Mismatch) | Ok(()) => TokenStream::new(),
    }
}
