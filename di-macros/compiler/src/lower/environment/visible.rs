//! Who sees the types of an annotated module. Knows nothing of what they are.

use super::Environment;
use quote::ToTokens;

impl Environment {
    /// A type of an annotated module that has this visibility.
    pub(crate) fn add_visibility(&mut self, name: &syn::Ident, vis: &syn::Visibility) {
        self.visible.insert(name.to_string(), vis.clone());
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
