//! Pages of Markdown, and the files of the repository, as text. Says where links, headings and code are, not whether they
//! are right.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A page: its path from the root, and its text.
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A block of code between fences: the line it begins in, its language, and its lines.
pub(crate) struct Block<'a> {
    pub(crate) number: usize,
    pub(crate) language: &'a str,
    pub(crate) lines: Vec<&'a str>,
}

impl Page {
    /// Numbered lines outside of blocks of code.
    pub(crate) fn outside(&self) -> Vec<(usize, &str)> {
        let mut inside = false;
        let mut outside = Vec::new();
        for (number, line) in self.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if !inside {
                outside.push((number + 1, line));
            }
        }
        assert!(!inside, "{}: a block of code does not end", self.path);
        outside
    }

    /// Numbered lines of prose: without blocks of code, and without code between backticks.
    pub(crate) fn prose(&self) -> Vec<(usize, String)> {
        let lines = self.outside().into_iter();
        lines
            .map(|(number, line)| (number, without_code(line)))
            .collect()
    }

    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<Block<'_>> = None;
        for (number, line) in self.text.lines().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (fence, &mut open) {
                (Some(language), None) => {
                    open = Some(Block {
                        number: number + 1,
                        language,
                        lines: Vec::new(),
                    });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => block.lines.push(line),
                (None, None) => {}
            }
        }
        blocks
    }

    /// Where its headings are linked to, as GitHub and mdBook make it of their text.
    pub(crate) fn anchors(&self) -> BTreeSet<String> {
        let mut seen = BTreeMap::<String, usize>::new();
        let mut anchors = BTreeSet::new();
        for (_, line) in self.outside() {
            let heading = line.trim_start_matches('#');
            if heading.len() == line.len() || !heading.starts_with(' ') {
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
pub(crate) fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 0 { part } else { "``" })
        .collect()
}

/// Targets of links, `[text](target)`, and of pictures.
pub(crate) fn links(line: &str) -> impl Iterator<Item = &str> {
    let links = line.split("](").skip(1);
    links.filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn page(path: &str) -> Page {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let path = path.to_owned();
    Page { path, text }
}

/// All text files of the repository whose names end in one of `ends`, without build output.
pub(crate) fn files(ends: &[&str]) -> Vec<Page> {
    let mut found = Vec::new();
    let mut open = vec![root().to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).expect("a folder that was found");
        for entry in entries {
            let path = entry.expect("an entry of a readable folder").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if [".git", "target", "wip"].contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if ends.iter().any(|end| name.ends_with(end))
                && let Ok(text) = fs::read_to_string(&path)
            {
                let path = path.strip_prefix(root()).unwrap_or(&path);
                let path = path.to_string_lossy().replace('\\', "/");
                found.push(Page { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// All pages of the repository.
pub(crate) fn pages() -> Vec<Page> {
    let pages = files(&[".md"]);
    assert!(pages.len() > 25, "{} pages", pages.len());
    pages
}

/// The text of comments of a Rust file, by lines; of documentation alone, if that is asked for.
pub(crate) fn comments(source: &Page, only_docs: bool) -> Vec<(usize, &str)> {
    let mut comments = Vec::new();
    for (number, line) in source.text.lines().enumerate() {
        let docs = ["///", "//!"].map(|mark| line.trim_start().strip_prefix(mark));
        let comment = match docs.into_iter().flatten().next() {
            None if only_docs => None,
            None => line.split_once("//").map(|(_, comment)| comment),
            docs => docs,
        };
        comments.extend(comment.map(|comment| (number + 1, comment)));
    }
    comments
}

/// `docs/../README.md` is `README.md`; `../README.md` is outside of the repository, and stays.
pub(crate) fn plain(path: &Path) -> String {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part != Component::ParentDir || !plain.pop() {
            plain.push(part);
        }
    }
    plain.to_string_lossy().replace('\\', "/")
}

/// Whether `path`, from the root, is a file or a folder of the repository, and has the heading.
pub(crate) fn leads(path: &str, anchor: &str) -> bool {
    let is_inside = !path.is_empty() && !path.starts_with("..");
    is_inside
        && root().join(path).exists()
        && (anchor.is_empty() || page(path).anchors().contains(anchor))
}

/// Fails with all of them at once.
pub(crate) fn none(wrong: Vec<String>, rule: &str) {
    assert!(wrong.is_empty(), "{rule}\n  {}\n", wrong.join("\n  "));
}
