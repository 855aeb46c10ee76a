//! Code of the user's that is run for what it does.

use super::{PlaceId, Tokens, Val};

/// User code that is run for what it does: it prints, it panics, or it changes state. Reverse sweeps leave it out.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub tokens: Tokens,
    /// As in [`super::Op::Verbatim`]; of a float that is differentiated the code sees the value.
    pub operands: Vec<(String, Val)>,
    pub places: Vec<(String, PlaceId)>,
    /// It panics: what follows is never reached.
    pub diverges: bool,
    pub gives: Gives,
}

/// What an effect leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub enum Gives {
    Nothing,
    /// Code on state: what it reads of it, one value or a tuple of them.
    Vals(Vec<Val>),
    /// It makes a [`super::PlaceKind::State`].
    State(PlaceId),
}

impl Effect {
    /// The values that it defines.
    pub fn vals(&self) -> &[Val] {
        match &self.gives {
            Gives::Vals(vals) => vals,
            Gives::Nothing | Gives::State(_) => &[],
        }
    }

    /// Whether it is code on state.
    pub fn is_on_state(&self) -> bool {
        self.gives != Gives::Nothing
    }
}
