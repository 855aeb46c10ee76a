//! What can only be checked on the IR, before anything is generated.

mod checkpoint;
mod lost;
mod passive;
mod reversible;
mod typed;

use crate::lower::Lowered;
use crate::report::Report;

/// Runs all checks.
pub(crate) fn check(lowered: &Lowered, cx: &Report) {
    typed::check_operators(&lowered.body, cx);
    passive::check_passive_code(lowered, cx);
    reversible::check_reversible(&lowered.body, cx);
    if cx.is_clean() {
        checkpoint::check_checkpoints(lowered, cx);
    }
}
