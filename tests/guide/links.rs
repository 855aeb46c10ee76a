//! Links and names of files, on pages and in comments of sources.

use std::path::Path;

use crate::page::{comments, files, leads, links, none, page, pages, plain};

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
                    "" => page.path.clone(),
                    path => plain(&folder.join(path)),
                };
                // without a target, a link leads to where it stands
                let is_empty = path.is_empty() && anchor.is_empty();
                if is_empty || !leads(&target, anchor) {
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
        for (number, line) in page.outside() {
            let is_code_whole = line.matches('`').count() % 2 == 0;
            let prose = crate::page::without_code(line);
            if !is_code_whole || is_other_link(&prose) {
                wrong.push(format!("{}:{number}: {line}", page.path));
            }
        }
    }
    none(
        wrong,
        "links are `[text](target)` on one line: no references, no HTML, no bare addresses, no brackets for other purposes",
    );
}

/// A bracket that no target follows, an address in no link, or HTML other than comments and breaks in tables.
fn is_other_link(prose: &str) -> bool {
    let mut rest = prose.to_owned();
    while let Some((before, link)) = rest.split_once('[') {
        let Some((text, target)) = link.split_once("](") else {
            return true;
        };
        let Some((target, after)) = target.split_once(')') else {
            return true;
        };
        if before.contains(']') || text.contains(['[', ']']) || target.contains([' ', '(', '<']) {
            return true;
        }
        rest = format!("{before}{after}");
    }
    let is_tag = |(at, _): (usize, &str)| {
        let tag = &rest[at + 1..];
        tag.starts_with(|c: char| c.is_alphabetic() || c == '/') && !tag.starts_with("br>")
    };
    rest.contains(']') || rest.contains("://") || rest.match_indices('<').any(is_tag)
}

/// Addresses of this repository, of crates, and of hosts that are known; whether those answer is for a reader to try.
#[test]
fn addresses_are_those_of_this_repository_and_of_its_dependencies() {
    const HOSTS: [&str; 4] = [
        "github.com/JuliaDiff/DifferentiationInterface.jl",
        "rust-lang.github.io/mdBook/",
        "semver.org",
        "www.itl.nist.gov/div898/strd/nls/nls_main.shtml",
    ];
    let own = "github.com/differentiation-interface/differentiation-interface";
    let locks = files(&["Cargo.lock"]).into_iter().map(|lock| lock.text);
    let locks = locks.collect::<String>();
    let is_crate = |name: &str| locks.contains(&format!("\nname = \"{name}\"\n"));
    let (mut wrong, mut count) = (Vec::new(), 0);
    let mut check = |path: &str, number: usize, link: &str| {
        count += 1;
        let (scheme, address) = link.split_once("://").unwrap_or((link, ""));
        let crates = ["docs.rs/", "crates.io/crates/"].map(|host| address.strip_prefix(host));
        let is_right = if let Some(name) = crates.into_iter().flatten().next() {
            is_crate(name)
        } else if let Some(path) = address.strip_prefix(own) {
            let path = path.strip_prefix("/blob/").and_then(|p| p.split_once('/'));
            path.is_none_or(|(_, path)| {
                let (path, anchor) = path.split_once('#').unwrap_or((path, ""));
                leads(path, anchor)
            })
        } else {
            HOSTS.contains(&address)
        };
        if scheme != "https" || !is_right {
            wrong.push(format!("{path}:{number}: {link}"));
        }
    };
    for page in pages() {
        for (number, line) in page.prose() {
            for link in links(&line).filter(|link| link.contains("://")) {
                check(&page.path, number, link);
            }
        }
    }
    for source in files(&[".rs"]) {
        for (number, line) in comments(&source, true) {
            let is_address = |c: &char| !c.is_whitespace() && !"<>()[]`\"".contains(*c);
            for (at, _) in line.match_indices("https://") {
                let address: String = line[at..].chars().take_while(is_address).collect();
                check(&source.path, number, address.trim_end_matches(['.', ',']));
            }
        }
    }
    none(
        wrong,
        "addresses lead to this repository, to a crate that it uses, or to a known host",
    );
    assert!(count > 15, "{count} addresses");
}

/// rustdoc checks links to items, and shows files of the repository nowhere.
#[test]
fn documentation_of_items_does_not_link_to_files() {
    let mut wrong = Vec::new();
    for source in files(&[".rs"]) {
        let text = comments(&source, true).into_iter();
        for (number, line) in text.map(|(number, line)| (number, crate::page::without_code(line))) {
            let to_file = |link: &str| !link.contains("://") && link.contains(['/', '#']);
            if links(&line).any(to_file) || line.contains("href=") {
                wrong.push(format!("{}:{number}: {line}", source.path));
            }
        }
    }
    none(
        wrong,
        "documentation links to items, and to pages by their address",
    );
}

/// The folders at the root; what begins with one of them is the name of a file.
const FOLDERS: [&str; 10] = [
    ".ci/",
    "adapters/",
    "benches/",
    "di-macros/",
    "di-runtime/",
    "di-sparse/",
    "docs/",
    "examples/",
    "tests/",
    "ui-tests/",
];

/// Names of files in a line, with headings: `docs/limits.md#singular-points`.
fn names_of_files(line: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || "/-_.#".contains(c);
    let words = line.split(|c| !is_part(c));
    words
        .map(|word| word.trim_end_matches('.').trim_start_matches("../"))
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        .filter(|word| {
            !word.contains("..") && !word.ends_with("/target") && !word.contains("/target/")
        })
        .collect()
}

/// Prose, comments and documentation name files by their path from the root, or from their package.
#[test]
fn files_that_are_named_are_there() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    let mut check = |path: &str, number: usize, line: &str| {
        for name in names_of_files(line) {
            count += 1;
            let (file, anchor) = name.split_once('#').unwrap_or((name, ""));
            let mut folders = Path::new(path).ancestors().skip(1);
            if !folders.any(|folder| leads(&plain(&folder.join(file)), anchor)) {
                wrong.push(format!("{path}:{number}: {name}"));
            }
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
    for table in [
        ".ci/run",
        ".ci/long",
        ".ci/features",
        "tests/kit/rows.txt",
        "tests/kit/parity.txt",
    ] {
        for (number, line) in page(table).text.lines().enumerate() {
            check(table, number + 1, line);
        }
    }
    none(wrong, "a file that is named is there");
    assert!(count > 700, "{count} names");
}
