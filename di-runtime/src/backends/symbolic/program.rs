//! Graphs as flat programs: registers, and one instruction for each node, equal operations next to each
//! other.

use crate::scalar::{Real, Scalar};
use crate::value::Family;

use super::graph::{Code, Graph, Guard, Id};
use super::run::Instructions;
use super::schedule::{NOWHERE, Schedule};
use super::trace::{Op, Trace};

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
            Guard::Compare(_, a, b, _) => [a, b],
            Guard::Pin(a, _) => [a, a],
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
        let mut register = vec![NOWHERE; graph.nodes.len()];
        for id in &order {
            let node = graph.node(*id);
            let number = node.args[0];
            register[*id as usize] = match node.code {
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
        let registers = std::mem::take(&mut program.registers);
        let mut schedule = Schedule::new(graph, &order, &kept, registers, register);
        program.once = schedule.part(&order, false);
        program.each = schedule.part(&order, true);
        program.registers = schedule.registers;
        let register = schedule.at;
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
        self.once.len() + self.each.len()
    }
}

/// Nodes that are needed for some, ascending.
fn reachable<R: Real>(graph: &Graph<R>, roots: &[Id]) -> Vec<Id> {
    let mut needed = vec![false; graph.nodes.len()];
    for id in roots {
        needed[*id as usize] = true;
    }
    let mut found = Vec::with_capacity(graph.nodes.len());
    // arguments are older
    for id in (0..graph.nodes.len()).rev() {
        if !needed[id] {
            continue;
        }
        found.push(id as Id);
        let node = graph.nodes[id];
        for a in &node.args[..node.code.arity()] {
            needed[*a as usize] = true;
        }
    }
    found.reverse();
    found
}
