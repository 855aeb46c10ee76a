//! The guide as a reader meets it: links lead somewhere, blocks of code are run, and the contents list every page.
//! Reads files as text.

mod blocks;
mod heads;
mod links;
mod names;
mod page;
mod printed;

use page::{links, none, page, root};

/// The pages of `docs/`, by the names of their files.
fn guide() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("docs")).expect("there is a guide");
    let names = entries.map(|entry| entry.expect("an entry of a readable directory").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    names
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
