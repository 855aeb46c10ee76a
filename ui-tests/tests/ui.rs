//! Runs the cases: `fail/<area>/di<code>_<mistake>.rs` with the message of that code, `fail/rustc/` with what rustc says
//! of ordinary mistakes in annotated functions, `built/` with what it says in builds alone, and `pass/`.
//!
//! Messages of rustc change with its version, so that the cases are only run with the pinned one.
//! `TRYBUILD=overwrite cargo test -p differentiation-interface-ui-tests` writes the `.stderr` files anew.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Minor version of rustc that the `.stderr` files are of.
const PINNED: &str = "1.95.";

fn rustc() -> Command {
    Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()))
}

/// What rustc says of a mistake without the attribute, it says with it: it may say more, of generated code.
#[test]
fn ordinary_mistakes_are_reported_in_the_words_of_rustc() {
    if !is_pinned() {
        return;
    }
    let cases = std::fs::read_dir("fail/rustc").expect("the cases are there");
    let mut wrong = Vec::new();
    let mut counted = 0;
    for case in cases {
        let path = case.expect("the cases can be read").path();
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let said = std::fs::read_to_string(path.with_extension("stderr")).expect("is blessed");
        let (with, without) = (messages(&said), messages(&without_attribute(&path)));
        counted += 1;
        for message in without.difference(&with) {
            wrong.push(format!("{name}: {message}"));
        }
    }
    assert!(counted > 55, "{counted} cases");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What rustc says of a case without our attributes.
fn without_attribute(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the cases can be read");
    let ours = |line: &&str| {
        let line = line.trim();
        [
            "use di::",
            "#[differentiable",
            "#[custom_rule",
            "#[implicit",
            "#[active_scalar",
        ]
        .iter()
        .any(|start| line.starts_with(start))
    };
    let mut text: String = text
        .lines()
        .filter(|line| !ours(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    for mark in [
        "#[constant]",
        "#[inout]",
        "di::Differentiable",
        "Differentiable",
    ] {
        text = text.replace(mark, "");
    }
    let dir = std::env::temp_dir().join(format!("di-ui-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the case");
    let file = dir.join("case.rs");
    std::fs::write(&file, text).expect("the case is written");
    let out = rustc()
        .args([
            "-A",
            "dead_code",
            "--edition",
            "2024",
            "--emit",
            "metadata",
            "--out-dir",
        ])
        .args([&dir, &file])
        .output()
        .expect("rustc runs");
    std::fs::remove_dir_all(&dir).expect("the directory is ours");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// The first lines of all errors, without names of types, which may have other paths in generated code.
fn messages(text: &str) -> BTreeSet<String> {
    let heads = text.lines().filter(|line| line.starts_with("error"));
    let heads = heads.filter(|line| !line.contains("aborting due to"));
    heads.map(str::to_owned).collect()
}

#[test]
fn messages_are_as_written() {
    if !is_pinned() {
        return;
    }
    // where nothing is to be run cases are checked, not built
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*/*.rs");
}

/// Cases of `fail/rustc` whose builds say more than checks: mistakes that rustc alone can see, once more in derivative
/// code.
const BUILDS_SAY_MORE: [&str; 11] = [
    "associated_function",
    "computed_lengths",
    "function_twice",
    "items_and_loops",
    "misspelt_locals",
    "misspelt_variable",
    "names_that_nothing_binds",
    "question_marks",
    "rules_whose_functions_do_not_fit",
    "types_that_do_not_exist",
    "values_of_another_kind",
];

/// Builds have derivative code, which checks have not, and say the same.
#[test]
fn builds_say_what_checks_say() {
    if !is_pinned() {
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    // what only derivative code shows
    cases.compile_fail("built/*.rs");
    for area in std::fs::read_dir("fail").expect("the cases are there") {
        let area = area.expect("the cases can be read").path();
        for case in std::fs::read_dir(area).expect("the cases are there") {
            let case = case.expect("the cases can be read").path();
            let name = case.file_stem().unwrap_or_default().to_string_lossy();
            let more = case.parent().is_some_and(|area| area.ends_with("rustc"))
                && BUILDS_SAY_MORE.contains(&&*name);
            if case.extension().is_some_and(|e| e == "rs") && !more {
                cases.compile_fail(&case);
            }
        }
    }
}

fn is_pinned() -> bool {
    let version = rustc().arg("--version").output();
    let version = version
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
        .unwrap_or_default();
    if version
        .split_whitespace()
        .nth(1)
        .is_none_or(|v| !v.starts_with(PINNED))
    {
        eprintln!("skipped: the messages are those of rustc {PINNED}x, this is {version}");
        return false;
    }
    true
}
