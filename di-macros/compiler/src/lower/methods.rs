//! What stands around a function: methods of its impl block, how their receivers are borrowed, and what they
//! give.

use super::environment::spelled;
use super::ty::{Ty, Unifier};
use super::types;
use crate::ir::Tokens;
use crate::sorted::Map;
use proc_macro2::Ident;
use quote::ToTokens;

/// The impl block; empty for free functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Methods {
    /// The type, as it is written behind `impl`.
    pub(crate) owner: Option<Tokens>,
    pub(crate) known: Map<String, Method>,
}

/// One of its functions.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// Its handle.
    pub(crate) handle: Ident,
    /// How it takes `self`; `None` without it.
    pub(crate) receiver: Option<Receiver>,
    /// Types of the other parameters.
    pub(crate) inputs: Vec<syn::Type>,
    /// Which of them are held constant.
    pub(crate) constants: Vec<bool>,
    /// Type of its result, if it is written.
    pub(crate) output: Option<syn::Type>,
}

/// How a method takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    Value,
    Ref,
    Mut,
}

impl Methods {
    /// The method of this name, if the type is that of the block.
    pub(crate) fn get(&self, of: &Tokens, name: &str) -> Option<&Method> {
        let spelled = |path: &Tokens| spelled(&path.0.to_string());
        (spelled(self.owner.as_ref()?) == spelled(of)).then(|| self.known.get(name))?
    }
}

impl Method {
    /// The type of its result; `None` if it is no plain type.
    pub(crate) fn result(&self, float: &str, types: &mut Unifier) -> Option<Ty> {
        match &self.output {
            None => Some(Ty::unit()),
            Some(ty) => types::read_local(ty, float, types),
        }
    }

    /// Types of its parameters beside `self`, as far as they are plain.
    pub(crate) fn parameters(&self, float: &str, types: &mut Unifier) -> Vec<Option<Ty>> {
        let read = |ty| types::read_plain(ty, float, types).or_else(|| types::read_structs(ty));
        self.inputs.iter().map(read).collect()
    }

    pub(crate) fn callee(&self) -> Tokens {
        Tokens(self.handle.to_token_stream())
    }
}
