//! Structs that borrow, `#[derive(Differentiable)] struct Model<'a> { data: &'a [f64], rate: f64 }`: which they are, what
//! stands in place because of them, and their types by their paths.

use super::aliases::collect;
use super::environment::bundles::Part;
use super::environment::{Environment, spelled};
use super::stored::is_count;
use super::ty::{Ty, Unifier};
use super::types;
use crate::ir::Tokens;
use crate::options;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::rc::Rc;

/// Those that are known, and enums.
#[derive(Debug, Default)]
pub(super) struct Bundles {
    known: Map<String, Rc<Vec<Part>>>,
    /// Enums with derivatives.
    enums: Set<String>,
    /// Those of trait objects, by the traits.
    boxed: Map<String, String>,
    /// Those whose fields are being read: one that holds itself has no end.
    open: Vec<String>,
}

impl Bundles {
    /// Those of these items.
    pub(super) fn of(env: &Environment) -> Bundles {
        Bundles {
            known: env.bundles(),
            enums: env.derived_enums(),
            boxed: env.boxed().clone(),
            open: Vec::new(),
        }
    }

    /// Whether this is the path of an enum with derivatives.
    pub(super) fn names_enum(&self, path: &str) -> bool {
        self.enums.contains(&spelled(path))
    }

    /// The type of an object that is made of what varies. What is behind a reference or in a box is as good as a copy
    /// of it, unless it is changed there.
    pub(super) fn object(&self, ty: &syn::Type) -> Option<Ty> {
        if matches!(types::ungroup(ty), syn::Type::Reference(r) if r.mutability.is_some()) {
            return None;
        }
        let name = self.boxed.get(&types::trait_of(ty)?)?;
        let path = Ident::new(name, Span::call_site());
        Some(Ty::Struct(Tokens(path.to_token_stream())))
    }

    /// The fields of the struct with this path.
    pub(super) fn parts(&self, path: &str) -> Option<Rc<Vec<Part>>> {
        self.known.get(&spelled(path)).cloned()
    }
}

/// The struct with this path. What is not known of its fields is to be found.
pub(super) fn read_bundle(path: &syn::Path, float: &str, unifier: &mut Unifier) -> Option<Ty> {
    let name = spelled(&path.to_token_stream().to_string());
    let parts = unifier.bundles.parts(&name)?;
    if unifier.bundles.open.contains(&name) {
        return None;
    }
    unifier.bundles.open.push(name);
    let parts = parts.iter().map(|part| {
        let found = match &part.ty {
            Some(ty) if part.is_constant && !is_count(ty) => {
                Some(types::read_constant_type(ty, float, unifier))
            }
            Some(ty) => types::read_local(ty, float, unifier),
            None => None,
        };
        found.unwrap_or_else(|| unifier.fresh())
    });
    let parts = parts.collect();
    unifier.bundles.open.pop();
    Some(Ty::Bundle(Tokens(path.to_token_stream()), parts))
}

/// An object that is made of what varies, or a path that may be a derived struct.
pub(super) fn read_other(ty: &syn::Type, unifier: &Unifier) -> Option<Ty> {
    match types::trait_of(ty) {
        Some(_) => unifier.bundles.object(ty),
        None => types::read_struct(ty),
    }
}

/// Whether a derived struct with these parameters borrows: it has lifetimes, and nothing else.
pub(crate) fn borrows(generics: &syn::Generics) -> bool {
    !generics.params.is_empty() && generics.lifetimes().count() == generics.params.len()
}

/// Marks what takes or returns structs of these names: its body stands in the place of its calls.
pub(crate) fn mark(items: &mut [syn::Item], names: &Set<String>) {
    for item in items {
        match item {
            syn::Item::Fn(f) => mark_function(f, names),
            syn::Item::Impl(block) => mark_block(block, names),
            _ => {}
        }
    }
}

pub(crate) fn mark_function(f: &mut syn::ItemFn, names: &Set<String>) {
    if speaks_of_one(&f.sig, names) {
        put_mark(&mut f.attrs);
    }
}

/// The same of methods, which are all of them in a block of such a struct, but for those that write text.
pub(crate) fn mark_block(block: &mut syn::ItemImpl, names: &Set<String>) {
    let is_own = is_one(&block.self_ty, names);
    for item in &mut block.items {
        if let syn::ImplItem::Fn(f) = item
            && (is_own && !is_of_text(&f.sig) || speaks_of_one(&f.sig, names))
        {
            put_mark(&mut f.attrs);
        }
    }
}

/// Marks a function as one whose body stands in the place of its calls.
pub(crate) fn put_mark(attrs: &mut Vec<syn::Attribute>) {
    let is_known = |a: &syn::Attribute| options::is_skip(a) || options::is_in_place(a);
    if !attrs.iter().any(is_known) {
        attrs.push(parse_quote!(#[ad(in_place)]));
    }
}

/// Whether one of these structs is taken, but not as a constant, or returned.
fn speaks_of_one(sig: &syn::Signature, names: &Set<String>) -> bool {
    let output = types::result_of(&sig.output);
    types::unmarked(sig)
        .chain(output)
        .any(|ty| is_one(ty, names))
}

fn is_one(ty: &syn::Type, names: &Set<String>) -> bool {
    let mut words = Set::new();
    collect(ty.to_token_stream(), &mut words);
    !words.is_disjoint(names)
}

fn is_of_text(sig: &syn::Signature) -> bool {
    let mut words = Set::new();
    collect(sig.to_token_stream(), &mut words);
    words.contains("String") || words.contains("Formatter")
}
