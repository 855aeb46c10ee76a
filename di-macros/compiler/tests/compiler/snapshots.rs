//! The IR of the constructs of the language, as text. `UPDATE_SNAPSHOTS=1` writes the files anew.

use di_compiler::ir::{print, verify};
use std::path::Path;

/// Lowers each function of `tests/snapshots/<name>.rs` and compares with `<name>.ir`.
fn snapshot(name: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let source = std::fs::read_to_string(dir.join(format!("{name}.rs"))).unwrap();
    let file = syn::parse_file(&source).unwrap();
    let mut found = String::new();
    for item in file.items {
        let syn::Item::Fn(mut f) = item else { continue };
        f.attrs.clear();
        let body =
            di_compiler::lower_str(&quote::quote!(#f).to_string()).unwrap_or_else(|errors| {
                let texts: Vec<String> = errors
                    .iter()
                    .map(di_compiler::report::Diagnostic::text)
                    .collect();
                panic!("{}: {}", f.sig.ident, texts.join("\n"))
            });
        verify::verify(&body).unwrap();
        found.push_str(&print::body(&body));
        found.push('\n');
    }
    let path = dir.join(format!("{name}.ir"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &found).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    for (k, (a, b)) in wanted.lines().zip(found.lines()).enumerate() {
        assert_eq!(a, b, "{name}.ir, line {}", k + 1);
    }
    assert_eq!(
        wanted.lines().count(),
        found.lines().count(),
        "{name}.ir: number of lines"
    );
}

macro_rules! snapshots {
    ($($name:ident)*) => { $(#[test] fn $name() { snapshot(stringify!($name)); })* };
}

snapshots! { arithmetic arrays calls exits iterators parameters passive }
