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
    /// The shelf that nearly all code uses has a place of its own: its type is known where it is looked
    /// for, so that nothing is searched or tested at run time.
    floats: Buffers<f64>,
    shelves: Vec<Shelf>,
}

/// Buffers of one element type.
struct Shelf {
    element: TypeId,
    /// A `Buffers<T>`.
    buffers: Box<dyn Any + Send>,
    /// [`Buffers::state`] of it.
    state: fn(&(dyn Any + Send)) -> u64,
}

struct Buffers<T> {
    /// Of those whose length was known when they were taken.
    fixed: Vec<Vec<T>>,
    /// Of those that grow. The one that was given back last is taken first: code that runs again takes
    /// in the opposite order to its giving back, so that each finds the room it needed before.
    growing: Vec<Vec<T>>,
    /// How many were taken and not given back. More than that is not kept: code that gives what it did
    /// not take must not fill the pool.
    out: usize,
}

/// One number of two, which tells their order; 0 of zeros.
pub fn mix(state: u64, next: u64) -> u64 {
    // a step of FNV-1a, and more of the high bits
    let mixed = (state ^ next).wrapping_mul(0x0000_0100_0000_01b3);
    mixed ^ (mixed >> 29)
}

/// Room of a vector that grows, at the beginning.
const FEW: usize = 4;

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        Buffers {
            fixed: Vec::new(),
            growing: Vec::new(),
            out: 0,
        }
    }
}

impl<T: 'static> Buffers<T> {
    /// What decides which buffers are taken next: how large those of fixed length are, and those that grow in their
    /// order.
    #[inline(never)]
    fn state(buffers: &(dyn Any + Send)) -> u64 {
        let Some(Buffers { fixed, growing, .. }) = buffers.downcast_ref::<Buffers<T>>() else {
            return 0;
        };
        let mut sizes = Vec::new();
        for buffer in fixed {
            sizes.push(buffer.capacity() as u64);
        }
        for buffer in growing {
            sizes.push(buffer.capacity() as u64);
        }
        state_of(sizes, fixed.len())
    }

    /// One more is out; there is room on the shelf for all of them.
    #[inline]
    fn goes_out(&mut self) {
        self.out += 1;
        if self.fixed.capacity() < self.out || self.growing.capacity() < self.out {
            self.make_room();
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        for kept in [&mut self.fixed, &mut self.growing] {
            if kept.capacity() < self.out {
                kept.reserve(2 * self.out);
            }
        }
    }

    /// The smallest that holds `n`, else the largest.
    #[inline(never)]
    fn search(&mut self, n: usize) -> Vec<T> {
        let n = n.max(1);
        let Buffers { fixed, growing, .. } = self;
        let mut best = Best::default();
        for (i, buffer) in fixed.iter().enumerate() {
            best.look(i, buffer.capacity(), n);
        }
        if best.fits {
            return fixed.swap_remove(best.at);
        }
        // One that was moved into a vector that grew. What grows takes from the end, so that such lie at
        // the beginning.
        for (i, buffer) in growing.iter().enumerate() {
            if buffer.capacity() >= n {
                return growing.remove(i);
            }
        }
        match best.room {
            0 => Vec::with_capacity(n),
            _ => fixed.swap_remove(best.at),
        }
    }

    #[inline]
    fn comes_back(&mut self) -> bool {
        let known = self.out > 0;
        self.out = self.out.saturating_sub(1);
        known
    }
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

    /// An empty vector whose length is not known yet.
    #[inline]
    pub fn take_growing<T: Send + 'static>(&mut self) -> Vec<T> {
        let shelf = self.shelf();
        shelf.goes_out();
        let Buffers { fixed, growing, .. } = shelf;
        let mut v = match growing.pop() {
            Some(buffer) => buffer,
            None => {
                let mut best = Best::default();
                for (i, buffer) in fixed.iter().enumerate() {
                    best.look(i, buffer.capacity(), usize::MAX);
                }
                match best.room {
                    0 => Vec::with_capacity(FEW),
                    _ => fixed.swap_remove(best.at),
                }
            }
        };
        v.clear();
        v
    }

    /// Gives back what [`Pool::take_growing`] took.
    #[inline]
    pub fn give_growing<T: Send + 'static>(&mut self, v: Vec<T>) {
        if v.capacity() > 0 {
            let shelf = self.shelf();
            if shelf.comes_back() {
                shelf.growing.push(v);
            }
        }
    }

    /// An empty vector with room for `n`, or more.
    #[inline]
    pub fn take_empty<T: Send + 'static>(&mut self, n: usize) -> Vec<T> {
        let mut v = self.best(n);
        v.clear();
        v.reserve(n);
        v
    }

    /// Gives a buffer back for later use. What has no storage is not counted: it has gone elsewhere, and comes
    /// back from there.
    #[inline]
    pub fn give<T: Send + 'static>(&mut self, v: Vec<T>) {
        if v.capacity() > 0 {
            let shelf = self.shelf();
            if shelf.comes_back() {
                shelf.fixed.push(v);
            }
        }
    }

    /// Takes a buffer as it was given: the smallest that holds `n`, else the largest. What holds nothing needs none.
    /// All others have storage, so that what comes back without it is known to have gone elsewhere.
    #[inline]
    fn best<T: Send + 'static>(&mut self, n: usize) -> Vec<T> {
        // a buffer that is lent for nothing would lose its content, and code that stores first would fill it anew
        if n == 0 {
            return Vec::new();
        }
        let shelf = self.shelf();
        shelf.goes_out();
        // No smaller one holds it, and what was given back last is mostly what is taken next.
        if shelf.fixed.last().is_some_and(|v| v.capacity() == n) {
            return shelf.fixed.pop().unwrap_or_default();
        }
        shelf.search(n)
    }

    /// Which buffers are here, as a number; 0 if there are none. A run that leaves it as it was takes no more, and
    /// neither does the same run again.
    pub fn state(&self) -> u64 {
        let others = self.shelves.iter().map(|s| (s.state)(&*s.buffers));
        others.fold(Buffers::<f64>::state(&self.floats), mix)
    }

    #[inline]
    fn shelf<T: Send + 'static>(&mut self) -> &mut Buffers<T> {
        let Pool { floats, shelves } = self;
        let floats: &mut dyn Any = floats;
        match floats.downcast_mut() {
            Some(found) => found,
            None => other(shelves),
        }
    }
}

/// The shelf of an element type without a place of its own.
fn other<T: Send + 'static>(shelves: &mut Vec<Shelf>) -> &mut Buffers<T> {
    let shelf = of_element(shelves, TypeId::of::<T>(), || Shelf {
        element: TypeId::of::<T>(),
        buffers: Box::new(Buffers::<T>::default()),
        state: Buffers::<T>::state,
    });
    let buffers = shelf.buffers.downcast_mut();
    buffers.expect("a shelf holds buffers of its element type")
}

// ---- the same for all element types, so that it is compiled once ----

/// The shelf of an element type, which is made if there is none.
fn of_element(shelves: &mut Vec<Shelf>, element: TypeId, make: fn() -> Shelf) -> &mut Shelf {
    let at = shelves.iter().position(|s| s.element == element);
    let at = at.unwrap_or_else(|| {
        shelves.push(make());
        shelves.len() - 1
    });
    &mut shelves[at]
}

/// The buffer to take: the smallest that is large enough, else the largest.
#[derive(Default)]
struct Best {
    at: usize,
    room: usize,
    fits: bool,
}

impl Best {
    /// Looks at buffer `at`; `n` is what it has to hold.
    fn look(&mut self, at: usize, room: usize, n: usize) {
        let fits = room >= n;
        let better = match (fits, self.fits) {
            (true, true) => room < self.room,
            // of several the last, and none without storage
            (false, false) => room > 0 && room >= self.room,
            (true, false) => true,
            (false, true) => false,
        };
        if better {
            *self = Best { at, room, fits };
        }
    }
}

/// [`Buffers::state`] of buffers with room for so many elements, the first of which are of fixed length.
fn state_of(mut sizes: Vec<u64>, fixed: usize) -> u64 {
    let (sorted, growing) = sizes.split_at_mut(fixed);
    sorted.sort_unstable();
    let state = sorted.iter().copied().fold(0, mix);
    // apart from those that follow
    let state = if growing.is_empty() {
        state
    } else {
        mix(state, u64::MAX)
    };
    growing.iter().copied().fold(state, mix)
}

/// Room for what is needed during a call, empty at first; its storage goes to the pool afterwards.
pub trait Room: Default {
    /// Its storage back to the pool.
    fn put(self, pool: &mut Pool);
}

impl<T: Send + 'static> Room for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(self, pool: &mut Pool) {
        pool.give(self);
    }
}

impl<T> Room for Option<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
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
