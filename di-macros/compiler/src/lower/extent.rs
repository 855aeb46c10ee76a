//! Stretches of the user's code, from the first token to the last.
//!
//! Joining two spans into one is not possible on stable Rust, so that both are kept.

use crate::report::Extent;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Syntax knows where it stands.
pub(crate) trait HasExtent {
    fn extent(&self) -> Extent;
}

impl<T: ToTokens> HasExtent for T {
    fn extent(&self) -> Extent {
        extent_of(self.to_token_stream())
    }
}

fn extent_of(tokens: TokenStream) -> Extent {
    let mut trees = tokens.into_iter();
    let Some(first) = trees.next() else {
        return Span::call_site().into();
    };
    let end = trees.last().map_or_else(|| first.span(), |t| t.span());
    Extent {
        start: first.span(),
        end,
    }
}
