//! The page that lists all messages, `docs/codes.md`: made of the table in `error.rs` and of the cases.

use crate::errors::cases;
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "# Messages of the compiler

Generated from the table in `di-macros/compiler/src/error.rs`; do not edit. After a change of the table:
`DI_BLESS=1 cargo test -p differentiation-interface-compiler --test compiler`.

`..` stands for a part of your program. A message points at the smallest thing to change. The last column links to
programs that are refused with this message; tests compile them. If you cannot change your code, use
[`#[overloaded]`](overloaded.md) instead.
";

/// Kinds of messages, by the first two digits of their codes.
const KINDS: [(&str, &str); 7] = [
    ("DI00", "The attribute"),
    ("DI01", "The signature"),
    ("DI02", "Syntax"),
    ("DI03", "Types and activity"),
    ("DI04", "Calls"),
    ("DI05", "The derive"),
    ("DI06", "Arrays of `ndarray`"),
];

fn page() -> String {
    let mut page = String::from(HEAD);
    let cases = cases();
    let mut listed = 0;
    for (kind, title) in KINDS {
        let _ = write!(
            page,
            "\n## {title}\n\n| code | what is wrong, and why | what to write instead | case |\n|---|---|---|---|\n"
        );
        for message in di_compiler::error::ALL {
            if !message.code.starts_with(kind) {
                continue;
            }
            listed += 1;
            let of_code = cases
                .iter()
                .filter(|(code, _)| message.code.strip_prefix("DI") == Some(code));
            let links: Vec<String> = of_code
                .map(|(_, path)| {
                    let stem = path.file_stem().unwrap().to_string_lossy();
                    let area = path.parent().unwrap().file_name().unwrap();
                    let name = stem.split_once('_').map_or(&*stem, |(_, name)| name);
                    let area = area.to_string_lossy();
                    format!(
                        "[{}](../ui-tests/fail/{area}/{stem}.rs)",
                        name.replace('_', " ")
                    )
                })
                .collect();
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} |",
                message.code,
                cell(message.text),
                cell(message.help),
                links.join(", ")
            );
        }
    }
    assert_eq!(
        listed,
        di_compiler::error::ALL.len(),
        "a code is of no kind: add it to KINDS"
    );
    page
}

fn cell(text: &str) -> String {
    text.replace("{}", "..").replace('|', "\\|")
}

/// `DI_BLESS=1` writes the page instead.
#[test]
fn the_page_of_codes_is_in_step_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/codes.md");
    let page = page();
    if std::env::var_os("DI_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == page,
        "docs/codes.md is not in step: DI_BLESS=1 cargo test -p differentiation-interface-compiler --test compiler"
    );
}

#[test]
fn codes_ascend_and_texts_are_in_style() {
    for pair in di_compiler::error::ALL.windows(2) {
        assert!(
            pair[0].code < pair[1].code,
            "{} after {}",
            pair[1].code,
            pair[0].code
        );
    }
    for m in di_compiler::error::ALL {
        assert!(
            !m.text.ends_with('.') && !m.help.ends_with(". "),
            "{}",
            m.code
        );
        assert!(!m.help.is_empty(), "{}", m.code);
    }
}
