//! Instructions on registers, in runs of the same operation.

use crate::scalar::{Real, Scalar};

use super::super::rows::{Cut, binary, unary};
use super::graph::Code;

/// One operation on registers; which one, its run says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) to: u32,
    pub(super) args: [u32; 3],
    pub(super) n: i32,
}

/// Where the registers of a run are.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Anywhere, as so many instructions say.
    Scattered(usize),
    /// The same, and the first argument of each instruction is the result of the one before.
    Chain(usize),
    /// So many results side by side, and arguments too.
    Rows {
        to: usize,
        count: usize,
        a: Cut,
        b: Cut,
    },
}

/// Some instructions of the same operation.
#[derive(Clone, Copy, Debug)]
struct Run {
    code: Code,
    shape: Shape,
}

/// Shorter chains are not worth a run of their own.
const SHORTEST_CHAIN: usize = 4;

/// A program without its registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Instructions {
    runs: Vec<Run>,
    instructions: Vec<Instruction>,
    count: usize,
}

impl Instructions {
    /// Adds an instruction.
    pub(super) fn push(&mut self, code: Code, instruction: Instruction) {
        self.instructions.push(instruction);
        self.count += 1;
        if let Some(Run {
            code: last,
            shape: Shape::Scattered(count),
        }) = self.runs.last_mut()
            && *last == code
        {
            *count += 1;
            return;
        }
        let shape = Shape::Scattered(1);
        self.runs.push(Run { code, shape });
    }

    /// Adds instructions for registers side by side.
    pub(super) fn push_rows(&mut self, code: Code, to: usize, count: usize, [a, b]: [Cut; 2]) {
        self.count += count;
        let shape = Shape::Rows { to, count, a, b };
        self.runs.push(Run { code, shape });
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Makes runs of the chains among scattered instructions. In a chain, no result waits for the one before to be
    /// written and read again.
    pub(super) fn find_chains(&mut self) {
        let mut at = 0;
        let mut runs = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let Shape::Scattered(count) = run.shape else {
                runs.push(*run);
                continue;
            };
            let code = run.code;
            let all = &mut self.instructions[at..at + count];
            at += count;
            let mut push = |shape| runs.push(Run { code, shape });
            let (mut flat, mut from) = (0, 0);
            while from < count {
                let chained = (from + 1..count).take_while(|i| {
                    let before = all[i - 1].to;
                    let [a, b, _] = &mut all[*i].args;
                    if code == Code::Add && *b == before {
                        std::mem::swap(a, b);
                    }
                    matches!(code, Code::Add | Code::Sub) && *a == before
                });
                let length = 1 + chained.count();
                if length >= SHORTEST_CHAIN {
                    if flat < from {
                        push(Shape::Scattered(from - flat));
                    }
                    push(Shape::Chain(length));
                    flat = from + length;
                }
                from += length;
            }
            if flat < count {
                push(Shape::Scattered(count - flat));
            }
        }
        self.runs = runs;
    }

    /// Runs all of them.
    #[inline(never)]
    pub(super) fn run<R: Real>(&self, r: &mut [R]) {
        let mut rest = &self.instructions[..];
        for Run { code, shape } in &self.runs {
            match *shape {
                Shape::Rows { to, count, a, b } => rows(*code, r, to, count, a, b),
                Shape::Chain(count) => {
                    let (run, after) = rest.split_at(count);
                    rest = after;
                    match code {
                        Code::Add => chain(run, r, |a, b| a + b),
                        _ => chain(run, r, |a, b| a - b),
                    }
                }
                Shape::Scattered(count) => {
                    let (run, after) = rest.split_at(count);
                    rest = after;
                    scattered(*code, run, r);
                }
            }
        }
    }
}

/// Is there a loop for rows of this operation?
pub(super) fn has_rows(code: Code) -> bool {
    matches!(
        code,
        Code::Add | Code::Sub | Code::Mul | Code::Div | Code::Neg
    )
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn rows<R: Real>(code: Code, r: &mut [R], to: usize, count: usize, a: Cut, b: Cut) {
    let done = match code {
        Code::Add => binary(r, to, count, a, b, |a, b| a + b),
        Code::Sub => binary(r, to, count, a, b, |a, b| a - b),
        Code::Mul => binary(r, to, count, a, b, |a, b| a * b),
        Code::Div => binary(r, to, count, a, b, |a, b| a / b),
        _ => unary(r, to, count, a, |a| -a),
    };
    debug_assert!(done, "something moves in rows");
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn chain<R: Real>(run: &[Instruction], r: &mut [R], operation: impl Fn(R, R) -> R) {
    let Some(first) = run.first() else { return };
    let mut so_far = r[first.args[0] as usize];
    for i in run {
        so_far = operation(so_far, r[i.args[1] as usize]);
        r[i.to as usize] = so_far;
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn scattered<R: Real>(code: Code, run: &[Instruction], r: &mut [R]) {
    match code {
        Code::Add => each(run, r, |a, b| a + b),
        Code::Sub => each(run, r, |a, b| a - b),
        Code::Mul => each(run, r, |a, b| a * b),
        Code::Div => each(run, r, |a, b| a / b),
        Code::Strong => each(run, r, Scalar::mul_strong),
        code => {
            for i in run {
                let x = i.args.map(|k| r[k as usize]);
                r[i.to as usize] = code.evaluate(x, i.n);
            }
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn each<R: Real>(run: &[Instruction], r: &mut [R], operation: impl Fn(R, R) -> R) {
    for i in run {
        let [a, b, _] = i.args;
        r[i.to as usize] = operation(r[a as usize], r[b as usize]);
    }
}
