//! The graph that tracers are nodes of, and how index sets are read off it.
//!
//! Sets are unions of inputs and are expanded only where they are asked for, so that a sum of n terms
//! costs n unions instead of n sets.

use std::cell::RefCell;
use std::collections::HashSet;
use std::marker::PhantomData;

use super::readout::{Sets, masks, pairs};
use super::{Knowledge, Tracer};
use crate::scalar::{MissingPrimal, take_error};

/// The empty set; the second node that stands for no pairs.
pub(super) const NOTHING: u32 = 0;

/// In the place of the second member: the first is an input.
pub(super) const INPUT: u32 = u32::MAX;

/// A pair of sets of inputs whose product is in the pattern of a Hessian, or the union of two nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Second {
    Nothing,
    /// All pairs of a member of the one and a member of the other.
    Product(u32, u32),
    Union(u32, u32),
}

#[derive(Debug)]
pub(super) struct Graph {
    /// Unions of two sets, or an input and [`INPUT`]; the first is the empty set.
    pub(super) sets: Vec<(u32, u32)>,
    pub(super) seconds: Vec<Second>,
    inputs: usize,
    /// Was a value looked at that depends on inputs?
    looked: bool,
}

impl Graph {
    const fn vacant() -> Self {
        Graph {
            sets: Vec::new(),
            seconds: Vec::new(),
            inputs: 0,
            looked: false,
        }
    }

    fn new() -> Self {
        Graph {
            sets: vec![(NOTHING, NOTHING)],
            seconds: vec![Second::Nothing],
            ..Graph::vacant()
        }
    }
}

thread_local! {
    static GRAPH: RefCell<Graph> = const { RefCell::new(Graph::vacant()) };
}

/// Nodes of a trace are counted in 32 bits.
#[cold]
fn too_many() -> ! {
    panic!("nodes of a trace are counted in 32 bits, and this program has more operations")
}

fn index(length: usize) -> u32 {
    match u32::try_from(length) {
        Ok(index) if index != INPUT => index,
        _ => too_many(),
    }
}

#[inline]
fn with<O>(run: impl FnOnce(&mut Graph) -> O) -> O {
    GRAPH.with(|graph| run(&mut graph.borrow_mut()))
}

/// Union of two sets.
#[inline]
pub(super) fn union(a: u32, b: u32) -> u32 {
    if b == NOTHING || a == b {
        return a;
    }
    if a == NOTHING {
        return b;
    }
    with(|graph| {
        let (of_a, of_b) = (graph.sets[a as usize], graph.sets[b as usize]);
        if of_a.1 == b || of_a.0 == b && of_a.1 != INPUT {
            return a;
        }
        if of_b.1 == a || of_b.0 == a && of_b.1 != INPUT {
            return b;
        }
        let node = index(graph.sets.len());
        graph.sets.push((a, b));
        node
    })
}

/// Pairs of either.
#[inline]
pub(super) fn union_seconds(a: u32, b: u32) -> u32 {
    if b == NOTHING || a == b {
        return a;
    }
    if a == NOTHING {
        return b;
    }
    with(|graph| {
        let node = index(graph.seconds.len());
        graph.seconds.push(Second::Union(a, b));
        node
    })
}

/// Pairs of `second`, and those of a member of one set with a member of the other.
#[inline]
pub(super) fn product(second: u32, a: u32, b: u32) -> u32 {
    if a == NOTHING || b == NOTHING {
        return second;
    }
    with(|graph| {
        let known = |node: u32| match graph.seconds[node as usize] {
            Second::Product(c, d) => (c, d) == (a, b) || (c, d) == (b, a),
            Second::Nothing | Second::Union(..) => false,
        };
        // an elementary function of an elementary function of the same numbers
        let again = match graph.seconds[second as usize] {
            Second::Union(_, last) => known(last),
            Second::Product(..) => known(second),
            Second::Nothing => false,
        };
        if again {
            return second;
        }
        let node = index(graph.seconds.len());
        graph.seconds.push(Second::Product(a, b));
        if second == NOTHING {
            return node;
        }
        let node = index(graph.seconds.len());
        graph.seconds.push(Second::Union(second, node - 1));
        node
    })
}

/// Are all inputs of `a` also in `b`?
pub(super) fn is_subset(a: u32, b: u32) -> bool {
    if a == b || a == NOTHING {
        return true;
    }
    with(|graph| {
        let inputs = |node| {
            let (mut met, mut open) = (HashSet::new(), vec![node]);
            let mut inputs = HashSet::new();
            while let Some(node) = open.pop() {
                if !met.insert(node) {
                    continue;
                }
                match graph.sets[node as usize] {
                    (input, INPUT) => {
                        inputs.insert(input);
                    }
                    (NOTHING, NOTHING) => {}
                    (a, b) => open.extend([a, b]),
                }
            }
            inputs
        };
        inputs(a).is_subset(&inputs(b))
    })
}

/// Are all pairs of `a` also in `b`?
pub(super) fn is_subset_of_seconds(a: u32, b: u32) -> bool {
    if a == b || a == NOTHING {
        return true;
    }
    with(|graph| {
        let pairs = |node| {
            let node = std::iter::once(node);
            pairs(&graph.sets, &graph.seconds, graph.inputs, node)
        };
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
        take_error();
        let outer = GRAPH.with(|graph| graph.replace(Graph::new()));
        Trace {
            outer,
            here: PhantomData,
        }
    }

    /// Input number `i`, with what is known of it.
    ///
    /// # Panics
    /// If `i` is above `u32::MAX`.
    pub fn input<V: Knowledge, const SECOND: bool>(&self, i: usize, value: V) -> Tracer<V, SECOND> {
        let set = with(|graph| {
            graph.inputs = graph.inputs.max(i + 1);
            let node = index(graph.sets.len());
            graph.sets.push((index(i), INPUT));
            node
        });
        Tracer::of_input(set, value)
    }

    /// The inputs that `y` depends on, ascending.
    pub fn inputs_of<V: Knowledge, const SECOND: bool>(&self, y: Tracer<V, SECOND>) -> Vec<usize> {
        let (_, indices) = self.rows(&[y]);
        indices.into_iter().map(|i| i as usize).collect()
    }

    /// The inputs that each of `outputs` depends on, ascending, as compressed rows: where each begins and the
    /// last one ends, and the inputs of all.
    ///
    /// Cost: linear in what the outputs are made of; if they share much of it, at most one look at each operation
    /// for every 64 of them.
    pub fn rows<V: Knowledge, const SECOND: bool>(
        &self,
        outputs: &[Tracer<V, SECOND>],
    ) -> (Vec<u32>, Vec<u32>) {
        with(|graph| {
            let mut sets = Sets::new(&graph.sets, graph.inputs);
            let mut starts = Vec::with_capacity(outputs.len() + 1);
            let mut indices = Vec::with_capacity(outputs.len());
            starts.push(0);
            for (at, y) in outputs.iter().enumerate() {
                if sets.is_exhausted() {
                    let rest = outputs[at..].iter().map(|y| y.set());
                    masks(&graph.sets, graph.inputs, rest, &mut starts, &mut indices);
                    break;
                }
                let first = indices.len();
                sets.expand(y.set(), &mut indices);
                indices[first..].sort_unstable();
                starts.push(index(indices.len()));
            }
            (starts, indices)
        })
    }

    /// Pairs of inputs in which the sum of `outputs` may have a second derivative: the larger one first, each
    /// pair once, ascending.
    pub fn pairs<V: Knowledge>(&self, outputs: &[Tracer<V, true>]) -> Vec<(u32, u32)> {
        let seconds = outputs.iter().map(|y| y.second());
        with(|graph| pairs(&graph.sets, &graph.seconds, graph.inputs, seconds))
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
