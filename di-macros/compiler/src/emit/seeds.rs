//! Adjoints of the results, as code of the adjoint sweep gets them.

use super::Emitter;
use super::names::own;
use crate::ir::{Tree, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    /// `(seed0, seed1)`: the parts of the result's adjoint.
    pub(super) fn seeds(&self) -> TokenStream {
        let mut k = 0;
        self.tree(&self.body.ret.map(&mut |_| {
            let seed = own(&format!("__seed{k}"));
            k += 1;
            quote!(#seed)
        }))
    }

    /// `let (seed0, seed1) = result adjoint`
    pub(super) fn bind_seeds(&self) -> TokenStream {
        let seeds = self.seeds();
        match self.body.ret {
            Tree::Tuple(ref ts) if ts.is_empty() => TokenStream::new(),
            _ => {
                let steady = self.bind_steady();
                quote!(let #seeds = __result_adjoint; #steady)
            }
        }
    }

    /// Whether the adjoints of results come from an operator, which hands in such that do not vary.
    pub(super) fn bind_steady(&self) -> TokenStream {
        if self.steady.is_empty() {
            return TokenStream::new();
        }
        let rt = self.rt;
        let leaves = self.body.ret.leaves().into_iter().enumerate();
        let numbers = leaves.filter(|(_, ty)| **ty == Type::Float);
        let seeds = numbers.map(|(k, _)| own(&format!("__seed{k}")));
        let marked = (0..self.body.params.len()).filter(|k| self.has_marker(*k));
        let fresh = marked.map(|k| {
            let marker = self.marker(k);
            quote!(<#marker as #rt::Activity>::FRESH)
        });
        quote!(let __steady = #rt::steady::<__S, __A>(&[#(#fresh),*], &[#(#seeds),*]);)
    }
}
