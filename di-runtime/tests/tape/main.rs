//! `AutoTape`: replays, guards, constants, second order, foreign code.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

#[path = "../by_hand/mod.rs"]
mod by_hand;
mod functions;
mod guards;
mod operators;
mod program;
mod second;
