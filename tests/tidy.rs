//! The house rules that a machine can check. Reads files as text; knows nothing of what they mean.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the repository: its path from the root, with `/`, and its text.
struct File {
    path: String,
    text: String,
}

impl File {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// A case of the ui tests is named after its mistake, and its lines are counted by the messages.
    fn is_case(&self) -> bool {
        ["fail", "built", "pass"]
            .iter()
            .any(|cases| self.path.starts_with(&format!("ui-tests/{cases}/")))
    }

    /// Test code may do what the product may not.
    fn is_test(&self) -> bool {
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.starts_with("ui-tests/")
    }

    /// Numbered lines of code: without comments, and without what follows `#[cfg(test)]`.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .map(|(number, line)| (number + 1, line.split("//").next().unwrap_or(line)))
    }
}

/// All text files of the repository, without build output.
fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for path in entries(&dir) {
            let name = path
                .file_name()
                .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            if name == ".git" || name == "target" || name == "wip" {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                let path = path.strip_prefix(root).unwrap_or(&path);
                let path = path.to_string_lossy().replace('\\', "/");
                found.push(File { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        found.len() > 20,
        "the repository was not found at {}",
        root.display()
    );
    found
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    read.map(|entry| entry.expect("an entry of a readable directory").path())
        .collect()
}

fn rust_files() -> Vec<File> {
    let mut files = files();
    files.retain(File::is_rust);
    files
}

/// Fails with all violations at once.
fn none(violations: Vec<String>, rule: &str) {
    assert!(
        violations.is_empty(),
        "{rule}\n  {}\n",
        violations.join("\n  ")
    );
}

/// Whether `line` contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

/// Lines of code, in files that `applies` to, for which `bad` says so.
fn lines_where(applies: impl Fn(&File) -> bool, bad: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for file in rust_files().iter().filter(|file| applies(file)) {
        for (number, line) in file.code().filter(|(_, line)| bad(line)) {
            found.push(format!("{}:{number}: {}", file.path, line.trim()));
        }
    }
    found
}

#[test]
fn files_say_first_what_lives_in_them() {
    let silent = |file: &File| !file.is_case() && !file.text.starts_with("//! ");
    let silent = rust_files().into_iter().filter(silent);
    none(
        silent.map(|file| file.path).collect(),
        "the first line of a file is `//! ` and a sentence",
    );
}

#[test]
fn files_have_one_subject_and_fit_on_a_few_screens() {
    let long = rust_files().into_iter().filter_map(|file| {
        let lines = file.text.lines().count();
        (lines > 600).then(|| format!("{}: {lines} lines", file.path))
    });
    none(
        long.collect(),
        "a file has 600 lines at most: split it by subject",
    );
}

#[test]
fn files_are_named_by_their_subject() {
    let vague = ["utils", "util", "common", "helpers", "helper", "misc"];
    let named = rust_files().into_iter().filter(|file| {
        let parts = file.path.trim_end_matches(".rs").split('/');
        parts.clone().any(|part| vague.contains(&part))
    });
    none(
        named.map(|file| file.path).collect(),
        "if it has no name it has no home yet",
    );
}

#[test]
fn nothing_unfinished_is_left_behind() {
    let marks = ["todo!", "unimplemented!", "dbg!"];
    let marked = lines_where(
        // there they are what is tested
        |file| file.path != "tests/language/control/effects.rs",
        |line| {
            marks.iter().any(|mark| {
                has_word(line, mark.trim_end_matches('!')) && line.contains(&format!("{mark}("))
            })
        },
    );
    none(marked, "`todo!`, `unimplemented!` and `dbg!` do not land");
    let mut loose = Vec::new();
    for file in rust_files() {
        for (number, line) in file.text.lines().enumerate() {
            let word = ["TO", "DO"].concat();
            if let Some(at) = line.find(&format!("// {word}"))
                && !line[at..].contains('#')
            {
                loose.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    none(
        loose,
        "a note of what is missing carries the number of its issue",
    );
}

#[test]
fn unwrap_is_for_tests() {
    let unwrapped = lines_where(|file| !file.is_test(), |line| line.contains(".unwrap()"));
    none(unwrapped, "write `?`, or `expect(\"why it cannot fail\")`");
}

#[test]
fn no_file_knows_where_it_was_written() {
    let places = ["work", "home", "root", "tmp", "Users"].map(|dir| format!("/{dir}/"));
    let mut found = Vec::new();
    for file in files()
        .iter()
        .filter(|file| !file.path.starts_with("examples/data/"))
    {
        for (number, line) in file.text.lines().enumerate() {
            let starts = |place: &String| {
                line.match_indices(place.as_str()).any(|(at, _)| {
                    // A web address or a path inside the repository is no local path.
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || "./_-$)}".contains(c))
                })
            };
            if places.iter().any(starts) {
                found.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    none(found, "paths are relative to the repository");
}

#[test]
fn the_compiler_meets_syntax_at_its_ends_only() {
    let compiler = "di-macros/compiler/src/";
    let inside = |path: &str, places: &[&str]| {
        let rest = path.strip_prefix(compiler);
        rest.is_some_and(|rest| places.iter().any(|place| rest.starts_with(place)))
    };
    let product = |file: &File| {
        let is_own = !file.path.starts_with("di-macros/template/");
        is_own && file.path.starts_with("di-macros/") && !file.is_test()
    };
    // The dump formats what was emitted, and the formatter takes syntax.
    let front = [
        "options", "lower", "expand", "derive", "rule", "closure", "generic", "dump", "lib.rs",
        "answer", "walk", "template",
    ];
    let syn = lines_where(
        |file| product(file) && !inside(&file.path, &front),
        |line| line.contains("syn::") || has_word(line, "use syn"),
    );
    none(
        syn,
        "syn is seen by options, lower, expand, rule, closure, generic and derive only",
    );
    let back = [
        "answer", "emit", "expand", "derive", "rule", "closure", "generic", "lib.rs", "report",
        "error", "template",
    ];
    // Reading tokens (`ToTokens`) belongs to syntax; making them belongs to the emitters.
    let makes_tokens = |line: &str| {
        let reads = line.trim() == "use quote::ToTokens;";
        !reads && (has_word(line, "quote") || has_word(line, "quote_spanned"))
    };
    // around the user's own code
    let around = ["lower/code"];
    let quote = lines_where(
        |file| product(file) && ![&back[..], &around].iter().any(|at| inside(&file.path, at)),
        makes_tokens,
    );
    none(quote, "tokens are made by the emitters only");
    let shim = lines_where(
        |file| product(file) && file.path != "di-macros/src/lib.rs",
        |line| has_word(line, "proc_macro"),
    );
    none(shim, "proc_macro is seen by the shim only");
}

/// Modules of a crate from the lowest floor to the highest; those in one list may refer to each other.
const FLOORS: [(&str, &[&[&str]]); 3] = [
    (
        "di-runtime/src/",
        &[
            &[
                "pool",
                "scalar",
                "context",
                "capability",
                "held",
                "implicit",
                "matrix",
                "sealed",
                "shared",
                "sparsity",
            ],
            &["rules", "generated", "nested"],
            &["value", "nd", "entries"],
            &["error", "form", "function", "compressed"],
            &["handle", "batch"],
            &["bound", "closure", "overloaded", "pattern"],
            // A backend has all operators, derived from its primitives; a prep holds what a backend works in.
            &["primitive", "derived", "backend", "matrices", "prep"],
            &["backends", "second_order"],
            &["operators"],
            &["differentiate_with", "instances", "reusable"],
            &["private"],
            &["special"],
        ],
    ),
    (
        "di-sparse/src/",
        &[
            &["pattern"],
            &["graph"],
            &["order"],
            &["color"],
            &["decompress", "detect"],
            &["spy"],
            &["mixed", "auto"],
            &["tests"],
        ],
    ),
    (
        "di-macros/compiler/src/",
        &[
            &[
                "error", "mutation", "purpose", "sorted", "symbol", "template", "tokens", "ir",
            ],
            &["report", "analysis", "answer", "walk"],
            &["options", "lower", "transform", "derive"],
            &["check", "emit"],
            &["dump"],
            &["expand"],
            &["rule", "closure", "generic"],
        ],
    ),
];

#[test]
fn modules_import_downwards() {
    let mut wrong = Vec::new();
    for (root, floors) in FLOORS {
        let floor = |module: &str| floors.iter().position(|floor| floor.contains(&module));
        for file in rust_files()
            .iter()
            .filter(|file| file.path.starts_with(root))
        {
            let rest = &file.path[root.len()..];
            let module = rest
                .split('/')
                .next()
                .unwrap_or(rest)
                .trim_end_matches(".rs");
            if module == "lib" {
                continue;
            }
            let Some(here) = floor(module) else {
                wrong.push(format!(
                    "{}: `{module}` stands on no floor, add it to FLOORS",
                    file.path
                ));
                continue;
            };
            for (number, line) in file.code() {
                for (at, _) in line.match_indices("crate::") {
                    if line[..at].ends_with('$') {
                        continue;
                    }
                    let rest = &line[at + "crate::".len()..];
                    let name = rest
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap_or(rest);
                    if floor(name).is_some_and(|there| there > here) {
                        wrong.push(format!(
                            "{}:{number}: `{module}` is below `{name}`",
                            file.path
                        ));
                    }
                }
            }
        }
    }
    none(wrong, "floors import downwards only");
}

/// The code in a row of the table of messages: `NAME "DI0123"`, the text and the help on the lines below.
fn message_code(line: &str) -> Option<&str> {
    let line = line.trim();
    let (name, rest) = line.split_once(" \"DI")?;
    let is_name = name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let digits = rest.strip_suffix('"')?;
    let is_code = digits.len() == 4 && digits.chars().all(|c| c.is_ascii_digit());
    (is_name && is_code).then(|| line[name.len() + 2..].trim_end_matches('"'))
}

#[test]
fn each_message_has_a_ui_test_and_each_ui_test_a_message() {
    let files = files();
    let mut codes = BTreeMap::new();
    let mut wrong = Vec::new();
    let error = "di-macros/compiler/src/error.rs";
    let source = files
        .iter()
        .find(|file| file.path == error)
        .expect("the compiler's messages are in error.rs");
    for (number, line) in source.code() {
        let Some(code) = message_code(line) else {
            continue;
        };
        if let Some(before) = codes.insert(code.to_lowercase(), number) {
            wrong.push(format!(
                "{error}:{number}: {code} is taken by line {before}"
            ));
        }
    }
    let cases: BTreeSet<String> = files
        .iter()
        .filter(|file| file.path.starts_with("ui-tests/fail/") && file.is_rust())
        .filter_map(|file| file.path.rsplit('/').next())
        .map(|name| name.split('_').next().unwrap_or(name).to_lowercase())
        .filter(|code| code.starts_with("di0"))
        .collect();
    for (code, number) in &codes {
        if !cases.contains(code) {
            wrong.push(format!(
                "{error}:{number}: no case ui-tests/fail/<area>/{code}_<mistake>.rs"
            ));
        }
    }
    for code in cases.iter().filter(|code| !codes.contains_key(*code)) {
        wrong.push(format!(
            "ui-tests/fail: {code} is no message of the compiler"
        ));
    }
    none(wrong, "messages and ui tests are in step");
    assert!(
        codes.len() > 25,
        "{} messages found in {error}",
        codes.len()
    );
}

#[test]
fn each_example_is_shown_and_run() {
    let files = files();
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.unwrap_or_else(|| panic!("{path} is missing"))
            .text
            .as_str()
    };
    let mut wrong = Vec::new();
    for path in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")) {
        let is_example =
            path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists();
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        for place in ["README.md", ".ci/run"] {
            if is_example && !has_word(text(place), &name) {
                wrong.push(format!("`{name}` is not mentioned in {place}"));
            }
        }
    }
    none(
        wrong,
        "an example that nobody is told of is not read, one that does not run rots",
    );
}

#[test]
fn each_package_takes_the_lints_of_the_workspace() {
    // a package with a workspace of its own stands outside of this one
    let inside = |file: &File| file.path == "Cargo.toml" || !file.text.contains("\n[workspace]\n");
    let manifests = files()
        .into_iter()
        .filter(|file| file.path.ends_with("Cargo.toml") && inside(file));
    let loose = manifests.filter(|file| !file.text.contains("[lints]\nworkspace = true"));
    none(
        loose.map(|file| file.path).collect(),
        "`[lints] workspace = true` stands in each manifest",
    );
}

/// A function that is differentiated may return an error, and may call the operator with the prep that is in use.
#[test]
fn operators_say_what_functions_may_do() {
    let more = [
        "di-sparse/src/auto/team.rs",
        "di-sparse/src/detect/probe.rs",
        "di-sparse/src/detect/tracing.rs",
    ];
    let is_operator = |path: &str| path.starts_with("di-runtime/src/operators/");
    let concerned = |file: &File| is_operator(&file.path) || more.contains(&file.path.as_str());
    let elsewhere = [
        "Those of [`",
        "Those of the operator",
        "Those of the preparation",
        "That of the first point",
        "The same.",
        "those of the gradient",
    ];
    let (mut silent, mut sections) = (Vec::new(), 0);
    for file in rust_files().into_iter().filter(concerned) {
        for section in file.text.split("/// # Errors\n").skip(1) {
            sections += 1;
            let is_doc = |line: &&str| line.trim().starts_with("///") && line.trim() != "///";
            let said: Vec<&str> = section.lines().take_while(is_doc).collect();
            let said = said.join(" ");
            if elsewhere.iter().any(|words| said.contains(words)) {
                continue;
            }
            let code = section
                .lines()
                .filter(|line| !line.trim().starts_with("//"));
            let signature: Vec<&str> = code.take_while(|line| !line.ends_with('{')).collect();
            let takes_prep = signature.iter().any(|line| line.contains("prep: "));
            let complete = said.contains("[`Error::Function`]")
                && (!takes_prep || said.contains("[`Error::InUse`]"));
            if !complete {
                let name = signature.iter().find(|line| line.contains("fn "));
                silent.push(format!("{}: {}", file.path, name.unwrap_or(&"?").trim()));
            }
        }
    }
    assert!(sections > 60, "{sections} sections");
    none(
        silent,
        "`# Errors` names `Error::Function`, and `Error::InUse` where there is a prep",
    );
}

#[test]
fn nothing_is_compiled_alike_for_macros_and_for_programs() {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked"])
        .args(["--package", "differentiation-interface"])
        .args(["--edges", "normal", "--prefix", "depth"])
        .args(["--format", "\t{p}\t{f}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{cargo:?}");
    let tree = String::from_utf8_lossy(&cargo.stdout);
    let (mut macros, mut programs) = (BTreeSet::new(), BTreeSet::new());
    // how deep the procedural macro is that a package stands below
    let mut below: Option<usize> = None;
    for line in tree.lines() {
        let (depth, package) = line.split_once('\t').expect("a depth and a package");
        let depth: usize = depth.parse().expect("a depth is a number");
        below = below.filter(|top| depth > *top);
        if package.contains("(proc-macro)") && below.is_none() {
            below = Some(depth);
        }
        let package = package.trim_end_matches(" (*)").to_owned();
        match below {
            Some(_) => macros.insert(package),
            None => programs.insert(package),
        };
    }
    assert!(macros.len() > 5 && programs.len() > 2, "{tree}");
    none(
        macros.intersection(&programs).cloned().collect(),
        "`cargo check` and `cargo build` compile a package twice, and what depends on it, that macros and programs \
         share with the same features: it has debug information where programs are built",
    );
}

/// All of them, since they are listed one by one, so that types with the names of traits elsewhere stay out.
#[test]
fn the_prelude_has_all_operators_and_the_compiler_knows_them() {
    let files = files();
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == path);
        file.unwrap_or_else(|| panic!("{path} is missing"))
            .text
            .as_str()
    };
    let operators = text("di-runtime/src/operators/mod.rs")
        .split("pub use")
        .skip(1);
    let names = operators.flat_map(|group| {
        let end = group.find(';').unwrap_or(group.len());
        group[..end].split(|c: char| !c.is_alphanumeric() && c != '_')
    });
    let (_, prelude) = text("src/lib.rs")
        .split_once("pub mod prelude")
        .expect("it is there");
    let prelude = prelude.split("\n}").next().unwrap_or(prelude);
    let is_function = |name: &&str| name.contains('_') || ["gradient", "hvp"].contains(name);
    let names: BTreeSet<&str> = names
        .filter(|n| n.starts_with(char::is_lowercase))
        .filter(is_function)
        .collect();
    let modules = ["second_derivative", "with_aux"];
    let missing = names
        .iter()
        .filter(|name| !has_word(prelude, name) && !modules.contains(name));
    none(
        missing.map(|name| (*name).to_owned()).collect(),
        "`di::prelude` lists every operator",
    );
    assert!(names.len() > 50, "{names:?}");
    let known = text("di-macros/compiler/src/symbol.rs");
    let operators = prelude.split("di_runtime::operators::").nth(1);
    let brought = operators
        .into_iter()
        .flat_map(|o| o.split([',', '{', '}', ';']));
    let brought = brought.map(str::trim).filter(|name| !name.is_empty());
    let unknown = brought.filter(|name| !known.contains(&format!("\"{name}\",")));
    none(
        unknown.map(str::to_owned).collect(),
        "`OF_PRELUDE` in `symbol.rs` lists what the prelude brings",
    );
}
