//! `differentiable_closure!([n: usize] |x: &[f64]| ..)`: a closure becomes an annotated function, whose
//! handle is bound to what the closure captures.

use crate::error;
use crate::expand::{expand_closure, message};
use crate::report::Diagnostic;
use crate::template::quote;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;

/// Expands the macro to an expression, the handle.
pub(crate) fn closure(input: TokenStream) -> TokenStream {
    let whole = input.clone();
    let parsed = match syn::parse2::<Input>(input) {
        Ok(parsed) => parsed,
        Err(_) => return refused(&whole),
    };
    let Some(function) = parsed.function() else {
        return refused(&whole);
    };
    let items = expand_closure(function);
    let name = name();
    let values = parsed.captures.iter().map(|c| match &c.value {
        Some(value) => value.to_token_stream(),
        None => c.name.to_token_stream(),
    });
    let bound = if parsed.captures.is_empty() {
        quote!(#name::AD)
    } else {
        quote!(#name::AD.with(#(#values),*))
    };
    quote!({ #items #bound })
}

/// What is captured, and the closure.
struct Input {
    captures: Punctuated<Capture, syn::Token![,]>,
    closure: syn::ExprClosure,
}

/// `name: T`, or `name: T = value`.
struct Capture {
    name: Ident,
    ty: syn::Type,
    value: Option<syn::Expr>,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let captures = if input.peek(syn::token::Bracket) {
            let inside;
            syn::bracketed!(inside in input);
            Punctuated::parse_terminated(&inside)?
        } else {
            Punctuated::new()
        };
        let closure = input.parse()?;
        let _: Option<syn::Token![,]> = input.parse()?;
        Ok(Input { captures, closure })
    }
}

impl Parse for Capture {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        let ty = input.parse()?;
        let value = match input.parse::<Option<syn::Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Capture { name, ty, value })
    }
}

impl Input {
    /// The closure as a function of its parameters and of what it captures. `None` if a parameter has
    /// no type.
    fn function(&self) -> Option<TokenStream> {
        let name = name();
        let mut params = Vec::new();
        let mut writes = false;
        for p in &self.closure.inputs {
            let syn::Pat::Type(p) = p else { return None };
            writes |= p.attrs.is_empty()
                && matches!(&*p.ty, syn::Type::Reference(r) if r.mutability.is_some());
            params.push(p.to_token_stream());
        }
        for Capture { name, ty, .. } in &self.captures {
            params.push(quote!(#[constant] #name: #ty));
        }
        let output = match &self.closure.output {
            syn::ReturnType::Default if writes => TokenStream::new(),
            syn::ReturnType::Default => {
                let single = params.iter().any(|p| names(p.clone(), "f32"));
                let float = Ident::new(if single { "f32" } else { "f64" }, Span::call_site());
                quote!(-> #float)
            }
            written => written.to_token_stream(),
        };
        let body = &self.closure.body;
        let body = match &**body {
            syn::Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => {
                b.block.to_token_stream()
            }
            other => quote!({ #other }),
        };
        Some(quote!(fn #name(#(#params),*) #output #body))
    }
}

fn name() -> Ident {
    Ident::new("__closure", Span::call_site())
}

/// Whether a name occurs in tokens.
fn names(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The message, in the place of an expression.
fn refused(input: &TokenStream) -> TokenStream {
    let mut trees = input.clone().into_iter();
    let span = trees.next().map_or_else(Span::call_site, |t| t.span());
    let note = Diagnostic {
        message: &error::CLOSURE_MACRO,
        subject: String::new(),
        help: None,
        span,
        end: trees.last().map_or(span, |t| t.span()),
        leads: false,
    };
    let message = message(&note);
    quote!({ #message })
}
