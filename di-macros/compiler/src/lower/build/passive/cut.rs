//! `passive(..)`: numbers without derivatives.

use super::super::Builder;
use super::super::expr::code_at;
use super::Code;
use crate::error;
use crate::ir::{OPAQUE_PART, Op, PlaceId, Tokens, Type, Val};
use crate::report::Extent;
use proc_macro2::TokenStream;

/// What to write where the text of an error is read.
const NO_TEXT: &str = "the text of an error is not kept where results are differentiated: write an enum for it, `enum Fault { Other(String) }`, and read what is in that: `Err(Fault::Other(text)) => ..`";

impl Builder<'_> {
    /// `passive(v)`
    pub(in crate::lower::build) fn cut_value(
        &mut self,
        mut tokens: TokenStream,
        v: Val,
        ty: Type,
        span: Extent,
    ) -> Val {
        tokens.extend(code_at("(__n0)", span));
        let op = Op::Verbatim {
            tokens: Tokens(tokens),
            operands: vec![("__n0".to_owned(), v)],
            places: Vec::new(),
        };
        let v = self.let_op(ty, op, span);
        self.explicit.insert(v);
        v
    }

    /// Code of `passive(..)` that other code may go on with, which reads numbers without derivatives.
    pub(in crate::lower::build) fn cut(&mut self, mut code: Code, span: Extent) -> Code {
        if code.explicit {
            self.refuse_whole(&code, span);
            for (_, v) in &mut code.operands {
                if self.body.val(*v).ty == Type::Float {
                    *v = self.cut_value(TokenStream::new(), *v, Type::Float, span);
                }
            }
        }
        code
    }

    /// Refuses code that reads something with floats as a whole.
    pub(in crate::lower::build) fn refuse_whole(&self, code: &Code, span: Extent) {
        let is_whole =
            |(name, p): &&(String, PlaceId)| name != OPAQUE_PART && self.body.is_generic(*p);
        if let Some((name, _)) = code.places.iter().find(is_whole) {
            let name = name.trim_start_matches('_');
            self.cx.error_about(span, &error::PASSIVE_SEQUENCE, name);
        }
    }

    /// Notes that the parts of a value have no code. `is_nothing`: it is an error that is no value of generated code.
    pub(super) fn refuse_parts(&self, name: &str, is_nothing: bool, span: Extent) {
        let help = is_nothing.then(|| NO_TEXT.to_owned());
        self.cx
            .error_with_help(span, &error::PASSIVE_TUPLE, name, help);
    }
}
