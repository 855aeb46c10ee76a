//! The Rust that is generated for ten small functions, and a small module that is copied, to be reviewed. `UPDATE_SNAPSHOTS=1` writes the files anew.

use super::snapshots::compare;
use std::path::Path;
use syn::visit_mut::{self, VisitMut};

/// The five forms in which a function is generated: as it is, on patterns, with tangents, and the two sweeps of
/// reverse mode.
const FORMS: [&str; 5] = [
    "__primal",
    "__pattern",
    "__tangent",
    "__augmented",
    "__reverse",
];

/// The items of `tests/snapshots/expansions.rs`.
pub(crate) fn source() -> Vec<syn::Item> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(package.join("tests/snapshots/expansions.rs")).unwrap();
    syn::parse_file(&source).unwrap().items
}

/// The function without attributes and comments.
pub(crate) fn plain(function: &syn::ItemFn) -> syn::ItemFn {
    let mut function = function.clone();
    function.attrs.clear();
    function
}

/// What the attribute makes of a function among other items.
pub(crate) fn expansion(function: &syn::ItemFn, among: &[syn::Item]) -> syn::File {
    let item = quote::ToTokens::into_token_stream(plain(function));
    let tokens = di_compiler::differentiable_among(Default::default(), item, among);
    syn::parse2(tokens).unwrap()
}

/// The forms of a function, with `rt` for the hidden module of the runtime, and without attributes.
pub(crate) fn forms(expansion: &mut syn::File, names: &[&str]) -> Vec<syn::ImplItemFn> {
    struct Forms<'a> {
        names: &'a [&'a str],
        found: Vec<syn::ImplItemFn>,
    }
    impl VisitMut for Forms<'_> {
        fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
            if self.names.iter().any(|name| f.sig.ident == name) {
                f.attrs.clear();
                f.vis = syn::Visibility::Inherited;
                Short.visit_impl_item_fn_mut(f);
                self.found.push(f.clone());
            }
        }
    }
    let mut forms = Forms {
        names,
        found: Vec::new(),
    };
    forms.visit_file_mut(expansion);
    forms.found
}

/// `__rt::Scalar` and `::di::__private::Scalar` are `rt::Scalar`, `__p::f64` and `::core::primitive::f64` are `f64`, and `::core::option::Option::Some` is
/// `Some`.
pub(crate) struct Short;

impl VisitMut for Short {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (cut, first) = match names[..] {
            ["di", "__private", _, ..] => (2, Some("rt")),
            ["__rt", _, ..] => (1, Some("rt")),
            ["core", "primitive", _] => (2, None),
            ["__p", _] => (1, None),
            ["core", "option" | "result", _, ..] => (names.len() - 1, None),
            _ => (0, None),
        };
        if cut > 0 {
            let kept = path.segments.iter().skip(cut).cloned();
            let first = first.map(|name| syn::Ident::new(name, proc_macro2::Span::call_site()));
            path.segments = first.into_iter().map(Into::into).chain(kept).collect();
            path.leading_colon = None;
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        let len = e.path.segments.len();
        visit_mut::visit_expr_path_mut(self, e);
        shift(&mut e.qself, len - e.path.segments.len());
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        let len = ty.path.segments.len();
        visit_mut::visit_type_path_mut(self, ty);
        shift(&mut ty.qself, len - ty.path.segments.len());
    }
}

/// The trait of `<T as rt::Trait>::Name` has a shorter path now.
fn shift(of: &mut Option<syn::QSelf>, by: usize) {
    if let Some(of) = of {
        of.position -= by;
    }
}

#[test]
fn overloaded() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(package.join("tests/snapshots/overloaded.rs")).unwrap();
    let copy = super::overloaded::copy(&source);
    let text = format!(
        "//! The copy of the module in `tests/snapshots/overloaded.rs`; `rt` is the hidden module of the runtime.\n\n{copy}"
    );
    compare("expansions/overloaded.rs", &text);
}

/// Compares the forms of a function with `tests/snapshots/expansions/<name>.rs`.
fn snapshot(name: &str) {
    let items = source();
    let function = items.iter().find_map(|item| match item {
        syn::Item::Fn(f) if f.sig.ident == name => Some(f),
        _ => None,
    });
    let function = plain(function.expect("the function is in the source"));
    let forms = forms(&mut expansion(&function, &items), &FORMS);
    let handle = &function.sig.ident;
    let file = syn::parse_quote!(#function impl #handle { #(#forms)* });
    let text = format!(
        "//! What is generated for `{name}`, without attributes; `rt` is the hidden module of the runtime.\n\n{}",
        prettyplease::unparse(&file)
    );
    compare(&format!("expansions/{name}.rs"), &text);
}

macro_rules! snapshots {
    ($($name:ident)*) => {
        $(#[test] fn $name() {
            snapshot(stringify!($name));
        })*

        #[test]
        fn each_function_of_the_source_is_shown() {
            let names = source().into_iter().filter_map(|item| match item {
                syn::Item::Fn(f) => Some(f.sig.ident.to_string()),
                _ => None,
            });
            assert_eq!(names.collect::<Vec<_>>(), [$(stringify!($name)),*]);
        }
    };
}

snapshots! { wave elastic huber misfit kinetic polar distance growth root apply }
