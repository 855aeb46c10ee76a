//! Errors of closures that return nothing.

use std::sync::Mutex;

use di::Error;

/// The first error that a closure could not return.
#[derive(Debug, Default)]
pub(crate) struct Failure(Mutex<Option<Error>>);

impl Failure {
    /// Fills a result with NaN and keeps the error, if there is one.
    pub(crate) fn settle(&self, done: Result<Result<(), Error>, Error>, y: &mut [f64]) {
        if let Err(error) = done.and_then(|done| done) {
            y.fill(f64::NAN);
            let mut first = self.0.lock().unwrap_or_else(|held| held.into_inner());
            first.get_or_insert(error);
        }
    }

    pub(crate) fn get(&self) -> Option<Error> {
        let first = self.0.lock().unwrap_or_else(|held| held.into_inner());
        first.clone()
    }
}
