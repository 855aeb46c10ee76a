//! Rows of the catalogue of constructs (`rows.txt`): a test registers those it shows, and the table in
//! `docs/language.md` is written from the tests that passed.
//!
//! A language test says `scalar!(f).row(31).check(..)`; any other test holds a guard while it compares:
//! `let _row = di_test::rows::row(31);`. Registered tests that compare nothing fail. Only the functions of
//! [`crate::compare`] count.

pub(crate) mod page;
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
    /// Registrations of this thread that live.
    static REGISTRATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Told by each comparison.
pub(crate) fn compared() {
    COMPARISONS.with(|count| count.set(count.get() + 1));
}

/// Which catalogue a row is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Catalogue {
    /// Constructs of the language, `rows.txt`.
    #[default]
    Language,
    /// Claims of [`crate::parity`], `parity.txt`.
    Parity,
}

impl Catalogue {
    fn name(self) -> &'static str {
        match self {
            Catalogue::Language => "language",
            Catalogue::Parity => "parity",
        }
    }

    fn has(self, row: u32) -> bool {
        match self {
            Catalogue::Language => table::is_row(row),
            Catalogue::Parity => crate::parity::is_row(row),
        }
    }
}

/// A test's claim to show some rows; it stands once this is dropped, after at least one comparison.
#[derive(Debug)]
#[must_use = "the comparisons that count are those made while it lives: `let _row = row(31);`"]
pub struct Registration {
    catalogue: Catalogue,
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
    Registration::new(Catalogue::Language, rows, Location::caller().file())
}

impl Registration {
    /// `file` is that of the test.
    pub(crate) fn new(catalogue: Catalogue, rows: &[u32], file: &'static str) -> Self {
        for row in rows {
            assert!(catalogue.has(*row), "the catalogue has no row {row}");
        }
        REGISTRATIONS.with(|count| count.set(count.get() + 1));
        Registration {
            catalogue,
            rows: rows.to_vec(),
            file,
            before: COMPARISONS.with(Cell::get),
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        REGISTRATIONS.with(|count| count.set(count.get() - 1));
        if std::thread::panicking() {
            return;
        }
        assert!(
            COMPARISONS.with(Cell::get) > self.before,
            "a test registers rows {:?} and compares nothing",
            self.rows
        );
        if let Some(dir) = std::env::var_os(RECORDS) {
            record(Path::new(&dir), self);
        }
    }
}

/// Whether the tests are run to find out what they register, and this one registers nothing.
pub(crate) fn is_idle() -> bool {
    std::env::var_os(RECORDS).is_some() && REGISTRATIONS.with(Cell::get) == 0
}

/// Appends to the file of the running test: each test has its own, so that threads do not meet.
fn record(dir: &Path, registration: &Registration) {
    let thread = std::thread::current();
    // The harness names the thread of a test after the test.
    let test = thread.name().expect("tests run in named threads");
    let path = dir.join(test.replace("::", "."));
    let open = OpenOptions::new().create(true).append(true).open(&path);
    let mut open = open.expect("the directory of records can be written");
    let catalogue = registration.catalogue.name();
    let file = registration.file.replace('\\', "/");
    for row in &registration.rows {
        writeln!(open, "{catalogue} {row} {test} {file}").expect("a record is written");
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
        Registration::new(Catalogue::Language, &self.rows, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::row;
    use crate::compare::{ROUNDING, assert_bitwise, assert_close};

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
    #[should_panic(expected = "nothing is compared")]
    fn comparison_of_nothing_is_none() {
        let _row = row(1);
        assert_bitwise("nothing", &[], &[]);
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
