//! Functions whose bodies stand in the place of their calls.

use super::{Environment, spelled};
use crate::lower::inline;
use crate::walk::{self, NodeMut, Onward};
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// A function that takes functions, with its body. Of two with one path, such as those of `Index<usize>` and
    /// `Index<(usize, usize)>`, neither is known; of `Sum` and `Sum<&P>` the first.
    pub(crate) fn add_higher(&mut self, path: &str, function: syn::ItemFn) {
        let path = spelled(path);
        if let Some(known) = self.higher.get(&path)
            && text_of(known) != text_of(&function)
        {
            let [known, new] = [&known.sig, &function.sig].map(inline::takes_references);
            match (known, new) {
                (false, true) => return,
                (true, false) => {}
                _ => _ = self.twofold.insert(path.clone()),
            }
        }
        self.higher.insert(path, Rc::new(function));
    }

    /// The same of a function of a type, as its block writes that.
    pub(crate) fn add_owned_body(&mut self, path: &str, owner: &syn::Path, function: syn::ItemFn) {
        self.owners.insert(spelled(path), Rc::new(owner.clone()));
        self.add_higher(path, function);
    }

    /// The type that one of them belongs to.
    pub(crate) fn owner_of(&self, path: &str) -> Option<&syn::Path> {
        self.owners.get(&spelled(path)).map(|owner| &**owner)
    }

    /// Whether one of them returns an iterator.
    pub(crate) fn has_iterators(&self) -> bool {
        self.higher.values().any(|f| inline::gives_iterator(&f.sig))
    }

    /// Whether one of them has a type parameter of this name.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        let mut all = self
            .higher
            .values()
            .flat_map(|f| f.sig.generics.type_params());
        all.any(|p| p.ident == name)
    }

    pub(crate) fn higher(&self, path: &str) -> Option<Rc<syn::ItemFn>> {
        let path = spelled(path);
        if self.twofold.contains(&path) {
            return None;
        }
        self.higher.get(&path).cloned()
    }
}

/// A function as it is written, but for its lifetimes, which may be left out.
fn text_of(function: &syn::ItemFn) -> String {
    let mut function = function.clone();
    walk::change(NodeMut::Function(&mut function), &mut |node| {
        if let NodeMut::Lifetime(l) = node {
            *l = syn::Lifetime::new("'_", l.apostrophe);
        }
        Onward::Into
    });
    function.to_token_stream().to_string()
}
