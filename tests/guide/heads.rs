//! The head of each example: what it shows, how to run it, and how long it takes.

use crate::page::{Page, comments, files, none};

/// Programs that are examples of their own, beside those in folders `examples`.
const PROGRAMS: [&str; 3] = ["adapters/bundle/", "adapters/mpi/", "adapters/nlp/"];

/// Files of examples that have a `main`.
fn programs() -> Vec<Page> {
    let is_example = |path: &str| {
        let folder = PROGRAMS.iter().any(|folder| path.starts_with(folder));
        folder || path.contains("examples/")
    };
    let mut files = files(&[".rs"]);
    files.retain(|file| is_example(&file.path) && file.text.contains("\nfn main() "));
    files
}

/// The documentation before the first item.
fn head(program: &Page) -> Vec<&str> {
    let lines = comments(program, true).into_iter();
    let lines = lines.map(|(_, line)| line.trim());
    let count = program.text.lines();
    let count = count.take_while(|line| line.starts_with("//!")).count();
    lines.take(count).collect()
}

/// A short sentence such as "A few seconds." or "Half a minute in a debug build."
fn is_time(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split(' ').collect();
    let units = ["second", "seconds", "minute", "minutes"];
    let starts = ["A", "Half", "Less", "Some", "Two"];
    words.len() <= 8 && starts.contains(&words[0]) && words.iter().any(|word| units.contains(word))
}

#[test]
fn examples_say_what_they_show_how_to_run_them_and_how_long_they_take() {
    let (mut wrong, programs) = (Vec::new(), programs());
    for program in &programs {
        let head = head(program);
        let blocks = head.split(|line| line.starts_with("```"));
        let prose: Vec<&str> = blocks.step_by(2).flatten().copied().collect();
        let prose = prose.join(" ");
        let times = prose.split(". ").map(|s| s.trim_end_matches('.'));
        let first = head.first().copied().unwrap_or_default();
        let is_run = |line: &&str| line.contains("cargo run ") || line.ends_with("/run");
        let checks = [
            (
                "what it shows, in the first line",
                first.split(' ').count() > 5,
            ),
            ("a command that runs it", head.iter().any(is_run)),
            (
                "how long it takes, in a sentence",
                times.into_iter().any(is_time),
            ),
        ];
        let missing = checks.iter().filter(|(_, is_there)| !is_there);
        wrong.extend(missing.map(|(what, _)| format!("{}: {what}", program.path)));
    }
    none(wrong, "the head of an example has all of these");
    assert!(programs.len() > 12, "{} programs", programs.len());
}
