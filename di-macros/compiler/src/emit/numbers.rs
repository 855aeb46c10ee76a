//! Numbers that a function with a record of its own keeps for its reverse sweep: those that reverse
//! code is not handed. They are in `__words` and `__ints`, under the names of the arguments.

use super::Emitter;
use crate::ir::{Mode, Role, Type};
use crate::template::quote;
use proc_macro2::TokenStream;

/// How many floats and integers there are, and the code on both sides.
pub(super) struct Numbers {
    pub(super) words: usize,
    pub(super) ints: usize,
    pub(super) record: TokenStream,
    pub(super) restore: TokenStream,
}

impl Emitter<'_> {
    /// Active numbers, and constants by value.
    pub(super) fn record_numbers(&self) -> Numbers {
        let (mut words, mut ints) = (0, 0);
        let (mut record, mut restore) = (TokenStream::new(), TokenStream::new());
        for (k, p) in self.body.params.iter().enumerate() {
            let arg = self.arg(k);
            if p.mode != Mode::Value {
                continue;
            }
            match &p.ty {
                Type::Float if p.role == Role::Active => {
                    record.extend(quote!(__words[#words] = #arg;));
                    restore.extend(quote!(let #arg = __words[#words];));
                    words += 1;
                }
                Type::Float => {
                    record.extend(quote!(__words[#words] = __S::from_real(#arg);));
                    restore.extend(quote!(let #arg = __words[#words].primal();));
                    words += 1;
                }
                Type::Bool | Type::Int(_) => {
                    let slot = |j: u32| {
                        let at = ints + j as usize;
                        quote!(__ints[#at])
                    };
                    record.extend(self.to_ints(&p.ty, &arg, slot));
                    let value = self.read_ints(&p.ty, slot);
                    restore.extend(quote!(let #arg = #value;));
                    ints += p.ty.slots() as usize;
                }
                Type::Lane
                | Type::Array(..)
                | Type::Slice(_)
                | Type::Vec(_)
                | Type::Struct(_)
                | Type::Lanes(_)
                | Type::Opaque(_) => {}
            }
        }
        Numbers {
            words,
            ints,
            record,
            restore,
        }
    }
}
