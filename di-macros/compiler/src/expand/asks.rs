//! What a function has to know of: the paths of the functions that it calls and of the types that it names. Found
//! by syntax alone, before anything is lowered.

use super::Origin;
use crate::answer::{can_be_asked, is_primitive};
use crate::lower::inline;
use crate::report::Report;
use crate::sorted::{Map, Set};
use crate::template::quote;
use crate::walk::{self, Node, Onward};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;

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
    let mut paths = Paths {
        own: own_names(item),
        imported: imports(item),
        has_globs: has_globs(item),
        known: Set::new(),
        found: Vec::new(),
    };
    paths.look(Node::Item(item));
    paths.found
}

/// What has to be known of what bodies in the place of calls name, and before a function that is not understood is given
/// up.
pub(super) fn still_asked(
    cx: &Report,
    function: &syn::ItemFn,
    origin: &Origin<'_>,
) -> Vec<TokenStream> {
    let env = &origin.env;
    let mut asked = match &origin.block {
        Some(written) if *written != function.block => of(&function.clone().into()),
        _ => Vec::new(),
    };
    for body in cx.placed() {
        let around: syn::Result<syn::Item> = syn::parse2(quote!(fn body() { #body }));
        asked.extend(around.iter().flat_map(of));
    }
    if !asked.is_empty() {
        // closures that the bodies are given
        let item = function.clone().into();
        let (own, imported) = (own_names(&item), imports(&item));
        asked.retain(|path| {
            let name = path.to_string();
            // what the function imports was asked by its path
            !own.contains(&name) && !imported.contains_key(&name) && !inline::is_given(&name)
        });
    }
    asked.retain(|path| !env.is_variable(&path.to_string()));
    if !cx.is_clean() {
        asked.extend(cx.asked());
    }
    asked.retain(|path| !env.knows(&path.to_string()) && can_be_asked(path));
    asked
}

/// Names that the item brings itself: variables, items inside of it, parameters of generics.
fn own_names(item: &syn::Item) -> Set<String> {
    let mut names = Set::new();
    walk::read(Node::Item(item), &mut |node| {
        let (name, onward) = match node {
            Node::Pat(syn::Pat::Ident(p)) => (&p.ident, Onward::Into),
            Node::GenericParam(syn::GenericParam::Type(p)) => (&p.ident, Onward::Over),
            Node::GenericParam(syn::GenericParam::Const(p)) => (&p.ident, Onward::Over),
            Node::Stmt(syn::Stmt::Item(item)) => match item {
                syn::Item::Fn(f) => (&f.sig.ident, Onward::Into),
                syn::Item::Struct(s) => (&s.ident, Onward::Into),
                syn::Item::Enum(e) => (&e.ident, Onward::Into),
                syn::Item::Type(t) => (&t.ident, Onward::Into),
                syn::Item::Mod(m) => (&m.ident, Onward::Into),
                syn::Item::Const(c) => (&c.ident, Onward::Into),
                _ => return Onward::Into,
            },
            _ => return Onward::Into,
        };
        names.insert(name.to_string());
        onward
    });
    names
}

/// What `use` items inside of the item bring, by name.
fn imports(item: &syn::Item) -> Map<String, syn::Path> {
    let mut found = Map::new();
    walk::read(Node::Item(item), &mut |node| match node {
        Node::Item(syn::Item::Use(item)) => {
            let empty = syn::Path {
                leading_colon: item.leading_colon,
                segments: Punctuated::new(),
            };
            add_imports(&empty, &item.tree, &mut found);
            Onward::Over
        }
        _ => Onward::Into,
    });
    found
}

/// Whether a `use` item inside of the item brings all that is somewhere.
fn has_globs(item: &syn::Item) -> bool {
    fn has_glob(tree: &syn::UseTree) -> bool {
        match tree {
            syn::UseTree::Path(p) => has_glob(&p.tree),
            syn::UseTree::Group(g) => g.items.iter().any(has_glob),
            syn::UseTree::Glob(_) => true,
            syn::UseTree::Name(_) | syn::UseTree::Rename(_) => false,
        }
    }
    walk::read(Node::Item(item), &mut |node| match node {
        Node::Item(syn::Item::Use(item)) if has_glob(&item.tree) => Onward::Found,
        _ => Onward::Into,
    })
}

fn add_imports(before: &syn::Path, tree: &syn::UseTree, found: &mut Map<String, syn::Path>) {
    let with = |name: &syn::Ident| {
        let mut path = before.clone();
        path.segments.push(name.clone().into());
        path
    };
    match tree {
        syn::UseTree::Path(p) => add_imports(&with(&p.ident), &p.tree, found),
        syn::UseTree::Name(n) => {
            found.insert(n.ident.to_string(), with(&n.ident));
        }
        syn::UseTree::Rename(r) => {
            found.insert(r.rename.to_string(), with(&r.ident));
        }
        syn::UseTree::Group(g) => g.items.iter().for_each(|t| add_imports(before, t, found)),
        syn::UseTree::Glob(_) => {}
    }
}

struct Paths {
    own: Set<String>,
    imported: Map<String, syn::Path>,
    /// Whether it imports names that it does not write.
    has_globs: bool,
    known: Set<String>,
    found: Vec<TokenStream>,
}

impl Paths {
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

    fn look(&mut self, root: Node<'_>) {
        walk::read(root, &mut |node| self.node(node));
    }

    fn node(&mut self, node: Node<'_>) -> Onward {
        match node {
            Node::Expr(syn::Expr::Call(call)) => {
                if let syn::Expr::Path(function) = &*call.func
                    && function.qself.is_none()
                {
                    self.add(&function.path);
                }
                Onward::Into
            }
            Node::Expr(syn::Expr::Struct(made)) => {
                if made.qself.is_none() {
                    self.add(&made.path);
                }
                Onward::Into
            }
            Node::Pat(
                syn::Pat::Struct(syn::PatStruct { qself, path, .. })
                | syn::Pat::TupleStruct(syn::PatTupleStruct { qself, path, .. }),
            ) => {
                // `use Shape::*;` brings variants
                if qself.is_none() && !(self.has_globs && path.segments.len() == 1) {
                    self.add(path);
                }
                Onward::Into
            }
            Node::ExprPath(p) => {
                // `Vec3::ZERO`: what belongs to a type is found by the type
                let mut last = p.path.segments.iter().rev();
                // `Log` of a struct without fields
                let is_unit = |s: &syn::PathSegment| {
                    is_type(s) && s.ident.to_string().contains(char::is_lowercase)
                };
                let is_it = last.next().is_some_and(is_unit) || last.next().is_some_and(is_type);
                if p.qself.is_none() && is_it {
                    self.add(&p.path);
                }
                Onward::Over
            }
            Node::Type(syn::Type::Path(ty)) => {
                if ty.qself.is_none() && ty.path.segments.last().is_some_and(is_type) {
                    self.add(&ty.path);
                }
                Onward::Into
            }
            Node::Macro(mac) => {
                let arguments = walk::arguments(mac).into_iter().flatten();
                arguments.for_each(|e| self.look(Node::Expr(&e)));
                Onward::Over
            }
            Node::Item(syn::Item::Use(_)) | Node::Attribute(_) => Onward::Over,
            _ => Onward::Into,
        }
    }
}

fn is_type(segment: &syn::PathSegment) -> bool {
    segment.ident.to_string().starts_with(char::is_uppercase)
}
