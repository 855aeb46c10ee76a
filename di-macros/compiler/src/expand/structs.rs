//! Structs of an annotated module: what their derives see, and which of them can be derived.

use crate::error;
use crate::lower::environment::Environment;
use crate::lower::variants::stored;
use crate::report::Report;
use crate::sorted::Set;
use crate::template::{parse_quote, quote};
use crate::walk::{self, Node};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;

/// A struct or an enum as its derive sees it: fields of types that are not differentiated are constant.
pub(super) fn derive_input(item: &syn::Item, env: &Environment) -> Option<syn::DeriveInput> {
    let mark = |field: &mut syn::Field| {
        field.ty = env.expanded(&field.ty);
        let is_marked = field.attrs.iter().any(|a| a.path().is_ident("constant"));
        if !is_marked && !env.is_active(&field.ty) {
            field.attrs.push(parse_quote!(#[constant]));
        }
    };
    match item {
        syn::Item::Struct(s) => {
            let mut s = s.clone();
            s.attrs.retain(|a| !super::instances::is_instance(a));
            s.fields.iter_mut().for_each(mark);
            Some(s.into())
        }
        syn::Item::Enum(e) => {
            let mut e = e.clone();
            let fields = e.variants.iter_mut().flat_map(|v| &mut v.fields);
            fields.for_each(mark);
            Some(e.into())
        }
        _ => None,
    }
}

/// The structs and enums of a module that hold floats, but are not derived.
pub(super) fn others(
    items: &[syn::Item],
    derived: &[String],
    known: (&Environment, &Set<String>),
) -> Vec<String> {
    let held = items.iter().filter_map(|item| match item {
        syn::Item::Enum(e) if !is_derived(&e.attrs) => Some(as_struct(e)),
        syn::Item::Struct(s) if !is_derived(&s.attrs) => Some(s.clone()),
        _ => None,
    });
    let is_other = |s: &syn::ItemStruct| {
        !derived.iter().any(|of| s.ident == of) && holds_floats(&s.fields, items, known)
    };
    held.filter(is_other).map(|s| s.ident.to_string()).collect()
}

/// Fields without a mark whose types are among these: the derivative by what they hold would be lost.
pub(super) fn lost_fields(item: &syn::Item, others: &[String]) -> Report {
    let cx = Report::default();
    let fields = match item {
        syn::Item::Struct(s) => s.fields.iter().collect(),
        _ => Vec::new(),
    };
    for field in fields {
        let is_marked = field.attrs.iter().any(|a| a.path().is_ident("constant"));
        let is_in = |name: &&String| {
            walk::any(
                Node::Type(&field.ty),
                &mut |node| matches!(node, Node::Type(syn::Type::Path(p)) if p.path.segments.last().is_some_and(|s| s.ident == name)),
            )
        };
        if let Some(name) = others.iter().find(is_in).filter(|_| !is_marked) {
            cx.error_about(field.ty.span(), &error::DERIVE_ENUM, name);
        }
    }
    cx
}

/// The struct in whose form the values of an enum are kept.
pub(super) fn as_struct(e: &syn::ItemEnum) -> syn::ItemStruct {
    syn::ItemStruct {
        attrs: e.attrs.clone(),
        vis: e.vis.clone(),
        struct_token: <syn::Token![struct]>::default(),
        ident: e.ident.clone(),
        generics: e.generics.clone(),
        fields: stored(e),
        semi_token: None,
    }
}

/// Whether what is constant in a struct can be copied with it, as far as the module says.
pub(super) fn is_copied(
    s: &syn::ItemStruct,
    items: &[syn::Item],
    not_cloned: &[String],
    env: &Environment,
) -> bool {
    let mut constants = s.fields.iter().filter(|f| !env.is_active(&f.ty));
    constants.all(|f| {
        let text = f.ty.to_token_stream().to_string();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        // of the objects in boxes there are no copies
        let is_boxed = ["Box", "dyn"].iter().all(|part| text.contains(part));
        // of a mark there are copies whatever it is of
        let is_mark = matches!(&f.ty, syn::Type::Path(p)
            if p.path.segments.last().is_some_and(|s| s.ident == "PhantomData"));
        is_mark
            || !is_boxed
                && words.all(|word| {
                    !not_cloned.iter().any(|name| name == word)
                        && !items.iter().any(|item| is_not_cloned(item, word, items))
                })
    })
}

/// Whether an item is a type of this name without `Clone`.
fn is_not_cloned(item: &syn::Item, name: &str, items: &[syn::Item]) -> bool {
    let (ident, attrs) = match item {
        syn::Item::Struct(s) => (&s.ident, &s.attrs),
        syn::Item::Enum(e) => (&e.ident, &e.attrs),
        _ => return false,
    };
    ident == name
        && !derives(attrs, "Clone")
        && !items.iter().any(|item| implements(item, "Clone", name))
}

/// Whether an item is the impl of a trait for the type of this name.
pub(super) fn implements(item: &syn::Item, of_trait: &str, name: &str) -> bool {
    let syn::Item::Impl(block) = item else {
        return false;
    };
    let found = block.trait_.as_ref().and_then(|t| t.1.segments.last());
    let own = block.self_ty.to_token_stream().to_string();
    found.is_some_and(|s| s.ident == of_trait)
        && own.split(' ').next().is_some_and(|first| first == name)
}

pub(super) fn candidates_of(items: &[syn::Item], names: &[String]) -> Vec<(String, syn::Fields)> {
    let found = items.iter().filter_map(|item| match item {
        syn::Item::Struct(s) if names.contains(&s.ident.to_string()) || is_derived(&s.attrs) => {
            Some((s.ident.to_string(), s.fields.clone()))
        }
        syn::Item::Enum(e) if names.contains(&e.ident.to_string()) || is_derived(&e.attrs) => {
            Some((e.ident.to_string(), stored(e)))
        }
        _ => None,
    });
    found.collect()
}

/// Marks of fields, which only the derive knows.
pub(super) fn strip_fields(s: &mut syn::ItemStruct) {
    for field in &mut s.fields {
        field.attrs.retain(|a| !a.path().is_ident("constant"));
    }
    s.attrs.retain(|a| !a.path().is_ident("ad"));
}

/// The same of what variants hold.
pub(super) fn strip_variants(e: &mut syn::ItemEnum) {
    for field in e.variants.iter_mut().flat_map(|v| &mut v.fields) {
        field.attrs.retain(|a| !a.path().is_ident("constant"));
    }
    e.attrs.retain(|a| !a.path().is_ident("ad"));
}

/// Whether floats occur in the fields, also those of other structs of the module, and of the `enums` that may vary.
pub(super) fn holds_floats(
    fields: &syn::Fields,
    items: &[syn::Item],
    (env, enums): (&Environment, &Set<String>),
) -> bool {
    let mut seen = Set::new();
    let mut todo = vec![fields.to_token_stream()];
    while let Some(tokens) = todo.pop() {
        let text = tokens.to_string();
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if word == "f64" || word == "f32" || env.is_imported(word) {
                return true;
            }
            if !seen.insert(word.to_owned()) {
                continue;
            }
            todo.extend(items.iter().filter_map(|item| match item {
                syn::Item::Struct(s) if s.ident == word => Some(s.fields.to_token_stream()),
                syn::Item::Enum(e) if e.ident == word && enums.contains(word) => {
                    Some(e.variants.to_token_stream())
                }
                syn::Item::Type(alias) if alias.ident == word => Some(alias.ty.to_token_stream()),
                _ => None,
            }));
        }
    }
    false
}

pub(super) fn is_derived(attrs: &[syn::Attribute]) -> bool {
    derives(attrs, "Differentiable")
}

/// Whether this trait is among those that are derived.
pub(super) fn derives(attrs: &[syn::Attribute], of_trait: &str) -> bool {
    attrs
        .iter()
        .filter(|a| a.path().is_ident("derive"))
        .any(|a| {
            let text = a.meta.to_token_stream().to_string();
            text.split(|c: char| !c.is_alphanumeric())
                .any(|w| w == of_trait)
        })
}

/// Names that an item may bring for types.
pub(super) fn named_types(item: &syn::Item) -> Vec<String> {
    let name = match item {
        syn::Item::Struct(s) => &s.ident,
        syn::Item::Enum(e) => &e.ident,
        syn::Item::Mod(m) => &m.ident,
        syn::Item::Trait(t) => &t.ident,
        syn::Item::Type(t) => &t.ident,
        syn::Item::Union(u) => &u.ident,
        syn::Item::Use(u) => {
            let text = u.tree.to_token_stream().to_string();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            return words.map(str::to_owned).collect();
        }
        _ => return Vec::new(),
    };
    vec![name.to_string()]
}

/// A visibility that says so where there is none.
pub(super) fn written_vis(vis: &syn::Visibility) -> syn::Visibility {
    match vis {
        syn::Visibility::Inherited => parse_quote!(pub(self)),
        vis => vis.clone(),
    }
}

/// An enum as the items of its module know it.
pub(super) fn known_enum(e: &syn::ItemEnum, is_derived: bool) -> TokenStream {
    let (vis, name, generics) = (written_vis(&e.vis), &e.ident, &e.generics);
    match is_derived {
        true => {
            let variants = e.variants.iter().map(|v| {
                let (name, fields) = (&v.ident, &v.fields);
                quote!(#name #fields)
            });
            quote!(#[derive(Differentiable)] #vis enum #name { #(#variants),* })
        }
        false => {
            let variants = plain_variants(e);
            quote!(#vis enum #name #generics { #(#variants),* })
        }
    }
}

/// Variants without attributes, but for conditions.
pub(super) fn plain_variants(e: &syn::ItemEnum) -> Vec<TokenStream> {
    let plain = e.variants.iter().map(|v| {
        let mut fields = v.fields.clone();
        fields.iter_mut().for_each(|f| f.attrs.clear());
        let name = &v.ident;
        let conditions = v.attrs.iter().filter(|a| a.path().is_ident("cfg"));
        quote!(#(#conditions)* #name #fields)
    });
    plain.collect()
}
