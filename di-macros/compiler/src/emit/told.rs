//! Whether a call tells which scalar its callee is in.

use super::Emitter;
use super::call::is_dropped;
use crate::ir::{Arg, Call, Leaf, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

impl Emitter<'_> {
    /// `::<__S>` where neither arguments nor results tell the callee's scalar. Else it stays away: of a callee
    /// that is generic over types it would have to come with these.
    pub(crate) fn scalar_of(&self, call: &Call) -> TokenStream {
        if self.tells_scalar(call) {
            TokenStream::new()
        } else {
            quote!(::<__S>)
        }
    }

    fn tells_scalar(&self, call: &Call) -> bool {
        let is_scalar = |arg: &Arg| match arg {
            Arg::Value(v) => {
                self.generic(*v) && !self.control.is_some_and(|control| control.is_chosen(*v))
            }
            Arg::Place(p) | Arg::Ref(p) | Arg::Mut(p) => self.generic_place(p.root),
            Arg::Verbatim { .. } => false,
        };
        let is_float = |leaf: &Leaf| match leaf {
            Leaf::Val(v) => self.body.val(*v).ty == Type::Float,
            Leaf::Place(p) => self.body.place(*p).ty.has_floats(),
        };
        call.args.iter().any(is_scalar)
            || !is_dropped(call) && call.result.leaves().into_iter().any(is_float)
    }
}
