//! The compiler behind `#[differentiable]`: tokens in, tokens out, so that it can be tested as a library.

#![allow(
    missing_docs,
    reason = "the library is for the macros and its own tests; fields are named for what they are"
)]

mod analysis;
mod check;
mod closure;
mod derive;
mod dump;
mod emit;
pub mod error;
mod expand;
mod generic;
pub mod ir;
mod lower;
#[cfg(feature = "mutations")]
pub mod mutation;
#[cfg(not(feature = "mutations"))]
mod mutation;
mod options;
pub mod report;
mod rule;
mod symbol;
mod transform;

use proc_macro2::TokenStream;
use report::{Diagnostic, Report, Stop};

/// The attribute: the user's function, and behind it what is generated for it.
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attr, item)
}

/// The attribute of functions whose derivatives are given by other functions.
pub fn custom_rule(attr: TokenStream, item: TokenStream) -> TokenStream {
    rule::expand(rule::Kind::Custom, attr, item)
}

/// The attribute of functions whose result solves an equation.
pub fn implicit(attr: TokenStream, item: TokenStream) -> TokenStream {
    rule::expand(rule::Kind::Implicit, attr, item)
}

/// The attribute of functions that are generic over the scalar.
pub fn generic(attr: TokenStream, item: TokenStream) -> TokenStream {
    generic::generic(attr, item)
}

/// The macro around a closure: an expression, the handle.
pub fn differentiable_closure(input: TokenStream) -> TokenStream {
    closure::closure(input)
}

/// The derive: a struct whose float fields can be differentiated.
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    derive::derive(item)
}

/// Lowers the source of a function, for tests. Types that do not fit, which rustc reports on the
/// user's function, are an error without diagnostics.
pub fn lower_str(source: &str) -> Result<ir::Body, Vec<Diagnostic>> {
    let item: syn::ItemFn = match syn::parse_str(source) {
        Ok(item) => item,
        Err(err) => panic!("not a function: {err}"),
    };
    let cx = Report::default();
    let rt = quote::quote!(::di::__private);
    let written = lower::write_out(&item, &rt, &cx);
    let body = expand::body_of(
        &item,
        written.as_ref(),
        &rt,
        &lower::methods::Methods::default(),
        &cx,
    );
    match (cx.check(), body) {
        (Ok(()), Some(lowered)) => Ok(lowered.body),
        (Ok(()) | Err(Stop::Mismatch), _) => Err(Vec::new()),
        (Err(Stop::Errors(errors)), _) => Err(errors),
    }
}

/// The IR of the derivative code of a function, for tests.
pub struct Sweeps {
    /// Tangent code.
    pub tangent: ir::Body,
    /// Where it keeps the tangents of results.
    pub tangents: ir::eval::Tangents,
    /// Augmented forward sweep.
    pub augmented: ir::Body,
    /// Adjoint sweep.
    pub reverse: ir::Body,
}

/// Runs the transforms, for tests.
pub fn sweeps(body: &ir::Body) -> Sweeps {
    let tangent = transform::tangent::tangent(body);
    let reverse = transform::reverse::reverse(body);
    Sweeps {
        tangent: tangent.body,
        tangents: ir::eval::Tangents {
            vals: tangent.vals,
            places: tangent.places,
        },
        augmented: reverse.augmented,
        reverse: reverse.reverse,
    }
}
