//! Functions of types that are not differentiated.

use super::{Environment, spelled};
use crate::lower::methods::{Method, Receiver};
use std::rc::Rc;

impl Environment {
    /// A function of a type that is not differentiated.
    pub(crate) fn add_passive(&mut self, owner: &str, name: &str, method: Method) {
        let key = (spelled(owner), name.to_owned());
        self.passive.insert(key, Rc::new(method));
    }

    pub(crate) fn passive_inputs(&self, owner: &str, name: &str) -> Vec<syn::Type> {
        let known = self.passive.get(&(spelled(owner), name.to_owned()));
        let inputs = known.map_or(&[][..], |method| &method.inputs);
        inputs.iter().map(|ty| self.expanded(ty)).collect()
    }

    pub(crate) fn passive(&self, owner: &str, name: &str) -> Option<syn::Type> {
        let method = self.passive.get(&(spelled(owner), name.to_owned()))?;
        Some(self.expanded(method.output.as_ref()?))
    }

    /// The method of `&mut self` of this name.
    pub(crate) fn changing(&self, owner: &str, name: &str) -> Option<Method> {
        let passive = self.passive.get(&(spelled(owner), name.to_owned()));
        let method = match passive {
            Some(method) => self.expanded_method(method),
            None => self.method(owner, name)?,
        };
        (method.receiver == Some(Receiver::Mut)).then_some(method)
    }

    /// A function of a type that takes nothing and is not differentiated.
    pub(crate) fn add_maker(&mut self, owner: &str, name: &str) {
        self.makers.insert((spelled(owner), name.to_owned()));
    }

    pub(crate) fn is_maker(&self, owner: &str, name: &str) -> bool {
        let has = |of: String| self.makers.contains(&(of, name.to_owned()));
        has(spelled(owner)) || has(self.of(owner))
    }
}
