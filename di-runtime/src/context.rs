//! Constants of a function that is differentiated, and snapshots of them.

/// Returns its argument as a constant: the derivative through it is zero.
///
/// It has a meaning only in `#[differentiable]` functions; elsewhere it is the identity.
///
/// # Examples
/// ```
/// use di_runtime::context::passive;
///
/// let x = 2.0;
/// assert_eq!(passive(x * x), 4.0);
/// ```
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn passive<T>(value: T) -> T {
    value
}

/// The values of constants at the time when a backend recorded something that depends on them.
///
/// The values are kept, not a hash: after a collision, a stale recording would silently return a wrong
/// result.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    words: Vec<u64>,
    /// Words that were compared, while comparing.
    at: usize,
    taking: bool,
    same: bool,
    opaque: bool,
}

impl Snapshot {
    /// Keeps what `constants` adds.
    pub fn take(&mut self, constants: impl FnOnce(&mut Self)) {
        self.words.clear();
        (self.taking, self.opaque) = (true, false);
        constants(self);
        self.taking = false;
    }

    /// Does `constants` add what was kept? Never if a part of it cannot be compared.
    pub fn matches(&mut self, constants: impl FnOnce(&mut Self)) -> bool {
        (self.at, self.same) = (0, true);
        constants(self);
        self.same && self.at == self.words.len() && !self.opaque
    }

    /// Is there a part that cannot be compared?
    pub fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// Adds one word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        if self.taking {
            self.words.push(word);
        } else {
            self.same &= self.words.get(self.at) == Some(&word);
            self.at += 1;
        }
    }

    /// Adds something that cannot be compared.
    pub fn opaque(&mut self) {
        self.opaque = true;
    }
}

/// A constant that can be compared, so that a recording is used only while its constants are the same.
///
/// Implement it for your own types that are constants of a function: add everything that the function may read.
/// Without it, a tape is recorded in each call.
///
/// # Examples
/// ```
/// use di_runtime::context::{Constant, Snapshot};
///
/// struct Grid {
///     steps: usize,
///     spacing: f64,
/// }
///
/// impl Constant for Grid {
///     fn snapshot(&self, snapshot: &mut Snapshot) {
///         self.steps.snapshot(snapshot);
///         self.spacing.snapshot(snapshot);
///     }
/// }
/// ```
pub trait Constant {
    /// Adds everything that a function can read.
    fn snapshot(&self, snapshot: &mut Snapshot);
}

macro_rules! words {
    ($($type:ty: $x:ident => $word:expr;)*) => {$(
        impl Constant for $type {
            #[inline]
            fn snapshot(&self, snapshot: &mut Snapshot) {
                let $x = *self;
                snapshot.word($word);
            }
        }
    )*};
}
words! {
    f64: x => x.to_bits();
    f32: x => x.to_bits().into();
    bool: x => x.into();
    char: x => u32::from(x).into();
    u8: x => x.into();
    u16: x => x.into();
    u32: x => x.into();
    u64: x => x;
    usize: x => x as u64;
    i8: x => x as u64;
    i16: x => x as u64;
    i32: x => x as u64;
    i64: x => x.cast_unsigned();
    isize: x => x as u64;
}

impl Constant for u128 {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.word(*self as u64);
        snapshot.word((*self >> 64) as u64);
    }
}

impl Constant for i128 {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.cast_unsigned().snapshot(snapshot);
    }
}

impl Constant for () {
    fn snapshot(&self, _: &mut Snapshot) {}
}

impl<T: Constant + ?Sized> Constant for &T {
    #[inline]
    fn snapshot(&self, snapshot: &mut Snapshot) {
        T::snapshot(self, snapshot);
    }
}

impl<T: Constant> Constant for [T] {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.word(self.len() as u64);
        for x in self {
            x.snapshot(snapshot);
        }
    }
}

impl<T: Constant, const N: usize> Constant for [T; N] {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self[..].snapshot(snapshot);
    }
}

impl<T: Constant> Constant for Vec<T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self[..].snapshot(snapshot);
    }
}

impl<T: Constant> Constant for Option<T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        snapshot.word(u64::from(self.is_some()));
        if let Some(x) = self {
            x.snapshot(snapshot);
        }
    }
}

impl Constant for str {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.as_bytes().snapshot(snapshot);
    }
}

impl Constant for String {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.as_bytes().snapshot(snapshot);
    }
}

#[cfg(feature = "ndarray")]
impl<T: Constant, S: ndarray::RawData<Elem = T> + ndarray::Data, D: ndarray::Dimension> Constant
    for ndarray::ArrayBase<S, D>
{
    fn snapshot(&self, snapshot: &mut Snapshot) {
        self.shape().snapshot(snapshot);
        for x in self {
            x.snapshot(snapshot);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),+))*) => {$(
        impl<$($name: Constant),+> Constant for ($($name,)+) {
            fn snapshot(&self, snapshot: &mut Snapshot) {
                $(self.$at.snapshot(snapshot);)+
            }
        }
    )*};
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// One constant of unknown type. `Probe(&c).snapshot(s)` looks at it if it is a [`Constant`]; with
/// [`Unseen`] in scope anything else compiles too, and is opaque.
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<'a, T: ?Sized>(pub &'a T);

impl<T: Constant + ?Sized> Probe<'_, T> {
    /// Adds it to the snapshot.
    #[inline]
    pub fn snapshot(&self, snapshot: &mut Snapshot) {
        self.0.snapshot(snapshot);
    }
}

/// What is not a [`Constant`].
#[doc(hidden)]
pub trait Unseen {
    /// Opaque, unless there is nothing to see.
    fn snapshot(&self, snapshot: &mut Snapshot);
}

impl<T: ?Sized> Unseen for Probe<'_, T> {
    fn snapshot(&self, snapshot: &mut Snapshot) {
        if size_of_val(self.0) != 0 {
            snapshot.opaque();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Probe, Snapshot, Unseen as _};

    #[test]
    fn a_snapshot_matches_what_it_was_taken_of() {
        let mut s = Snapshot::default();
        let see = |x: &(usize, [f64; 2])| {
            let x = *x;
            move |s: &mut Snapshot| Probe(&x).snapshot(s)
        };
        s.take(see(&(3, [0.5, -0.0])));
        assert!(s.matches(see(&(3, [0.5, -0.0]))));
        assert!(!s.matches(see(&(4, [0.5, -0.0]))));
        assert!(!s.matches(see(&(3, [0.5, 0.0]))));
        assert!(s.matches(see(&(3, [0.5, -0.0]))));
    }

    #[test]
    fn lengths_count() {
        let mut s = Snapshot::default();
        s.take(|s| Probe(&vec![1.0; 3]).snapshot(s));
        assert!(!s.matches(|s| Probe(&vec![1.0; 2]).snapshot(s)));
    }

    #[test]
    fn what_cannot_be_seen_never_matches() {
        struct Hidden(#[allow(dead_code, reason = "hidden")] f64);
        let mut s = Snapshot::default();
        s.take(|s| Probe(&Hidden(1.0)).snapshot(s));
        assert!(s.is_opaque() && !s.matches(|s| Probe(&Hidden(1.0)).snapshot(s)));
    }

    #[test]
    fn what_holds_nothing_cannot_change() {
        struct Nothing;
        let mut s = Snapshot::default();
        s.take(|s| Probe(&Nothing).snapshot(s));
        assert!(s.matches(|s| Probe(&Nothing).snapshot(s)));
    }
}
