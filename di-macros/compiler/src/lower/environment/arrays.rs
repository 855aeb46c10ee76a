//! Arrays of `ndarray` in fields of derived structs: structs that the runtime has, whose fields are known.

use super::Environment;
use crate::lower::arrays::{Stored, stored_as};
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// The same where such fields have the types of these structs; `None` if there are none. `held`: those that variables
    /// of a function may hold.
    pub(crate) fn with_arrays(&self, rt: &TokenStream, held: &[Stored]) -> Option<Environment> {
        let mut found: Vec<Stored> = held.to_vec();
        let mut env = self.clone();
        // of a derived enum also what its variants hold
        let is_variant = |path: &str| {
            let of = path.rsplit_once("::");
            of.is_some_and(|(of, _)| self.is_derived_enum(of))
        };
        let variants = env.of_file.iter_mut();
        let variants = variants.filter(|(path, _)| is_variant(path));
        let all = env.structs.values_mut();
        for fields in all.chain(variants.map(|(_, fields)| fields)) {
            let mut new = (**fields).clone();
            let before = found.len();
            for field in &mut new {
                if !field.attrs.iter().any(|a| a.path().is_ident("constant")) {
                    field.ty = self.expanded(&field.ty);
                    store(&mut field.ty, rt, &mut found);
                }
            }
            if found.len() > before {
                *fields = Rc::new(new);
            }
        }
        if found.is_empty() {
            return None;
        }
        for stored in found {
            let path = stored.path(rt).into_token_stream().to_string();
            env.arrays.insert(env.of(&path));
            env.add_struct(&path, syn::Fields::Named(stored.fields()));
        }
        Some(env)
    }
}

/// Puts these structs in the place of arrays in a type.
pub(crate) fn store(ty: &mut syn::Type, rt: &TokenStream, found: &mut Vec<Stored>) {
    walk::change(NodeMut::Type(ty), &mut |node| {
        if let NodeMut::Type(ty) = node
            && let Some(stored) = stored_as(ty)
        {
            *ty = stored.path(rt);
            found.push(stored);
            return Onward::Over;
        }
        Onward::Into
    });
}
