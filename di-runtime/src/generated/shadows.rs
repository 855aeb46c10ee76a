//! Pools of buffers: shadows of local arrays, and what they have in common with the tape's.
//!
//! One growing arena would not do: several shadows and a callee need theirs at once.

use crate::scalar::Zero;

/// Shadows of local arrays and vectors, between uses.
#[derive(Clone, Debug, Default)]
pub struct Shadows<A> {
    pool: Vec<Vec<A>>,
}

impl<A> Shadows<A> {
    /// An empty pool; allocates when more is taken than was given back.
    pub fn new() -> Self {
        Shadows { pool: Vec::new() }
    }

    /// Gives a buffer back for later use.
    #[inline]
    pub fn give(&mut self, v: Vec<A>) {
        give_back(&mut self.pool, v);
    }
}

impl<A: Zero> Shadows<A> {
    /// A shadow of `n` zeros, in a buffer that was given back before, if there is one.
    #[inline]
    pub fn take(&mut self, n: usize) -> Vec<A> {
        let mut v = take_best(&mut self.pool, n);
        v.clear();
        v.resize(n, A::zero());
        v
    }

    /// A shadow of `n` with any content, for code that stores before it reads.
    #[inline]
    pub fn take_dirty(&mut self, n: usize) -> Vec<A> {
        let mut v = take_best(&mut self.pool, n);
        v.resize(n, A::zero());
        v
    }
}

/// Takes a buffer out of a pool, as it was given: the smallest that holds `n`, else the largest. So a
/// program that takes the same sizes again allocates no more, in whatever order it gives back.
pub(super) fn take_best<T>(pool: &mut Vec<Vec<T>>, n: usize) -> Vec<T> {
    let size = |(_, v): &(usize, &Vec<T>)| v.capacity();
    let fits = pool
        .iter()
        .enumerate()
        .filter(|(_, v)| v.capacity() >= n)
        .min_by_key(size);
    let best = fits.or_else(|| pool.iter().enumerate().max_by_key(size));
    match best.map(|(i, _)| i) {
        Some(i) => pool.swap_remove(i),
        None => Vec::new(),
    }
}

/// Puts a buffer into a pool. What never had storage is not worth a place.
pub(super) fn give_back<T>(pool: &mut Vec<Vec<T>>, v: Vec<T>) {
    if v.capacity() > 0 {
        pool.push(v);
    }
}
