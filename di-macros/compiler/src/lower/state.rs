//! State that changes, of types that the compiler does not look into: what is known of these types.

use super::ty::{Ty, Unifier};
use crate::ir::Tokens;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// A type of state, with the types of what it holds.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// `Vec`, `VecDeque`, `LinkedList`
    List(Ty),
    /// `HashSet`, `BTreeSet`
    Set(Ty),
    Heap(Ty),
    /// `HashMap`, `BTreeMap`
    Map(Ty, Ty),
    /// `map.entry(k)`
    Entry(Ty),
    Text,
    /// An iterator over such items.
    Items(Ty),
    /// Nothing is known, but how it is written perhaps.
    Other(Option<Tokens>),
}

impl Shape {
    /// The types of what it holds, as far as something is known of them.
    pub(super) fn held(&self) -> impl Iterator<Item = &Ty> {
        let (first, second) = match self {
            Shape::List(of)
            | Shape::Set(of)
            | Shape::Heap(of)
            | Shape::Entry(of)
            | Shape::Items(of) => (Some(of), None),
            Shape::Map(key, value) => (Some(key), Some(value)),
            Shape::Text | Shape::Other(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The type of state with this number, which has a name for messages.
pub(super) fn state_type(number: usize, name: &str) -> Ty {
    let path = Ident::new(&format!("{STATE}{number}_{name}"), Span::call_site());
    Ty::Opaque(Tokens(path.into_token_stream()))
}

/// The number of a type of state, behind references.
pub(super) fn number_of(ty: &Ty, types: &Unifier) -> Option<usize> {
    let Ty::Opaque(path) = types.peel(ty) else {
        return None;
    };
    let path = path.0.to_string();
    path.strip_prefix(STATE)?.split_once('_')?.0.parse().ok()
}

/// Whether what code on state gives is state itself, or has some in it.
pub(super) fn is_state(ty: &Ty, types: &Unifier) -> bool {
    match types.shallow(ty) {
        // what is written to through it is in other state
        Ty::Ref(mutable, of) => mutable || is_state(&of, types),
        Ty::Tuple(parts) | Ty::Sum(parts) => parts.iter().any(|part| is_state(part, types)),
        ty => number_of(&ty, types).is_some(),
    }
}

/// What state is called in messages.
pub(super) fn shown(ty: &Ty, types: &Unifier) -> String {
    match types.peel(ty) {
        Ty::Opaque(path) => {
            let path = path.0.to_string();
            let name = path.strip_prefix(STATE).and_then(|of| of.split_once('_'));
            name.map_or(path.clone(), |(_, name)| name.to_owned())
        }
        Ty::Sum(_) => "Option".to_owned(),
        _ => "state".to_owned(),
    }
}

const STATE: &str = "__state";
