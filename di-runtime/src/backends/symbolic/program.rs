//! Graphs as flat programs: registers, and one instruction for each node, equal operations next to each
//! other.

use std::collections::VecDeque;

use crate::scalar::{Real, Scalar};
use crate::value::Family;

use super::graph::{Code, Graph, Guard, Id};
use super::trace::{Op, Trace};

/// One operation on registers; which one, its run says.
#[derive(Clone, Copy, Debug)]
struct Instruction {
    to: u32,
    args: [u32; 3],
    n: i32,
}

/// Instructions in runs of the same operation.
#[derive(Clone, Debug, Default)]
struct Instructions {
    runs: Vec<(Code, usize)>,
    instructions: Vec<Instruction>,
}

/// What a program computes.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    /// The results of the function.
    pub(super) y: Vec<Id>,
    /// First derivatives that come with them.
    pub(super) first: Vec<Id>,
    /// What may depend on seeds.
    pub(super) last: Vec<Id>,
    /// Rows and columns of `last` in a matrix; the rest of the matrix is zero.
    pub(super) places: Vec<(usize, usize)>,
}

/// A compiled graph. The first part of it serves any number of seeds.
#[derive(Clone, Debug)]
pub(super) struct Program<R> {
    registers: Vec<R>,
    inputs: usize,
    floats: Vec<(usize, u32)>,
    slots: Vec<(usize, u32)>,
    once: Instructions,
    each: Instructions,
    guards: Vec<(Op, u32, u32, bool)>,
    pins: Vec<(u32, u64)>,
    y: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    pub(super) places: Vec<(usize, usize)>,
}

impl<R: Real> Program<R> {
    /// Registers of inputs and of seeds come first, then those of numbers, then the rest, which are
    /// used again once nobody reads them.
    pub(super) fn new(graph: &Graph<R>, inputs: usize, seeds: usize, roots: Roots) -> Self {
        let guarded = graph.guards.iter().flat_map(|guard| match *guard {
            Guard::Compare(_, a, b, _) => vec![a, b],
            Guard::Pin(a, _) => vec![a],
        });
        let mut kept: Vec<Id> = roots
            .y
            .iter()
            .chain(&roots.first)
            .chain(&roots.last)
            .copied()
            .collect();
        kept.extend(guarded);
        let order = reachable(graph, &kept);
        let mut program = Program {
            registers: vec![R::default(); (inputs + seeds).max(1)],
            inputs,
            floats: Vec::new(),
            slots: Vec::new(),
            once: Instructions::default(),
            each: Instructions::default(),
            guards: Vec::new(),
            pins: Vec::new(),
            y: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            places: roots.places,
        };
        let mut register = vec![u32::MAX; graph.nodes.len()];
        let mut seeded = vec![false; graph.nodes.len()];
        for id in &order {
            let node = graph.node(*id);
            let at = *id as usize;
            let number = node.args[0];
            let below = &node.args[..node.code.arity()];
            seeded[at] = node.code == Code::Seed || below.iter().any(|a| seeded[*a as usize]);
            register[at] = match node.code {
                Code::Input => number,
                Code::Seed => inputs as u32 + number,
                Code::Number => {
                    let value = graph.as_number(*id).unwrap_or_default();
                    program.room(R::from_f64(value))
                }
                Code::Float => {
                    let room = program.room(R::default());
                    program.floats.push((number as usize, room));
                    room
                }
                Code::Slot => {
                    let room = program.room(R::default());
                    program.slots.push((number as usize, room));
                    room
                }
                _ => continue,
            };
        }
        let leaves = |id: &&Id| !graph.node(**id).code.is_leaf();
        let part = |of_seeds: bool| {
            let ids = order.iter().filter(leaves).copied();
            schedule(
                graph,
                ids.filter(|id| seeded[*id as usize] == of_seeds).collect(),
            )
        };
        let sequence = [part(false), part(true)].concat();
        let mut last_use = vec![0; graph.nodes.len()];
        for (time, id) in sequence.iter().enumerate() {
            let node = graph.node(*id);
            for a in &node.args[..node.code.arity()] {
                let crosses = seeded[*id as usize] && !seeded[*a as usize];
                last_use[*a as usize] = if crosses {
                    usize::MAX
                } else {
                    time.max(last_use[*a as usize])
                };
            }
        }
        for id in &kept {
            last_use[*id as usize] = usize::MAX;
        }
        let mut free = Vec::new();
        let mut was_seeded = false;
        for (time, id) in sequence.iter().enumerate() {
            let node = graph.node(*id);
            let at = *id as usize;
            if seeded[at] && !was_seeded {
                // the part that runs for each seed must not write over the other
                free.clear();
                was_seeded = true;
            }
            let below = &node.args[..node.code.arity()];
            let mut args = [0; 3];
            for (to, a) in args.iter_mut().zip(below) {
                *to = register[*a as usize];
            }
            for (k, a) in below.iter().enumerate() {
                let ends = last_use[*a as usize] == time && !graph.node(*a).code.is_leaf();
                if ends && !below[..k].contains(a) {
                    free.push(register[*a as usize]);
                }
            }
            register[at] = free.pop().unwrap_or_else(|| program.room(R::default()));
            let instruction = Instruction {
                to: register[at],
                args,
                n: node.n,
            };
            if seeded[at] {
                program.each.push(node.code, instruction);
            } else {
                program.once.push(node.code, instruction);
            }
        }
        let of = |ids: &[Id]| ids.iter().map(|id| register[*id as usize]).collect();
        program.y = of(&roots.y);
        program.first = of(&roots.first);
        program.last = of(&roots.last);
        for guard in &graph.guards {
            match *guard {
                Guard::Compare(op, a, b, outcome) => {
                    let (a, b) = (register[a as usize], register[b as usize]);
                    program.guards.push((op, a, b, outcome));
                }
                Guard::Pin(a, bits) => program.pins.push((register[a as usize], bits)),
            }
        }
        program
    }

    fn room(&mut self, value: R) -> u32 {
        self.registers.push(value);
        (self.registers.len() - 1) as u32
    }

    /// Where inputs are written.
    pub(super) fn inputs(&mut self) -> &mut [R] {
        &mut self.registers[..self.inputs]
    }

    /// Takes over seeds.
    pub(super) fn set_seeds<F: Family>(&mut self, seeds: F::LanesRef<'_, R>) {
        let mut to = self.registers[self.inputs..].iter_mut();
        F::each(seeds, &mut |v: R| {
            if let Some(to) = to.next() {
                *to = v;
            }
        });
    }

    /// Takes over what may change beside the inputs.
    pub(super) fn load(&mut self, trace: &Trace) {
        for (from, to) in &self.floats {
            self.registers[*to as usize] = R::from_f64(trace.floats[*from]);
        }
        for (from, to) in &self.slots {
            self.registers[*to as usize] = R::from_f64(trace.slots[*from]);
        }
    }

    /// Runs what does not depend on seeds.
    pub(super) fn run_once(&mut self) {
        self.once.run(&mut self.registers);
    }

    /// Runs the rest.
    pub(super) fn run_each(&mut self) {
        self.each.run(&mut self.registers);
    }

    /// Would the program take the same branches?
    pub(super) fn holds(&self) -> bool {
        let r = &self.registers;
        let compare = |(op, a, b, outcome): &(Op, u32, u32, bool)| {
            let (a, b) = (r[*a as usize], r[*b as usize]);
            let found = match op {
                Op::Lt => Scalar::lt(a, b),
                Op::Le => Scalar::le(a, b),
                Op::Gt => Scalar::gt(a, b),
                Op::Ge => Scalar::ge(a, b),
                Op::Eq => Scalar::eq(a, b),
                _ => Scalar::ne(a, b),
            };
            found == *outcome
        };
        let pin = |(a, bits): &(u32, u64)| r[*a as usize].to_f64().to_bits() == *bits;
        self.guards.iter().all(compare) && self.pins.iter().all(pin)
    }

    fn values<'a>(&'a self, of: &'a [u32]) -> impl Iterator<Item = R> + 'a {
        of.iter().map(|register| self.registers[*register as usize])
    }

    /// The results of the function.
    pub(super) fn y(&self) -> impl Iterator<Item = R> + '_ {
        self.values(&self.y)
    }

    /// First derivatives.
    pub(super) fn first(&self) -> impl Iterator<Item = R> + '_ {
        self.values(&self.first)
    }

    /// What was asked for.
    pub(super) fn last(&self) -> impl Iterator<Item = R> + '_ {
        self.values(&self.last)
    }

    /// Instructions, for those who want to know what sharing saves.
    pub(super) fn len(&self) -> usize {
        self.once.instructions.len() + self.each.instructions.len()
    }
}

impl Instructions {
    fn push(&mut self, code: Code, instruction: Instruction) {
        self.instructions.push(instruction);
        let end = self.instructions.len();
        match self.runs.last_mut() {
            Some((last, to)) if *last == code => *to = end,
            _ => self.runs.push((code, end)),
        }
    }

    #[inline(never)]
    fn run<R: Real>(&self, r: &mut [R]) {
        let mut start = 0;
        for (code, end) in &self.runs {
            let run = &self.instructions[start..*end];
            start = *end;
            match code {
                Code::Add => binary(run, r, |a, b| a + b),
                Code::Sub => binary(run, r, |a, b| a - b),
                Code::Mul => binary(run, r, |a, b| a * b),
                Code::Div => binary(run, r, |a, b| a / b),
                Code::Strong => binary(run, r, Scalar::mul_strong),
                code => {
                    for i in run {
                        let x = i.args.map(|k| r[k as usize]);
                        r[i.to as usize] = code.evaluate(x, i.n);
                    }
                }
            }
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn binary<R: Real>(run: &[Instruction], r: &mut [R], operation: impl Fn(R, R) -> R) {
    for i in run {
        let [a, b, _] = i.args;
        r[i.to as usize] = operation(r[a as usize], r[b as usize]);
    }
}

/// The same nodes in an order in which equal operations stand together: whatever is ready of one kind, and
/// becomes ready by it, before the next.
fn schedule<R: Real>(graph: &Graph<R>, ids: Vec<Id>) -> Vec<Id> {
    let mut waits = vec![0_u32; graph.nodes.len()];
    let mut users: Vec<Vec<Id>> = vec![Vec::new(); graph.nodes.len()];
    let mut inside = vec![false; graph.nodes.len()];
    for id in &ids {
        inside[*id as usize] = true;
        let node = graph.node(*id);
        for a in &node.args[..node.code.arity()] {
            if inside[*a as usize] {
                waits[*id as usize] += 1;
                users[*a as usize].push(*id);
            }
        }
    }
    let mut ready: Vec<(Code, VecDeque<Id>)> = Vec::new();
    let add = |ready: &mut Vec<(Code, VecDeque<Id>)>, id: Id| {
        let code = graph.node(id).code;
        match ready.iter_mut().find(|(known, _)| *known == code) {
            Some((_, queue)) => queue.push_back(id),
            None => ready.push((code, VecDeque::from([id]))),
        }
    };
    for id in ids.iter().filter(|id| waits[**id as usize] == 0) {
        add(&mut ready, *id);
    }
    let mut order = Vec::with_capacity(ids.len());
    while let Some(k) = (0..ready.len()).max_by_key(|k| ready[*k].1.len()) {
        let Some(id) = ready[k].1.pop_front() else {
            break;
        };
        let mut next = Some(id);
        while let Some(id) = next {
            order.push(id);
            for user in &users[id as usize] {
                waits[*user as usize] -= 1;
                if waits[*user as usize] == 0 {
                    add(&mut ready, *user);
                }
            }
            next = ready[k].1.pop_front();
        }
    }
    order
}

/// Nodes that are needed for some, ascending.
fn reachable<R: Real>(graph: &Graph<R>, roots: &[Id]) -> Vec<Id> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut open = roots.to_vec();
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id as usize], true) {
            continue;
        }
        found.push(id);
        let node = graph.node(id);
        open.extend(&node.args[..node.code.arity()]);
    }
    found.sort_unstable();
    found
}
