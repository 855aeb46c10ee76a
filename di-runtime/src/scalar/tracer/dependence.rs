//! How it is written down what a number depends on: as nodes of the graph, or as bits.

use std::fmt::Debug;

use super::trace::{self, LEAF, NOTHING};

/// Inputs that a number depends on, perhaps with the pairs of inputs in which it may have a second derivative.
///
/// `Default` is no input at all.
pub trait Dependence: Copy + Debug + Default + Send + 'static {
    /// Input number `i`; bits are those of the inputs from `first` on.
    fn of_input(i: usize, first: usize) -> Self;
    /// Is there no input?
    fn is_nothing(self) -> bool;
    /// All that either depends on: of a function that is linear in both.
    fn union(self, o: Self) -> Self;
    /// The same with second derivatives by two arguments, perhaps the same.
    fn cross(self, a: Self, b: Self) -> Self;
    /// Of a product, by which of its factors it has a derivative.
    #[inline]
    fn times(self, o: Self, counts: [bool; 2]) -> Self {
        let mut y = Self::default();
        if counts[0] {
            y = self;
        }
        if counts[1] {
            y = y.union(o);
        }
        y.cross(self, o)
    }
    /// Is all of it in the other?
    fn within(self, o: Self) -> bool;
}

/// A set of inputs, in the graph of the trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexSet(pub(super) u32);

impl Dependence for IndexSet {
    #[inline]
    fn of_input(i: usize, _: usize) -> Self {
        IndexSet(trace::index(i) | LEAF)
    }

    #[inline]
    fn is_nothing(self) -> bool {
        self.0 == NOTHING
    }

    #[inline]
    fn union(self, o: Self) -> Self {
        if o.is_nothing() || self.0 == o.0 {
            return self;
        }
        if self.is_nothing() {
            return o;
        }
        IndexSet(trace::with(|graph| graph.union(self.0, o.0)))
    }

    #[inline]
    fn cross(self, _: Self, _: Self) -> Self {
        self
    }

    fn within(self, o: Self) -> bool {
        trace::is_subset(self.0, o.0)
    }
}

/// A set of inputs and a set of pairs, in the graph of the trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexPairs {
    set: u32,
    pub(super) pairs: u32,
}

impl From<IndexPairs> for IndexSet {
    fn from(on: IndexPairs) -> IndexSet {
        IndexSet(on.set)
    }
}

impl Dependence for IndexPairs {
    #[inline]
    fn of_input(i: usize, _: usize) -> Self {
        IndexPairs {
            set: trace::index(i) | LEAF,
            pairs: NOTHING,
        }
    }

    #[inline]
    fn is_nothing(self) -> bool {
        self.set == NOTHING
    }

    #[inline]
    fn union(self, o: Self) -> Self {
        let (no_self, no_o) = (self.set | self.pairs == NOTHING, o.set | o.pairs == NOTHING);
        if no_o {
            return self;
        }
        if no_self {
            return o;
        }
        trace::with(|graph| IndexPairs {
            set: graph.union(self.set, o.set),
            pairs: graph.union_pairs(self.pairs, o.pairs),
        })
    }

    #[inline]
    fn cross(self, a: Self, b: Self) -> Self {
        if a.is_nothing() || b.is_nothing() {
            return self;
        }
        trace::with(|graph| IndexPairs {
            set: self.set,
            pairs: graph.product(self.pairs, a.set, b.set),
        })
    }

    #[inline]
    fn times(self, o: Self, counts: [bool; 2]) -> Self {
        let factor = |on: Self, counts| if counts { on } else { Self::default() };
        let (a, b) = (factor(self, counts[0]), factor(o, counts[1]));
        if self.is_nothing() || o.is_nothing() {
            return a.union(b);
        }
        trace::with(|graph| {
            let pairs = graph.union_pairs(a.pairs, b.pairs);
            IndexPairs {
                set: graph.union(a.set, b.set),
                pairs: graph.product(pairs, self.set, o.set),
            }
        })
    }

    fn within(self, o: Self) -> bool {
        trace::is_subset(self.set, o.set) && trace::is_subset_of_pairs(self.pairs, o.pairs)
    }
}
