//! What a function has to know of: the paths of the functions that it calls and of the types that it names. Found
//! by syntax alone, before anything is lowered.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// Types and crates of std that have nothing to say.
const OF_STD: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cow",
    "Default",
    "Err",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Mutex",
    "None",
    "Ok",
    "OnceCell",
    "Option",
    "Ordering",
    "PathBuf",
    "PhantomData",
    "Rc",
    "RefCell",
    "Result",
    "RwLock",
    "Self",
    "Some",
    "String",
    "Vec",
    "VecDeque",
    "alloc",
    "core",
    "std",
];

/// Whether a path that begins like this leads to std, and is not asked.
pub(super) fn is_of_std(first: &str) -> bool {
    OF_STD.contains(&first)
}

/// Paths of functions and types outside of an item, each once, in the order in which they occur.
pub(super) fn of(item: &syn::Item) -> Vec<TokenStream> {
    let mut names = Names::default();
    names.visit_item(item);
    let mut paths = Paths {
        own: &names.0,
        imported: imports(item),
        known: BTreeSet::new(),
        found: Vec::new(),
    };
    paths.visit_item(item);
    paths.found
}

/// Names that the item brings itself: variables, items inside of it, parameters of generics.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn add(&mut self, name: &syn::Ident) {
        self.0.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.add(&p.ident);
        visit::visit_pat_ident(self, p);
    }

    fn visit_type_param(&mut self, p: &'ast syn::TypeParam) {
        self.add(&p.ident);
    }

    fn visit_const_param(&mut self, p: &'ast syn::ConstParam) {
        self.add(&p.ident);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        match stmt {
            syn::Stmt::Item(syn::Item::Fn(f)) => self.add(&f.sig.ident),
            syn::Stmt::Item(syn::Item::Struct(s)) => self.add(&s.ident),
            syn::Stmt::Item(syn::Item::Enum(e)) => self.add(&e.ident),
            syn::Stmt::Item(syn::Item::Type(t)) => self.add(&t.ident),
            syn::Stmt::Item(syn::Item::Mod(m)) => self.add(&m.ident),
            _ => {}
        }
        visit::visit_stmt(self, stmt);
    }
}

/// What `use` items inside of the item bring, by name.
fn imports(item: &syn::Item) -> BTreeMap<String, syn::Path> {
    struct Imports(BTreeMap<String, syn::Path>);
    impl Imports {
        fn tree(&mut self, before: &syn::Path, tree: &syn::UseTree) {
            let with = |name: &syn::Ident| {
                let mut path = before.clone();
                path.segments.push(name.clone().into());
                path
            };
            match tree {
                syn::UseTree::Path(p) => self.tree(&with(&p.ident), &p.tree),
                syn::UseTree::Name(n) => {
                    self.0.insert(n.ident.to_string(), with(&n.ident));
                }
                syn::UseTree::Rename(r) => {
                    self.0.insert(r.rename.to_string(), with(&r.ident));
                }
                syn::UseTree::Group(g) => g.items.iter().for_each(|t| self.tree(before, t)),
                syn::UseTree::Glob(_) => {}
            }
        }
    }
    impl<'ast> Visit<'ast> for Imports {
        fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
            let empty = syn::Path {
                leading_colon: item.leading_colon,
                segments: Punctuated::new(),
            };
            self.tree(&empty, &item.tree);
        }
    }
    let mut found = Imports(BTreeMap::new());
    found.visit_item(item);
    found.0
}

struct Paths<'a> {
    own: &'a BTreeSet<String>,
    imported: BTreeMap<String, syn::Path>,
    known: BTreeSet<String>,
    found: Vec<TokenStream>,
}

impl Paths<'_> {
    /// A path to an item, `a::b::Item`, or to what belongs to one, `Item::new`.
    fn add(&mut self, path: &syn::Path) {
        let mut plain = self.resolved(path);
        for segment in &mut plain.segments {
            segment.arguments = syn::PathArguments::None;
        }
        // what belongs to a type is found by the type
        if let Some(k) = plain.segments.iter().position(is_type) {
            plain.segments = plain.segments.into_iter().take(k + 1).collect();
        }
        let Some(first) = plain.segments.first().map(|s| s.ident.to_string()) else {
            return;
        };
        let is_own = plain.segments.len() == 1 && self.own.contains(&first);
        if is_own || OF_STD.contains(&&*first) || is_primitive(&first) {
            return;
        }
        let last = plain.segments.last().map(|s| s.ident.to_string());
        if last.is_some_and(|name| OF_STD.contains(&&*name)) {
            return;
        }
        let tokens = plain.into_token_stream();
        if self.known.insert(tokens.to_string()) {
            self.found.push(tokens);
        }
    }

    fn resolved(&self, path: &syn::Path) -> syn::Path {
        let first = path.segments.first().map(|s| s.ident.to_string());
        let Some(full) = first.and_then(|name| self.imported.get(&name)) else {
            return path.clone();
        };
        let mut full = full.clone();
        full.segments.extend(path.segments.iter().skip(1).cloned());
        full
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(function) = &*call.func
            && function.qself.is_none()
        {
            self.add(&function.path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        if made.qself.is_none() {
            self.add(&made.path);
        }
        visit::visit_expr_struct(self, made);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        // `Vec3::ZERO`: what belongs to a type is found by the type
        let owner = p.path.segments.iter().rev().nth(1);
        if p.qself.is_none() && owner.is_some_and(is_type) {
            self.add(&p.path);
        }
    }

    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        if ty.qself.is_none() && ty.path.segments.last().is_some_and(is_type) {
            self.add(&ty.path);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        // `vec![..]`, `assert!(..)`: as far as their arguments are expressions
        let listed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(list) = listed.parse2(mac.tokens.clone()) {
            list.iter().for_each(|e| self.visit_expr(e));
            return;
        }
        let filled = |input: syn::parse::ParseStream<'_>| {
            let element: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok((element, input.parse::<syn::Expr>()?))
        };
        if let Ok((element, len)) = filled.parse2(mac.tokens.clone()) {
            self.visit_expr(&element);
            self.visit_expr(&len);
        }
    }

    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {}

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

fn is_type(segment: &syn::PathSegment) -> bool {
    segment.ident.to_string().starts_with(char::is_uppercase)
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "f32" | "f64" | "bool" | "char" | "str") || crate::lower::is_integer_name(name)
}
