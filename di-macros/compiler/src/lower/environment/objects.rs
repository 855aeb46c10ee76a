//! Types behind trait objects.

use super::Environment;
use crate::symbol::object;
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
}
