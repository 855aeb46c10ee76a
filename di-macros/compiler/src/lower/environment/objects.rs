//! Types behind trait objects.

use super::Environment;
use crate::lower::types;
use crate::sorted::Map;
use crate::symbol::object;
use crate::walk::{self, Node};
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// The trait that the types behind objects have, with a method that leads to each.
    pub(crate) fn add_objects(&mut self, of: &syn::ItemTrait) {
        let types = of.items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(syn::TraitItemFn { sig, .. }) => match &sig.output {
                syn::ReturnType::Type(_, ty) => match &**ty {
                    syn::Type::Reference(r) => Some(r.elem.to_token_stream().to_string()),
                    _ => None,
                },
                syn::ReturnType::Default => None,
            },
            _ => None,
        });
        self.objects
            .insert(of.ident.to_string(), Rc::new(types.collect()));
    }

    /// The types behind `dyn Name`, if all are known.
    pub(crate) fn objects(&self, name: &str) -> Option<Rc<Vec<String>>> {
        self.objects.get(&object(name).to_string()).cloned()
    }

    /// `trait Law = Law__Objects;`: the enum of the objects that are made of what varies.
    pub(crate) fn add_boxed(&mut self, of: &syn::ItemTraitAlias) {
        let name = of.bounds.to_token_stream().to_string();
        self.boxed.insert(of.ident.to_string(), name);
    }

    /// These enums, by the traits.
    pub(crate) fn boxed(&self) -> &Map<String, String> {
        &self.boxed
    }

    /// Whether there are such objects in a type.
    pub(crate) fn has_boxed(&self, ty: &syn::Type) -> bool {
        walk::any(Node::Type(ty), &mut |node| match node {
            Node::Type(ty) => types::trait_of(ty).is_some_and(|of| self.boxed.contains_key(&of)),
            _ => false,
        })
    }

    /// Whether this is the type of such an object, `dyn Law`.
    pub(crate) fn is_object(&self, ty: &syn::Type) -> bool {
        matches!(types::ungroup(ty), syn::Type::TraitObject(_)) && self.has_boxed(ty)
    }

    /// The enum of objects of which a type is a variant.
    pub(crate) fn boxed_type(&self, ty: &str) -> Option<&String> {
        let is_it = |of: &&String| self.is_boxed(of, ty);
        self.boxed.values().find(is_it)
    }

    /// Whether this is an enum of objects, and the type a variant of it.
    pub(crate) fn is_boxed(&self, of: &str, ty: &str) -> bool {
        self.boxed.values().any(|name| name == of) && self.derived_variant(of, ty).is_some()
    }
}
