//! The pool of buffers: local vectors of the user's function, their tangents and their adjoints.
//!
//! One growing arena would not do: several vectors and a callee need theirs at once. One pool serves
//! every element type, so that generated functions have one parameter for it.

use std::any::{Any, TypeId};

/// Buffers between uses.
///
/// A program that takes the same lengths again allocates no more, in whatever order it gives back.
#[derive(Default)]
pub struct Pool {
    shelves: Vec<Shelf>,
}

/// Buffers of one element type.
struct Shelf {
    element: TypeId,
    /// A `Vec<Vec<T>>`.
    buffers: Box<dyn Any + Send>,
}

impl Pool {
    /// An empty pool; allocates when more is taken than was given back.
    pub fn new() -> Self {
        Pool::default()
    }

    /// A vector of `n` times `fill`, in a buffer that was given back before, if there is one.
    #[inline]
    pub fn take<T: Clone + Send + 'static>(&mut self, n: usize, fill: T) -> Vec<T> {
        let mut v = self.best(n);
        v.clear();
        v.resize(n, fill);
        v
    }

    /// A vector of `n` with any content, for code that stores before it reads; `fill` is for what the
    /// buffer lacks.
    #[inline]
    pub fn take_dirty<T: Clone + Send + 'static>(&mut self, n: usize, fill: T) -> Vec<T> {
        let mut v = self.best(n);
        v.resize(n, fill);
        v
    }

    /// A copy of `x`.
    #[inline]
    pub fn take_copy<T: Clone + Send + 'static>(&mut self, x: &[T]) -> Vec<T> {
        let mut v = self.best(x.len());
        v.clear();
        v.extend_from_slice(x);
        v
    }

    /// What `map` makes of each element of `x`.
    #[inline]
    pub fn take_map<T: Send + 'static, U>(&mut self, x: &[U], map: impl FnMut(&U) -> T) -> Vec<T> {
        let mut v = self.best(x.len());
        v.clear();
        v.extend(x.iter().map(map));
        v
    }

    /// An empty vector with room for `n`, or more.
    #[inline]
    pub fn take_empty<T: Send + 'static>(&mut self, n: usize) -> Vec<T> {
        let mut v = self.best(n);
        v.clear();
        v.reserve(n);
        v
    }

    /// Gives a buffer back for later use. What never had storage is not worth a place.
    #[inline]
    pub fn give<T: Send + 'static>(&mut self, v: Vec<T>) {
        if v.capacity() > 0 {
            self.shelf().push(v);
        }
    }

    /// Takes a buffer as it was given: the smallest that holds `n`, else the largest.
    fn best<T: Send + 'static>(&mut self, n: usize) -> Vec<T> {
        let shelf = self.shelf::<T>();
        // No smaller one holds it, and what was given back last is mostly what is taken next.
        if shelf.last().is_some_and(|v| v.capacity() == n) {
            return shelf.pop().unwrap_or_default();
        }
        let size = |(_, v): &(usize, &Vec<T>)| v.capacity();
        let fits = shelf
            .iter()
            .enumerate()
            .filter(|(_, v)| v.capacity() >= n)
            .min_by_key(size);
        let best = fits.or_else(|| shelf.iter().enumerate().max_by_key(size));
        match best.map(|(i, _)| i) {
            Some(i) => shelf.swap_remove(i),
            None => Vec::new(),
        }
    }

    fn shelf<T: Send + 'static>(&mut self) -> &mut Vec<Vec<T>> {
        let element = TypeId::of::<T>();
        let at = match self.shelves.iter().position(|s| s.element == element) {
            Some(at) => at,
            None => {
                self.shelves.push(Shelf {
                    element,
                    buffers: Box::new(Vec::<Vec<T>>::new()),
                });
                self.shelves.len() - 1
            }
        };
        let buffers = self.shelves[at].buffers.downcast_mut();
        buffers.expect("a shelf holds buffers of its element type")
    }
}

/// What is fetched for a while and put back.
pub trait Room {
    /// Empty, with what it can use of the pool.
    fn fetch(pool: &mut Pool) -> Self;
    /// Its storage back to the pool.
    fn put(self, pool: &mut Pool);
}

impl<T: Send + 'static> Room for Vec<T> {
    #[inline(always)]
    fn fetch(pool: &mut Pool) -> Self {
        pool.take_empty(0)
    }
    #[inline(always)]
    fn put(self, pool: &mut Pool) {
        pool.give(self);
    }
}

impl<T> Room for Option<T> {
    #[inline(always)]
    fn fetch(_: &mut Pool) -> Self {
        None
    }
    #[inline(always)]
    fn put(self, _: &mut Pool) {}
}

impl Clone for Pool {
    /// An empty one: buffers are not worth a copy.
    fn clone(&self) -> Self {
        Pool::new()
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}
