//! The IR of the constructs of the language, as text. `UPDATE_SNAPSHOTS=1` writes the files anew.

use di_compiler::ir::{print, verify};
use std::path::Path;

/// Lowers each annotated function of `source`, relative to this package, and compares with
/// `tests/snapshots/<name>.ir`.
fn snapshot(name: &str, source: &str) {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(package.join(source)).unwrap();
    let file = syn::parse_file(&source).unwrap();
    let mut found = String::new();
    let annotated = |attrs: &[syn::Attribute]| {
        !name.starts_with("language") || attrs.iter().any(|a| is_ours(&a.meta))
    };
    let mut around = file.items.clone();
    around.retain(|item| match item {
        syn::Item::Fn(f) => annotated(&f.attrs),
        syn::Item::Struct(s) => annotated(&s.attrs),
        syn::Item::Impl(block) => annotated(&block.attrs),
        _ => false,
    });
    let around = quote::quote!(#(#around)*).to_string();
    for item in file.items {
        let syn::Item::Fn(mut f) = item else { continue };
        let is_lowered = f.attrs.iter().any(|a| a.path().is_ident("differentiable"));
        if name.starts_with("language") && !is_lowered {
            continue;
        }
        f.attrs.clear();
        let source = quote::quote!(#f).to_string();
        let body = di_compiler::lower_among_str(&source, &around).unwrap_or_else(|errors| {
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
    compare(&format!("{name}.ir"), &found);
}

/// Whether an attribute is one of ours: `#[differentiable]`, `#[derive(Differentiable)]`.
fn is_ours(attr: &syn::Meta) -> bool {
    let text = quote::quote!(#attr).to_string();
    [
        "differentiable",
        "Differentiable",
        "custom_rule",
        "implicit",
    ]
    .iter()
    .any(|own| text.contains(own))
}

/// Compares a text with a file of `tests/snapshots`, or writes the file.
pub(crate) fn compare(file: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/snapshots")
        .join(file);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, found).unwrap();
        return;
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    for (k, (a, b)) in wanted.lines().zip(found.lines()).enumerate() {
        assert_eq!(a, b, "{file}, line {}", k + 1);
    }
    assert_eq!(
        wanted.lines().count(),
        found.lines().count(),
        "{file}: number of lines"
    );
}

/// Files of this package, one for each family.
macro_rules! snapshots {
    ($($name:ident)*) => {
        $(#[test] fn $name() {
            snapshot(stringify!($name), concat!("tests/snapshots/", stringify!($name), ".rs"));
        })*
    };
}

/// The functions of the language tests, one for each construct, by the folders that they are in.
macro_rules! language {
    ($($folder:ident: $($name:ident)*;)*) => {
        mod language {
            //! The functions of `tests/language` at the root.
            $($(#[test] fn $name() {
                super::snapshot(
                    concat!("language_", stringify!($name)),
                    concat!(
                        "../../tests/language/", stringify!($folder), "/", stringify!($name), ".rs",
                    ),
                );
            })*)*
        }
    };
}

snapshots! { arithmetic arrays calls exits iterators parameters passive }
language! {
    control: arithmetic branches chains checkpoints control effects exits f32 held iterators locals loops
        matching patterns references special surroundings;
    enums: options;
    functions: calls closures custom_rules cycles generics implicit lent parameters;
    sequences: arrays combined elements growth permutations records rows sequences shortened sorting;
    structs: derive methods struct_storage structs sums;
}
