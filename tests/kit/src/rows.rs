//! Rows of the catalogue of constructs (`rows.txt`): a test registers those it shows, and the table in
//! `docs/language.md` is made of the tests that passed.
//!
//! A language test says `scalar!(f).row(31).check(..)`; any other test holds a guard while it compares:
//! `let _row = di_test::rows::row(31);`. Registered tests that compare nothing fail. Only the functions of
//! [`crate::compare`] count.

pub mod table;

use std::cell::Cell;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::path::Path;

/// Name of the environment variable with the directory that registrations are written to.
const RECORDS: &str = "DI_ROWS";

thread_local! {
    static COMPARISONS: Cell<usize> = const { Cell::new(0) };
}

/// Told by each comparison.
pub(crate) fn compared() {
    COMPARISONS.with(|count| count.set(count.get() + 1));
}

/// A test's claim to show some rows; it stands once this is dropped, after at least one comparison.
#[derive(Debug)]
#[must_use = "the comparisons that count are those made while it lives: `let _row = row(31);`"]
pub struct Registration {
    rows: Vec<u32>,
    file: &'static str,
    before: usize,
}

/// Registers the test that calls it for one row, see [`rows`].
#[track_caller]
pub fn row(row: u32) -> Registration {
    rows(&[row])
}

/// Registers the test that calls it for some rows.
///
/// # Panics
/// If there is no such row; when dropped, if nothing was compared by the functions of [`crate::compare`].
#[track_caller]
pub fn rows(rows: &[u32]) -> Registration {
    Registration::new(rows.to_vec(), Location::caller().file())
}

impl Registration {
    /// `file` is that of the test.
    pub(crate) fn new(rows: Vec<u32>, file: &'static str) -> Self {
        for row in &rows {
            assert!(table::is_row(*row), "the catalogue has no row {row}");
        }
        Registration {
            rows,
            file,
            before: COMPARISONS.with(Cell::get),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        assert!(
            COMPARISONS.with(Cell::get) > self.before,
            "a test registers rows {:?} and compares nothing",
            self.rows
        );
        if let Some(dir) = std::env::var_os(RECORDS) {
            record(Path::new(&dir), self.file, &self.rows);
        }
    }
}

/// Appends to the file of the running test: each test has its own, so that threads do not meet.
fn record(dir: &Path, file: &str, rows: &[u32]) {
    let thread = std::thread::current();
    // The harness names the thread of a test after the test.
    let test = thread.name().expect("tests run in named threads");
    let path = dir.join(test.replace("::", "."));
    let open = OpenOptions::new().create(true).append(true).open(&path);
    let mut open = open.expect("the directory of records can be written");
    for row in rows {
        writeln!(open, "{row} {test} {}", file.replace('\\', "/")).expect("a record is written");
    }
}

/// Rows registered by a checker before it runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claim {
    rows: Vec<u32>,
    file: &'static str,
}

impl Claim {
    #[track_caller]
    pub(crate) fn add(&mut self, rows: &[u32]) {
        self.rows.extend(rows);
        self.file = Location::caller().file();
    }

    pub(crate) fn begin(self) -> Registration {
        Registration::new(self.rows, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::row;
    use crate::compare::{ROUNDING, assert_close};

    #[test]
    #[should_panic(expected = "compares nothing")]
    fn registration_without_a_comparison_fails() {
        let _row = row(1);
    }

    #[test]
    #[should_panic(expected = "compares nothing")]
    fn comparisons_before_the_registration_do_not_count() {
        assert_close("one", &[1.0], &[1.0], ROUNDING);
        let _row = row(1);
    }

    #[test]
    fn registration_with_a_comparison_stands() {
        let _row = row(1);
        assert_close("one", &[1.0], &[1.0], ROUNDING);
    }

    #[test]
    #[should_panic(expected = "no row 100000")]
    fn rows_are_those_of_the_catalogue() {
        let _row = row(100_000);
    }
}
