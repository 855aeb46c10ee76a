//! The graph that tracers are nodes of, and how index sets are read off it.
//!
//! Sets are unions of inputs and are expanded only where they are asked for, so that a sum of n terms
//! costs n unions instead of n sets.

use std::cell::RefCell;
use std::collections::HashSet;
use std::marker::PhantomData;

use super::readout::{Sets, masks, pairs};
use super::{Dependence, IndexPairs, IndexSet, Knowledge, Tracer};
use crate::scalar::{MissingPrimal, take_error};

/// The empty set, and that of no pairs.
pub(super) const NOTHING: u32 = 0;

/// This bit of a set says that it is an input by itself; of a set of pairs, that it is a product by itself. What is
/// left is the number of the input, or of the product; without the bit it is a union.
pub(super) const LEAF: u32 = 1 << 31;

#[derive(Debug)]
pub(super) struct Graph {
    /// Two members of each union of sets; the first is the empty set.
    pub(super) sets: Vec<(u32, u32)>,
    /// Two members of each union of sets of pairs; the first has none.
    pub(super) unions: Vec<(u32, u32)>,
    /// Two sets of inputs: all pairs of a member of the one and a member of the other.
    pub(super) products: Vec<(u32, u32)>,
    pub(super) inputs: usize,
    /// Was a value looked at that depends on inputs?
    looked: bool,
}

impl Graph {
    const fn vacant() -> Self {
        Graph {
            sets: Vec::new(),
            unions: Vec::new(),
            products: Vec::new(),
            inputs: 0,
            looked: false,
        }
    }

    fn new() -> Self {
        Graph {
            sets: vec![(NOTHING, NOTHING)],
            unions: vec![(NOTHING, NOTHING)],
            ..Graph::vacant()
        }
    }

    /// Union of two sets.
    #[inline]
    pub(super) fn union(&mut self, a: u32, b: u32) -> u32 {
        if b == NOTHING || a == b {
            return a;
        }
        if a == NOTHING {
            return b;
        }
        let has = |set: u32, member: u32| {
            let members = self.sets.get(set as usize);
            members.is_some_and(|(a, b)| *a == member || *b == member)
        };
        if has(a, b) {
            return a;
        }
        if has(b, a) {
            return b;
        }
        self.sets.push((a, b));
        index(self.sets.len() - 1)
    }

    /// Pairs of either.
    #[inline]
    pub(super) fn union_pairs(&mut self, a: u32, b: u32) -> u32 {
        if b == NOTHING || a == b {
            return a;
        }
        if a == NOTHING {
            return b;
        }
        self.unions.push((a, b));
        index(self.unions.len() - 1)
    }

    /// Some pairs, and those of a member of one set with a member of the other.
    #[inline]
    pub(super) fn product(&mut self, pairs: u32, a: u32, b: u32) -> u32 {
        if a == NOTHING || b == NOTHING {
            return pairs;
        }
        // an elementary function of an elementary function of the same numbers
        let last = match self.unions.get(pairs as usize) {
            Some((_, last)) => *last,
            None => pairs,
        };
        if last & LEAF != 0 {
            let known = self.products[(last & !LEAF) as usize];
            if known == (a, b) || known == (b, a) {
                return pairs;
            }
        }
        self.products.push((a, b));
        let product = index(self.products.len() - 1) | LEAF;
        self.union_pairs(pairs, product)
    }
}

thread_local! {
    static GRAPH: RefCell<Graph> = const { RefCell::new(Graph::vacant()) };
}

#[cold]
fn too_many() -> ! {
    panic!("inputs and operations of a trace are counted in 31 bits, and this program has more")
}

#[inline]
pub(super) fn index(number: usize) -> u32 {
    match u32::try_from(number) {
        Ok(index) if index < LEAF => index,
        _ => too_many(),
    }
}

#[inline]
pub(super) fn with<O>(run: impl FnOnce(&mut Graph) -> O) -> O {
    GRAPH.with(|graph| run(&mut graph.borrow_mut()))
}

/// Are all inputs of `a` also in `b`?
pub(super) fn is_subset(a: u32, b: u32) -> bool {
    if a == b || a == NOTHING {
        return true;
    }
    with(|graph| {
        let inputs = |node| {
            let (mut met, mut open) = (HashSet::new(), vec![node]);
            while let Some(node) = open.pop() {
                if node != NOTHING && met.insert(node) && node & LEAF == 0 {
                    let (a, b) = graph.sets[node as usize];
                    open.extend([a, b]);
                }
            }
            met.retain(|node| node & LEAF != 0);
            met
        };
        inputs(a).is_subset(&inputs(b))
    })
}

/// Are all pairs of `a` also in `b`?
pub(super) fn is_subset_of_pairs(a: u32, b: u32) -> bool {
    if a == b || a == NOTHING {
        return true;
    }
    with(|graph| {
        let pairs = |node| pairs(graph, std::iter::once(node));
        let all = pairs(b);
        pairs(a).iter().all(|pair| all.binary_search(pair).is_ok())
    })
}

/// Notes that the program may depend on the point.
#[inline]
pub(super) fn note_look() {
    with(|graph| graph.looked = true);
}

/// One run of a program on tracers, on this thread. Traces may nest; tracers may not leave theirs.
#[derive(Debug)]
pub struct Trace {
    /// The graph of the enclosing trace.
    outer: Graph,
    /// The graph is a thread-local: a trace stays where it is.
    here: PhantomData<*const ()>,
}

impl Trace {
    /// Begins with an empty graph and no error noted.
    pub fn begin() -> Self {
        Trace::of(0)
    }

    /// The same, of a program with `n` inputs.
    pub(crate) fn of(n: usize) -> Self {
        take_error();
        let mut graph = Graph::new();
        graph.inputs = n;
        let outer = GRAPH.with(|here| here.replace(graph));
        Trace {
            outer,
            here: PhantomData,
        }
    }

    /// Input number `i`, with what is known of it.
    ///
    /// # Panics
    /// If `i` is not below `2^31`.
    pub fn input<V: Knowledge, D: Dependence>(&self, i: usize, value: V) -> Tracer<V, D> {
        with(|graph| graph.inputs = graph.inputs.max(i + 1));
        Tracer::input(i, 0, value)
    }

    /// The inputs that `y` depends on, ascending.
    pub fn inputs_of<V: Knowledge, D: Into<IndexSet> + Dependence>(
        &self,
        y: Tracer<V, D>,
    ) -> Vec<usize> {
        let (_, indices) = self.rows(&[y]);
        indices.into_iter().map(|i| i as usize).collect()
    }

    /// The inputs that each of `outputs` depends on, ascending, as compressed rows: where each begins and the
    /// last one ends, and the inputs of all.
    ///
    /// Cost: linear in what the outputs are made of; if they share much of it, at most one look at each operation
    /// for every 64 of them.
    pub fn rows<V: Knowledge, D: Into<IndexSet> + Dependence>(
        &self,
        outputs: &[Tracer<V, D>],
    ) -> (Vec<u32>, Vec<u32>) {
        let set = |y: &Tracer<V, D>| {
            let IndexSet(set) = y.on.into();
            set
        };
        with(|graph| {
            let mut sets = Sets::new(graph);
            let mut starts = Vec::with_capacity(outputs.len() + 1);
            let mut indices = Vec::with_capacity(outputs.len());
            starts.push(0);
            for (at, y) in outputs.iter().enumerate() {
                if sets.is_exhausted() {
                    let rest = outputs[at..].iter().map(set);
                    masks(graph, rest, &mut starts, &mut indices);
                    break;
                }
                let first = indices.len();
                sets.expand(set(y), &mut indices);
                indices[first..].sort_unstable();
                starts.push(index(indices.len()));
            }
            (starts, indices)
        })
    }

    /// Pairs of inputs in which the sum of `outputs` may have a second derivative: the larger one first, each
    /// pair once, ascending.
    pub fn pairs<V: Knowledge>(&self, outputs: &[Tracer<V, IndexPairs>]) -> Vec<(u32, u32)> {
        let of_outputs = outputs.iter().map(|y| y.on.pairs);
        with(|graph| pairs(graph, of_outputs))
    }

    /// Was a value looked at that depends on inputs? Then what was traced belongs to this point.
    pub fn looked(&self) -> bool {
        with(|graph| graph.looked)
    }

    /// The first request for a value since the trace began; what was traced after it is one of
    /// several possible programs.
    pub fn take_error(&self) -> Option<MissingPrimal> {
        take_error()
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        let outer = std::mem::replace(&mut self.outer, Graph::vacant());
        GRAPH.with(|graph| graph.replace(outer));
    }
}
