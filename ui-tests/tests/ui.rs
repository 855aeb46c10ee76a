//! Runs the cases: `fail/<area>/di<code>_<mistake>.rs` with the message of that code, `fail/rustc/` with what rustc says
//! of ordinary mistakes in annotated functions, and `pass/`.
//!
//! Messages of rustc change with its version, so that the cases are only run with the pinned one.
//! `TRYBUILD=overwrite cargo test -p di-ui-tests` writes the `.stderr` files anew.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Minor version of rustc that the `.stderr` files are of.
const PINNED: &str = "1.95.";

/// Cases with another number of messages than without the attribute: what rustc cannot know without it, and
/// what docs/language.md gives the reason of.
const OTHER_COUNTS: [&str; 12] = [
    "alias_of_a_float",
    "alias_of_an_array",
    "another_kind_of_early_return",
    "associated_function",
    "constant_as_number",
    "field_not_derived",
    "functions_that_do_not_exist",
    "generic_argument_unknown",
    "struct_not_derived",
    "unannotated_callee",
    "unannotated_method",
    "unannotated_operator",
];

fn rustc() -> Command {
    Command::new(std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()))
}

#[test]
fn ordinary_mistakes_give_as_many_messages_as_without_the_attribute() {
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
        let told = std::fs::read_to_string(path.with_extension("stderr")).expect("is blessed");
        let (with, without) = (messages(&told), messages(&without_attribute(&path)));
        counted += 1;
        if (with != without) != OTHER_COUNTS.contains(&&*name) {
            wrong.push(format!(
                "{name}: {with} messages, without the attribute {without}"
            ));
        }
    }
    assert!(counted > 60, "{counted} cases");
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

/// How many errors and warnings there are. What rustc says twice in the same words, cargo prints once.
fn messages(text: &str) -> usize {
    let mut found = BTreeSet::new();
    let mut message = String::new();
    for line in text.lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            found.insert(std::mem::take(&mut message));
        }
        if !line.trim().is_empty() {
            message.push_str(line);
            message.push('\n');
        }
    }
    found.insert(message);
    let told = |message: &&String| {
        let head = message.lines().next().unwrap_or_default();
        let is_one = head.starts_with("error") || head.starts_with("warning");
        is_one && !head.contains("aborting due to") && !head.contains("emitted")
    };
    found.iter().filter(told).count()
}

#[test]
fn messages_are_as_written() {
    if !is_pinned() {
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.compile_fail("fail/*/*.rs");
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
