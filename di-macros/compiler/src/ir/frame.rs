//! What loops keep for the adjoint sweep.

use super::Tokens;

/// A slot of the frame of the nearest enclosing region that owns one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// In the float part.
    Word(u32),
    /// In the integer part (integers, bools, trip counts).
    Int(u32),
}

/// What a loop keeps for each trip, and how.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Frame {
    pub words: u32,
    pub ints: u32,
    /// Callees whose fixed records are part of this frame, in the order of their slots.
    pub callees: Vec<Callee>,
    pub mode: FrameMode,
    /// The trips of the adjoint loop commute, and only calls use the tape: it runs upwards where these
    /// leave nothing there.
    pub commutes: bool,
    /// The trips of the adjoint loop commute if each finds its own entries of the tape, so that both sweeps can be
    /// made trip by trip.
    pub independent: bool,
    /// Calls that must renew an argument for that.
    pub renewals: Vec<Renewal>,
}

/// A call whose callee must renew an argument: which elements it writes depends on no argument that varies. See
/// `analysis/renewed.rs`.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    pub callee: Tokens,
    pub argument: usize,
    /// The arguments that vary, as bits.
    pub varying: u64,
}

/// What a call has in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Callee {
    pub path: Tokens,
    /// Arguments of fixed length whose values follow its record if it asks for them, and how many numbers they are.
    pub kept: Vec<(usize, usize)>,
}

/// How the frames of a loop's trips are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FrameMode {
    /// Nothing is kept.
    #[default]
    None,
    /// Trip count known before the loop, nothing in the body touches the tape: one block, one lane
    /// of it per slot, written by index.
    Lanes,
    /// As [`FrameMode::Lanes`], but the body uses the tape, or has calls that may: the block comes on
    /// top of what the trips leave there.
    Records,
    /// As [`FrameMode::Lanes`], with a few trips, whose number is a literal: the lanes are slots of the function's own
    /// record, from these on.
    Fixed { word: u32, int: u32 },
    /// Trip count not known: one record is pushed at the end of each trip.
    Pushed,
}
