//! The procedural macros: a shim over the compiler.

use proc_macro::TokenStream;

/// Generates derivative code for a function on floats. The function itself stays as it is written.
///
/// `#[differentiable(handle = Name)]` names the handle where the function's name is taken;
/// `#[differentiable(crate = path)]` says where the library is found.
#[proc_macro_attribute]
pub fn differentiable(attr: TokenStream, item: TokenStream) -> TokenStream {
    di_compiler::differentiable(attr.into(), item.into()).into()
}

/// Lets functions take a struct of floats as an active parameter, and gradients have its type.
///
/// Float fields are `f64`, arrays and `Vec` of it, and other derived structs; integers, strings and fields marked
/// `#[constant]` are passive.
#[proc_macro_derive(Differentiable, attributes(constant))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    di_compiler::derive_differentiable(item.into()).into()
}
