//! What engines without values do when a program asks for one: note it, answer something, go on.
//!
//! Scalars cannot return errors from a comparison, and a panic in the middle of a user's function
//! would be worse than an answer. So the first such request is kept in a thread-local, and the
//! operator collects it after the call with [`take_error`].

use std::cell::Cell;
use std::fmt;

/// A program asked for a value where the engine knows none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingPrimal {
    /// What was asked for: the name of a comparison, or `value`.
    pub operation: &'static str,
}

impl fmt::Display for MissingPrimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` needs the value of a number, and this engine has none: expected a program without \
             branches on its inputs, or an engine that evaluates at a point (for sparsity patterns: \
             local detection, `Tracing::local()`)",
            self.operation
        )
    }
}

impl std::error::Error for MissingPrimal {}

/// Requests answered before the value begins to vary: enough for any program that looks once.
const STEADY: u32 = 1 << 10;

/// Values in turn after that, so that a loop that waits for one ends.
const RESTLESS: [f64; 4] = [1.0, -1.0, 1e6, 0.0];

thread_local! {
    static ERROR: Cell<Option<MissingPrimal>> = const { Cell::new(None) };
    static ANSWERS: Cell<(bool, u32)> = const { Cell::new((false, 0)) };
}

/// Notes that `operation` was asked for. The first note stays until it is taken.
#[cold]
pub fn note_missing_primal(operation: &'static str) {
    ERROR.with(|error| error.set(error.get().or(Some(MissingPrimal { operation }))));
}

/// The first note since the last call on this thread; the next trace begins clean.
pub fn take_error() -> Option<MissingPrimal> {
    ANSWERS.with(|answers| answers.set((false, 0)));
    ERROR.with(Cell::take)
}

/// A value that is asked for without an error if there is none.
pub(crate) fn unnoted<T>(ask: impl FnOnce() -> T) -> Option<T> {
    let before = (ERROR.with(Cell::take), ANSWERS.with(Cell::get));
    let value = ask();
    let missing = ERROR.with(|error| error.replace(before.0));
    ANSWERS.with(|answers| answers.set(before.1));
    missing.is_none().then_some(value)
}

/// Answers of an engine that has no values.
#[derive(Clone, Copy, Debug)]
pub struct PrimalAnswers;

impl PrimalAnswers {
    /// Answer to a comparison: false, true, false, .. so that no loop waits for ever.
    #[cold]
    pub fn comparison(operation: &'static str) -> bool {
        note_missing_primal(operation);
        ANSWERS.with(|answers| {
            let (last, count) = answers.get();
            answers.set((!last, count));
            last
        })
    }

    /// Answer to a request for the value: 0, which is an index of most arrays; after many
    /// requests it varies.
    #[cold]
    pub fn value() -> f64 {
        note_missing_primal("value");
        ANSWERS.with(|answers| {
            let (last, count) = answers.get();
            answers.set((last, count.saturating_add(1)));
            match count.checked_sub(STEADY) {
                None => 0.0,
                Some(late) => RESTLESS[late as usize % RESTLESS.len()],
            }
        })
    }
}
