//! Signatures that travel: a macro at the path of each annotated function hands its signature on, and an attribute
//! that has to know more of what its function calls is resumed with the answers.
//!
//! `#[differentiable] fn g` defines a macro `g!` beside `g`, which is found by whatever path finds `g`. An attribute
//! whose function calls `g` and `m::h` expands to
//!
//! ```text
//! g! { @signature [] [m::h, ::di::__private::resume] { attributes and item } }
//! ```
//!
//! Each macro appends its signature to the first list and invokes the first macro of the second one.

use crate::lower::environment::Environment;
use crate::options::Options;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};

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
];

/// The macro at the path of a function that hands its signature on.
pub(crate) fn handing_on(function: &syn::ItemFn) -> TokenStream {
    let (name, sig) = (&function.sig.ident, &function.sig);
    if OF_STD.contains(&&*name.to_string()) {
        return TokenStream::new();
    }
    let cfgs = super::conditions(&function.attrs);
    let hidden = hidden_name(name);
    // macros for other crates live at the root of this one
    let export = matches!(function.vis, syn::Visibility::Public(_))
        .then(|| quote!(#[macro_export] #[allow(non_local_definitions)]));
    let vis = match &function.vis {
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
                $next! { @signature [$($known)* { #sig; }] [$($more),*] $state }
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

/// Asks the items with these paths for their signatures, and goes on with the item when they have answered.
/// `known`: what others have answered before.
pub(super) fn ask(
    known: &[Answer],
    paths: &[TokenStream],
    options: &Options,
    attr: &TokenStream,
    item: &TokenStream,
) -> TokenStream {
    let Some((first, rest)) = paths.split_first() else {
        unreachable!("nothing is asked")
    };
    let krate = options.krate();
    let asked = known.iter().map(|a| &a.path).chain(paths);
    let answered = known.iter().map(|a| &a.text);
    quote! {
        #first! {
            @signature [#({ #answered })*] [#(#rest,)* #krate::__private::resume]
            { [#({ #asked })*] [#attr] { #item } }
        }
    }
}

/// What one of the items has answered.
pub(super) struct Answer {
    /// The path by which it was asked.
    path: TokenStream,
    /// Its signature.
    text: TokenStream,
}

/// An attribute that goes on.
pub(super) struct Resumed {
    pub(super) answers: Vec<Answer>,
    pub(super) attr: TokenStream,
    pub(super) item: TokenStream,
}

impl Parse for Resumed {
    // @signature [{ answer } ..] [] { [{ path } ..] [attr] { item } }
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<syn::Token![@]>()?;
        input.parse::<Ident>()?;
        let texts = groups(input.parse::<Group>()?);
        input.parse::<Group>()?;
        let mut state = input.parse::<Group>()?.stream().into_iter();
        let mut next = || match state.next() {
            Some(TokenTree::Group(group)) => Ok(group),
            _ => Err(syn::Error::new(Span::call_site(), "this macro is for generated code")),
        };
        let paths = groups(next()?);
        let answers = paths.into_iter().zip(texts);
        Ok(Resumed {
            answers: answers.map(|(path, text)| Answer { path, text }).collect(),
            attr: next()?.stream(),
            item: next()?.stream(),
        })
    }
}

/// The contents of the groups in a group.
fn groups(list: Group) -> Vec<TokenStream> {
    let trees = list.stream().into_iter();
    let inner = trees.filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    inner.collect()
}

/// The environment that the answers make.
pub(super) fn environment(answers: &[Answer]) -> Environment {
    let mut env = Environment::default();
    for Answer { path, text } in answers {
        let path = path.to_string();
        if let Ok(item) = syn::parse2::<syn::TraitItemFn>(text.clone()) {
            env.add_function(&path, item.sig);
        } else if let Ok(item) = syn::parse2::<syn::ItemStruct>(text.clone()) {
            env.add_struct(&path, item.fields);
        }
    }
    env
}
