//! Names of variables do not matter: a function lowers to one IR, whatever its variables are named. They are named here
//! as the compiler names its own, which no code of the user may find.

use di_compiler::Around;
use di_compiler::ir::{Body, print};
use di_compiler::report::Diagnostic;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// The annotated functions of a file, and what they see of it.
pub(crate) struct Source {
    pub(crate) functions: Vec<syn::ItemFn>,
    pub(crate) around: Around,
    /// Names that are not only those of variables: of fields and items, and what is in texts and macros.
    taken: BTreeSet<String>,
}

#[derive(Default)]
struct Names {
    bound: BTreeSet<String>,
    taken: BTreeSet<String>,
    /// There are alternatives, `(a, b) | (b, a)`, whose variables are taken in the order of their names.
    is_ordered: bool,
}

impl<'a> Visit<'a> for Names {
    fn visit_pat_or(&mut self, p: &'a syn::PatOr) {
        self.is_ordered = true;
        syn::visit::visit_pat_or(self, p);
    }
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        syn::visit::visit_pat_ident(self, p);
    }
    fn visit_member(&mut self, m: &'a syn::Member) {
        self.taken.insert(m.to_token_stream().to_string());
    }
    fn visit_field(&mut self, f: &'a syn::Field) {
        self.taken.extend(f.ident.iter().map(Ident::to_string));
        syn::visit::visit_field(self, f);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.taken.insert(m.method.to_string());
        syn::visit::visit_expr_method_call(self, m);
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        words(&m.tokens.to_string(), &mut self.taken);
    }
    fn visit_item(&mut self, i: &'a syn::Item) {
        if let syn::Item::Fn(syn::ItemFn { sig, .. }) = i {
            self.taken.insert(sig.ident.to_string());
        }
        syn::visit::visit_item(self, i);
    }
    fn visit_attribute(&mut self, a: &'a syn::Attribute) {
        words(&a.to_token_stream().to_string(), &mut self.taken);
    }
}

fn words(text: &str, to: &mut BTreeSet<String>) {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    to.extend(text.split(is_end).map(str::to_owned));
}

fn is_differentiable(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("differentiable"))
}

/// Those of a file and of the annotated modules in it.
fn sources(items: &[syn::Item], all: bool, found: &mut Vec<Source>) {
    let mut names = Names::default();
    let mut functions = Vec::new();
    for item in items {
        names.visit_item(item);
        match item {
            syn::Item::Fn(f) if all || is_differentiable(&f.attrs) => {
                let mut f = f.clone();
                f.attrs.clear();
                functions.push(f);
            }
            syn::Item::Mod(m) => {
                if let Some((_, items)) = &m.content {
                    sources(items, is_differentiable(&m.attrs), found);
                }
            }
            _ => {}
        }
    }
    let around = items.iter().filter(|item| match item {
        syn::Item::Fn(f) => all || is_differentiable(&f.attrs),
        syn::Item::Struct(_) | syn::Item::Impl(_) | syn::Item::Enum(_) | syn::Item::Const(_) => {
            true
        }
        _ => false,
    });
    let around = Around::of(&quote::quote!(#(#around)*).to_string());
    let taken = names.taken;
    found.push(Source {
        functions,
        around,
        taken,
    });
}

/// The tokens with other names.
fn renamed(tokens: TokenStream, names: &BTreeMap<String, String>) -> TokenStream {
    let rename = |tree| match tree {
        TokenTree::Ident(ident) => match names.get(&ident.to_string()) {
            Some(name) => TokenTree::Ident(Ident::new(name, ident.span())),
            None => TokenTree::Ident(ident),
        },
        TokenTree::Group(g) => {
            let mut group = proc_macro2::Group::new(g.delimiter(), renamed(g.stream(), names));
            group.set_span(g.span());
            TokenTree::Group(group)
        }
        other => other,
    };
    tokens.into_iter().map(rename).collect()
}

/// The text with other names. Hashes of texts are left out, and names are in some of ours.
fn with_names(text: &str, from: &[String], to: &[String]) -> String {
    let digits = |c: char| c.is_ascii_digit();
    let mut kept = String::new();
    for part in text.split_inclusive(|c| !digits(c)) {
        let length = part.chars().take_while(|c| digits(*c)).count();
        kept.push_str(if length > 12 { &part[length..] } else { part });
    }
    let pairs = from.iter().zip(to);
    pairs.fold(kept, |text, (from, to)| text.replace(from, to))
}

/// The IR without names that have no meaning.
fn shape(mut body: Body) -> String {
    let is_meant = |hint: &str| hint.starts_with('#') || hint.starts_with("__");
    for place in &mut body.places {
        if !is_meant(&place.hint) {
            place.hint = "v".to_owned();
        }
    }
    for val in &mut body.vals {
        val.hint = None;
    }
    for param in &mut body.params {
        param.name = "__".to_owned();
    }
    print::body(&body)
}

/// The names of variables in the IR of all functions that are not in their sources.
fn own_names(sources: &[Source]) -> Vec<String> {
    let mut own = BTreeSet::new();
    for source in sources {
        for f in &source.functions {
            let text = f.to_token_stream().to_string();
            let Ok(body) = source.around.lower(&text) else {
                continue;
            };
            let mut written = BTreeSet::new();
            words(&text, &mut written);
            let hints = body
                .places
                .iter()
                .map(|p| &p.hint)
                .chain(body.vals.iter().filter_map(|v| v.hint.as_ref()));
            for hint in hints {
                let hint = hint.trim_start_matches('#');
                if hint.chars().all(char::is_alphabetic) && !written.contains(hint) {
                    own.insert(hint.to_owned());
                }
            }
        }
    }
    own.into_iter().collect()
}

fn files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let folders = [
        "language",
        "natural/src",
        "natural/tests",
        "programs",
        "regression",
    ];
    let mut all = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|f| tests.join(f)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// What a function lowers to if its variables are named so.
fn lowered(
    source: &Source,
    f: &syn::ItemFn,
    variables: &[String],
    names: &[String],
) -> Result<String, Vec<Diagnostic>> {
    let new = variables.iter().cloned().zip(names.iter().cloned());
    let text = renamed(f.to_token_stream(), &new.collect()).to_string();
    source.around.lower(&text).map(shape)
}

/// Whether it lowers to the same if its variables have other names; `turn` says where in `own` they begin.
fn compare(source: &Source, f: &syn::ItemFn, own: &[String], turn: usize) -> Result<bool, String> {
    let mut names = Names::default();
    names.visit_item_fn(f);
    let mut written = source.taken.clone();
    words(&f.to_token_stream().to_string(), &mut written);
    if names.is_ordered {
        return Ok(false);
    }
    let is_taken = |n: &String| source.taken.contains(n) || names.taken.contains(n);
    let variables: Vec<String> = names
        .bound
        .iter()
        .filter(|n| !is_taken(n))
        .cloned()
        .collect();
    let plain: Vec<String> = (0..variables.len())
        .map(|k| format!("zq{k:03}zq"))
        .collect();
    let Ok(expected) = lowered(source, f, &variables, &plain) else {
        return Ok(false);
    };
    let free: Vec<&String> = own.iter().filter(|n| !written.contains(*n)).collect();
    let count = variables.len().min(free.len());
    let first = turn * count % free.len().max(1);
    let mut chosen: Vec<&String> = free
        .iter()
        .cycle()
        .skip(first)
        .take(count)
        .copied()
        .collect();
    chosen.sort();
    let mut other = plain.clone();
    for (name, own) in other.iter_mut().zip(chosen) {
        name.clone_from(own);
    }
    let about = |what: String| format!("{}, {variables:?} as {other:?}: {what}", f.sig.ident);
    match lowered(source, f, &variables, &other) {
        Err(errors) => {
            let texts: Vec<String> = errors.iter().map(Diagnostic::text).collect();
            Err(about(texts.join("\n")))
        }
        Ok(found) => {
            let (expected, found) = (
                with_names(&expected, &plain, &other),
                with_names(&found, &[], &[]),
            );
            // some orders are those of names
            let in_order = |text: &str| {
                let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                words
                    .iter_mut()
                    .for_each(|w| *w = w.trim_end_matches(',').to_owned());
                words.sort();
                words
            };
            if in_order(&expected) == in_order(&found) {
                return Ok(count > 0);
            }
            let mut lines = expected.lines().zip(found.lines());
            let (a, b) = lines.find(|(a, b)| a != b).unwrap_or_default();
            Err(about(format!("\n{a}\n{b}")))
        }
    }
}

/// Those of the language, of natural programs and of other tests.
pub(crate) fn all_sources() -> Vec<Source> {
    let mut all = Vec::new();
    for file in files() {
        let file = syn::parse_file(&std::fs::read_to_string(file).unwrap()).unwrap();
        sources(&file.items, false, &mut all);
    }
    all
}

#[test]
fn names_of_variables_do_not_matter() {
    let all = all_sources();
    let own = own_names(&all);
    for name in ["kept", "payload", "tmp"] {
        assert!(own.iter().any(|n| n == name), "{name} in {own:?}");
    }
    // all names for each variable take minutes
    let turns = if std::env::var_os("DI_ALL_NAMES").is_some() {
        own.len()
    } else {
        1
    };
    let (mut compared, mut different) = (0, Vec::new());
    for (k, (source, f)) in all
        .iter()
        .flat_map(|s| s.functions.iter().map(move |f| (s, f)))
        .enumerate()
    {
        for turn in 0..turns {
            match compare(source, f, &own, k + turn) {
                Ok(is_compared) => compared += usize::from(is_compared),
                Err(difference) => different.push(difference),
            }
        }
    }
    assert!(compared > 1000, "{compared}");
    assert!(
        different.is_empty(),
        "{} of {compared}:\n{}",
        different.len(),
        different.join("\n")
    );
}
