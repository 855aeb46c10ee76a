//! The guide as a reader meets it: links lead somewhere, blocks of code are run, and the contents list every page.
//! Reads files as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A page: its path from the root, and its text.
struct Page {
    path: String,
    text: String,
}

impl Page {
    /// Numbered lines of prose: without blocks of code, and without code between backticks.
    fn prose(&self) -> Vec<(usize, String)> {
        let mut inside = false;
        let mut prose = Vec::new();
        for (number, line) in self.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if !inside {
                prose.push((number + 1, without_code(line)));
            }
        }
        assert!(!inside, "{}: a block of code does not end", self.path);
        prose
    }

    /// Where its headings are linked to, as GitHub and mdBook make it of their text.
    fn anchors(&self) -> BTreeSet<String> {
        let mut inside = false;
        let mut seen = BTreeMap::<String, usize>::new();
        let mut anchors = BTreeSet::new();
        for line in self.text.lines() {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            }
            let heading = line.trim_start_matches('#');
            if inside || heading.len() == line.len() || !heading.starts_with(' ') {
                continue;
            }
            let kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
            let anchor: String = heading.trim().chars().filter(kept).collect();
            let anchor = anchor.to_lowercase().replace(' ', "-");
            let count = seen.entry(anchor.clone()).or_default();
            anchors.insert(if *count == 0 {
                anchor
            } else {
                format!("{anchor}-{count}")
            });
            *count += 1;
        }
        anchors
    }
}

/// What is between backticks becomes empty: brackets in it are no links.
fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 0 { part } else { "``" })
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(path: &str) -> Page {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let path = path.to_owned();
    Page { path, text }
}

/// The pages of `docs/`, by the names of their files.
fn guide() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).expect("there is a guide");
    let names = entries.map(|entry| entry.expect("an entry of a readable directory").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    names
}

fn pages() -> Vec<Page> {
    let docs = guide().into_iter().map(|name| format!("docs/{name}"));
    let first = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "benches/data/adbench/README.md",
        "tests/data/hand/README.md",
    ]
    .map(str::to_owned);
    first
        .into_iter()
        .chain(docs)
        .map(|path| page(&path))
        .collect()
}

/// Targets of links, `[text](target)`, and of pictures.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let links = line.split("](").skip(1);
    links.filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
}

/// `docs/../README.md` is `README.md`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// Fails with all of them at once.
fn none(wrong: Vec<String>, rule: &str) {
    assert!(wrong.is_empty(), "{rule}\n  {}\n", wrong.join("\n  "));
}

#[test]
fn links_lead_to_files_and_headings() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for page in pages() {
        let folder = Path::new(&page.path).parent().expect("a file has a folder");
        for (number, line) in page.prose() {
            for link in links(&line).filter(|link| !link.contains("://")) {
                count += 1;
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match path {
                    "" => PathBuf::from(&page.path),
                    path => plain(&folder.join(path)),
                };
                let target = target.to_string_lossy().replace('\\', "/");
                let leads = root().join(&target).exists()
                    && (anchor.is_empty() || self::page(&target).anchors().contains(anchor));
                if !leads {
                    wrong.push(format!("{}:{number}: {link}", page.path));
                }
            }
        }
    }
    none(wrong, "links lead to a file, and to a heading in it");
    assert!(count > 500, "{count} links");
}

/// Links of other kinds would not be checked.
#[test]
fn links_are_written_in_one_way() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (number, line) in page.prose() {
            let is_defined = line.trim_start().starts_with('[') && line.contains("]: ");
            if is_defined || line.contains("href=") || line.contains("src=") {
                wrong.push(format!("{}:{number}", page.path));
            }
        }
    }
    none(wrong, "links are `[text](target)`");
}

/// Comments, messages, and links of hosted documentation: `docs/limits.md#singular-points`.
#[test]
fn sources_name_pages_that_exist() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    let folders = ["src", "di-macros", "di-runtime", "di-sparse", "tests/kit"];
    let mut open: Vec<PathBuf> = folders.map(|folder| root().join(folder)).into();
    for adapter in fs::read_dir(root().join("adapters")).expect("there are adapters") {
        open.push(adapter.expect("an entry that was found").path().join("src"));
    }
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder that was found");
            open.extend(entries.map(|entry| entry.expect("an entry that was found").path()));
            continue;
        }
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file that was found");
        for (at, _) in text.match_indices("docs/") {
            let is_part = |c: &char| c.is_alphanumeric() || "/-_.#".contains(*c);
            let name: String = text[at..].chars().take_while(is_part).collect();
            let (file, anchor) = name.split_once('#').unwrap_or((&name, ""));
            if !file.ends_with(".md") && !file.ends_with(".md.") {
                continue;
            }
            count += 1;
            let file = file.trim_end_matches('.');
            let leads = root().join(file).exists()
                && (anchor.is_empty() || self::page(file).anchors().contains(anchor));
            if !leads {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    none(wrong, "a page that is named is there");
    assert!(count > 20, "{count} names");
}

#[test]
fn names_in_brackets_are_links() {
    let mut wrong = Vec::new();
    for page in pages() {
        for (number, line) in page.prose() {
            // rustdoc makes a link of this, a book does not
            for (at, end) in line.match_indices("``]") {
                if line[..at].ends_with('[') && !line[at + end.len()..].starts_with('(') {
                    wrong.push(format!("{}:{number}", page.path));
                }
            }
        }
    }
    none(wrong, "a name in brackets is followed by where it leads");
}

/// Pages with fragments of Rust that are no programs: signatures, and code for other libraries.
const SKETCHES: [&str; 4] = [
    "CONTRIBUTING.md",
    "docs/coming-from.md",
    "docs/generated-code.md",
    "docs/language.md",
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
        let mut inside = false;
        for (number, line) in page.text.lines().enumerate() {
            let Some(language) = line.trim_start().strip_prefix("```") else {
                continue;
            };
            inside = !inside;
            let is_right = match language {
                _ if !inside => language.is_empty(),
                "rust" | "rust,compile_fail" => {
                    run += 1;
                    is_tested
                }
                "rust,ignore" => SKETCHES.contains(&page.path.as_str()),
                "text" | "toml" => true,
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{}:{}: {line}", page.path, number + 1));
            }
        }
    }
    none(
        wrong,
        "Rust on a page is run by an `include_str!`, and other blocks say what they are",
    );
    assert!(run > 40, "{run} blocks");
}

#[test]
fn contents_list_every_page_once() {
    let summary = page("docs/SUMMARY.md");
    let mut listed: Vec<&str> = summary.text.lines().flat_map(links).collect();
    listed.sort_unstable();
    let mut there = guide();
    there.retain(|name| name != "SUMMARY.md");
    assert_eq!(listed, there);
}

#[test]
fn readme_is_read_in_one_sitting() {
    let lines = page("README.md").text.lines().count();
    assert!(lines <= 200, "{lines} lines");
}

/// The table that the README begins with: its backends and sizes are those of the example that it names.
#[test]
fn first_table_is_what_the_example_prints() {
    let (readme, example) = (page("README.md").text, page("examples/figure2.rs").text);
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut wrong = Vec::new();
    for cell in &rows[0][2..] {
        let n = cell.strip_suffix(" inputs").expect("a number of inputs");
        let is_size = example.contains(&format!("[{n}, ")) || example.contains(&format!(" {n}, "));
        wrong.extend((!is_size).then(|| cell.to_string()));
    }
    for row in &rows[2..] {
        let backend = row[0].trim_matches('`');
        wrong.extend((!example.contains(&format!("{backend}::new()"))).then(|| backend.to_owned()));
        let figures = row[2..].iter().filter(|cell| cell.parse::<f64>().is_err());
        wrong.extend(figures.map(|cell| format!("{backend}: {cell}")));
    }
    none(wrong, "figures on the first page come from an example");
    assert!(rows.len() > 5, "{rows:?}");
    assert!(readme.contains("`cargo run --release --example figure2 --features num-dual,echidna`"));
}
