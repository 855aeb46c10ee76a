//! What generated code is written in, beside scalars and rules: tapes, shadows, slots of parameters.
//!
//! The contract is docs/generated-code.md, section 1. Users do not see any of this.

mod lift;
mod shadows;
mod slot;
mod tape;

pub use lift::{Lift, LiftRef, lift, lift_ref};
pub use shadows::Shadows;
pub use slot::{Activity, Dead, Live, NoSlot, Seed, Shadow, no_slot};
pub use tape::{Cursor, Stack, Tape};
