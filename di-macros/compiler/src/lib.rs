//! The compiler behind `#[differentiable]`: tokens in, tokens out, so that it can be tested as a library.

#![allow(
    missing_docs,
    reason = "the library is for the macros and its own tests; fields are named for what they are"
)]

mod analysis;
mod answer;
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
#[cfg(debug_assertions)]
pub mod mutation;
#[cfg(not(debug_assertions))]
mod mutation;
mod options;
pub mod purpose;
pub mod report;
mod rule;
mod sorted;
mod symbol;
mod template;
mod tokens;
mod transform;
mod walk;

use lower::environment::Environment;
use proc_macro2::TokenStream;
use quote::ToTokens;
use report::{Diagnostic, Report, Stop};

/// The attribute: the user's function, and behind it what is generated for it.
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::expand(attr, item)
}

/// The attribute among other items, which answer what it asks: both of its stages, for tests and timing.
pub fn differentiable_among(
    attr: TokenStream,
    item: TokenStream,
    around: &[syn::Item],
) -> TokenStream {
    expand::expand_among(&attr, item, around)
}

/// The same, when the items that it has asked for their signatures have answered.
pub fn resume(input: TokenStream) -> TokenStream {
    expand::resume(input)
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

/// The attribute of functions and modules that engines run on numbers with overloaded operators.
pub fn overloaded(attr: TokenStream, item: TokenStream) -> TokenStream {
    generic::overloaded::overloaded(attr, item)
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
    lower_among_str(source, "")
}

/// As [`lower_str`], where the function sees the items of another source.
pub fn lower_among_str(source: &str, around: &str) -> Result<ir::Body, Vec<Diagnostic>> {
    Around::of(around).lower(source)
}

/// What a function sees of the items of a source, for tests.
pub struct Around(Environment);

impl Around {
    /// Reads the items.
    pub fn of(source: &str) -> Around {
        Around(expand::environment_of(source))
    }

    /// As [`lower_among_str`], for one of many functions.
    pub fn lower(&self, source: &str) -> Result<ir::Body, Vec<Diagnostic>> {
        lowered(&parsed(source), &self.0).map(|l| l.body)
    }
}

/// A loop whose trips are not recorded, for tests.
pub struct Loop {
    /// How it is called.
    pub callee: String,
    /// One trip; the loop has the same parameters, with the number of trips for that of the trip.
    pub step: ir::Body,
}

/// A function of a source.
pub struct Function {
    /// How it is called.
    pub name: String,
    pub body: ir::Body,
    /// Its loops whose trips are not recorded, which the body calls.
    pub loops: Vec<Loop>,
}

/// As [`lower_among_str`], without the loops whose trips are not recorded, which follow. The functions inside of the
/// function come behind it.
pub fn lower_all_str(source: &str, around: &str) -> Result<Vec<Function>, Vec<Diagnostic>> {
    let (item, nested) = with_nested(source);
    let env = expand::environment_of(around);
    let all = std::iter::once(item).chain(nested);
    all.map(|item| without_loops(&item, &env)).collect()
}

fn without_loops(item: &syn::ItemFn, env: &Environment) -> Result<Function, Vec<Diagnostic>> {
    let found = lowered(item, env)?;
    let name = item.sig.ident.to_string();
    let callee = |k| quote::format_ident!("__{name}_loop{k}");
    let taken_out = transform::outline::outline_all(&found.body, &found.checkpoints, &|k| {
        (ir::Tokens(callee(k).into_token_stream()), None)
    });
    let Ok((body, loops)) = taken_out else {
        unreachable!("check: loops can be taken out")
    };
    let loops = loops.into_iter().map(|l| Loop {
        callee: callee(l.index).to_string(),
        step: l.step,
    });
    let loops = loops.collect();
    Ok(Function { name, body, loops })
}

/// A method, for tests.
pub struct Method {
    /// By this it is called inside of its block.
    pub name: String,
    /// By these it is called elsewhere: types, without blanks.
    pub paths: Vec<String>,
    /// Type of its result, if it is written, without blanks.
    pub result: Option<String>,
    pub body: ir::Body,
}

/// Lowers the methods of a block that sees the items of another source, for tests.
pub fn lower_impl_str(source: &str, around: &str) -> Result<Vec<Method>, Vec<Diagnostic>> {
    let item: syn::ItemImpl = match syn::parse_str(source) {
        Ok(item) => item,
        Err(err) => panic!("not a block of methods: {err}"),
    };
    let functions = expand::methods::functions(&item, &expand::environment_of(around)).into_iter();
    let text = |tokens: TokenStream| tokens.to_string().split_whitespace().collect();
    let lowered = functions.map(|(paths, function, env)| {
        let result = match &function.sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(text(ty.to_token_stream())),
        };
        Ok(Method {
            name: function.sig.ident.to_string(),
            paths: paths.into_iter().map(text).collect(),
            result,
            body: lowered(&function, &env)?.body,
        })
    });
    lowered.collect()
}

fn parsed(source: &str) -> syn::ItemFn {
    with_nested(source).0
}

/// A function, in which those inside of it are marked, and these.
fn with_nested(source: &str) -> (syn::ItemFn, Vec<syn::ItemFn>) {
    match syn::parse_str(source) {
        Ok(mut item) => {
            let nested = expand::nested_functions(&mut item);
            (item, nested)
        }
        Err(err) => panic!("not a function: {err}"),
    }
}

fn lowered(item: &syn::ItemFn, env: &Environment) -> Result<lower::Lowered, Vec<Diagnostic>> {
    let cx = Report::default();
    let rt = crate::template::quote!(::di::__private);
    let written = lower::write_out(item, &rt, env, &cx);
    let found = expand::body_of(item, written.as_ref(), &rt, env, &cx);
    match (cx.check(), found) {
        (Ok(()), Some(lowered)) => Ok(lowered),
        (Ok(()) | Err(Stop::Mismatch), _) => Err(Vec::new()),
        (Err(Stop::Errors(errors)), _) => Err(errors),
    }
}

/// The aliases of types that code in a line of a file sees, with what they stand for, for tests.
pub fn aliases_seen(text: &str, line: usize) -> Vec<(String, String)> {
    lower::aliases::seen(text, line)
}

/// The parameters of a module's functions that are constant, marked or inferred, for tests.
pub fn constants_str(source: &str) -> Vec<(String, Vec<String>)> {
    match syn::parse_str(source) {
        Ok(module) => expand::constants_of(&module),
        Err(_) => Vec::new(),
    }
}

/// The IR of the derivative code of a function, for tests.
pub struct Sweeps {
    /// Tangent code.
    pub tangent: ir::Body,
    /// Where it keeps the tangents of results.
    pub tangents: Tangents,
    /// Augmented forward sweep.
    pub augmented: ir::Body,
    /// Adjoint sweep.
    pub reverse: ir::Body,
    /// For each parameter, the others that its renewal depends on, as bits.
    pub renewals: Vec<u64>,
}

/// Where tangent code keeps the tangents of what the function returns.
#[derive(Clone, Debug, Default)]
pub struct Tangents {
    /// Of values.
    pub vals: sorted::Map<ir::Val, ir::Val>,
    /// Of arrays and vectors.
    pub places: sorted::Map<ir::PlaceId, ir::PlaceId>,
}

/// Runs the transforms, for tests.
pub fn sweeps(body: &ir::Body) -> Sweeps {
    let tangent = transform::tangent::tangent(body);
    let reverse = transform::reverse::reverse(body);
    Sweeps {
        tangent: tangent.body,
        tangents: Tangents {
            vals: tangent.vals,
            places: tangent.places,
        },
        augmented: reverse.augmented,
        reverse: reverse.reverse,
        renewals: reverse.renewals,
    }
}
