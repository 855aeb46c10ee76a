//! Items that are no functions: of those that rustc cannot read either it has said so.

use crate::error;
use crate::report::{Report, Stop};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote_spanned;

/// The item, with a message unless rustc has one.
pub(crate) fn not_a_function(item: TokenStream) -> TokenStream {
    if is_malformed(&item) {
        // rustc has said so
        return item;
    }
    let span = item
        .clone()
        .into_iter()
        .next()
        .map_or_else(proc_macro2::Span::call_site, |t| t.span());
    let cx = Report::default();
    cx.error(span, &error::NOT_A_FUNCTION);
    let messages = match cx.check() {
        Err(Stop::Errors(errors)) => errors.iter().map(|e| e.text()).collect::<Vec<_>>(),
        Err(Stop::Mismatch) | Ok(()) => Vec::new(),
    };
    quote_spanned!(span=> #(::core::compile_error!(#messages);)* #item)
}

/// Whether an item begins like a function or a block of methods, and cannot be read.
fn is_malformed(item: &TokenStream) -> bool {
    let mut head = item.clone().into_iter().take_while(
        |t| !matches!(t, TokenTree::Group(g) if g.delimiter() == proc_macro2::Delimiter::Brace),
    );
    let begins = head.any(|t| matches!(&t, TokenTree::Ident(i) if i == "fn" || i == "impl"));
    begins && syn::parse2::<syn::Item>(item.clone()).is_err()
}
