//! Tangents or adjoints in the compiled widths, chosen at run time.

use crate::batch::lane_width;
use crate::function::{Call, Signature, XShape, YShape};
use crate::held::Held;

use super::sweep::Tangents;

/// [`Tangents`] in one of the widths.
pub(crate) enum Wide<K: Signature> {
    One(Held<Tangents<K, [K::Real; 1]>>),
    #[cfg(not(debug_assertions))]
    Two(Held<Tangents<K, [K::Real; 2]>>),
    #[cfg(not(debug_assertions))]
    Four(Held<Tangents<K, [K::Real; 4]>>),
    Eight(Held<Tangents<K, [K::Real; 8]>>),
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

/// The same for Jacobians, whose lanes are made for [`MANY`] directions or more: few functions have one alone, so that a
/// debug build does not compile single lanes for them.
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

/// The same for gradients, whose lanes [`Wide::for_gradient`] makes.
#[cfg(not(debug_assertions))]
macro_rules! of_gradients {
    ($lanes:expr, $bound:ident => $body:expr) => {
        match $lanes {
            Wide::Four($bound) => $body,
            Wide::Eight($bound) => $body,
            Wide::One(_) | Wide::Two(_) => unreachable!("made for gradients"),
        }
    };
}
#[cfg(debug_assertions)]
macro_rules! of_gradients {
    ($lanes:expr, $bound:ident => $body:expr) => {
        match $lanes {
            Wide::Eight($bound) => $body,
            Wide::One(_) => unreachable!("made for gradients"),
        }
    };
}
pub(crate) use of_gradients;

/// For how many directions the lanes of Jacobians are made at least.
pub(crate) const MANY: usize = if cfg!(debug_assertions) { 2 } else { 1 };

impl<K: Signature + 'static> Wide<K> {
    /// For one direction.
    pub(crate) fn one(x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        Wide::One(Held::new(Tangents::new(x, y, call)))
    }

    /// The lanes of one direction.
    ///
    /// # Panics
    /// If they are for several.
    pub(crate) fn single(&mut self) -> &mut Tangents<K, [K::Real; 1]> {
        match self {
            Wide::One(lanes) => lanes,
            #[cfg(not(debug_assertions))]
            Wide::Two(_) | Wide::Four(_) => unreachable!("made for one direction"),
            Wide::Eight(_) => unreachable!("made for one direction"),
        }
    }

    /// For gradients by `n` inputs: fewer than four lanes take more time to compile than they save.
    pub(crate) fn for_gradient(n: usize, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        match n {
            #[cfg(not(debug_assertions))]
            0..=4 => Wide::Four(Held::new(Tangents::new(x, y, call))),
            _ => Wide::Eight(Held::new(Tangents::new(x, y, call))),
        }
    }

    /// The narrowest lanes for `count` directions at once.
    pub(crate) fn new(count: usize, x: &XShape<K>, y: &YShape<K>, call: Call<'_, K>) -> Self {
        match lane_width(count) {
            1 => Wide::One(Held::new(Tangents::new(x, y, call))),
            #[cfg(not(debug_assertions))]
            2 => Wide::Two(Held::new(Tangents::new(x, y, call))),
            #[cfg(not(debug_assertions))]
            4 => Wide::Four(Held::new(Tangents::new(x, y, call))),
            _ => Wide::Eight(Held::new(Tangents::new(x, y, call))),
        }
    }
}

impl<K: Signature + 'static> Clone for Wide<K> {
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
