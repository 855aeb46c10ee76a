//! The inherent impl of a handle: the place of all code of a function.

use proc_macro2::TokenStream;
use quote::quote;

/// The inherent impl of a handle.
#[derive(Default)]
pub(crate) struct Inherent {
    pub(crate) items: TokenStream,
    /// What the items must find in scope.
    pub(super) imports: TokenStream,
}

impl Inherent {
    pub(crate) fn new(items: TokenStream) -> Inherent {
        Inherent {
            items,
            imports: TokenStream::new(),
        }
    }

    /// The impl, which holds the items, with what it must find in scope.
    pub(crate) fn within(&self, own: &TokenStream, cfgs: &TokenStream) -> TokenStream {
        let quiet = quote!(#cfgs #[automatically_derived] #[allow(warnings, clippy::all)]);
        if self.imports.is_empty() {
            return quote!(#quiet #own);
        }
        let imports = &self.imports;
        quote!(#quiet const _: () = { #imports #own };)
    }
}
