//! A recorded program in the form in which it is replayed.
//!
//! Places hold the inputs, then the reals, then the results. A group is a loop over a few steps; what
//! was not found to repeat is a group of one turn.

use super::op::{Op, arity, real_operand};
use super::recording::{Guard, REAL, Recording};
use crate::scalar::Real;

/// Stride of a lane that reads its places from the table of indices.
pub(super) const GATHER: u32 = u32::MAX;

/// Places of one operand, one for each turn of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lane {
    pub(super) base: u32,
    /// Distance from turn to turn, or [`GATHER`].
    pub(super) stride: u32,
}

/// One operation in each turn of a loop; results are side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) op: Op,
    /// Bit `k`: operand `k` carries a derivative that is asked for.
    pub(super) active: u8,
    /// Place of the first result.
    pub(super) y: u32,
    /// Operands. Sums: the first number, then the terms, then their count. Foreign results: operands
    /// in the table and their count, then what was kept.
    pub(super) x: [Lane; 3],
    /// May strips of turns be taken as rows, see [`super::super::rows`]?
    pub(super) plain: bool,
}

/// A loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Turns.
    pub(super) turns: u32,
    /// Turns in which one step may go before the next one begins.
    pub(super) strip: u32,
    /// First step and one past the last.
    pub(super) from: u32,
    pub(super) to: u32,
}

/// A program.
#[derive(Clone, Debug)]
pub(super) struct Program<R> {
    /// Number of inputs.
    pub(super) inputs: usize,
    pub(super) reals: Vec<R>,
    /// Number of places.
    pub(super) places: usize,
    pub(super) steps: Vec<Step>,
    pub(super) groups: Vec<Group>,
    /// Places of gathering lanes.
    pub(super) indices: Vec<u32>,
    /// Questions about places, all of which have had an answer.
    pub(super) guards: Vec<Guard>,
    /// Is it only right where it was recorded?
    pub(super) has_foreign: bool,
    /// Room to find out what results depend on.
    useful: Vec<bool>,
}

impl<R: Real> Program<R> {
    /// Nothing.
    pub(super) fn new() -> Self {
        Program {
            inputs: 0,
            reals: Vec::new(),
            places: 0,
            steps: Vec::new(),
            groups: Vec::new(),
            indices: Vec::new(),
            guards: Vec::new(),
            has_foreign: false,
            useful: Vec::new(),
        }
    }

    /// Takes over a recording as it is: one step for each node. What no root depends on has no adjoint, which
    /// is not one of zero.
    pub(super) fn flat(&mut self, recording: &Recording, roots: &[u32]) {
        self.begin(recording.inputs as usize, &recording.reals);
        self.has_foreign = recording.has_foreign;
        let reals = index(self.reals.len());
        let place = |operand| place(operand, recording.inputs, reals);
        let first = index(self.places);
        self.indices
            .extend(recording.operands.iter().map(|operand| place(*operand)));
        for (k, node) in recording.nodes.iter().enumerate() {
            let mut x = [Lane::default(); 3];
            for (lane, operand) in x.iter_mut().zip(node.x).take(arity(node.op)) {
                lane.base = place(operand);
            }
            let mut active = 0;
            match node.op {
                Op::Given => {
                    active = 1;
                    x[0] = Lane {
                        base: node.x[0],
                        stride: node.x[1],
                    };
                    x[1].base = node.x[2];
                }
                Op::Call(f) => {
                    for (k, operand) in node.x.iter().enumerate().take(f.arity()) {
                        active |= u8::from(operand & REAL == 0 && f.depends(k)) << k;
                    }
                    if f.has_integer() {
                        x[1].base = node.x[1];
                    }
                }
                op => {
                    for (k, operand) in node.x.iter().enumerate().take(arity(op)) {
                        active |= u8::from(operand & REAL == 0 && real_operand(op) != Some(k)) << k;
                    }
                }
            }
            self.steps.push(Step {
                op: node.op,
                active,
                y: first + index(k),
                x,
                plain: false,
            });
        }
        self.useful.clear();
        self.useful.resize(recording.nodes.len(), false);
        let mark = |useful: &mut [bool], operand: u32| {
            if operand & REAL == 0
                && let Some(k) = operand.checked_sub(recording.inputs)
            {
                useful[k as usize] = true;
            }
        };
        for root in roots {
            mark(&mut self.useful, *root);
        }
        for (k, node) in recording.nodes.iter().enumerate().rev() {
            if !self.useful[k] {
                self.steps[k].active = 0;
                continue;
            }
            let operands = match node.op {
                Op::Given => &recording.operands[node.x[0] as usize..][..node.x[1] as usize],
                op => &node.x[..arity(op)],
            };
            for operand in operands {
                mark(&mut self.useful, *operand);
            }
        }
        self.groups.push(Group {
            turns: 1,
            strip: 1,
            from: 0,
            to: index(self.steps.len()),
        });
        self.places += self.steps.len();
        let guards = recording.guards.iter().map(|guard| Guard {
            a: place(guard.a),
            b: place(guard.b),
            ..*guard
        });
        self.guards.extend(guards);
    }

    /// Empty, but for inputs and reals.
    pub(super) fn begin(&mut self, inputs: usize, reals: &[f64]) {
        self.inputs = inputs;
        self.reals.clear();
        self.reals.extend(reals.iter().map(|c| R::from_f64(*c)));
        self.places = inputs + reals.len();
        self.steps.clear();
        self.groups.clear();
        self.indices.clear();
        self.guards.clear();
        self.has_foreign = false;
    }

    /// The place of a lane in one turn.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(&self, lane: Lane, turn: usize) -> usize {
        if lane.stride == GATHER {
            self.indices[lane.base as usize + turn] as usize
        } else {
            lane.base as usize + lane.stride as usize * turn
        }
    }

    /// The real of a lane in one turn.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn real(&self, lane: Lane, turn: usize) -> R {
        self.reals[self.at(lane, turn) - self.inputs]
    }
}

/// The place of an operand of a recording.
pub(super) fn place(operand: u32, inputs: u32, reals: u32) -> u32 {
    if operand & REAL != 0 {
        inputs + (operand & !REAL)
    } else if operand < inputs {
        operand
    } else {
        operand + reals
    }
}

/// An index of a program.
pub(super) fn index(i: usize) -> u32 {
    u32::try_from(i).expect("a tape has fewer than 2^32 places")
}
