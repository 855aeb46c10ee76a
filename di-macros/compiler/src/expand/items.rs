//! What is generated for a function, before it is put where it belongs.

use crate::emit;
use crate::options::{self, Options};
use crate::template::quote;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// What is generated for a function.
#[derive(Default)]
pub(crate) struct Items {
    /// What has the function's name, and stands beside it.
    pub(crate) named: TokenStream,
    /// What has no name that a user could write.
    pub(crate) others: TokenStream,
    /// Types that its code is in, which others lead to.
    pub(super) types: TokenStream,
    /// What stands in the place of all others if what has the function's name is there already: messages.
    pub(super) refused: Option<TokenStream>,
    /// Paths of items of which more has to be known before anything can be generated.
    pub(super) asked: Vec<TokenStream>,
}

impl Items {
    /// With what belongs to it.
    pub(crate) fn with(mut self, more: impl ToTokens) -> Items {
        more.to_tokens(&mut self.others);
        self
    }

    /// With all that nothing leads to in a block of its own, where no lint looks.
    pub(crate) fn quieted(mut self, cfgs: &[&syn::Attribute], options: &Options) -> Items {
        let (quiet, others) = (options::quiet(), &self.others);
        let (krate, rt, primitive) = (options.krate(), emit::runtime(), emit::primitive());
        let types = std::mem::take(&mut self.types);
        self.others = quote!(
            #types
            #(#cfgs)*
            #[automatically_derived]
            #quiet
            const _: () = {
                use #krate::__private as #rt;
                use ::core::primitive as #primitive;
                #others
            };
        );
        self
    }

    /// With the items of another function behind it.
    pub(super) fn followed_by(self, mut other: Items) -> Items {
        let mut asked = std::mem::take(&mut other.asked);
        let refused = other.refused.take();
        let mut all = self.with(other);
        all.asked.append(&mut asked);
        all.refused = match (all.refused, refused) {
            (Some(first), Some(second)) => Some(first.into_iter().chain(second).collect()),
            (first, second) => first.or(second),
        };
        all
    }
}

impl ToTokens for Items {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.named.to_tokens(tokens);
        self.others.to_tokens(tokens);
    }
}
