//! From the user's function to the IR: signature, typed tree, ANF.

pub(crate) mod aliases;
#[cfg(feature = "ndarray")]
mod arrays;
mod build;
pub(crate) mod bundles;
mod changes;
pub(crate) mod cloned;
mod code;
pub(crate) mod data;
pub(crate) mod environment;
pub(crate) mod extension;
pub(crate) mod extent;
mod floats;
mod free;
mod hir;
mod hygiene;
pub(crate) mod inline;
pub(crate) mod iterated;
mod labels;
pub(crate) mod methods;
mod namesakes;
mod nodes;
pub(crate) mod numeric;
mod parameter;
pub(crate) mod portable;
mod read;
pub(crate) mod resized;
mod scalar;
mod shown;
mod signature;
mod skeleton;
mod state;
mod stored;
mod tail;
mod ty;
mod types;
mod variant;
pub(crate) mod variants;
mod vectors;
mod walk;
mod written;

use crate::ir::{Body, Schedule, Val};
use crate::sorted::{Map, Set};
#[cfg(feature = "ndarray")]
pub(crate) use arrays::{is_array, with_arrays, write_out};
pub(crate) use code::{access, is_argument};
use environment::Environment;
pub(crate) use hygiene::check_hygiene;

use crate::report::{Extent, Report};
use proc_macro2::{Ident, TokenStream};

pub(crate) use changes::mark_those_passing_on;
pub(crate) use parameter::{is_of_variables, takes_no_floats, takes_numbers};
pub(crate) use read::with_self;
pub(crate) use scalar::{ATTRIBUTE as ACTIVE_SCALAR, ScalarName};
pub(crate) use skeleton::{signature_of, skeleton};
pub(crate) use stored::{is_count, is_word};
pub(crate) use types::{
    arguments, is_integer, is_integer_name, is_namesake, is_one_of, is_static_text, is_tuple, owns,
    range_of, ungroup, vec_element,
};
pub(crate) use written::Written;
#[cfg(not(feature = "ndarray"))]
pub(crate) use written::{is_array, with_arrays, write_out};

/// A lowered function, with what later checks need beside it.
pub(crate) struct Lowered {
    pub body: Body,
    /// Values made by `passive(..)`: active values may enter these.
    pub explicit: Set<Val>,
    /// Where passive code stands.
    pub extents: Map<Val, Extent>,
    /// Loops whose trips are not recorded, by induction variable.
    pub checkpoints: Map<Val, Schedule>,
    /// Structs around the function that are generic over types.
    pub open: Vec<Ident>,
}

/// Lowers a function; `rt` is the path of the runtime's hidden module. The body is to be used only if the report is clean.
pub(crate) fn lower(
    item: &syn::ItemFn,
    rt: &TokenStream,
    env: &Environment,
    cx: &Report,
) -> Option<Lowered> {
    let own = environment::own_names(crate::walk::Node::Function(item));
    let hiding = env.hiding(&own);
    let env = hiding.as_ref().unwrap_or(env);
    let sig = signature::read_signature(item, env, cx)?;
    let with_paths = aliases::with_paths_of_std(item).map(|block| syn::ItemFn {
        block: Box::new(block),
        ..item.clone()
    });
    let item = with_paths.as_ref().unwrap_or(item);
    let with_arguments = read::with_arguments(item);
    let block = with_arguments.as_ref().unwrap_or(&item.block);
    let (mut function, types) = read::read_function(&sig, block, rt, env, cx);
    if !cx.is_clean() {
        return None;
    }
    tail::returns_to_values(&mut function.body, &sig.ret);
    let name = item.sig.ident.to_string();
    let mut built = build::build(&name, item.sig.ident.span(), sig, &function, &types, cx);
    labels::name_loops(&mut built.body.region);
    Some(Lowered {
        body: built.body,
        explicit: built.explicit,
        extents: built.extents,
        checkpoints: built.checkpoints,
        open: env.open_structs(),
    })
}

/// The method that stands for the conversion of a struct to a number.
pub(crate) fn conversion(number: &str) -> String {
    format!("__into_{number}")
}
