//! The pipeline of one annotated function, on one screen.

use crate::emit;
use crate::error;
use crate::ir::{Body, verify};
use crate::lower;
use crate::options::{self, Options};
use crate::report::{Report, Stop};
use crate::{check, dump};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// Expands `#[differentiable(attr)] item`.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        return not_a_function(item);
    };
    let cx = Report::default();
    let options = Options::parse(attr, &cx);
    let body = body_of(&function, &cx);
    options::strip_marks(&mut function);
    let generated = match (cx.check(), body) {
        (Ok(()), Some(body)) => generate(&body, &function, &options),
        (Ok(()) | Err(Stop::Mismatch), _) => stub(&function, &options),
        (Err(Stop::Errors(errors)), _) => {
            let messages = errors.iter().map(|e| {
                let text = e.text();
                quote_spanned!(e.span=> ::core::compile_error!(#text);)
            });
            let stub = stub(&function, &options);
            quote!(#(#messages)* #stub)
        }
    };
    quote!(#function #generated)
}

/// The function's IR, checked. The body counts only if the report is clean.
pub(crate) fn body_of(function: &syn::ItemFn, cx: &Report) -> Option<Body> {
    let lowered = lower::lower(function, cx)?;
    cx.barrier().ok()?;
    debug_verify(&lowered.body, "lower");
    check::check(&lowered, cx);
    Some(lowered.body)
}

/// All items behind the user's function.
fn generate(body: &Body, function: &syn::ItemFn, options: &Options) -> TokenStream {
    let krate = options.krate();
    let handle = options.handle(&function.sig.ident);
    let rt = quote!(#krate::__private);
    let generated = emit::generate(body, &rt);
    for (name, pass) in
        [("tangent", &generated.tangent), ("augmented", &generated.augmented), ("reverse", &generated.reverse)]
    {
        debug_verify(pass, name);
    }
    let (cfgs, vis) = (conditions(function), &function.vis);
    let items = &generated.items;
    let float = quote!(::core::primitive::f64);
    let glue = emit::glue(body, &emit::Target { name: &handle, float: &float, rt: &rt });
    let expansion = quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        #vis struct #handle {}
        #(#cfgs)*
        #[automatically_derived]
        #[allow(warnings, clippy::all)]
        impl #handle {
            /// The handle of the function.
            pub const AD: Self = #handle {};
            #items
        }
        #(#cfgs)*
        #glue
    };
    if let Err(err) = dump::dump(body, &generated, &expansion) {
        let text = format!("the expansion could not be dumped: {err}");
        return quote_spanned!(function.sig.ident.span()=> #expansion ::core::compile_error!(#text););
    }
    expansion
}

/// Where nothing can be generated: the handle alone, so that naming it is no second error.
fn stub(function: &syn::ItemFn, options: &Options) -> TokenStream {
    let handle = options.handle(&function.sig.ident);
    let (cfgs, vis) = (conditions(function), &function.vis);
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        #vis struct #handle {}
        #(#cfgs)*
        #[allow(dead_code)]
        impl #handle {
            pub const AD: Self = #handle {};
        }
    }
}

fn not_a_function(item: TokenStream) -> TokenStream {
    let span = item.clone().into_iter().next().map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let cx = Report::default();
    cx.error(span, &error::NOT_A_FUNCTION);
    let messages = match cx.check() {
        Err(Stop::Errors(errors)) => errors.iter().map(|e| e.text()).collect::<Vec<_>>(),
        Err(Stop::Mismatch) | Ok(()) => Vec::new(),
    };
    quote_spanned!(span=> #(::core::compile_error!(#messages);)* #item)
}

/// `cfg` attributes, which all items share.
fn conditions(function: &syn::ItemFn) -> Vec<&syn::Attribute> {
    function.attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// Checks a body in debug builds of the compiler.
fn debug_verify(body: &Body, pass: &str) {
    if cfg!(debug_assertions) {
        if let Err(fault) = verify::verify(body) {
            panic!("{pass} made an ill-formed body: {fault}");
        }
    }
}
