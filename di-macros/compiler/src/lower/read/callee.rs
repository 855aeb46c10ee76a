//! Methods and operators as they are called: how the type leads to the handle, to the code, and to the result.

use super::Reader;
use crate::ir::Tokens;
use crate::lower::code;
use crate::lower::environment::may_have_lengths;
use crate::report::Extent;
use crate::symbol;
use crate::tokens::respanned;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// What is called.
pub(super) struct Callee {
    /// With what is common to all lengths.
    pub(super) handle: Tokens,
    /// What leads to the code of one instance, if there are lengths.
    pub(super) instance: Option<Tokens>,
    /// The type of the result.
    pub(super) gives: Tokens,
}

/// The name of a method as it is called, with its lengths if they are written: `times::<3>`.
pub(super) struct Called {
    pub(super) name: syn::Ident,
    pub(super) lengths: Vec<Tokens>,
}

impl Called {
    pub(super) fn new(
        name: &syn::Ident,
        turbofish: Option<&syn::AngleBracketedGenericArguments>,
    ) -> Called {
        let lengths = turbofish.iter().flat_map(|written| &written.args);
        Called {
            name: name.clone(),
            lengths: lengths.map(|n| Tokens(n.to_token_stream())).collect(),
        }
    }
}

/// The type in `P::new`, and the function.
pub(super) fn owner_of(path: &syn::Path) -> Option<(syn::Path, Called)> {
    let mut owner = path.clone();
    let last = owner.segments.pop()?.into_value();
    owner.segments.pop_punct();
    let turbofish = match &last.arguments {
        syn::PathArguments::None => None,
        syn::PathArguments::AngleBracketed(written) => Some(written),
        syn::PathArguments::Parenthesized(_) => return None,
    };
    Some((owner, Called::new(&last.ident, turbofish)))
}

impl Reader<'_> {
    /// The handle of an operator of two types, and the type of its result.
    pub(super) fn operator_paths(
        &self,
        method: &str,
        left: &TokenStream,
        right: &TokenStream,
        span: Extent,
    ) -> Option<Callee> {
        let hash = symbol::hash(method);
        let path = |item: &str, left: &TokenStream, right: &TokenStream| {
            let mut tokens: TokenStream = format!("::Operator<{hash}").parse().ok()?;
            // two of one type are written once: what is made of these is made of it in turn
            if left.to_string() != right.to_string() {
                tokens.extend(",".parse::<TokenStream>().ok()?);
                tokens.extend(right.clone());
            }
            tokens.extend(format!(">>::{item}").parse::<TokenStream>().ok()?);
            let path = self.projection_of(left, tokens);
            Some(Tokens(at(path.0, span.start)))
        };
        let handle = path("Handle", left, right)?;
        let mut callee = self.callee(handle);
        if may_have_lengths(left) || may_have_lengths(right) {
            callee.instance = Some(path("Code", left, right)?);
            let handle = path("Instance", left, right)?;
            callee.gives = self.projection(&handle.0, "::Returns>::Result");
        }
        Some(callee)
    }

    /// `<P as Method<hash>>::Handle`; what rustc has to say of it, it says of the name. With lengths also
    /// `<P<3> as Method<hash>>::Code`, or `<P as MethodAt<hash, (Length<3>,)>>::Code`.
    pub(super) fn callee_of(
        &self,
        path: &Tokens,
        name: &str,
        own: &[Tokens],
        span: Span,
    ) -> Callee {
        let hash = symbol::hash(name);
        let handle = self.projection(&path.0, &format!("::Method<{hash}>>::Handle"));
        let handle = Tokens(at(handle.0, span));
        let mut callee = self.callee(handle);
        if may_have_lengths(&path.0) || !own.is_empty() {
            let [code, handle] = ["Code", "Instance"].map(|item| {
                let item = code::of_instance(hash, own, item, self.rt);
                Tokens(at(self.projection_of(&path.0, item).0, span))
            });
            callee.instance = Some(code);
            callee.gives = self.projection(&handle.0, "::Returns>::Result");
        }
        callee
    }

    pub(super) fn callee(&self, handle: Tokens) -> Callee {
        Callee {
            gives: self.projection(&handle.0, "::Returns>::Result"),
            handle,
            instance: None,
        }
    }
}

/// The tokens with one span.
pub(super) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    respanned(tokens, &|own| own.located_at(span))
}
