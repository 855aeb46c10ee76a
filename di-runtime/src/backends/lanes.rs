//! Tangents or adjoints in the compiled widths, chosen at run time.

use crate::batch::lane_width;
use crate::function::{Call, Signature, XShape, YShape};

use super::sweep::Tangents;

/// [`Tangents`] in one of the widths.
pub(crate) enum Wide<K: Signature> {
    One(Tangents<K, [K::Real; 1]>),
    #[cfg(not(debug_assertions))]
    Two(Tangents<K, [K::Real; 2]>),
    #[cfg(not(debug_assertions))]
    Four(Tangents<K, [K::Real; 4]>),
    Eight(Tangents<K, [K::Real; 8]>),
}

/// Runs generic code on whichever width there is: `widths!(Wide, wide, t => f(t))`.
macro_rules! widths {
    ($enum:ident, $value:expr, $lanes:ident => $body:expr) => {
        match $value {
            $enum::One($lanes) => $body,
            #[cfg(not(debug_assertions))]
            $enum::Two($lanes) => $body,
            #[cfg(not(debug_assertions))]
            $enum::Four($lanes) => $body,
            $enum::Eight($lanes) => $body,
        }
    };
}
pub(crate) use widths;

/// The same for gradients and Jacobians, whose lanes are made for [`MANY`] directions or more: few functions have one
/// alone, so that a debug build does not compile single lanes for them.
#[cfg(not(debug_assertions))]
pub(crate) use widths as many;

#[cfg(debug_assertions)]
macro_rules! many {
    ($enum:ident, $value:expr, $lanes:ident => $body:expr) => {
        match $value {
            $enum::Eight($lanes) => $body,
            $enum::One(_) => unreachable!("made for several directions"),
        }
    };
}
#[cfg(debug_assertions)]
pub(crate) use many;

/// For how many directions the lanes of gradients and Jacobians are made at least.
pub(crate) const MANY: usize = if cfg!(debug_assertions) { 2 } else { 1 };

impl<K: Signature> Wide<K> {
    /// The narrowest lanes for `count` directions at once.
    pub(crate) fn new(count: usize, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        match lane_width(count) {
            1 => Wide::One(Tangents::new(x, y, call)),
            #[cfg(not(debug_assertions))]
            2 => Wide::Two(Tangents::new(x, y, call)),
            #[cfg(not(debug_assertions))]
            4 => Wide::Four(Tangents::new(x, y, call)),
            _ => Wide::Eight(Tangents::new(x, y, call)),
        }
    }
}

impl<K: Signature> Clone for Wide<K> {
    fn clone(&self) -> Self {
        match self {
            Wide::One(lanes) => Wide::One(lanes.clone()),
            #[cfg(not(debug_assertions))]
            Wide::Two(lanes) => Wide::Two(lanes.clone()),
            #[cfg(not(debug_assertions))]
            Wide::Four(lanes) => Wide::Four(lanes.clone()),
            Wide::Eight(lanes) => Wide::Eight(lanes.clone()),
        }
    }
}
