//! What generated code is written in, under one path. Not for users: it changes without notice.

pub use crate::bound::{Bound, Evaluate, Fixings, Function, Given, Open, Partial, WithOutput};
pub use crate::closure::cause::{
    Cause, ErrorOfAnyType, ErrorWithDebug, blank, error_of_none, fail_at, plain, unknown_error,
};
pub use crate::closure::{Running, Supplied, Supply, Writing};
pub use crate::context::{Probe, Snapshot, Unseen};
pub use crate::differentiate_with::Values;
pub use crate::error::fail;
pub use crate::function::{
    Env, Generic, InPlace, Kept, Kind, Primal, Record, Returning, Signature, Slot, XRef,
};
pub use crate::generated::*;
pub use crate::handle::{
    Adjoints, ArgsRef, Bindable, Copied, Handle, Presence, Primals, Tangents, both_sweeps,
};
pub use crate::scalar::{
    Abstract, Join, Lanes, Real, Scalar, Tree, Undecided, Zero, demand, hand, join_results,
};
pub use crate::value::element::Elements;
pub use crate::value::floats::{Floats, NoFloats, Parts};
pub use crate::value::join::{join_structs, structs_within, swap_structs};
pub use crate::value::kept::{
    held_floats, held_list, held_rows, held_text, hold_floats, hold_list, hold_text,
    keep_constants, keep_rows, keep_shape, keep_struct, keep_whole, kept_constants, kept_rows,
    kept_struct, kept_whole, lanes_at, release_shape, release_whole,
};
pub use crate::value::lifted::{LiftStruct, lift_struct, lift_view};
pub use crate::value::option::Optional;
pub use crate::value::outcome::{OfFloats, put};
pub use crate::value::passive::{Keep, largest};
pub use crate::value::shown::Shown;
pub use crate::value::structure::{AsView, Derived, derived, lanes_like};
pub use crate::value::texts;
pub use crate::value::vector::Item;
pub use crate::value::{
    Array, ContainerMut, Differentiable, Entry, Family, Marks, Number, One, Ragged, Row, Rows,
    Slice, Struct, StructArray, Structs, Vectors,
};
pub use crate::{castable, implicit, overloaded, rules, scalar};
pub use crate::{lift_impls, optional, struct_container};
#[cfg(feature = "ndarray")]
pub use crate::{nd, value::Nd};
#[cfg(feature = "ndarray")]
pub use ndarray::{Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};
pub use std::vec::Vec;
