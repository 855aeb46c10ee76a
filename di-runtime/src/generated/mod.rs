//! What generated code is written in, beside scalars and rules: tapes, buffers, slots of parameters.
//!
//! The contract is docs/generated-code.md, section 1. Users do not see any of this.

mod agree;
mod arithmetic;
pub mod checkpoint;
mod constants;
mod field;
mod lift;
mod named;
mod reach;
mod sequence;
mod slot;
mod sound;
mod start;
mod tape;
mod trips;
mod unread;
mod width;

pub use crate::pool::{Pool, Room};
pub use agree::{Methods, agree};
pub use constants::{Behind, List, count, narrow, number_behind, widen};
pub use field::{
    FieldOf, FromLane, LeftOutUnlessItsModuleCallsIt, Lend, LendLanes, LentMut, LentRef, LentView,
    Method, MethodAt, NoLanes, Operator, Own, PartOf, Payload, ReadInteger, ReadLane, ReadPlain,
    ReadScalar, Returns, Sequence, Unsigned, field_lane, lent_mut, lent_ref, lent_view,
};
pub use lift::{Lift, LiftRef, lift, lift_ref};
pub use named::{One, is_one};
pub use reach::{Infer, Instance, Length, Seen, Sequenced, identity};
pub use sequence::{
    OnlyRead, only_read, parts, rows, sorted_int, sorted_partial, sorted_total, whole,
};
pub use slot::{
    Activity, Dead, Fresh, FreshTangents, LentNumber, LentSlot, LentValue, Live, NoSlot, Seed,
    Shadow, given_adjoint, lent_number, lent_slot, lent_value, no_slot, scale_by, steady,
};
pub use sound::{If, Sound, gives, never, told};
pub use start::clear;
pub use tape::{Cursor, Stack, Tape, fits};
pub use trips::{Trips, TripsMut, kept};
pub use unread::{Unread, unread};
pub use width::rounding;
