//! Loops whose trips are not recorded: whether they can be functions of their own.

use super::passive::check_passive_code;
use crate::ir::Tokens;
use crate::lower::Lowered;
use crate::report::Report;
use crate::transform::outline::{Refusal, outline_all};
use proc_macro2::TokenStream;

pub(super) fn check_checkpoints(lowered: &Lowered, cx: &Report) {
    match outline_all(&lowered.body, &lowered.checkpoints, &|_| {
        (Tokens(TokenStream::new()), None)
    }) {
        Ok((_, loops)) => {
            for found in loops {
                let step = Lowered {
                    body: found.step,
                    explicit: lowered.explicit.clone(),
                    extents: lowered.extents.clone(),
                    open: lowered.open.clone(),
                    checkpoints: Default::default(),
                };
                check_passive_code(&step, cx);
            }
        }
        Err(Refusal {
            span,
            message,
            subject,
        }) => cx.error_about(span, message, subject),
    }
}
