//! Types that depend on a constant, so that one without a value makes them unknown.

/// A constant that has a value.
#[derive(Debug)]
pub struct Sound<const CHECKED: usize>;

/// `T`, if the constant has a value; else rustc knows no type, and says no more about it.
pub trait If<T: ?Sized> {
    /// `T`
    type Then: ?Sized;
}

/// A value of the user's code: of type `T`, even where rustc does not know what it is.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn told<T>(value: T) -> T {
    value
}

/// What comes after it is checked for its types, and for nothing else: there is no such value.
pub fn never() -> core::convert::Infallible {
    panic!("code that is only checked was run")
}

/// Stands before the number of parts of a tuple, in what a function gives.
const TUPLE: u8 = 250;
/// A part that nobody looks at.
const HOLE: u8 = 251;
/// A float, and a struct.
const NUMBER: u8 = 1;
const STRUCT: u8 = 4;
/// A bool, and an integer of any type or a bool; integers of known types come behind these.
const BOOL: u8 = 2;
const INTEGER: u8 = 5;

/// Whether what a function gives is what it is taken for. Nothing is known of kinds that are zero, nor of a
/// function without any.
pub const fn gives(given: &[u8], taken: &[u8]) -> bool {
    if given.is_empty() {
        return true;
    }
    let (mut g, mut t) = (0, 0);
    while t < taken.len() {
        match (given[g], taken[t]) {
            (TUPLE, TUPLE) if given[g + 1] == taken[t + 1] => (g, t) = (g + 2, t + 2),
            (0, _) | (_, 0 | HOLE) => (g, t) = (behind(given, g), behind(taken, t)),
            (a, b) if a == b && a != TUPLE => (g, t) = (g + 1, t + 1),
            // rustc knows of which type it is
            (BOOL | 6..TUPLE, INTEGER) => (g, t) = (g + 1, t + 1),
            // numbers are structs to generated code
            (NUMBER, STRUCT) => (g, t) = (g + 1, t + 1),
            _ => return false,
        }
    }
    true
}

/// The place behind a value and its parts.
const fn behind(kinds: &[u8], mut at: usize) -> usize {
    let mut open = 1;
    while open > 0 {
        open -= 1;
        if kinds[at] == TUPLE {
            open += kinds[at + 1] as usize;
            at += 1;
        }
        at += 1;
    }
    at
}

impl<const CHECKED: usize, T: ?Sized> If<T> for Sound<CHECKED> {
    type Then = T;
}
