//! Functions whose bodies stand in the place of their calls.

use super::{Environment, spelled};
use crate::lower::{inline, read, types};
use crate::walk::{self, NodeMut, Onward};
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// A function that takes functions, with its body. Of two with one path, such as those of `Index<usize>` and
    /// `Index<(usize, usize)>`, neither is known by it; those of `Sum` and `Sum<&P>` have names of their own.
    pub(crate) fn add_higher(&mut self, path: &str, mut function: syn::ItemFn) {
        if let Some(block) = read::with_arguments(&function) {
            function.block = Box::new(block);
        }
        let path = spelled(path);
        if let Some(known) = self.higher.get(&path)
            && text_of(known) != text_of(&function)
        {
            let known = known.clone();
            if inline::takes_iterator(&function.sig) {
                self.add_by_items(&path, &known);
                self.add_by_items(&path, &Rc::new(function.clone()));
            }
            self.twofold.insert(path.clone());
        }
        self.higher.insert(path, Rc::new(function));
    }

    /// One of two functions with a path, under the name for the items that it takes.
    fn add_by_items(&mut self, path: &str, function: &Rc<syn::ItemFn>) {
        let Some((of, name)) = path.rsplit_once("::") else {
            return;
        };
        let own = format!(
            "{of}::{}",
            for_items(name, inline::takes_references(&function.sig))
        );
        if let Some(owner) = self.owners.get(path) {
            self.owners.insert(own.clone(), owner.clone());
        }
        match self.higher.get(&own) {
            Some(known) if text_of(known) != text_of(function) => _ = self.twofold.insert(own),
            _ => _ = self.higher.insert(own, function.clone()),
        }
    }

    /// Of two functions with a path, where an iterator stands among what they take.
    pub(crate) fn iterator_of_two(&self, path: &str) -> Option<usize> {
        let path = spelled(path);
        let two = self.twofold.contains(&path);
        inline::iterator_at(&self.higher.get(&path).filter(|_| two)?.sig)
    }

    /// The same of a function of a type, as its block writes that.
    pub(crate) fn add_owned_body(&mut self, path: &str, owner: &syn::Path, function: syn::ItemFn) {
        self.owners.insert(spelled(path), Rc::new(owner.clone()));
        self.add_higher(path, function);
    }

    /// A method of a trait on numbers, or on lists of them.
    pub(crate) fn add_extension(&mut self, of_trait: &str, name: String) {
        self.extensions.insert(format!("{of_trait}::{name}"));
        self.extensions.insert(name);
    }

    /// Whether there is one of this name, or with this path, `Stats::mean`.
    pub(crate) fn is_extension(&self, name: &str) -> bool {
        self.extensions.contains(name)
    }

    /// The methods of the impls of `Index` or `IndexMut` of a type, each under a name of its own, with what they take.
    pub(crate) fn indices(&self, of: &str, method: &str) -> Vec<(String, syn::Type)> {
        let start = format!("{}::{}", spelled(of), of_index(method, ""));
        let own = (self.higher.iter()).filter(|(path, _)| path.starts_with(&start));
        let all = own.filter_map(|(path, f)| match f.sig.inputs.last()? {
            syn::FnArg::Typed(p) => {
                Some((path.rsplit_once("::")?.1.to_owned(), self.expanded(&p.ty)))
            }
            syn::FnArg::Receiver(_) => None,
        });
        all.collect()
    }

    /// The type that one of them belongs to.
    pub(crate) fn owner_of(&self, path: &str) -> Option<&syn::Path> {
        self.owners.get(&spelled(path)).map(|owner| &**owner)
    }

    /// Whether one of them returns an iterator, or a type is one.
    pub(crate) fn has_iterators(&self) -> bool {
        let ends = |path: &String| path.ends_with("::next");
        self.higher
            .iter()
            .any(|(path, f)| ends(path) || inline::gives_iterator(&f.sig))
            || self
                .owned
                .keys()
                .chain(self.passive.keys())
                .any(|(_, name)| name == "next")
    }

    /// What the method `next` of a type gives, if it takes nothing else. `is_passive`: also of one that is not
    /// differentiated.
    pub(crate) fn own_next(&self, of: &str, is_passive: bool) -> Option<syn::Type> {
        if let Some(next) = self.method(of, "next") {
            return next.output.filter(|_| next.inputs.is_empty());
        }
        let body = self.higher(&format!("{}::next", self.of(of)));
        match body.filter(|f| f.sig.inputs.len() == 1) {
            Some(body) => types::result_of(&body.sig.output).cloned(),
            None if !is_passive => None,
            None => self
                .passive(of, "next")
                .filter(|_| self.passive_inputs(of, "next").is_empty()),
        }
    }

    /// Whether one of them has a type parameter of this name.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        let mut all = self
            .higher
            .values()
            .flat_map(|f| f.sig.generics.type_params());
        all.any(|p| p.ident == name)
    }

    /// What the function with this path returns, or the method, if that is known.
    pub(crate) fn outputs(&self, path: &str) -> Vec<syn::Type> {
        let body = self.any_higher(path);
        let output = body.and_then(|f| types::result_of(&f.sig.output).cloned());
        self.handed(path).chain(output).collect()
    }

    /// The same of what has a handle.
    pub(crate) fn handed(&self, path: &str) -> impl Iterator<Item = syn::Type> + use<> {
        let path = spelled(path);
        let method = path.rsplit_once("::");
        let method = method.and_then(|(of, name)| self.method(of, name)?.output);
        let function = self.function(&path);
        let function = function.and_then(|f| types::result_of(&f.signature.output).cloned());
        method.into_iter().chain(function)
    }

    /// What the methods of this name return, of any type.
    pub(crate) fn outputs_of_methods(&self, name: &str) -> Vec<syn::Type> {
        let end = format!("::{name}");
        let owned = self.owned.iter().filter(|((_, own), _)| own == name);
        let beside = self.methods.known.iter().filter(|(own, _)| *own == name);
        let known = owned.map(|(_, m)| &**m).chain(beside.map(|(_, m)| m));
        let known = known.filter_map(|m| m.output.clone());
        let bodies = self.higher.iter().filter(|(path, _)| path.ends_with(&end));
        let bodies = bodies.filter_map(|(_, f)| types::result_of(&f.sig.output).cloned());
        known.chain(bodies).map(|ty| self.expanded(&ty)).collect()
    }

    /// The function with this path, or any of two that take iterators.
    pub(crate) fn any_higher(&self, path: &str) -> Option<Rc<syn::ItemFn>> {
        match self.iterator_of_two(path) {
            Some(_) => self.higher.get(&spelled(path)).cloned(),
            None => self.higher(path),
        }
    }

    pub(crate) fn higher(&self, path: &str) -> Option<Rc<syn::ItemFn>> {
        let path = spelled(path);
        if self.twofold.contains(&path) {
            return None;
        }
        self.higher.get(&path).cloned()
    }
}

/// The name of `sum` or `extend` in the impl for values, or in that for references to them.
pub(crate) fn for_items(name: &str, are_references: bool) -> String {
    let of = if are_references {
        "references"
    } else {
        "values"
    };
    format!("__{name}_of_{of}")
}

/// The name of `index` or `index_mut` in the impl for indices of a type.
pub(crate) fn of_index(method: &str, ty: &str) -> String {
    let ty = ty.replace(|c: char| !c.is_alphanumeric(), "_");
    format!("__{method}_of_{ty}")
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
