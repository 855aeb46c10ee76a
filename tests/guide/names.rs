//! Names between backticks, in sentences and tables: items, options and features that were renamed are still found there.

use std::collections::HashSet;

use crate::page::{Page, files, none, pages};

/// Pages about other things: how generated code is written, claims of another library, names of tests.
const ELSEWHERE: [&str; 3] = [
    "docs/generated-code.md",
    "docs/parity.md",
    "docs/sparse-targets.md",
];

/// Names of other libraries that no source of this repository uses, and of formulas.
const OTHERS: [&str; 15] = [
    "DualDVec64",
    "GaussNewtonLS",
    "MPICH_ASYNC_PROGRESS",
    "MPI_Abort",
    "MPI_Ireduce",
    "MPI_Reduce_scatter",
    "M_ij",
    "d_j",
    "f_w",
    "f_x",
    "map_with",
    "own_i",
    "t_i",
    "tang_ad",
    "with_min_len",
];

fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// `value_and_gradient`, `AutoSource`: what is no word of English.
fn is_item(name: &str) -> bool {
    let is_camel = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    is_camel || name.trim_matches('_').contains('_')
}

/// The part of a line that speaks of this library: in a table of translations that is the last column.
fn about_us<'a>(page: &Page, line: &'a str) -> &'a str {
    let cells = line.trim_end_matches(['|', ' ']).rsplit_once(" | ");
    match cells {
        Some((_, last)) if page.path == "docs/coming-from.md" => last,
        _ => line,
    }
}

#[test]
fn names_between_backticks_are_in_the_sources() {
    let sources: Vec<Page> = files(&[".rs", ".toml", ".stderr"])
        .into_iter()
        .filter(|source| !source.path.starts_with("tests/guide/"))
        .collect();
    let known: HashSet<&str> = sources
        .iter()
        .flat_map(|source| names(&source.text))
        .collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    let ours = |page: &Page| {
        let is_guide = page.path.starts_with("docs/") || page.path == "README.md";
        is_guide && !ELSEWHERE.contains(&page.path.as_str())
    };
    for page in pages().into_iter().filter(ours) {
        for (number, line) in page.outside() {
            let code = about_us(&page, line).split('`').skip(1).step_by(2);
            for name in code.flat_map(names).filter(|name| is_item(name)) {
                count += 1;
                if !known.contains(name) && !OTHERS.contains(&name) {
                    wrong.push(format!("{}:{number}: {name}", page.path));
                }
            }
        }
    }
    none(
        wrong,
        "a name between backticks is in the sources, or among those of others",
    );
    assert!(count > 800, "{count} names");
}
