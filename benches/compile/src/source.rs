//! The functions: annotated ones of the benches and of `tests/programs`, and what they stand on.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::error::Error;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, File, ImplItem, Item, ItemFn, Path, Token, Type};

/// Files, from the root of the workspace. Those of `tests/programs` that only try the functions of others are
/// left out.
const FILES: [&str; 17] = [
    "benches/src/cases/ba.rs",
    "benches/src/cases/gmm.rs",
    "benches/src/cases/lotka_volterra.rs",
    "benches/src/cases/lstm.rs",
    "benches/src/cases/mlp.rs",
    "benches/src/cases/rosenbrock.rs",
    "benches/src/cases/sumsq.rs",
    "tests/programs/determinant.rs",
    "tests/programs/everything.rs",
    "tests/programs/fields.rs",
    "tests/programs/hand.rs",
    "tests/programs/integrators.rs",
    "tests/programs/linear_algebra.rs",
    "tests/programs/oscillator.rs",
    "tests/programs/physics.rs",
    "tests/programs/statistics.rs",
    "tests/programs/tridiagonal.rs",
];

/// A file without its tests.
pub(super) struct Module {
    pub(super) name: String,
    items: Vec<Item>,
}

/// An annotated function.
pub(super) struct Annotated<'a>(&'a ItemFn);

/// The root of the workspace.
pub(super) fn root() -> &'static std::path::Path {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// All of them.
pub(super) fn modules() -> Result<Vec<Module>, Box<dyn Error>> {
    FILES.iter().map(|file| Module::read(file)).collect()
}

/// The gradient of the gmm program by hand, beside the module with the function.
pub(super) fn by_hand() -> Result<String, Box<dyn Error>> {
    let cases = root().join("benches/src/cases");
    let File { items, .. } = syn::parse_file(&std::fs::read_to_string(cases.join("gmm.rs"))?)?;
    let instance = items.into_iter().filter(|item| match item {
        Item::Struct(s) => s.ident == "Instance",
        _ => false,
    });
    let instance = prettyplease::unparse(&File {
        shebang: None,
        attrs: Vec::new(),
        items: instance.collect(),
    });
    let hand = std::fs::read_to_string(cases.join("gmm/hand.rs"))?;
    Ok(format!(
        "pub mod by_hand {{ pub use super::gmm::{{log_sum_exp, sum_of_squares}};\n{instance}\npub mod hand {{ {hand} }}\n}}\n"
    ))
}

impl Module {
    fn read(file: &str) -> Result<Module, Box<dyn Error>> {
        let path = root().join(file);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let File { items, .. } =
            syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        Ok(Module {
            name: name.unwrap_or_default(),
            items: items.into_iter().filter_map(kept).collect(),
        })
    }

    /// All that is in it.
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Its annotated functions.
    pub(super) fn annotated(&self) -> impl Iterator<Item = Annotated<'_>> {
        self.items.iter().filter_map(|item| match item {
            Item::Fn(f) if marked(&f.attrs, "differentiable") => Some(Annotated(f)),
            _ => None,
        })
    }

    /// As source. `plain`: without annotations.
    pub(super) fn text(&self, plain: bool) -> String {
        let mut items = self.items.clone();
        if plain {
            items.iter_mut().for_each(|item| Plain.visit_item_mut(item));
        }
        prettyplease::unparse(&File {
            shebang: None,
            attrs: Vec::new(),
            items,
        })
    }
}

impl Annotated<'_> {
    pub(super) fn name(&self) -> String {
        self.0.sig.ident.to_string()
    }

    /// What the attribute gets.
    pub(super) fn tokens(&self) -> TokenStream {
        let mut function = self.0.clone();
        function
            .attrs
            .retain(|a| !a.path().is_ident("differentiable"));
        function.into_token_stream()
    }

    /// Lines of the function.
    pub(super) fn lines(&self) -> usize {
        let file = File {
            shebang: None,
            attrs: Vec::new(),
            items: vec![Item::Fn(self.0.clone())],
        };
        prettyplease::unparse(&file).lines().count()
    }
}

fn marked(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|a| a.path().is_ident(name))
}

/// Annotated functions, and types and constants.
fn kept(item: Item) -> Option<Item> {
    match &item {
        Item::Fn(f) => marked(&f.attrs, "differentiable").then_some(item),
        Item::Struct(s) => {
            let derived = |a: &Attribute| {
                let list = a.to_token_stream().to_string();
                a.path().is_ident("derive") && list.contains("Differentiable")
            };
            s.attrs.iter().any(derived).then_some(item)
        }
        Item::Impl(block) => {
            let marked = marked(&block.attrs, "differentiable");
            let functions = |i: &ImplItem| matches!(i, ImplItem::Fn(_));
            (marked && block.items.iter().all(functions)).then_some(item)
        }
        Item::Const(c) => is_plain(&c.ty).then_some(item),
        Item::Type(t) => is_plain(&t.ty).then_some(item),
        _ => None,
    }
}

/// Of numbers, in arrays, slices and tuples: types of the tests are not there.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_plain(&array.elem),
        Type::Slice(slice) => is_plain(&slice.elem),
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Type::Path(path) => ["f64", "f32", "usize", "i32", "bool"]
            .iter()
            .any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// Takes annotations off.
struct Plain;

impl VisitMut for Plain {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        const OURS: [&str; 5] = ["differentiable", "constant", "cache", "inout", "ad"];
        attrs.retain(|a| !OURS.iter().any(|name| a.path().is_ident(name)));
        for attr in attrs {
            if attr.path().is_ident("derive")
                && let Ok(mut paths) =
                    attr.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
            {
                let theirs: Vec<Path> = std::mem::take(&mut paths)
                    .into_iter()
                    .filter(|path| !path.is_ident("Differentiable"))
                    .collect();
                *attr = syn::parse_quote!(#[derive(#(#theirs),*)]);
            }
            visit_mut::visit_attribute_mut(self, attr);
        }
    }
}
