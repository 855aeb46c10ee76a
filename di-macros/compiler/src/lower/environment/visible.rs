//! Who sees the types of an annotated module. Knows nothing of what they are.

use super::Environment;
use quote::ToTokens;

impl Environment {
    /// A type of an annotated module that has this visibility. It is `pub(self)` if the type is private.
    pub(crate) fn add_visibility(&mut self, name: &syn::Ident, vis: &syn::Visibility) {
        let vis = match vis {
            // of a type that is no item of the module
            syn::Visibility::Inherited => return,
            syn::Visibility::Restricted(r) if r.path.is_ident("self") => syn::Visibility::Inherited,
            vis => vis.clone(),
        };
        self.visible.insert(name.to_string(), vis);
    }

    /// The visibility of a type of the annotated module.
    pub(crate) fn visibility(&self, path: &syn::Path) -> Option<&syn::Visibility> {
        self.visible.get(&path.get_ident()?.to_string())
    }

    /// Whether a type names one that is private to its module.
    pub(crate) fn names_private(&self, ty: &syn::Type) -> bool {
        let text = self.expanded(ty).to_token_stream().to_string();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| matches!(self.visible.get(word), Some(syn::Visibility::Inherited)))
    }
}
