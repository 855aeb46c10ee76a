//! The table of constructs in `docs/language.md`, made of the catalogue, of the tests that registered their
//! rows and passed, and of the cases in `ui-tests/fail` that name a row.
//!
//! A case names its row in a line of its own: `// row 100 refused: what`, or `// row 38 later: what` for
//! what may come to work. What is said to be refused is refused in all of the row if no test registers it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::page::{self, Entries};

const CATALOGUE: &str = include_str!("../../rows.txt");

struct Construct {
    row: u32,
    standing: &'static str,
    text: &'static str,
    /// How its parts are written; a row works once each occurs in a file with tests of the row.
    parts: Vec<&'static str>,
}

fn catalogue() -> Vec<Construct> {
    let lines = CATALOGUE.lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &'static str| {
        let (row, rest) = line.split_once(' ')?;
        let (standing, text) = rest.split_once(' ')?;
        let row = row.parse().ok()?;
        let mut parts = text.split(" ;; ");
        let text = parts.next()?;
        Some(Construct {
            row,
            standing,
            text,
            parts: parts.collect(),
        })
    };
    lines
        .map(|line| {
            parse(line).unwrap_or_else(|| panic!("`{line}` is not `number standing construct`"))
        })
        .collect()
}

/// Whether the catalogue has this row.
pub(crate) fn is_row(row: u32) -> bool {
    catalogue().iter().any(|construct| construct.row == row)
}

/// Runs the test binary that calls it once more, and compares what its tests register with the table in
/// `docs/language.md`. Entries of other binaries are left to them.
///
/// `DI_BLESS=1` writes the table instead.
///
/// # Panics
/// If a test fails; if the table is not in step.
#[track_caller]
pub fn check() {
    page::check("docs/language.md", "language", |root, entries| {
        markdown(entries, &cases(root), &|file| code(root, file))
    });
}

/// A refusal that names its row.
struct Case {
    row: u32,
    /// May come to work.
    later: bool,
    /// Part of the row; empty for all of it.
    what: String,
    code: String,
    file: String,
}

/// The cases of `ui-tests/fail` that name a row, with the code in what the compiler says.
fn cases(root: &Path) -> Vec<Case> {
    let mut found = Vec::new();
    let mut open = vec![root.join("ui-tests/fail")];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("the cases can be read") {
            let path = entry.expect("an entry of a readable directory").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.extend(cases_in(root, &path));
            }
        }
    }
    found.sort_by(|a, b| (a.row, &a.file).cmp(&(b.row, &b.file)));
    found
}

fn cases_in(root: &Path, path: &Path) -> Vec<Case> {
    let shown = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
    let shown = shown.replace('\\', "/");
    let source = fs::read_to_string(path).expect("a case is text");
    let lines = source
        .lines()
        .filter_map(|line| line.strip_prefix("// row "));
    lines
        .map(|line| {
            let (head, what) = line.split_once(':').unwrap_or((line, ""));
            let later = match head.split_once(' ') {
                Some((_, "refused")) => false,
                Some((_, "later")) => true,
                _ => panic!("{shown}: `// row {line}` is not `// row 1 refused` or `later`"),
            };
            let row = head.split(' ').next().and_then(|row| row.parse().ok());
            let row = row.filter(|row| is_row(*row));
            Case {
                row: row.unwrap_or_else(|| panic!("{shown}: `// row {line}` names no row")),
                later,
                what: what.trim().to_owned(),
                code: code_said(path, &shown),
                file: shown.clone(),
            }
        })
        .collect()
}

/// Our code, or rustc's, in the first error of a case.
fn code_said(path: &Path, shown: &str) -> String {
    let said = fs::read_to_string(path.with_extension("stderr"))
        .unwrap_or_else(|_| panic!("{shown} has no .stderr"));
    let errors = said.lines().filter_map(|line| line.strip_prefix("error"));
    let code = errors.filter_map(|line| {
        // ours may be told by rustc, which has a code of its own for that
        let at = line.find("[DI").or_else(|| line.find('['))?;
        Some(line[at + 1..].split_once(']')?.0.to_owned())
    });
    code.into_iter()
        .next()
        .unwrap_or_else(|| panic!("{shown}: its message has no code"))
}

/// A file of tests without its comments.
fn code(root: &Path, file: &str) -> String {
    let text = fs::read_to_string(root.join(file)).expect("a file of tests is text");
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
    lines.join("\n")
}

/// `code` returns the text of a file of tests.
fn markdown(tests: &Entries, cases: &[Case], code: &dyn Fn(&str) -> String) -> String {
    let mut table = String::from("| row | construct | status | test |\n|---|---|---|---|\n");
    let mut counts = BTreeMap::<&str, [usize; 4]>::new();
    let none = BTreeSet::new();
    for construct in catalogue() {
        let tests = tests.get(&construct.row).unwrap_or(&none);
        let cases: Vec<&Case> = cases.iter().filter(|c| c.row == construct.row).collect();
        let files: BTreeSet<&str> = tests.iter().map(|test| test.file.as_str()).collect();
        let texts: Vec<String> = files.into_iter().map(code).collect();
        let shown = |part: &str| texts.iter().any(|text| text.contains(part));
        let missing = construct.parts.iter().filter(|part| !shown(part));
        let missing: Vec<String> = missing.map(|part| format!("`{part}`")).collect();
        let (kind, status) = status(!tests.is_empty(), &missing.join(", "), &cases);
        counts.entry(construct.standing).or_default()[kind] += 1;
        let links = tests
            .iter()
            .map(|test| format!("[{}](../{})", test.name, test.file));
        let links: BTreeSet<String> = links
            .chain(cases.iter().map(|c| format!("[{}](../{})", c.code, c.file)))
            .collect();
        let links: Vec<String> = links.into_iter().collect();
        table.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            construct.row,
            construct.text.replace('|', "\\|"),
            status.replace('|', "\\|"),
            links.join(", ")
        ));
    }
    let mut head = String::new();
    for (standing, meaning) in [
        ("MUST", "Constructs that are needed"),
        ("SHOULD", "That are wanted"),
        ("LATER", "That may come"),
        ("ERR", "That are to be refused"),
    ] {
        let [works, partial, refused, later] = counts.get(standing).copied().unwrap_or_default();
        head.push_str(&format!(
            "{meaning}: {works} work, {partial} in part, {refused} refused, {later} to come.\n"
        ));
    }
    format!("{head}\n{table}")
}

/// The status of a row, and which of the four kinds it is; `missing` are parts that no test shows.
fn status(tested: bool, missing: &str, cases: &[&Case]) -> (usize, String) {
    let list = |later: bool| {
        let said = cases.iter().filter(|case| case.later == later);
        let said = said.map(|case| match case.what.as_str() {
            "" => case.code.clone(),
            what => format!("{what} ({})", case.code),
        });
        said.collect::<BTreeSet<String>>()
            .into_iter()
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (refused, later) = (list(false), list(true));
    let mut notes = Vec::new();
    let mut note = |head: &str, list: &str| {
        if !list.is_empty() {
            notes.push(format!("{head}: {list}"));
        }
    };
    let kind = match (tested, refused.is_empty(), later.is_empty()) {
        (true, _, true) if missing.is_empty() => 0,
        (true, _, _) => 1,
        (false, false, true) => 2,
        (false, _, _) => 3,
    };
    if tested {
        note("no test of", missing);
    }
    note("later", &later);
    note("refused", &refused);
    if !tested && cases.is_empty() {
        return (kind, "later: no test".to_owned());
    }
    if tested {
        notes.insert(0, ["works", "partial"][kind].to_owned());
    }
    (kind, notes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::{Case, catalogue, markdown, status};
    use crate::rows::page::entries_of;
    use std::collections::BTreeSet;

    fn case(later: bool) -> Case {
        Case {
            row: 8,
            later,
            what: "a|b".to_owned(),
            code: "DI0001".to_owned(),
            file: "ui-tests/fail/a.rs".to_owned(),
        }
    }

    #[test]
    fn numbers_of_rows_are_unique_and_in_order() {
        let rows: Vec<u32> = catalogue().iter().map(|c| c.row).collect();
        let sorted: BTreeSet<u32> = rows.iter().copied().collect();
        assert!(rows.iter().eq(&sorted) && rows.len() > 150);
    }

    #[test]
    fn standings_are_four() {
        let known = ["MUST", "SHOULD", "LATER", "ERR"];
        assert!(catalogue().iter().all(|c| known.contains(&c.standing)));
    }

    #[test]
    fn only_tests_make_a_row_work() {
        let (refused, later) = (case(false), case(true));
        assert_eq!(status(true, "", &[]), (0, "works".to_owned()));
        let (kind, text) = status(true, "", &[&refused]);
        assert_eq!((kind, &*text), (0, "works; refused: a|b (DI0001)"));
        let (kind, text) = status(true, "`c`", &[]);
        assert_eq!((kind, &*text), (1, "partial; no test of: `c`"));
        let begins = |found: (usize, String), head: &str| found.1.starts_with(head);
        assert!(begins(status(true, "", &[&later]), "partial; later"));
        assert!(begins(status(false, "", &[&refused]), "refused"));
        assert!(begins(status(false, "", &[&later, &refused]), "later"));
        assert!(begins(status(false, "`c`", &[]), "later: no test"));
    }

    #[test]
    fn table_is_read_as_it_is_written() {
        let line = "| 8 | `a \\| b` | works | [m::t](../tests/m.rs), [m::u](../tests/m.rs) |\n";
        let entries = entries_of(line);
        assert_eq!(entries[&8].len(), 2);
        assert_eq!(
            entries_of(&markdown(&entries, &[case(false)], &|_| String::new())),
            entries
        );
    }
}
