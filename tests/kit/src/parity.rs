//! Claims of parity (`parity.txt`): a test registers those it shows, and `docs/parity.md` is written from the
//! tests that passed.
//!
//! A test holds a guard while it compares, by the functions of [`crate::compare`]:
//! `let _row = di_test::parity::row(67);`. What does not compile is shown by a case in `ui-tests/fail` with the
//! line `// parity 118` in it. A test binary takes part with one test that calls [`check`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::Location;
use std::path::Path;

use crate::rows::page::{self, Entries, Entry};
use crate::rows::{Catalogue, Registration};

const CATALOGUE: &str = include_str!("../parity.txt");

/// Registers the test that calls it for one claim, see [`rows`].
#[track_caller]
pub fn row(row: u32) -> Registration {
    rows(&[row])
}

/// Registers the test that calls it for some claims.
///
/// # Panics
/// If there is no such claim; when dropped, if nothing was compared by the functions of [`crate::compare`].
#[track_caller]
pub fn rows(rows: &[u32]) -> Registration {
    Registration::new(Catalogue::Parity, rows, Location::caller().file())
}

/// Runs the test binary that calls it once more, and compares what its tests register with the table in
/// `docs/parity.md`. Entries of other binaries are left to them.
///
/// `DI_BLESS=1` writes the table instead.
///
/// # Panics
/// If a test fails; if the table is not in step.
#[track_caller]
pub fn check() {
    page::check("docs/parity.md", "parity", |root, entries| {
        markdown(entries, &cases(root))
    });
}

/// What is known of a claim beside its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    /// It has no meaning here.
    Meaningless(&'static str),
    /// A part is missing.
    Partial(&'static str),
    /// It does not hold.
    No(&'static str),
}

struct Claim {
    row: u32,
    /// `P` or `B`.
    kind: &'static str,
    text: &'static str,
    note: Option<Note>,
}

fn catalogue() -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for line in CATALOGUE.lines().filter(|line| !line.starts_with('#')) {
        let parsed = match line.strip_prefix("  ") {
            Some(note) => note_of(note).and_then(|note| {
                claims.last_mut()?.note = Some(note);
                Some(())
            }),
            None => claim_of(line).map(|claim| claims.push(claim)),
        };
        assert!(parsed.is_some(), "`{line}` is neither a claim nor a note");
    }
    claims
}

fn note_of(line: &'static str) -> Option<Note> {
    let (head, text) = line.split_once(": ")?;
    Some(match head {
        "n/a" => Note::Meaningless(text),
        "partial" => Note::Partial(text),
        "no" => Note::No(text),
        _ => return None,
    })
}

fn claim_of(line: &'static str) -> Option<Claim> {
    let (row, rest) = line.split_once(' ')?;
    let (kind, text) = rest.split_once(' ')?;
    Some(Claim {
        row: row.parse().ok()?,
        kind,
        text,
        note: None,
    })
}

/// Whether there is such a claim.
pub(crate) fn is_row(row: u32) -> bool {
    catalogue().iter().any(|claim| claim.row == row)
}

/// The status of a claim: the first word says which of four it is.
fn status(tested: bool, note: Option<Note>) -> String {
    match (tested, note) {
        (_, Some(Note::Meaningless(why))) => format!("n/a: {why}"),
        (true, None) => "works".to_owned(),
        (true, Some(Note::Partial(what) | Note::No(what))) => format!("partial: {what}"),
        (false, Some(Note::Partial(what) | Note::No(what))) => format!("no: {what}"),
        (false, None) => "no: no test".to_owned(),
    }
}

/// The cases of `ui-tests/fail` with a line `// parity 42`.
fn cases(root: &Path) -> Entries {
    let mut found = Entries::new();
    let mut open = vec![root.join("ui-tests/fail")];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("the cases can be read") {
            let path = entry.expect("an entry of a readable directory").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let shown = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
            let file = shown.replace('\\', "/");
            let name = path.file_stem().expect("a file of Rust has a name");
            let name = name.to_string_lossy().into_owned();
            let source = fs::read_to_string(&path).expect("a case is text");
            let rows = source.lines().filter_map(|l| l.strip_prefix("// parity "));
            for row in rows {
                let row = row.trim().parse().ok().filter(|row| is_row(*row));
                let row = row.unwrap_or_else(|| panic!("{file} names a claim that is not there"));
                found.entry(row).or_default().insert(Entry {
                    name: name.clone(),
                    file: file.clone(),
                });
            }
        }
    }
    found
}

fn markdown(tests: &Entries, cases: &Entries) -> String {
    let none = BTreeSet::new();
    let mut counts = BTreeMap::<(&str, &str), usize>::new();
    let mut table = String::from("| id | P/B | claim | status | test |\n|---|---|---|---|---|\n");
    let words = ["works", "partial", "no", "n/a"];
    for claim in catalogue() {
        let shown = [tests, cases].map(|entries| entries.get(&claim.row).unwrap_or(&none));
        let links: BTreeSet<String> = shown
            .into_iter()
            .flatten()
            .map(|test| format!("[{}](../{})", test.name, test.file))
            .collect();
        let links: Vec<String> = links.into_iter().collect();
        let status = status(!links.is_empty(), claim.note);
        let word = words.iter().find(|word| status.starts_with(*word));
        let word = word.expect("a status begins with one of four words");
        *counts.entry((claim.kind, word)).or_default() += 1;
        table.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            claim.row,
            claim.kind,
            claim.text.replace('|', "\\|"),
            status.replace('|', "\\|"),
            links.join(", ")
        ));
    }
    let mut head = String::new();
    for (kind, meaning) in [("P", "Parity"), ("B", "Beyond")] {
        let count = |word| counts.get(&(kind, word)).copied().unwrap_or(0);
        head.push_str(&format!(
            "{meaning}: {} work, {} work partly, {} do not work, {} do not apply to Rust.\n\n",
            count("works"),
            count("partial"),
            count("no"),
            count("n/a")
        ));
    }
    format!("\n{head}{table}\n")
}

#[cfg(test)]
mod tests {
    use super::{Note, catalogue, markdown, status};
    use crate::rows::page::{Entries, Entry, entries_of};

    #[test]
    fn claims_are_numbered_from_1_to_118() {
        let rows: Vec<u32> = catalogue().iter().map(|claim| claim.row).collect();
        assert_eq!(rows, (1..=118).collect::<Vec<_>>());
        assert!(
            catalogue()
                .iter()
                .all(|claim| ["P", "B"].contains(&claim.kind))
        );
    }

    #[test]
    fn only_tests_make_a_claim_work() {
        assert_eq!(status(true, None), "works");
        assert_eq!(status(false, None), "no: no test");
        assert_eq!(status(true, Some(Note::Partial("a"))), "partial: a");
        assert_eq!(status(false, Some(Note::Partial("a"))), "no: a");
        assert_eq!(status(true, Some(Note::No("a"))), "partial: a");
        assert_eq!(status(false, Some(Note::Meaningless("a"))), "n/a: a");
    }

    #[test]
    fn table_is_read_as_it_is_written() {
        let mut entries = Entries::new();
        entries.entry(8).or_default().insert(Entry {
            name: "m::t".to_owned(),
            file: "tests/m.rs".to_owned(),
        });
        let table = markdown(&entries, &Entries::new());
        assert_eq!(entries_of(&table), entries);
    }
}
