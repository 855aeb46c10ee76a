//! Places for all results: those of one step of a loop side by side, so that its loops are tight.

use super::super::mixer::Map;
use super::op::{Op, arity};
use super::program::{GATHER, Group, Lane, Program, Step, index, place};
use super::recording::{Guard, REAL};
use super::reroll::Loop;
use super::simplify::{Code, Instruction};
use crate::scalar::Real;

/// Turns after which values are no longer at hand.
const STRIP: usize = 256;
/// Shorter strips are not worth their while.
const SHORTEST_STRIP: usize = 4;

/// Writes the program and the places of the roots.
pub(super) fn lay_out<R: Real>(
    code: &Code,
    loops: &[Loop],
    program: &mut Program<R>,
    places: &mut Vec<u32>,
) {
    let mut reals = Reals::of(code);
    let real_lanes: Vec<Option<Lane>> = (loops.iter())
        .flat_map(|found| body(code, found).flat_map(move |j| (0..3).map(move |k| (found, j, k))))
        .map(|(found, j, k)| reals.lane(code, found, j, k))
        .collect();
    program.begin(code.inputs as usize, &reals.all);
    let count = index(reals.all.len());
    let mut layout = Layout {
        code,
        place: (0..code.inputs).collect(),
        reals: count,
    };
    layout.place.resize(code.values, 0);
    let mut real_lanes = real_lanes.into_iter();
    for found in loops {
        let first = program.places;
        for (at, instruction) in of(code, found).iter().enumerate() {
            let (j, turn) = (at % found.body, at / found.body);
            layout.place[instruction.y as usize] = index(first + j * found.turns + turn);
        }
        program.places += found.body * found.turns;
        let from = index(program.steps.len());
        let mut strip = STRIP;
        for j in body(code, found) {
            let instruction = &code.instructions[j];
            let position = j - found.from;
            let mut x = [Lane::default(); 3];
            for (k, lane) in x.iter_mut().enumerate() {
                let known = real_lanes.next().flatten();
                *lane = match known {
                    Some(lane) => lane,
                    None if k < arity(instruction.op) => {
                        let places: Vec<u32> = (turns(code, found, j))
                            .map(|turn| layout.at(turn.x[k]))
                            .collect();
                        strip = strip.min(distance(&places, found, first, position));
                        lane_of(&places, &mut program.indices)
                    }
                    None => Lane::default(),
                };
            }
            layout.finish(instruction, &mut x, &mut program.indices);
            program.steps.push(Step {
                op: instruction.op,
                active: instruction.active,
                y: index(first + position * found.turns),
                x,
                plain: false,
            });
        }
        if found.turns == 1 || strip < SHORTEST_STRIP {
            strip = 1;
        } else {
            for step in &mut program.steps[from as usize..] {
                step.plain = is_plain(step, strip.min(found.turns));
            }
        }
        program.groups.push(Group {
            turns: index(found.turns),
            strip: index(strip),
            from,
            to: index(program.steps.len()),
        });
    }
    let guards = code.guards.iter().map(|guard| Guard {
        a: layout.at(guard.a),
        b: layout.at(guard.b),
        ..*guard
    });
    program.guards.extend(guards);
    places.extend(code.roots.iter().map(|root| layout.at(*root)));
}

/// Instructions of the first turn.
fn body(_: &Code, found: &Loop) -> std::ops::Range<usize> {
    found.from..found.from + found.body
}

/// All instructions of a loop.
fn of<'a>(code: &'a Code, found: &Loop) -> &'a [Instruction] {
    &code.instructions[found.from..][..found.body * found.turns]
}

/// One instruction of the body in all turns.
fn turns<'a>(
    code: &'a Code,
    found: &Loop,
    j: usize,
) -> impl Iterator<Item = &'a Instruction> + use<'a> {
    let all = &code.instructions[..found.from + found.body * found.turns];
    all[j..].iter().step_by(found.body)
}

/// How many turns may be taken together, as far as this operand of step `position` is concerned: a step
/// must not run ahead of a later one whose earlier result it reads.
fn distance(places: &[u32], found: &Loop, first: usize, position: usize) -> usize {
    let end = first + found.body * found.turns;
    let apart = places.iter().enumerate().filter_map(|(turn, place)| {
        let place = *place as usize;
        let within = (first..end).contains(&place);
        let (by, when) =
            within.then(|| ((place - first) / found.turns, (place - first) % found.turns))?;
        (by > position).then(|| turn - when)
    });
    apart.min().unwrap_or(STRIP)
}

/// Are the operands of a step places side by side, or one place each, before the results of a strip?
fn is_plain(step: &Step, strip: usize) -> bool {
    step.x.iter().all(|lane| match lane.stride {
        0 => lane.base < step.y,
        1 => lane.base as usize + strip <= step.y as usize,
        _ => false,
    })
}

/// Places as a lane: with a stride if they have one.
fn lane_of(places: &[u32], indices: &mut Vec<u32>) -> Lane {
    let stride = match places {
        [first, second, ..] => second.checked_sub(*first),
        _ => Some(0),
    };
    let even = |stride: u32| {
        stride != GATHER
            && places
                .windows(2)
                .all(|p| p[0].checked_add(stride) == Some(p[1]))
    };
    match stride.filter(|stride| even(*stride)) {
        Some(stride) => Lane {
            base: places.first().copied().unwrap_or(0),
            stride,
        },
        None => {
            let base = index(indices.len());
            indices.extend(places);
            Lane {
                base,
                stride: GATHER,
            }
        }
    }
}

/// Where everything is.
struct Layout<'a> {
    code: &'a Code,
    /// Places of inputs and results, by their indices in the recording.
    place: Vec<u32>,
    reals: u32,
}

impl Layout<'_> {
    fn at(&self, operand: u32) -> u32 {
        if operand & REAL != 0 {
            place(operand, self.code.inputs, self.reals)
        } else {
            // the first results come after the reals
            self.place[operand as usize]
        }
    }

    /// What is no number: integers, and terms of sums.
    fn finish(&self, instruction: &Instruction, x: &mut [Lane; 3], indices: &mut Vec<u32>) {
        match instruction.op {
            Op::Call(f) if f.has_integer() => x[1].base = instruction.x[1],
            Op::Sum => {
                let terms = &self.code.terms[instruction.terms.clone()];
                let places: Vec<u32> = terms.iter().map(|term| self.at(*term)).collect();
                x[0].base = self.at(instruction.x[0]);
                x[1] = lane_of(&places, indices);
                x[2].base = index(terms.len());
            }
            _ => {}
        }
    }
}

/// Reals in the order in which loops read them.
struct Reals {
    all: Vec<f64>,
    /// Where those are that have a place of their own.
    at: Map<u64, u32>,
}

impl Reals {
    /// All that guards and roots and sums may ask for keep their index.
    fn of(code: &Code) -> Self {
        let all = code.reals.clone();
        let at = (all.iter().zip(0..))
            .map(|(c, at)| (c.to_bits(), at))
            .collect();
        Reals { all, at }
    }

    /// The lane of an operand that is a real in all turns.
    fn lane(&mut self, code: &Code, found: &Loop, j: usize, k: usize) -> Option<Lane> {
        let instruction = &code.instructions[j];
        if k >= arity(instruction.op) {
            return None;
        }
        let reals = || turns(code, found, j).map(|turn| turn.x[k]);
        if reals().any(|x| x & REAL == 0) {
            return None;
        }
        let values = || reals().map(|x| code.reals[(x & !REAL) as usize]);
        let first = values().next()?;
        if values().all(|c| c.to_bits() == first.to_bits()) {
            let base = code.inputs + self.at.get(&first.to_bits())?;
            return Some(Lane { base, stride: 0 });
        }
        let base = code.inputs + index(self.all.len());
        self.all.extend(values());
        Some(Lane { base, stride: 1 })
    }
}
