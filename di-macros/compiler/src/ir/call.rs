//! Calls to other differentiable functions, in the user's body and in transformed ones.

use super::{Body, Place, PlaceId, Tokens, Type, Val};

/// Argument of a call to another differentiable function.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A scalar by value.
    Value(Val),
    /// An array or vector by value (copied or moved).
    Place(Place),
    /// `&place`
    Ref(Place),
    /// `&mut place`
    Mut(Place),
    /// Passive code, as [`super::Op::Verbatim`]: a constant the compiler does not look into.
    Verbatim {
        tokens: Tokens,
        operands: Vec<(String, Val)>,
        places: Vec<(String, PlaceId)>,
        /// It is a derived struct, or some of these, which the callee may differentiate.
        lifted: bool,
    },
}

impl Arg {
    /// The lists of integers and bools, and of tuples of them, that constant code of an argument reads.
    pub fn integer_lists<'a>(
        &'a self,
        body: &'a Body,
    ) -> impl Iterator<Item = (&'a str, PlaceId)> + 'a {
        let places = match self {
            Arg::Verbatim { places, .. } => places.as_slice(),
            Arg::Value(_) | Arg::Place(_) | Arg::Ref(_) | Arg::Mut(_) => &[],
        };
        let is_list = |ty: &Type| {
            ty.is_constant_list()
                || ty.element().is_some() && matches!(ty.leaf(), Type::Int(_) | Type::Bool)
        };
        let places = places.iter().map(|(name, place)| (name.as_str(), *place));
        places.filter(move |(_, place)| is_list(&body.place(*place).ty))
    }
}

/// Where a result of a call, or a returned component, is.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf {
    Val(Val),
    Place(PlaceId),
}

/// A tuple tree of leaves: how a function's result is built from scalars and places.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree<T> {
    Leaf(T),
    /// `()` is the empty tuple.
    Tuple(Vec<Tree<T>>),
}

impl<T> Tree<T> {
    /// Leaves from left to right.
    pub fn leaves(&self) -> Vec<&T> {
        match self {
            Tree::Leaf(t) => vec![t],
            Tree::Tuple(ts) => ts.iter().flat_map(Tree::leaves).collect(),
        }
    }

    /// Same tree over other leaves.
    pub fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Tree<U> {
        match self {
            Tree::Leaf(t) => Tree::Leaf(f(t)),
            Tree::Tuple(ts) => Tree::Tuple(ts.iter().map(|t| t.map(f)).collect()),
        }
    }
}

/// A call to another differentiable function.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Path as written; its handle has the same path.
    pub callee: Tokens,
    /// Generic arguments, if they are written: `<3>`; of a method with lengths the type that its code is in.
    pub instance: Option<Tokens>,
    /// The type whose functions are called, if the callee's path alone is not it: the callee is generic.
    /// Known where code is generated.
    pub target: Option<Tokens>,
    pub args: Vec<Arg>,
    /// The arguments that go to constant parameters, of a callee whose signature is known.
    pub constants: Vec<usize>,
    /// Result tree; places in it are declared by the call.
    pub result: Tree<Leaf>,
}

/// A call in tangent code: every float argument and result has a tangent, or none.
#[derive(Clone, Debug, PartialEq)]
pub struct TangentCall {
    pub call: Call,
    /// One for each argument: the tangent value or place, `None` when passive.
    pub tangents: Vec<Option<Arg>>,
    /// Tangents of the results, same tree; `None` for integers and bools.
    pub result: Tree<Option<Leaf>>,
}

/// The record of a call is on the tape, right above what the callee pushed.
pub const ON_TAPE: u32 = u32::MAX;

/// An argument whose values the callee's adjoint sweep may want (`NEEDS`).
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub callee: Tokens,
    pub argument: usize,
}

/// A local vector, or a struct with vectors, that is kept on the tape as a whole, if a callee asks for its values; in
/// any case if none is named.
#[derive(Clone, Debug, PartialEq)]
pub enum Tape {
    /// Keeps the content, from `base` on; that of a struct up to `base`. Augmented sweep.
    Keep {
        base: Val,
        place: PlaceId,
        asked: Vec<Asked>,
    },
    /// What was kept, as a slice that stands for the vector, or a struct. Adjoint sweep.
    Kept {
        place: PlaceId,
        base: Val,
        len: Val,
        asked: Vec<Asked>,
    },
    /// What was kept is no longer needed: the adjoint sweep has come to where it was kept.
    Release {
        place: PlaceId,
        len: Val,
        asked: Vec<Asked>,
    },
    /// Keeps the lengths in a struct, up to `end`: its shadow begins with them. Augmented sweep.
    Shape { end: Val, place: PlaceId },
    /// The lengths are no longer needed.
    ReleaseShape { place: PlaceId },
}

/// A call in the augmented forward sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct AugmentedCall {
    pub call: Call,
    /// Number of the call in its frame: where the callee's fixed record is; [`ON_TAPE`] if it is
    /// pushed on the tape, for functions that call themselves.
    pub record: u32,
    /// One for each argument.
    pub keep: Vec<Keep>,
}

/// Whether an argument's values are kept for the callee's reverse code, if it asks for them (`NEEDS`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    No,
    /// The values, and how many they are.
    Counted,
    /// The values; there are as many as the shadow has elements.
    Measured,
    /// The values, so many by their type: part of the fixed record of the frame.
    Fixed(usize),
}

/// A call in the reverse sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct ReverseCall {
    pub call: Call,
    /// Primal arguments behind `&`, for callees that need their values; `None` where the value was
    /// kept on the tape by the augmented call, or where the argument is by value.
    pub args: Vec<Option<Arg>>,
    /// Adjoint of each argument: a lane variable for scalars, a shadow place for references.
    pub adjoints: Vec<Option<Arg>>,
    /// Adjoint of the result, same tree; `None` for integers and bools.
    pub result: Tree<Option<Leaf>>,
    pub record: u32,
    pub keep: Vec<Keep>,
}

/// What depends on whether a parameter's slot is fresh: handed in by an operator, with any content.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// A fresh slot is zeroed, but for a range that is written anyway.
    Fill {
        slot: PlaceId,
        keep: Option<(Val, Val)>,
    },
    /// Writes to a fresh slot, adds to another (or subtracts when `negate`).
    Set {
        place: Place,
        negate: bool,
        val: Val,
    },
}
