//! What attributes and derives define beside an item: the macro at its path that hands the item on, which other
//! attributes ask, and a check of the aliases that were read in its file.

use crate::template::quote;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident};

/// Names of macros that are in scope everywhere: a macro of such a name beside a function would be ambiguous.
const OF_STD: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_matches",
    "assert_ne",
    "bench",
    "cfg",
    "cfg_accessible",
    "cfg_eval",
    "column",
    "compile_error",
    "concat",
    "concat_bytes",
    "concat_idents",
    "const_format_args",
    "custom_rule",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_matches",
    "debug_assert_ne",
    "derive",
    "differentiable",
    "differentiable_closure",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "format_args_nl",
    "generic",
    "global_allocator",
    "global_asm",
    "implicit",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "log_syntax",
    "matches",
    "module_path",
    "naked_asm",
    "option_env",
    "panic",
    "pattern_type",
    "print",
    "println",
    "stringify",
    "test",
    "test_case",
    "thread_local",
    "todo",
    "trace_macros",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    // functions of ndarray that are macros as well
    "concatenate",
    "stack",
    // attributes that are built in
    "allow",
    "clippy",
    "cold",
    "coverage",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "feature",
    "forbid",
    "ignore",
    "inline",
    "link",
    "optimize",
    "repr",
    "rustfmt",
    "used",
    "warn",
];

/// Whether the item with this path can be asked.
pub(crate) fn can_be_asked(path: &TokenStream) -> bool {
    let mut names = path.clone().into_iter();
    let first = names.next().map(|name| name.to_string());
    // what belongs to a type of the language has no macro
    let is_of_language = names.next().is_some() && first.is_some_and(|name| is_primitive(&name));
    !is_of_language && is_free(&path.to_string())
}

/// Whether a type of the language has this name.
pub(crate) fn is_primitive(name: &str) -> bool {
    const NAMES: [&str; 17] = [
        "f32", "f64", "bool", "char", "str", "usize", "isize", "u8", "u16", "u32", "u64", "u128",
        "i8", "i16", "i32", "i64", "i128",
    ];
    NAMES.contains(&name)
}

/// Whether no macro has this name everywhere, so that an item of the name can answer.
pub(crate) fn is_free(name: &str) -> bool {
    !OF_STD.contains(&name)
}

/// The macro at the path of an item that hands the item on, without bodies.
pub(crate) fn answering(
    name: &Ident,
    vis: &syn::Visibility,
    attrs: &[syn::Attribute],
    answer: &TokenStream,
) -> TokenStream {
    if !is_free(&name.to_string()) {
        return TokenStream::new();
    }
    let cfgs = cfgs(attrs);
    let hidden = hidden_name(name);
    // macros for other crates live at the root of this one
    let export = matches!(vis, syn::Visibility::Public(_))
        .then(|| quote!(#[macro_export] #[allow(non_local_definitions)]));
    let vis = match vis {
        syn::Visibility::Inherited => quote!(pub(self)),
        vis => vis.to_token_stream(),
    };
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #export
        #[allow(unused_macros)]
        macro_rules! #hidden {
            (@signature [$($known:tt)*] [$next:path $(, $more:path)*] $state:tt) => {
                $next! { @signature [$($known)* { #answer }] [$($more),*] $state }
            };
        }
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #name;
    }
}

/// A name that no other macro of the crate has: that of the function, and where it stands.
fn hidden_name(name: &Ident) -> Ident {
    let (span, start) = (name.span(), name.span().start());
    let place = format!("{}:{}:{}", span.file(), start.line, start.column);
    let hash = crate::symbol::hash(&place);
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    format_ident!("__signature_{plain}_{hash:x}")
}

/// `cfg` attributes, which the macro shares.
fn cfgs(attrs: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    attrs.iter().filter(|a| a.path().is_ident("cfg")).collect()
}

/// An alias, and the type that it is.
pub(crate) struct Same {
    pub(crate) params: TokenStream,
    /// With its parameters as arguments.
    pub(crate) alias: TokenStream,
    pub(crate) of: TokenStream,
}

/// Items that do not compile if one of these aliases is another type.
pub(crate) fn same(read: &[Same]) -> TokenStream {
    let same = read.iter().map(|Same { params, alias, of }| {
        // of all types, also those without a size, and nothing is coerced
        quote! {{
            use ::core::marker::PhantomData as Is;
            fn _same #params (alias: Is<#alias>) -> Is<#of> { alias }
        }}
    });
    quote! {
        #[allow(clippy::all, clippy::pedantic, dead_code)]
        const _: () = { #(#same)* };
    }
}
