//! The procedural macros: a shim over the compiler.

use proc_macro::TokenStream;

/// Generates derivative code for a function on floats. The function itself does not change.
///
/// Operators take the handle `f::AD` in place of the function. Float parameters are differentiated, unless they are
/// marked `#[constant]` or `#[cache]` (see `docs/contexts.md`). `docs/language.md` lists the Rust that is supported.
///
/// The attribute may also be on
/// - an inline module: it annotates everything in the module;
/// - an `impl` block of a derived struct: it applies to all methods and associated functions, except those marked
///   `#[ad(skip)]`. The handle of `P::energy` is `P::energy_ad`, and `fix_self` holds `self` fixed. For operators such
///   as `+`, annotate the `impl` blocks of their traits;
/// - a type alias or an enum: it passes the definition on to the functions that use it.
///
/// # Options
/// - `#[differentiable(handle = Name)]` names the handle, if the name of the function is already used.
/// - `#[differentiable(crate = path)]` sets the path of the library.
/// - `#[differentiable(strong_zeros)]` lets a zero tangent or adjoint win over an infinite derivative, see
///   `docs/limits.md`.
#[proc_macro_attribute]
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(|| di_compiler::differentiable(attr.into(), item.into()))
}

/// Resumes an attribute once the items whose signatures it needs have passed them on.
#[doc(hidden)]
#[proc_macro]
pub fn resume(input: TokenStream) -> TokenStream {
    expand(|| di_compiler::resume(input.into()))
}

/// A closure as a handle: `differentiable_closure!([captures] |x: &[f64]| ..)`.
///
/// Captured variables are constant. List them with their types, `[data: &[f64], n: usize]`, and with values if these
/// differ, `[scale: f64 = 2.0 * s]`. Parameters need types too. If you do not write the type of the result, it is
/// `f64`, or nothing if a parameter is `&mut`. The body follows the rules for `#[differentiable]` functions.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// let data = vec![1.0, 2.0];
/// let f = differentiable_closure!([data: &[f64] = &data] |x: &[f64]| {
///     x.iter().zip(data).map(|(x, d)| (x - d).powi(2)).sum()
/// });
/// let g = gradient(f, NoPrep, &AutoSource::new(), &[0.0, 0.0])?;
/// assert_eq!(g, [-2.0, -4.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[proc_macro]
pub fn differentiable_closure(input: TokenStream) -> TokenStream {
    expand(|| di_compiler::differentiable_closure(input.into()))
}

/// A handle for a function that is generic over the scalar, `fn f<S: Scalar<Real = f64>>(x: &[S]) -> S`.
///
/// The body may be any Rust. Engines that need no generated code differentiate it.
///
/// - **Inputs**: parameters of type `S`, `&[S]`, `&[S; N]`, `&[[S; 3]]` and views of ndarray, `ArrayView2<S>`. If there
///   are several, `x` is a tuple.
/// - **Marks**: `#[constant]` (any type) and `#[cache]` (scratch space, `&mut [S]`) for all other parameters.
/// - **Result**: returned (`S`, `Vec<S>`, arrays, `Array2<S>`, tuples of them, a `Result` of these), or written to one
///   unmarked `&mut` parameter.
///
/// Other data that the body reads must not change between calls, because engines that record the function do not
/// notice.
///
/// # Examples
/// ```
/// use di::extend::Scalar;
/// use di::prelude::*;
///
/// #[generic]
/// fn loss<S: Scalar<Real = f64>>(w: &[S], #[constant] data: &[f64]) -> S {
///     w.iter().zip(data).fold(S::default(), |s, (w, d)| s + w.sub_real(*d).powi(2))
/// }
///
/// let f = loss::AD.with(&[1.0, 2.0]);
/// assert_eq!(gradient(f, NoPrep, &AutoDual::new(), &[0.0, 0.0])?, [-2.0, -4.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[proc_macro_attribute]
pub fn generic(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(|| di_compiler::generic(attr.into(), item.into()))
}

/// Differentiates any Rust on floats, with engines that need no generated code.
///
/// Use it for code that `#[differentiable]` rejects, on an inline module, or on a function that uses nothing but std.
/// Engines run a copy of the code in which `f64` is a number with overloaded operators. Nearly all code that compiles on
/// floats is accepted. Derivatives are exact to rounding, and slower than those of `#[differentiable]`.
/// `docs/overloaded.md` says how much slower, and lists the exceptions.
///
/// Functions of the module that take and return numbers, arrays, vectors or structs of these have a handle, as with
/// `#[differentiable]`. Parameters are differentiated unless they are marked `#[constant]` or have no floats. Everything
/// else in the module may have any type.
///
/// # Examples
/// ```
/// use di::prelude::*;
///
/// #[overloaded]
/// mod model {
///     use std::collections::HashMap;
///
///     pub fn total(x: &[f64]) -> f64 {
///         let mut by_name: HashMap<String, Box<dyn Fn(f64) -> f64>> = HashMap::new();
///         by_name.insert("square".to_string(), Box::new(|x| x * x));
///         by_name.insert("sine".to_string(), Box::new(f64::sin));
///         by_name["square"](x[0]) + by_name["sine"](x[1])
///     }
/// }
///
/// let (backend, x) = (AutoTape::new(), [3.0, 0.0]);
/// let prep = prepare_gradient(model::total::AD, &backend, &x)?;
/// assert_eq!(gradient(model::total::AD, &prep, &backend, &x)?, [6.0, 1.0]);
/// # Ok::<(), di::Error>(())
/// ```
#[proc_macro_attribute]
pub fn overloaded(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(|| di_compiler::overloaded(attr.into(), item.into()))
}

/// Lets annotated functions differentiate a struct or an enum with floats. The gradient has the same type, and for an
/// enum the same variant.
///
/// Active fields are `f64`, arrays, vectors and tuples of `f64`, `Option<f64>`, and other derived types. Integers,
/// strings and fields marked `#[constant]` are passive. `docs/language.md` lists all types of fields, which must be as
/// visible as the struct.
///
/// `#[ad(crate = path)]` on the type sets the path of the library, if it is not `::di`.
#[proc_macro_derive(Differentiable, attributes(ad, constant))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    expand(|| di_compiler::derive_differentiable(item.into()))
}

/// Attaches hand-written derivatives to a function. The body of the function is not differentiated.
///
/// - `#[custom_rule(partials(df_dx, df_dy))]` names one annotated function for each number, with the same parameters.
/// - `#[custom_rule(tangent = t)]`: `t` computes the tangents of the results from the parameters, the results and the
///   tangents of the differentiated parameters.
/// - `#[custom_rule(adjoint = a)]`: `a` computes the adjoints of the differentiated parameters from the parameters, the
///   results and the adjoints of the results.
/// - `#[custom_rule(with = backend)]`: a backend of finite differences computes the derivatives.
///
/// See `docs/custom-rules.md`.
#[proc_macro_attribute]
pub fn custom_rule(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(|| di_compiler::custom_rule(attr.into(), item.into()))
}

/// Differentiates the solution of an equation. The body of the function finds the solution, and is not differentiated.
///
/// - `#[implicit(root = residual)]`: `residual(y, parameters..)` vanishes at the result `y`.
/// - `#[implicit(fixed_point = map)]`: `map(y, parameters..)` is `y`.
///
/// See `docs/implicit.md`.
#[proc_macro_attribute]
pub fn implicit(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand(|| di_compiler::implicit(attr.into(), item.into()))
}

/// Runs the compiler as the features of this package say.
fn expand<T: Into<TokenStream>>(compiler: impl FnOnce() -> T) -> TokenStream {
    di_compiler::purpose::find_patterns(cfg!(feature = "sparse"));
    compiler().into()
}
