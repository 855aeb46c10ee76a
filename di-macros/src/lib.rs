//! The procedural macros: a shim over the compiler.

use proc_macro::TokenStream;

/// Generates derivative code for a function on floats. The function itself stays as it is written.
///
/// On an impl block of a derived struct it differentiates the methods and the functions that belong to it, all
/// but those marked `#[ad(skip)]`; the handle of `P::energy` is `P::energy_ad`, and `fix_self` holds `self`
/// constant. Operators work by the impl blocks of their traits.
///
/// `#[differentiable(handle = Name)]` names the handle where the function's name is taken;
/// `#[differentiable(crate = path)]` says where the library is found.
#[proc_macro_attribute]
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    di_compiler::differentiable(attr.into(), item.into()).into()
}

/// Goes on with an attribute when the items that it has asked for their signatures have answered.
#[doc(hidden)]
#[proc_macro]
pub fn resume(input: TokenStream) -> TokenStream {
    di_compiler::resume(input.into()).into()
}

/// A closure as a handle: `differentiable_closure!([captures] |x: &[f64]| ..)`.
///
/// What the closure captures is constant, and listed with its type: `[data: &[f64], n: usize]`, or with its
/// value, `[scale: f64 = 2.0 * s]`. Parameters have types too; the result is `f64` unless it is written, or
/// nothing if a parameter is `&mut`. The body is that of a `#[differentiable]` function.
///
/// ```ignore
/// let data = vec![1.0, 2.0];
/// let f = differentiable_closure!([data: &[f64] = &data] |x: &[f64]| {
///     x.iter().zip(data).map(|(x, d)| (x - d).powi(2)).sum()
/// });
/// let g = gradient(f, NoPrep, &AutoSource::new(), &[0.0, 0.0][..])?;
/// ```
#[proc_macro]
pub fn differentiable_closure(input: TokenStream) -> TokenStream {
    di_compiler::differentiable_closure(input.into()).into()
}

/// A handle for a function that is generic over the scalar, `fn f<S: Scalar<Real = f64>>(x: &[S]) -> S`: its body is
/// any Rust, and it is differentiated by the engines that need no generated code.
///
/// Differentiated are parameters `S`, `&[S]`, `&[S; N]`, `&[[S; 3]]` and views of ndarray, `ArrayView2<S>`; several of
/// them are a tuple. The others are marked: `#[constant]` (any type), `#[cache]` (scratch, `&mut [S]`). The result is
/// returned (`S`, `Vec<S>`, arrays, `Array2<S>`, tuples of them, a `Result` of these) or written to one unmarked
/// `&mut` parameter. What the body reads beside its parameters must not change between calls: engines that record the
/// function do not see it.
///
/// ```ignore
/// #[generic]
/// fn loss<S: Scalar<Real = f64>>(w: &[S], #[constant] data: &[f64]) -> S {
///     w.iter().zip(data).fold(S::default(), |s, (w, d)| s + w.sub_real(*d).powi(2))
/// }
///
/// let g = gradient(loss::AD.with(&data), NoPrep, &AutoDual::new(), &w)?;
/// ```
#[proc_macro_attribute]
pub fn generic(attr: TokenStream, item: TokenStream) -> TokenStream {
    di_compiler::generic(attr.into(), item.into()).into()
}

/// Lets functions take a struct of floats as an active parameter, and gradients have its type.
///
/// Float fields are `f64`, arrays and `Vec` of it, and other derived structs; integers, strings and fields marked
/// `#[constant]` are passive. Types of fields are as visible as the struct.
///
/// `#[ad(crate = path)]` on the struct says where the library is found, when it is not `::di`.
#[proc_macro_derive(Differentiable, attributes(ad, constant))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    di_compiler::derive_differentiable(item.into()).into()
}

/// Gives a function derivatives that are written by hand. The function itself is not looked into.
///
/// `#[custom_rule(partials(df_dx, df_dy))]`: one annotated function for each number, of the same
/// parameters. `tangent = t`: the tangents of the results from parameters, results and tangents of
/// the differentiated parameters. `adjoint = a`: the adjoints of the differentiated parameters from
/// parameters, results and adjoints of the results. See `docs/custom-rules.md`.
#[proc_macro_attribute]
pub fn custom_rule(attr: TokenStream, item: TokenStream) -> TokenStream {
    di_compiler::custom_rule(attr.into(), item.into()).into()
}

/// Differentiates the solution of an equation, however it is found. The function itself is not
/// looked into.
///
/// `#[implicit(root = residual)]`: `residual(y, parameters..)` vanishes at the result `y`.
/// `#[implicit(fixed_point = map)]`: `map(y, parameters..)` is `y`. See `docs/implicit.md`.
#[proc_macro_attribute]
pub fn implicit(attr: TokenStream, item: TokenStream) -> TokenStream {
    di_compiler::implicit(attr.into(), item.into()).into()
}
