//! What generated code is written in: scalars, lanes, rules, tapes, shadows, slots, lifting.

mod dual;
mod lift;
mod rule;
mod slot;
mod tape;
