//! Tangents and adjoints: one scalar, or an array of them.

use crate::scalar::{Scalar, Tree};

/// What has a zero without saying over which scalar.
pub trait Zero: Copy + Send + 'static {
    /// Zero in every lane.
    fn zero() -> Self;
}

/// Tangents and adjoints that go with scalar `S`: `S` itself, or `[S; K]` for `K` at once.
pub trait Lanes<S: Scalar>: Zero + Tree {
    /// How many scalars it holds.
    const WIDTH: usize;

    /// Sum.
    fn add(self, o: Self) -> Self;
    /// Difference.
    fn sub(self, o: Self) -> Self;
    /// Negation.
    fn neg(self) -> Self;
    /// Takes over the tangents of each lane; values stay, or are taken over too.
    fn set_tangents(&mut self, o: Self);
    /// `self += o`
    fn acc(&mut self, o: Self);
    /// `self -= o`
    fn dec(&mut self, o: Self);
    /// Each lane times `s`.
    fn scale(self, s: S) -> Self;
    /// Each lane times `s`; a zero lane stays zero, whatever `s` is ([`Scalar::mul_strong`]).
    fn scale_strong(self, s: S) -> Self;
    /// Each lane times `s`; where `s` is zero the result is zero whatever the lane is.
    fn scale_select(self, s: S) -> Self;
    /// `s` times each lane, none of which varies ([`Scalar::mul_steady`]).
    fn scale_steady(self, s: S) -> Self;
    /// Is there no lane that varies?
    fn is_steady(&self) -> bool;
    /// Each lane times a passive factor.
    fn scale_real(self, c: S::Real) -> Self;
    /// Are all lanes zero, in value and all tangents?
    fn is_zero(&self) -> bool;
    /// Lane `k`, less than [`Lanes::WIDTH`].
    fn lane(&self, k: usize) -> S;
    /// Replaces lane `k`.
    fn set_lane(&mut self, k: usize, s: S);
    /// The scalars of a slice of lanes, [`Lanes::WIDTH`] for each.
    fn scalars(lanes: &[Self]) -> &[S];
    /// The same, to be written to.
    fn scalars_mut(lanes: &mut [Self]) -> &mut [S];
}

impl<S: Scalar> Zero for S {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> Self {
        S::default()
    }
}

impl<S: Scalar, const K: usize> Zero for [S; K] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero() -> Self {
        [S::default(); K]
    }
}

impl<S: Scalar> Lanes<S> for S {
    const WIDTH: usize = 1;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalars(lanes: &[S]) -> &[S] {
        lanes
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalars_mut(lanes: &mut [S]) -> &mut [S] {
        lanes
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(self, o: Self) -> Self {
        self + o
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, o: Self) -> Self {
        self - o
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(self) -> Self {
        -self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_tangents(&mut self, o: Self) {
        S::set_tangents(self, o);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn acc(&mut self, o: Self) {
        *self = *self + o;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dec(&mut self, o: Self) {
        *self = *self - o;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale(self, s: S) -> Self {
        self * s
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_strong(self, s: S) -> Self {
        self.mul_strong(s)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_select(self, s: S) -> Self {
        s.mul_strong(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_steady(self, s: S) -> Self {
        s.mul_steady(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_steady(&self) -> bool {
        S::is_steady(*self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_real(self, c: S::Real) -> Self {
        self.mul_real(c)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_zero(&self) -> bool {
        S::is_zero(*self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane(&self, k: usize) -> S {
        debug_assert!(k == 0, "lane {k} of a single one");
        *self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_lane(&mut self, k: usize, s: S) {
        debug_assert!(k == 0, "lane {k} of a single one");
        *self = s;
    }
}

// Plain loops over `0..K`: closures over arrays are vectorised less reliably.
impl<S: Scalar, const K: usize> Lanes<S> for [S; K] {
    const WIDTH: usize = K;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalars(lanes: &[Self]) -> &[S] {
        lanes.as_flattened()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalars_mut(lanes: &mut [Self]) -> &mut [S] {
        lanes.as_flattened_mut()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(mut self, o: Self) -> Self {
        for k in 0..K {
            self[k] = self[k] + o[k];
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(mut self, o: Self) -> Self {
        for k in 0..K {
            self[k] = self[k] - o[k];
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn neg(mut self) -> Self {
        for x in &mut self {
            *x = -*x;
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_tangents(&mut self, o: Self) {
        for k in 0..K {
            self[k].set_tangents(o[k]);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn acc(&mut self, o: Self) {
        for k in 0..K {
            self[k] = self[k] + o[k];
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dec(&mut self, o: Self) {
        for k in 0..K {
            self[k] = self[k] - o[k];
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale(mut self, s: S) -> Self {
        for x in &mut self {
            *x = *x * s;
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_strong(mut self, s: S) -> Self {
        for x in &mut self {
            *x = x.mul_strong(s);
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_select(mut self, s: S) -> Self {
        for x in &mut self {
            *x = s.mul_strong(*x);
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_steady(mut self, s: S) -> Self {
        for x in &mut self {
            *x = s.mul_steady(*x);
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_steady(&self) -> bool {
        self.iter().all(|x| S::is_steady(*x))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scale_real(mut self, c: S::Real) -> Self {
        for x in &mut self {
            *x = x.mul_real(c);
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_zero(&self) -> bool {
        self.iter().all(|x| S::is_zero(*x))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lane(&self, k: usize) -> S {
        self[k]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set_lane(&mut self, k: usize, s: S) {
        self[k] = s;
    }
}
