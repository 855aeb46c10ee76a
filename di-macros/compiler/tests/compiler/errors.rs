//! Each message has a case in `ui-tests/fail`, and each case causes its message and no other. What
//! rustc makes of it is checked there; this is the same without rustc, so that it is fast.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::visit::Visit;

/// One of the attributes, as a function.
type Expand = fn(proc_macro2::TokenStream, proc_macro2::TokenStream) -> proc_macro2::TokenStream;

const ATTRIBUTES: [(&str, Expand); 5] = [
    ("differentiable", di_compiler::differentiable),
    ("custom_rule", di_compiler::custom_rule),
    ("implicit", di_compiler::implicit),
    ("generic", di_compiler::generic),
    ("overloaded", di_compiler::overloaded),
];

/// Attribute, its arguments and item of everything that is annotated in a file.
#[derive(Default)]
struct Annotated(
    Vec<(
        &'static str,
        Expand,
        proc_macro2::TokenStream,
        proc_macro2::TokenStream,
    )>,
);

impl Annotated {
    fn take<T: quote::ToTokens + Clone>(
        &mut self,
        attrs: &[syn::Attribute],
        item: &T,
        strip: impl FnOnce(T) -> T,
    ) {
        let ours = attrs.iter().find_map(|a| {
            let mut all = ATTRIBUTES.into_iter();
            let found = all.find(|(name, _)| a.path().is_ident(name))?;
            Some((a, found))
        });
        let Some((attr, (name, expand))) = ours else {
            return;
        };
        let args = match &attr.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => proc_macro2::TokenStream::new(),
        };
        let item = strip(item.clone());
        self.0.push((name, expand, args, quote::quote!(#item)));
    }
}

impl<'ast> Visit<'ast> for Annotated {
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.take(&f.attrs, f, |mut f| {
            f.attrs.retain(|a| a.path().is_ident("active_scalar"));
            f
        });
        syn::visit::visit_item_fn(self, f);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.take(&module.attrs, module, |mut module| {
            module.attrs.clear();
            module
        });
        syn::visit::visit_item_mod(self, module);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        self.take(&block.attrs, block, |mut block| {
            block.attrs.clear();
            block
        });
        syn::visit::visit_item_impl(self, block);
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        self.take(&f.attrs, f, |mut f| {
            f.attrs.clear();
            f
        });
    }

    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        if m.path.is_ident("differentiable_closure") {
            let expand = |_, tokens| di_compiler::differentiable_closure(tokens);
            let none = proc_macro2::TokenStream::new();
            self.0.push(("", expand, none, m.tokens.clone()));
        }
    }

    fn visit_item_struct(&mut self, s: &'ast syn::ItemStruct) {
        self.take(&s.attrs, s, |mut s| {
            s.attrs.clear();
            s
        });
    }
}

/// Codes in what the compiler gives for all annotated items of a source.
fn codes_in(source: &str) -> BTreeSet<String> {
    let file = syn::parse_file(source).unwrap();
    let mut annotated = Annotated::default();
    annotated.visit_file(&file);
    assert!(!annotated.0.is_empty(), "nothing is annotated");
    let mut codes = BTreeSet::new();
    for (name, expand, args, item) in annotated.0 {
        let text = match name == "differentiable" {
            true => di_compiler::differentiable_among(args, item, &file.items),
            false => expand(args, item),
        };
        let text = text.to_string();
        for part in text.split("[DI").skip(1) {
            codes.insert(part[..4].to_owned());
        }
    }
    codes
}

/// Code and file of each case, in order.
pub(crate) fn cases() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui-tests/fail");
    let mut found = Vec::new();
    for area in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(area.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if let (Some("rs"), Some(rest)) = (
                path.extension().and_then(|e| e.to_str()),
                name.strip_prefix("di"),
            ) {
                found.push((rest[..4].to_owned(), path));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn each_case_causes_its_message_alone() {
    let mut wrong = Vec::new();
    for (code, path) in cases() {
        // the derive has its own entry; names of macros, marks of callees and other blocks of a type are seen inside rustc
        // alone
        if code.starts_with("05") || ["0126", "0254", "0406"].contains(&&*code) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let mut found = codes_in(&source);
        // rustc tells it when it evaluates the constant, so it stands in all code with such values, or in
        // that of functions that are not understood
        for evaluated in ["0341", "0403", "0406", "0407", "0408", "0417"] {
            if code != evaluated {
                found.remove(evaluated);
            }
        }
        if found != BTreeSet::from([code.clone()]) {
            wrong.push(format!(
                "{}: {found:?}",
                path.file_name().unwrap().to_string_lossy()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_message_has_a_case() {
    let cases = cases();
    let missing: Vec<&str> = di_compiler::error::ALL
        .iter()
        .map(|m| m.code)
        .filter(|code| {
            !cases
                .iter()
                .any(|(c, _)| code.strip_prefix("DI") == Some(c))
        })
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}
