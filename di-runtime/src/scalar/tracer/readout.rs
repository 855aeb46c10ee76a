//! From the graph of unions to index sets: one by one, 64 at a time, or as products.

use std::collections::{HashMap, HashSet};

use super::pairs::Pairs;
use super::trace::{Graph, LEAF, NOTHING};

/// Expands sets by depth-first search.
pub(super) struct Sets<'g> {
    unions: &'g [(u32, u32)],
    /// By union and by input: the last search that met it.
    met: Vec<u32>,
    met_input: Vec<u32>,
    search: u32,
    open: Vec<u32>,
    /// Steps left until there are better ways.
    budget: usize,
}

/// Steps for each input and each union, and some to begin with.
const PATIENCE: usize = 16;

impl<'g> Sets<'g> {
    pub(super) fn new(graph: &'g Graph) -> Self {
        let (unions, inputs) = (&graph.sets, graph.inputs);
        Sets {
            unions,
            met: vec![0; unions.len()],
            met_input: vec![0; inputs],
            search: 0,
            open: Vec::new(),
            budget: PATIENCE * (unions.len() + inputs) + 1000,
        }
    }

    /// Has this cost much more than one look at each node?
    pub(super) fn is_exhausted(&self) -> bool {
        self.budget == 0
    }

    /// Appends the inputs in a set, in no particular order.
    #[inline]
    pub(super) fn expand(&mut self, set: u32, inputs: &mut Vec<u32>) {
        if set & LEAF != 0 {
            inputs.push(set & !LEAF);
            return;
        }
        let (a, b) = self.unions[set as usize];
        if a & b & LEAF != 0 {
            // members of a union differ; chains come out in order
            inputs.extend([a.min(b) & !LEAF, a.max(b) & !LEAF]);
            return;
        }
        self.search_from(set, inputs);
    }

    fn search_from(&mut self, set: u32, inputs: &mut Vec<u32>) {
        self.search += 1;
        let mut node = set;
        let mut steps = 0;
        loop {
            steps += 1;
            if node & LEAF != 0 {
                let input = node & !LEAF;
                let met = &mut self.met_input[input as usize];
                if *met != self.search {
                    *met = self.search;
                    inputs.push(input);
                }
            } else if node != NOTHING
                && std::mem::replace(&mut self.met[node as usize], self.search) != self.search
            {
                let (a, b) = self.unions[node as usize];
                self.open.push(a);
                node = b;
                continue;
            }
            match self.open.pop() {
                Some(next) => node = next,
                None => break,
            }
        }
        self.budget = self.budget.saturating_sub(steps);
    }
}

/// Appends rows for `outputs`, 64 at a time: one bit for each goes from the outputs down to the inputs.
pub(super) fn masks(
    graph: &Graph,
    outputs: impl Iterator<Item = u32>,
    starts: &mut Vec<u32>,
    indices: &mut Vec<u32>,
) {
    let outputs: Vec<u32> = outputs.collect();
    let mut of_union = vec![0u64; graph.sets.len()];
    let mut of_input = vec![0u64; graph.inputs];
    for outputs in outputs.chunks(64) {
        of_union.fill(0);
        of_input.fill(0);
        let mut mark = |of_union: &mut [u64], node: u32, bits: u64| {
            if node & LEAF != 0 {
                of_input[(node & !LEAF) as usize] |= bits;
            } else {
                of_union[node as usize] |= bits;
            }
        };
        let mut top = 0;
        for (bit, set) in outputs.iter().enumerate() {
            mark(&mut of_union, *set, 1 << bit);
            if set & LEAF == 0 {
                top = top.max(*set as usize);
            }
        }
        for node in (1..=top).rev() {
            let bits = of_union[node];
            if bits != 0 {
                let (a, b) = graph.sets[node];
                mark(&mut of_union, a, bits);
                mark(&mut of_union, b, bits);
            }
        }
        for bit in 0..outputs.len() {
            let members = of_input.iter().enumerate();
            let members = members.filter(|(_, bits)| **bits >> bit & 1 == 1);
            indices.extend(members.map(|(input, _)| input as u32));
            starts.push(u32::try_from(indices.len()).expect("entries are counted in 32 bits"));
        }
    }
}

/// Sets up to this size are written out for all nodes once searches take too long.
const SMALL: usize = 128;

/// Sets of all nodes: written out and shared where they are small, unions where they are not.
struct Canonical {
    /// By union: which written set, or [`LARGE`]. The first set is empty, then each input is one.
    of: Vec<u32>,
    starts: Vec<u32>,
    members: Vec<u32>,
}

const LARGE: u32 = u32::MAX;

/// What stands for a set: equal sets that are written out have one name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Name {
    Written(u32),
    Node(u32),
}

impl Canonical {
    fn new(graph: &Graph) -> Self {
        let inputs = graph.inputs as u32;
        let mut sets = Canonical {
            of: Vec::with_capacity(graph.sets.len()),
            starts: std::iter::once(0).chain(0..=inputs).collect(),
            members: (0..inputs).collect(),
        };
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut unions: HashMap<(u32, u32), u32> = HashMap::new();
        let mut merged = Vec::new();
        for &(a, b) in &graph.sets {
            let set = match (sets.written(a), sets.written(b)) {
                (LARGE, _) | (_, LARGE) => LARGE,
                (a, b) if a == b => a,
                (a, b) => *unions.entry((a, b)).or_insert_with(|| {
                    merged.clear();
                    merge(sets.get(a), sets.get(b), &mut merged);
                    if merged.len() > SMALL {
                        return LARGE;
                    }
                    sets.insert(&merged, &mut known)
                }),
            };
            sets.of.push(set);
        }
        sets
    }

    /// Which written set a node is, or [`LARGE`].
    fn written(&self, node: u32) -> u32 {
        if node & LEAF != 0 {
            (node & !LEAF) + 1
        } else if node == NOTHING {
            0
        } else {
            self.of[node as usize]
        }
    }

    fn insert(&mut self, members: &[u32], known: &mut HashMap<Vec<u32>, u32>) -> u32 {
        if let Some(set) = known.get(members) {
            return *set;
        }
        let set = (self.starts.len() - 1) as u32;
        self.members.extend(members);
        self.starts.push(self.members.len() as u32);
        known.insert(members.to_vec(), set);
        set
    }

    fn name(&self, node: u32) -> Name {
        match self.written(node) {
            LARGE => Name::Node(node),
            set => Name::Written(set),
        }
    }

    fn get(&self, set: u32) -> &[u32] {
        let set = set as usize;
        &self.members[self.starts[set] as usize..self.starts[set + 1] as usize]
    }
}

fn merge(a: &[u32], b: &[u32], merged: &mut Vec<u32>) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        merged.push(a[i].min(b[j]));
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    merged.extend(&a[i..]);
    merged.extend(&b[j..]);
}

/// Products that `outputs` reach, written out: the larger input first, each pair once, ascending.
pub(super) fn pairs(graph: &Graph, outputs: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut search = Sets::new(graph);
    let mut canonical = None;
    let mut done = HashSet::new();
    let mut large: HashMap<u32, Vec<u32>> = HashMap::new();
    let met = reached(graph, outputs);
    let mut found = Pairs::new(graph.inputs);
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    for (&(a, b), met) in graph.products.iter().zip(met) {
        if !met {
            continue;
        }
        if search.is_exhausted() && canonical.is_none() {
            canonical = Some(Canonical::new(graph));
        }
        let mut expand = |node: u32, members: &mut Vec<u32>| {
            members.clear();
            let Some(canonical) = &canonical else {
                search.expand(node, members);
                return;
            };
            if let Name::Written(set) = canonical.name(node) {
                members.extend(canonical.get(set));
                return;
            }
            let known = large.entry(node).or_insert_with(|| {
                let mut known = Vec::new();
                search.expand(node, &mut known);
                known
            });
            members.extend(&*known);
        };
        if let Some(canonical) = &canonical {
            let (a, b) = (canonical.name(a), canonical.name(b));
            if !done.insert((a.max(b), a.min(b))) {
                continue;
            }
        }
        expand(a, &mut of_a);
        if a == b {
            found.square(&of_a);
        } else {
            expand(b, &mut of_b);
            found.product(&of_a, &of_b);
        }
    }
    found.finish()
}

/// Of each product whether `outputs` reach it.
fn reached(graph: &Graph, outputs: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut unions = vec![false; graph.unions.len()];
    let mut products = vec![false; graph.products.len()];
    let mut mark = |unions: &mut [bool], node: u32| {
        if node & LEAF != 0 {
            products[(node & !LEAF) as usize] = true;
        } else {
            unions[node as usize] = true;
        }
    };
    outputs.for_each(|node| mark(&mut unions, node));
    // members come before their unions
    for node in (1..unions.len()).rev() {
        if unions[node] {
            let (a, b) = graph.unions[node];
            mark(&mut unions, a);
            mark(&mut unions, b);
        }
    }
    products
}
