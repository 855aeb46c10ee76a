//! Blocks of code, on pages and in documentation of items: Rust is run, and what is no Rust names what is there.

use std::collections::BTreeSet;
use std::path::Path;

use crate::page::{Page, comments, files, none, page, pages, root};

/// Pages with fragments of Rust that are no programs: signatures, and code for other libraries.
const SKETCHES: [&str; 3] = [
    "CONTRIBUTING.md",
    "docs/coming-from.md",
    "docs/generated-code.md",
];

#[test]
fn blocks_of_code_are_run_or_are_no_rust() {
    // which the tests of these packages run
    let tested = [
        "src/lib.rs",
        "tests/containers/src/lib.rs",
        "tests/kit/src/lib.rs",
        "adapters/pages/src/lib.rs",
    ];
    let tested = tested.map(|path| page(path).text).concat();
    let (mut wrong, mut run) = (Vec::new(), 0);
    for page in pages() {
        let is_tested = tested.contains(&format!("{}\")]", page.path));
        for block in page.blocks() {
            let is_right = match block.language {
                "rust" | "rust,compile_fail" => {
                    run += 1;
                    is_tested
                }
                "rust,ignore" => SKETCHES.contains(&page.path.as_str()),
                "text" | "toml" => true,
                _ => false,
            };
            if !is_right {
                wrong.push(format!(
                    "{}:{}: {}",
                    page.path, block.number, block.language
                ));
            }
        }
        // Markdown has two more ways to write a block, which nothing here would read.
        for (number, line) in page.outside() {
            if line.trim_start().starts_with("~~~")
                || line.starts_with("    ")
                || line.starts_with('\t')
            {
                wrong.push(format!("{}:{number}: {line}", page.path));
            }
        }
    }
    none(
        wrong,
        "Rust on a page is run by an `include_str!`, other blocks say what they are, and all are between three backticks",
    );
    assert!(run > 40, "{run} blocks");
}

/// Whether `cargo test` runs the documentation of this file: it belongs to a library, whose manifest does not forbid it.
fn has_tested_docs(path: &str) -> bool {
    let package = Path::new(path).ancestors().skip(1);
    let mut package = package.filter(|folder| root().join(folder).join("Cargo.toml").exists());
    let folder = package.next().expect("a source belongs to a package");
    let library = folder.join("src");
    root().join(&library).join("lib.rs").exists()
        && Path::new(path).starts_with(&library)
        && !Path::new(path).starts_with(library.join("bin"))
        && !page(&folder.join("Cargo.toml").to_string_lossy())
            .text
            .contains("doctest = false")
}

#[test]
fn examples_in_documentation_are_run() {
    let (mut wrong, mut run) = (Vec::new(), 0);
    for source in files(&[".rs"]) {
        let mut inside = false;
        for (number, line) in comments(&source, true) {
            let Some(language) = line.trim_start().strip_prefix("```") else {
                continue;
            };
            inside = !inside;
            let is_right = match language {
                _ if !inside => true,
                // what would take too long to run is compiled at least
                "" | "compile_fail" | "no_run" => {
                    run += 1;
                    has_tested_docs(&source.path)
                }
                "text" | "toml" => true,
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{}:{number}: {line}", source.path));
            }
        }
    }
    none(
        wrong,
        "examples are run, and stand where documentation is tested",
    );
    assert!(run > 60, "{run} examples");
}

/// The names that follow `key` in a line: `--example posteriors`.
fn after<'a>(line: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let is_name = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    line.split(key).skip(1).filter_map(move |rest| {
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches('.');
        (!name.is_empty()).then_some(name)
    })
}

/// What commands may name.
struct Targets {
    packages: BTreeSet<String>,
    /// Examples, programs, tests and benches, by their names.
    names: BTreeSet<String>,
    features: BTreeSet<String>,
}

fn targets() -> Targets {
    let mut targets = Targets {
        packages: BTreeSet::new(),
        names: BTreeSet::new(),
        features: BTreeSet::new(),
    };
    for manifest in files(&["Cargo.toml"]) {
        let mut section = "";
        for line in manifest.text.lines() {
            if line.starts_with('[') {
                section = line;
            }
            let Some((key, value)) = line.split_once(" = ") else {
                continue;
            };
            match (section, key) {
                ("[package]", "name") => {
                    targets.packages.insert(value.trim_matches('"').to_owned())
                }
                ("[features]", _) => targets.features.insert(key.to_owned()),
                (_, "name") => targets.names.insert(value.trim_matches('"').to_owned()),
                _ => false,
            };
        }
    }
    for source in files(&[".rs"]) {
        let path = Path::new(&source.path);
        let mut parts = path
            .components()
            .rev()
            .map(|part| part.as_os_str().to_string_lossy());
        let file = parts
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs")
            .to_owned();
        let folder = parts.next().unwrap_or_default().into_owned();
        let above = parts.next().unwrap_or_default().into_owned();
        let kinds = ["examples", "tests", "benches", "bin"];
        if kinds.contains(&folder.as_str()) {
            targets.names.insert(file);
        } else if file == "main" && kinds.contains(&above.as_str()) {
            targets.names.insert(folder);
        }
    }
    targets
}

/// In blocks, between backticks, and in comments: what a command of cargo names is there.
fn wrong_names<'a>(targets: &Targets, line: &'a str) -> Vec<&'a str> {
    if !line.contains("cargo ") {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for key in ["--example ", "--bin ", "--test ", "--bench "] {
        wrong.extend(after(line, key).filter(|name| {
            let is_package = key == "--bin " && targets.packages.contains(*name);
            !(name.starts_with("..") || targets.names.contains(*name) || is_package)
        }));
    }
    wrong.extend(after(line, " -p ").filter(|name| !targets.packages.contains(*name)));
    wrong.extend(after(line, "--manifest-path ").filter(|path| !root().join(path).exists()));
    for features in line.split("--features ").skip(1) {
        let end = features.find(|c: char| !(c.is_alphanumeric() || "-_,".contains(c)));
        let features = features[..end.unwrap_or(features.len())].split(',');
        wrong.extend(features.filter(|feature| !targets.features.contains(*feature)));
    }
    wrong
}

#[test]
fn commands_name_what_is_there() {
    let targets = targets();
    let (mut wrong, mut count) = (Vec::new(), 0);
    let mut check = |path: &str, number: usize, line: &str| {
        count += usize::from(line.contains("cargo "));
        for name in wrong_names(&targets, line) {
            wrong.push(format!("{path}:{number}: {name}"));
        }
    };
    for page in pages() {
        for (number, line) in page.text.lines().enumerate() {
            check(&page.path, number + 1, line);
        }
    }
    for source in files(&[".rs"]) {
        for (number, line) in comments(&source, false) {
            check(&source.path, number, line);
        }
    }
    for script in [".ci/run", ".ci/long"] {
        for (number, line) in page(script).text.lines().enumerate() {
            check(script, number + 1, line);
        }
    }
    none(
        wrong,
        "an example, program, test, package, manifest or feature that a command names is there",
    );
    assert!(count > 60, "{count} commands");
}

/// The text between the first two quotation marks after `key`.
fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_once(key)?.1.split('"').nth(1)
}

/// Dependencies as a reader copies them: packages by paths beside a clone, solvers by the versions that are tested.
fn is_right_dependency(targets: &Targets, line: &str) -> bool {
    let name = line.split(" = ").next().unwrap_or(line);
    let features = line.split_once("features = [").map_or("", |(_, list)| list);
    let mut features = features
        .split(']')
        .next()
        .unwrap_or("")
        .split('"')
        .skip(1)
        .step_by(2);
    if !features.all(|feature| targets.features.contains(feature)) {
        return false;
    }
    if let Some(path) = quoted(line, "path =") {
        let clone = "../differentiation-interface";
        let Some(folder) = path.strip_prefix(clone) else {
            return false;
        };
        let manifest = format!("{}/Cargo.toml", folder.trim_start_matches('/'));
        let manifest = root().join(manifest.trim_start_matches('/'));
        let text = std::fs::read_to_string(manifest).unwrap_or_default();
        return text.contains(&format!("\nname = \"{name}\"\n"));
    }
    let version = line.split('"').nth(1).unwrap_or("none");
    let tested = page("adapters/Cargo.toml").text;
    let tested = tested
        .lines()
        .find(|line| line.starts_with(&format!("{name} = ")));
    tested.is_some_and(|line| line.contains(&format!("\"{version}")))
}

#[test]
fn dependencies_on_pages_are_there() {
    let targets = targets();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages() {
        for block in page
            .blocks()
            .into_iter()
            .filter(|block| block.language == "toml")
        {
            for line in block.lines {
                count += 1;
                if line != "[dependencies]" && !is_right_dependency(&targets, line) {
                    wrong.push(format!("{}:{}: {line}", page.path, block.number));
                }
            }
        }
        // and between backticks: `features = ["sparse"]`
        for (number, line) in page.outside() {
            for list in line.split("features = [").skip(1) {
                let list = list.split(']').next().unwrap_or(list);
                let names = list.split('"').skip(1).step_by(2);
                let unknown = names.filter(|name| !targets.features.contains(*name));
                wrong.extend(unknown.map(|name| format!("{}:{number}: {name}", page.path)));
            }
        }
    }
    none(
        wrong,
        "packages, versions and features on pages are those of the repository",
    );
    assert!(count > 5, "{count} lines");
}

/// A message in a block is one of the table of messages, word for word.
#[test]
fn messages_on_pages_are_those_of_the_compiler() {
    let (codes, mut wrong, mut count) = (page("docs/codes.md").text, Vec::new(), 0);
    let is_known = |line: &str| {
        if let Some((_, message)) = line.split_once("[DI") {
            let (code, text) = message.split_once("] ").unwrap_or((message, ""));
            // what is between backticks is a part of the program
            let text = text.split('`').enumerate();
            let text = text.map(|(i, part)| if i % 2 == 0 { part } else { ".." });
            let text = text.collect::<Vec<_>>().join("`");
            return codes.contains(&format!("| DI{code} | {text} |"));
        }
        line.split_once("= help: ")
            .is_none_or(|(_, help)| codes.contains(&format!("| {help} |")))
    };
    for page in pages() {
        let blocks: Vec<_> = page.blocks();
        for block in blocks.iter().filter(|block| block.language == "text") {
            for line in &block.lines {
                count += usize::from(line.contains("[DI"));
                if !is_known(line) {
                    wrong.push(format!("{}:{}: {line}", page.path, block.number));
                }
            }
        }
    }
    none(wrong, "messages on pages are those of docs/codes.md");
    assert!(count > 0, "no message");
}

/// Names of generated code and of the runtime beneath it, in a page for contributors that nothing compiles.
#[test]
fn sketches_of_the_runtime_name_what_is_there() {
    let runtime: String = files(&[".rs"])
        .into_iter()
        .filter(|source| {
            source.path.starts_with("di-runtime/") || source.path.starts_with("di-macros/")
        })
        .map(|source: Page| source.text)
        .collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    let page = page("docs/generated-code.md");
    for block in page.blocks() {
        for line in block.lines {
            for key in ["pub fn ", "pub trait ", "pub struct ", "fn "] {
                for name in after(line, key).filter(|name| *name != "f" && *name != "g") {
                    let name = name.trim_end_matches(['-', '.']);
                    count += 1;
                    let is_there = ["fn ", "struct ", "trait ", "type ", "enum "]
                        .iter()
                        .any(|kind| runtime.contains(&format!("{kind}{name}")));
                    if !is_there {
                        wrong.push(format!("{}:{}: {name}", page.path, block.number));
                    }
                }
            }
        }
    }
    none(
        wrong,
        "a page about generated code names what is in the runtime",
    );
    assert!(count > 30, "{count} names");
}
