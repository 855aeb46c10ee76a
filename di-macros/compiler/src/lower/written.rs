//! A function whose arrays of `ndarray` were written out. How that is done is in `arrays`, which is compiled with the
//! feature `ndarray`; without it, no function has arrays.

use crate::ir::{ArrayPart, Returned, Tokens};

/// What a parameter of the function that was written out stands for, by its number.
pub(crate) type ArrayParam = (usize, ArrayPart);

/// A type that has the name of an array.
pub(crate) struct ArrayType {
    /// Without a reference in front.
    pub(crate) written: Tokens,
    /// The name in `ndarray`, without the rank.
    pub(crate) name: &'static str,
    pub(crate) rank: usize,
    pub(crate) element: Tokens,
}

/// A function that was written out.
pub(crate) struct Written {
    pub(crate) function: syn::ItemFn,
    pub(crate) params: Vec<ArrayParam>,
    /// The result, if there are arrays in it.
    pub(crate) result: Option<Returned>,
    /// Types that must be those of `ndarray`, and what the function's `use` items bring.
    pub(crate) types: Vec<ArrayType>,
    pub(crate) uses: Vec<Tokens>,
}

impl Written {
    /// Tells the body which of its parameters stand for arrays.
    pub(crate) fn mark(&self, body: &mut crate::ir::Body) {
        // one of the function may be several of the body
        let inputs = self.function.sig.inputs.iter();
        let first: Vec<Option<usize>> = inputs
            .map(|input| {
                let syn::FnArg::Typed(typed) = input else {
                    return None;
                };
                let syn::Pat::Ident(name) = &*typed.pat else {
                    return None;
                };
                let name = name.ident.to_string();
                let name = name.trim_start_matches("r#");
                body.params.iter().position(|p| p.name == name)
            })
            .collect();
        for (k, part) in &self.params {
            let Some(at) = first[*k] else { continue };
            let mut part = part.clone();
            if let ArrayPart::Length { of, .. } = &mut part {
                *of = first[*of].unwrap_or(*of);
            }
            body.params[at].array = Some(part);
        }
    }
}

/// Without the feature, no type is one of arrays.
#[cfg(not(feature = "ndarray"))]
pub(crate) fn is_array(_: &syn::Type) -> bool {
    false
}

/// Without the feature, no field holds one.
#[cfg(not(feature = "ndarray"))]
pub(crate) fn with_arrays(
    _: &syn::ItemFn,
    _: &super::environment::Environment,
    _: &proc_macro2::TokenStream,
) -> Option<super::environment::Environment> {
    None
}

/// Without the feature, the function stays as it is.
#[cfg(not(feature = "ndarray"))]
pub(crate) fn write_out(
    _: &syn::ItemFn,
    _: &proc_macro2::TokenStream,
    _: &super::environment::Environment,
    _: &crate::report::Report,
) -> Option<Written> {
    None
}
