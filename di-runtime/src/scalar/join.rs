//! States of a program that may have taken either arm of a branch, and their union.

use super::{Scalar, note_missing_primal};

/// A scalar on which both arms of a branch can be run: a set of inputs.
pub trait Abstract:
    Scalar + Join<Saved = Self> + Hand<Self> + Hand<<Self as Scalar>::Real>
{
    /// The answer to a question that inputs decide.
    fn unknown<T>() -> Option<T>;
}

/// A number as what the callee's parameter wants: the scalar, or for constants the float, which has to be known.
pub trait Hand<T> {
    /// The number as this type.
    fn hand(self) -> T;
}

/// A number as what the callee's parameter wants.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hand<S: Hand<T>, T>(x: S) -> T {
    x.hand()
}

/// Something has to be known that inputs decide: which it is, is noted
/// ([`take_error`](super::take_error)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided(());

impl Undecided {
    /// Notes what has to be known.
    #[cold]
    pub fn note(what: &'static str) -> Self {
        note_missing_primal(what);
        Undecided(())
    }

    /// Of a program that ends in a panic on each way.
    #[cold]
    pub fn panics() -> Self {
        Undecided::note("a panic in both arms")
    }
}

/// What may be written in an arm of a branch.
pub trait Join {
    /// A copy of the state.
    type Saved;
    /// Copies the state.
    fn save(&self) -> Self::Saved;
    /// Exchanges the state with another one.
    fn swap(&mut self, other: &mut Self::Saved);
    /// Either state.
    ///
    /// # Errors
    /// If they differ in what has to be known: a length, an integer in an array.
    fn join(&mut self, other: &Self::Saved) -> Result<(), Undecided>;
    /// Is this state part of the other one?
    fn within(&self, other: &Self::Saved) -> bool;
}

/// What an integer is that is `None` where inputs decide it.
///
/// # Errors
/// If it is not known.
pub fn demand<T>(value: Option<T>) -> Result<T, Undecided> {
    value.ok_or_else(|| Undecided::note("an integer or bool that a branch on inputs decides"))
}

macro_rules! join_equal {
    ($($ty:ty),*) => {
        $(
            impl Join for $ty {
                type Saved = $ty;
                fn save(&self) -> $ty {
                    *self
                }
                fn swap(&mut self, other: &mut $ty) {
                    std::mem::swap(self, other);
                }
                fn join(&mut self, other: &$ty) -> Result<(), Undecided> {
                    if *self == *other {
                        return Ok(());
                    }
                    Err(Undecided::note("a constant that a branch on inputs decides"))
                }
                fn within(&self, other: &$ty) -> bool {
                    *self == *other
                }
            }

            impl Join for Option<$ty> {
                type Saved = Option<$ty>;
                fn save(&self) -> Self {
                    *self
                }
                fn swap(&mut self, other: &mut Self) {
                    std::mem::swap(self, other);
                }
                fn join(&mut self, other: &Self) -> Result<(), Undecided> {
                    if *self != *other {
                        *self = None;
                    }
                    Ok(())
                }
                fn within(&self, other: &Self) -> bool {
                    other.is_none() || *self == *other
                }
            }
        )*
    };
}

join_equal!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool, char, f32, f64
);

impl<T: Join<Saved = T> + Clone> Join for [T] {
    type Saved = Vec<T>;
    fn save(&self) -> Vec<T> {
        self.to_vec()
    }
    fn swap(&mut self, other: &mut Vec<T>) {
        self.swap_with_slice(other);
    }
    fn join(&mut self, other: &Vec<T>) -> Result<(), Undecided> {
        let mut pairs = self.iter_mut().zip(other);
        pairs.try_for_each(|(x, other)| x.join(other))
    }
    fn within(&self, other: &Vec<T>) -> bool {
        self.iter().zip(other).all(|(x, other)| x.within(other))
    }
}

impl<T: Join<Saved = T> + Clone, const N: usize> Join for [T; N] {
    type Saved = [T; N];
    fn save(&self) -> [T; N] {
        self.clone()
    }
    fn swap(&mut self, other: &mut [T; N]) {
        std::mem::swap(self, other);
    }
    fn join(&mut self, other: &[T; N]) -> Result<(), Undecided> {
        let mut pairs = self.iter_mut().zip(other);
        pairs.try_for_each(|(x, other)| x.join(other))
    }
    fn within(&self, other: &[T; N]) -> bool {
        self.iter().zip(other).all(|(x, other)| x.within(other))
    }
}

impl<T: Join<Saved = T> + Clone> Join for Vec<T> {
    type Saved = Vec<T>;
    fn save(&self) -> Vec<T> {
        self.clone()
    }
    fn swap(&mut self, other: &mut Vec<T>) {
        std::mem::swap(self, other);
    }
    fn join(&mut self, other: &Vec<T>) -> Result<(), Undecided> {
        if self.len() != other.len() {
            return Err(Undecided::note("a length that a branch on inputs decides"));
        }
        self[..].join(other)
    }
    fn within(&self, other: &Vec<T>) -> bool {
        self.len() == other.len() && self[..].within(other)
    }
}

/// [`Join::join`] of vectors that are empty until a function returns.
///
/// # Errors
/// If an integer in them is not the same.
pub fn join_results<T: Join<Saved = T> + Clone>(
    to: &mut Vec<T>,
    other: &Vec<T>,
) -> Result<(), Undecided> {
    if to.is_empty() {
        to.clone_from(other);
    }
    if other.is_empty() {
        return Ok(());
    }
    to.join(other)
}
