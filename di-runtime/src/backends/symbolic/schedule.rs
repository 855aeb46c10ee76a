//! The order of the nodes of a graph in a program, and their registers.
//!
//! Whatever is ready of one operation is done before the next operation. Of what is done together, nodes whose
//! arguments are side by side get registers side by side, so that one loop computes them.

use crate::scalar::Real;

use super::super::rows::Cut;
use super::graph::{Code, Graph, Id};
use super::run::{Instruction, Instructions, has_rows};

/// Fewer nodes are not worth a loop.
const SHORTEST: usize = 4;

/// Stretches that a node may continue: the last ones.
const OPEN: usize = 8;

/// Nodes without a register.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Nodes whose arguments are side by side.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    first: [u32; 2],
    last: [u32; 2],
    /// From node to node, 0 or 1.
    stride: [u32; 2],
    count: usize,
    /// Where its nodes go among those of all stretches.
    at: usize,
}

impl Stretch {
    /// Takes a node with these arguments in, if it continues the stretch.
    fn takes(&mut self, args: [u32; 2]) -> bool {
        let by = [0, 1].map(|k| args[k].wrapping_sub(self.last[k]));
        let continues = if self.count == 1 {
            by[0] <= 1 && by[1] <= 1 && by != [0, 0]
        } else {
            by == self.stride
        };
        if continues {
            self.stride = by;
            self.last = args;
            self.count += 1;
        }
        continues
    }

    fn cuts(&self) -> [Cut; 2] {
        [0, 1].map(|k| Cut {
            base: self.first[k] as usize,
            moves: self.stride[k] == 1,
        })
    }
}

/// What is known of the nodes while they are put in order.
pub(super) struct Schedule<'g, R> {
    graph: &'g Graph<R>,
    pub(super) registers: Vec<R>,
    /// Registers of nodes.
    pub(super) at: Vec<u32>,
    /// Nodes that depend on seeds.
    seeded: Vec<bool>,
    /// How often nodes will be read yet.
    uses: Vec<u32>,
    /// Readers of each node that are no leaves, from `first` of the node on.
    readers: Vec<Id>,
    first: Vec<u32>,
    /// Arguments of each node that are not computed yet.
    waits: Vec<u32>,
    /// Registers that nobody reads any more.
    free: Vec<u32>,
    stretches: Vec<Stretch>,
    /// Which stretch each node of a wave belongs to.
    of: Vec<usize>,
    sorted: Vec<Id>,
}

impl<'g, R: Real> Schedule<'g, R> {
    /// For nodes in ascending order, of which some are read at the end. Leaves have their registers.
    pub(super) fn new(
        graph: &'g Graph<R>,
        order: &[Id],
        kept: &[Id],
        registers: Vec<R>,
        at: Vec<u32>,
    ) -> Self {
        let count = graph.nodes.len();
        let mut seeded = vec![false; count];
        let (mut uses, mut waits) = (vec![0; count], vec![0; count]);
        let mut first = vec![0; count + 1];
        for id in order {
            let node = graph.node(*id);
            let below = &node.args[..node.code.arity()];
            let by_seeds = below.iter().any(|a| seeded[*a as usize]);
            seeded[*id as usize] = node.code == Code::Seed || by_seeds;
            for a in below.iter().map(|a| *a as usize) {
                uses[a] += 1;
                if at[a] == NOWHERE {
                    first[a + 1] += 1;
                    waits[*id as usize] += u32::from(seeded[a] == by_seeds);
                }
            }
        }
        for id in kept {
            uses[*id as usize] += 1;
        }
        for k in 0..count {
            first[k + 1] += first[k];
        }
        let mut next = first.clone();
        let mut readers = vec![0; first[count] as usize];
        for id in order {
            let node = graph.node(*id);
            let below = node.args[..node.code.arity()].iter();
            for a in below.map(|a| *a as usize).filter(|a| at[*a] == NOWHERE) {
                readers[next[a] as usize] = *id;
                next[a] += 1;
            }
        }
        Schedule {
            graph,
            registers,
            at,
            seeded,
            uses,
            readers,
            first,
            waits,
            free: Vec::new(),
            stretches: Vec::new(),
            of: Vec::new(),
            sorted: Vec::new(),
        }
    }

    /// The instructions of the nodes that depend on seeds, or of those that do not; those come first.
    pub(super) fn part(&mut self, order: &[Id], of_seeds: bool) -> Instructions {
        // what runs for each seed must not write over the rest
        self.free.clear();
        let mut out = Instructions::default();
        let mut ready: Vec<(Code, Vec<Id>)> = Vec::new();
        let graph = self.graph;
        let add = |ready: &mut Vec<(Code, Vec<Id>)>, id: Id| {
            let code = graph.node(id).code;
            match ready.iter_mut().find(|(known, _)| *known == code) {
                Some((_, queue)) => queue.push(id),
                None => ready.push((code, vec![id])),
            }
        };
        for id in order {
            let at = *id as usize;
            if self.at[at] == NOWHERE && self.seeded[at] == of_seeds && self.waits[at] == 0 {
                add(&mut ready, *id);
            }
        }
        let mut wave = Vec::new();
        while let Some(k) = (0..ready.len()).max_by_key(|k| ready[*k].1.len()) {
            if ready[k].1.is_empty() {
                break;
            }
            while !ready[k].1.is_empty() {
                wave.clear();
                std::mem::swap(&mut wave, &mut ready[k].1);
                self.wave(ready[k].0, &wave, &mut out);
                for id in &wave {
                    let at = *id as usize;
                    for reader in self.first[at]..self.first[at + 1] {
                        let reader = self.readers[reader as usize];
                        if self.seeded[reader as usize] == of_seeds {
                            self.waits[reader as usize] -= 1;
                            if self.waits[reader as usize] == 0 {
                                add(&mut ready, reader);
                            }
                        }
                    }
                }
            }
        }
        out.find_chains();
        out
    }

    /// Adds nodes of one operation, none of which reads another one.
    fn wave(&mut self, code: Code, wave: &[Id], out: &mut Instructions) {
        if wave.len() < SHORTEST || !has_rows(code) {
            for id in wave {
                self.one(code, *id, out);
            }
            return;
        }
        self.stretch(code, wave);
        let sorted = std::mem::take(&mut self.sorted);
        for k in 0..self.stretches.len() {
            let stretch = self.stretches[k];
            let ids = &sorted[stretch.at..][..stretch.count];
            if stretch.count < SHORTEST {
                for id in ids {
                    self.one(code, *id, out);
                }
                continue;
            }
            let to = self.registers.len();
            self.registers.resize(to + stretch.count, R::default());
            out.push_rows(code, to, stretch.count, stretch.cuts());
            for (id, register) in ids.iter().zip(to as u32..) {
                self.at[*id as usize] = register;
                self.read(*id);
            }
        }
        self.sorted = sorted;
    }

    /// Finds the stretches of a wave, and sorts its nodes by them.
    fn stretch(&mut self, code: Code, wave: &[Id]) {
        let arity = code.arity();
        self.stretches.clear();
        self.of.clear();
        for id in wave {
            let node = self.graph.node(*id);
            let [a, b, _] = node.args.map(|a| self.at.get(a as usize).copied());
            let mut args = [a, b.filter(|_| arity > 1)].map(Option::unwrap_or_default);
            if matches!(code, Code::Add | Code::Mul) {
                // in whichever order they were written
                args.sort_unstable();
            }
            let open = self.stretches.len().saturating_sub(OPEN);
            let mut last = self.stretches[open..].iter_mut();
            let known = last.position(|stretch| stretch.takes(args));
            self.of.push(match known {
                Some(known) => open + known,
                None => {
                    self.stretches.push(Stretch {
                        first: args,
                        last: args,
                        stride: [0, 0],
                        count: 1,
                        at: 0,
                    });
                    self.stretches.len() - 1
                }
            });
        }
        let mut at = 0;
        for stretch in &mut self.stretches {
            stretch.at = at;
            at += stretch.count;
        }
        self.sorted.clear();
        self.sorted.resize(wave.len(), 0);
        for (id, stretch) in wave.iter().zip(&self.of) {
            let stretch = &mut self.stretches[*stretch];
            self.sorted[stretch.at] = *id;
            stretch.at += 1;
        }
        for stretch in &mut self.stretches {
            stretch.at -= stretch.count;
        }
    }

    /// Adds one node.
    fn one(&mut self, code: Code, id: Id, out: &mut Instructions) {
        let node = self.graph.node(id);
        let mut args = [0; 3];
        for (to, a) in args.iter_mut().zip(&node.args[..code.arity()]) {
            *to = self.at[*a as usize];
        }
        self.read(id);
        let to = self.free.pop().unwrap_or_else(|| {
            self.registers.push(R::default());
            (self.registers.len() - 1) as u32
        });
        self.at[id as usize] = to;
        let n = node.n;
        out.push(code, Instruction { to, args, n });
    }

    /// Counts what a node reads, and frees what nobody reads after it.
    fn read(&mut self, id: Id) {
        let node = self.graph.node(id);
        for a in &node.args[..node.code.arity()] {
            let at = *a as usize;
            self.uses[at] -= 1;
            let same = self.seeded[at] == self.seeded[id as usize];
            if self.uses[at] == 0 && same && !self.graph.node(*a).code.is_leaf() {
                self.free.push(self.at[at]);
            }
        }
    }
}
