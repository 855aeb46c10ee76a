//! Arrays of `ndarray` in fields of derived structs: structs that the runtime has, whose fields are known.

use super::Environment;
use crate::lower::arrays::{Stored, stored_as};
use crate::walk::{self, NodeMut, Onward};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::rc::Rc;

impl Environment {
    /// The same where such fields have the types of these structs; `None` if there are none.
    pub(crate) fn with_arrays(&self, rt: &TokenStream) -> Option<Environment> {
        let mut found: Vec<Stored> = Vec::new();
        let mut env = self.clone();
        for fields in env.structs.values_mut() {
            let mut fields_of = (**fields).clone();
            let before = found.len();
            for field in &mut fields_of {
                if field.attrs.iter().any(|a| a.path().is_ident("constant")) {
                    continue;
                }
                field.ty = self.expanded(&field.ty);
                walk::change(NodeMut::Type(&mut field.ty), &mut |node| {
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
            if found.len() > before {
                *fields = Rc::new(fields_of);
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
