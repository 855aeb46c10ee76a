//! What stands around a function: methods of its impl block, how their receivers are borrowed, and what they
//! give.

use super::code;
use super::environment::{Environment, spelled, with_lengths};
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
    /// Lengths of its block, and then its own.
    pub(crate) lengths: Vec<String>,
    /// What these are at a call.
    pub(crate) found: Vec<Tokens>,
    /// How many of these are its own.
    pub(crate) own: usize,
    /// The type of the block; of an operator those on its sides.
    pub(crate) of: Vec<syn::Type>,
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
    pub(crate) fn get(&self, of: &Tokens, name: &str, env: &Environment) -> Option<&Method> {
        let (owner, of) = (self.owner.as_ref()?.0.to_string(), of.0.to_string());
        let method = self.known.get(name)?;
        let same = match method.lengths.len() > method.own {
            true => env.of(&owner) == env.of(&of),
            false => spelled(&owner) == spelled(&of),
        };
        same.then_some(method)
    }
}

impl Method {
    /// All its lengths as they are written at a call; `None` if it has none.
    pub(crate) fn instance(&self) -> Option<Tokens> {
        let found: Vec<_> = self.found.iter().map(|n| &n.0).collect();
        (!found.is_empty()).then(|| Tokens(code::lengths(&found)))
    }

    /// Its own.
    pub(crate) fn own_lengths(&self) -> &[Tokens] {
        &self.found[self.found.len().saturating_sub(self.own)..]
    }

    /// The method with other lengths in the place of its own.
    pub(crate) fn with_lengths(&self, found: Vec<Tokens>) -> Method {
        let names = self.lengths.iter().cloned();
        let pairs: Vec<(String, Tokens)> = names.zip(found).collect();
        let changed = |ty: &syn::Type| with_lengths(ty, &pairs).unwrap_or_else(|| ty.clone());
        let found = pairs.iter().map(|(_, n)| n.clone()).collect();
        Method {
            found,
            inputs: self.inputs.iter().map(changed).collect(),
            output: self.output.as_ref().map(changed),
            of: self.of.iter().map(changed).collect(),
            ..self.clone()
        }
    }

    /// The method where arrays of `ndarray` are written out, in what it takes and gives.
    #[cfg(feature = "ndarray")]
    pub(crate) fn without_arrays(self) -> Method {
        use crate::template::parse_quote;
        let inputs = (0..).zip(&self.inputs).zip(&self.constants);
        let inputs = inputs.map(|((k, ty), constant): ((usize, _), _)| -> syn::FnArg {
            let name = syn::Ident::new(&format!("p{k}"), proc_macro2::Span::call_site());
            match constant {
                true => parse_quote!(#[constant] #name: #ty),
                false => parse_quote!(#name: #ty),
            }
        });
        let output = self
            .output
            .as_ref()
            .map(|ty| -> syn::ReturnType { parse_quote!(-> #ty) });
        let output = output.unwrap_or(syn::ReturnType::Default);
        let written =
            super::arrays::write_out_signature(&parse_quote!(fn method(#(#inputs),*) #output));
        let Some(written) = written else { return self };
        let inputs = written.inputs.iter().filter_map(types::typed);
        let (inputs, constants) = inputs
            .map(|p| ((*p.ty).clone(), !p.attrs.is_empty()))
            .unzip();
        Method {
            inputs,
            constants,
            output: types::result_of(&written.output).cloned(),
            ..self
        }
    }

    /// The type of its result, if that does not depend on lengths.
    pub(crate) fn plain_output(self) -> Option<syn::Type> {
        self.output.filter(|_| self.lengths.is_empty())
    }

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

/// Whether a type is that of a number of Rust.
pub(crate) fn is_number(ty: &syn::Type) -> bool {
    types::is_one_of(ty, &["bool", "f32", "f64"])
}
