//! What a report keeps, and that it is looked at.

use di_compiler::report::{Report, Stop};
use proc_macro2::Span;

#[test]
#[should_panic(expected = "dropped unchecked")]
fn unchecked_report_panics() {
    drop(Report::default());
}

#[test]
fn a_mismatch_taken_over_stays_certain() {
    let (cx, other) = (Report::default(), Report::default());
    cx.mismatch();
    other.certain_mismatch();
    cx.absorb(other);
    assert!(cx.is_certain());
    cx.discard();
}

#[test]
fn errors_come_before_a_mismatch() {
    let cx = Report::default();
    cx.mismatch();
    cx.error(Span::call_site(), &di_compiler::error::ALL[0]);
    assert!(matches!(cx.check(), Err(Stop::Errors(e)) if e.len() == 1));
}
