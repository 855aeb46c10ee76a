//! What is written around the function: the attribute's arguments and the attributes of parameters.

use crate::error;
use crate::lower::ACTIVE_SCALAR;
use crate::lower::extent::HasExtent;
use crate::lower::numeric;
use crate::report::{Extent, Report};
use crate::walk::{self, NodeMut, Onward};
use darling::FromMeta;
use darling::ast::NestedMeta;
use darling::util::Flag;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// Arguments of `#[differentiable(..)]`.
#[derive(Clone, Debug, Default, FromMeta)]
pub(crate) struct Options {
    /// `handle = Name`: the handle's name, when it cannot be the function's.
    #[darling(default)]
    pub handle: Option<syn::Ident>,
    /// `crate = path`: where the library is found, when it is not `::di`.
    #[darling(default, rename = "crate")]
    pub krate: Option<syn::Path>,
    /// `strong_zeros`: in generated code a zero tangent or adjoint wins over a pole.
    #[darling(default)]
    pub strong_zeros: Flag,
}

impl Options {
    /// Path of the library.
    pub(crate) fn krate(&self) -> TokenStream {
        match &self.krate {
            Some(path) => path.to_token_stream(),
            None => "::di".parse().expect("a path of our own"),
        }
    }

    /// Name of the handle of a function.
    pub(crate) fn handle(&self, function: &syn::Ident) -> syn::Ident {
        self.handle.clone().unwrap_or_else(|| function.clone())
    }

    /// Says that the attribute has no code whose zeros could be strong.
    pub(crate) fn without_code(self, cx: &Report) -> Options {
        if self.strong_zeros.is_present() {
            cx.error_about(
                self.strong_zeros.span(),
                &error::ATTRIBUTE_ARGUMENT,
                "`strong_zeros` is about code that `#[differentiable]` generates",
            );
        }
        self
    }

    /// Reads the attribute's arguments.
    pub(crate) fn parse(attr: TokenStream, cx: &Report) -> Options {
        let parsed = NestedMeta::parse_meta_list(attr)
            .map_err(darling::Error::from)
            .and_then(|list| Options::from_list(&list));
        match parsed {
            Ok(options) => options,
            Err(err) => {
                for e in err.flatten() {
                    // darling's own position, if it has one, is behind the message
                    let text = e.to_string();
                    cx.error_about(
                        e.span(),
                        &error::ATTRIBUTE_ARGUMENT,
                        text.split(" at ").next().unwrap_or(&text),
                    );
                }
                Options::default()
            }
        }
    }
}

/// Around generated code: lints are about what users write. `warnings` is what is a warning by default; what
/// they deny has to be named.
pub(crate) fn quiet() -> TokenStream {
    "#[allow(
        warnings, unused, nonstandard_style, let_underscore_drop, elided_lifetimes_in_paths,
        explicit_outlives_requirements, missing_copy_implementations, missing_debug_implementations,
        missing_docs, single_use_lifetimes, trivial_casts, trivial_numeric_casts, unreachable_pub,
        unused_lifetimes, unused_qualifications, unused_results, variant_size_differences,
        clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
    )]"
    .parse()
    .expect("an attribute of our own")
}

/// How a parameter is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Constant,
    Cache,
    InOut,
}

impl Mark {
    fn of(attr: &syn::Attribute) -> Option<Mark> {
        let path = attr.path();
        if path.is_ident("constant") {
            Some(Mark::Constant)
        } else if path.is_ident("cache") {
            Some(Mark::Cache)
        } else if path.is_ident("inout") {
            Some(Mark::InOut)
        } else {
            None
        }
    }
}

/// Whether an attribute is a mark.
pub(crate) fn is_mark(attr: &syn::Attribute) -> bool {
    Mark::of(attr).is_some()
}

/// The mark of a parameter, and where it stands.
pub(crate) fn mark_of(attrs: &[syn::Attribute], cx: &Report) -> Option<(Mark, Extent)> {
    let mut found: Option<(Mark, Extent)> = None;
    for attr in attrs {
        let Some(mark) = Mark::of(attr) else {
            if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                cx.error(attr.extent(), &error::CFG_PARAMETER);
            }
            continue;
        };
        if !matches!(attr.meta, syn::Meta::Path(_)) {
            cx.error(attr.extent(), &error::MARK_WITH_ARGUMENTS);
        }
        if found.is_some() {
            cx.error(attr.extent(), &error::TWO_MARKS);
        }
        found = Some((mark, attr.extent()));
    }
    found
}

/// The user's function without our marks on its parameters.
pub(crate) fn strip_marks(item: &mut syn::ItemFn) {
    strip(&mut item.attrs, &mut item.sig, &mut item.block);
}

/// A function without our marks.
pub(crate) fn strip(
    attrs: &mut Vec<syn::Attribute>,
    sig: &mut syn::Signature,
    block: &mut syn::Block,
) {
    attrs.retain(|a| !is_skip(a) && !is_in_place(a) && !a.path().is_ident(NESTED));
    strip_inputs(sig);
    numeric::strip(NodeMut::Block(block));
    walk::change(NodeMut::Block(block), &mut |node| match node {
        NodeMut::Attributes(attrs) => {
            attrs.retain(|a| !a.path().is_ident("ad") && !a.path().is_ident(NESTED));
            Onward::Over
        }
        NodeMut::Function(f) => {
            // else the attribute does it
            if !f.attrs.iter().any(is_ours) {
                f.attrs.retain(|a| !a.path().is_ident(ACTIVE_SCALAR));
                strip_inputs(&mut f.sig);
            }
            Onward::Into
        }
        _ => Onward::Into,
    });
}

fn strip_inputs(sig: &mut syn::Signature) {
    for input in &mut sig.inputs {
        let attrs = match input {
            syn::FnArg::Receiver(r) => &mut r.attrs,
            syn::FnArg::Typed(t) => &mut t.attrs,
        };
        attrs.retain(|a| !is_mark(a));
    }
}

/// `#[differentiable]`, by whichever path.
pub(crate) fn is_ours(a: &syn::Attribute) -> bool {
    is_named(a, &["differentiable"])
}

/// Whether an attribute has one of these names, by whichever path.
pub(crate) fn is_named(attr: &syn::Attribute, names: &[&str]) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// The mark of a function inside of another, which the compiler sets: `#[__nested(handle)]`.
pub(crate) const NESTED: &str = "__nested";

/// The handle of a function inside of another.
pub(crate) fn handle_of_nested(attrs: &[syn::Attribute]) -> Option<syn::Ident> {
    let mark = attrs.iter().find(|a| a.path().is_ident(NESTED))?;
    mark.parse_args().ok()
}

/// `#[ad(skip)]` on a function of an impl block: it is not looked into.
pub(crate) fn is_skip(attr: &syn::Attribute) -> bool {
    is_word(attr, "skip")
}

/// `#[ad(in_place)]`, which the compiler sets: the body of the function stands in the place of its calls.
pub(crate) fn is_in_place(attr: &syn::Attribute) -> bool {
    is_word(attr, "in_place")
}

/// `#[path = "super :: bump"]`, which the compiler sets: how a function of another module is called.
pub(crate) fn path(attr: &syn::Attribute) -> Option<String> {
    match &attr.meta {
        syn::Meta::NameValue(syn::MetaNameValue {
            path,
            value:
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }),
            ..
        }) if path.is_ident("path") => Some(text.value()),
        _ => None,
    }
}

fn is_word(attr: &syn::Attribute, wanted: &str) -> bool {
    attr.path().is_ident("ad")
        && attr
            .parse_args::<syn::Ident>()
            .is_ok_and(|word| word == wanted)
}

/// Invisible groups, which stand around fragments of `macro_rules!`, as parentheses: rustc forgets
/// the invisible ones in what a macro returns, and `y * $e` would become another expression.
pub(crate) fn show_groups(item: &mut syn::ItemFn) {
    fn show(node: NodeMut<'_>) -> Onward {
        let NodeMut::Expr(e) = node else {
            return Onward::Into;
        };
        walk::change_below(NodeMut::Expr(e), &mut show);
        if let syn::Expr::Group(g) = e {
            let inner = (*g.expr).clone();
            *e = match inner {
                syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Paren(_) => inner,
                _ => syn::Expr::Paren(syn::ExprParen {
                    attrs: Vec::new(),
                    paren_token: syn::token::Paren(syn::spanned::Spanned::span(&inner)),
                    expr: Box::new(inner),
                }),
            };
        }
        Onward::Over
    }
    walk::change(NodeMut::Function(item), &mut show);
}
