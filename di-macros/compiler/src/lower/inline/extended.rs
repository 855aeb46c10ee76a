//! Methods of traits on numbers by the paths of their traits.

use super::{Inline, called};
use crate::lower::environment::spelled;
use crate::template::parse_quote;
use quote::ToTokens;

impl Inline<'_> {
    /// `Stats::mean(x)` as `x.mean()`.
    pub(super) fn extension(&self, e: &mut syn::Expr) {
        if let syn::Expr::Call(call) = &*e
            && let syn::Expr::Path(path) = &*call.func
            && self.is_extension(&path.path)
            && let (Some(name), Some(this)) = (path.path.segments.last(), call.args.first())
        {
            let rest = call.args.iter().skip(1);
            *e = parse_quote!((#this).#name(#(#rest),*));
        }
    }

    /// `map(Stats::mean)` as `map(|a| Stats::mean(a))`. Whether it is that.
    pub(super) fn of_extension(&self, arg: &mut syn::Expr) -> bool {
        let is_it = matches!(arg, syn::Expr::Path(path) if self.is_extension(&path.path));
        if is_it {
            *arg = called(arg, 1);
        }
        is_it
    }

    fn is_extension(&self, path: &syn::Path) -> bool {
        path.segments.len() > 1
            && self
                .env
                .is_extension(&spelled(&path.to_token_stream().to_string()))
    }
}
