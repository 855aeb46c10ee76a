//! Symbols: numbers that write down what is done with them.
//!
//! A trace is the list of operations in the order in which they were done, with the floats that took part.
//! Comparisons and values that the program asked for are steps too. A trace can be followed again: then it
//! is known whether the program did the same, and its floats are those of now.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use crate::scalar::rule::{hessians_of, jacobian_of, refs};
use crate::scalar::{Real, Rule, Scalar};

use super::table::Row;

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// A product in which a zero of the first factor wins.
    Strong,
    Row(Row),
    /// A comparison; the integer of the step is its outcome.
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    /// The program asked for the value; its bits are in the other arguments.
    Pin,
    /// An argument of a rule.
    Input,
    /// A result of a rule: first input step, number of inputs, first slot; the integer is which.
    Output,
}

/// An operand: a node, a float, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Arg(u32);

const FLOAT: u32 = 1 << 31;

/// What an operand is.
pub(super) enum Operand {
    Node(usize),
    Float(usize),
    Nothing,
}

impl Arg {
    pub(super) const NONE: Arg = Arg(u32::MAX);

    pub(super) fn decode(self) -> Operand {
        match self {
            Arg::NONE => Operand::Nothing,
            Arg(bits) if bits & FLOAT != 0 => Operand::Float((bits & !FLOAT) as usize),
            Arg(bits) => Operand::Node(bits as usize),
        }
    }

    /// As a plain number.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) args: [Arg; 3],
    pub(super) n: i32,
}

/// What a program did: step `k` is node `inputs + k`.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub(super) inputs: usize,
    pub(super) steps: Vec<Step>,
    /// Floats in the order of their use. All are kept in double precision, which is exact.
    pub(super) floats: Vec<f64>,
    /// Values and derivatives of rules, at the point of the trace.
    pub(super) slots: Vec<f64>,
    /// Results of the program.
    pub(super) outputs: Vec<Arg>,
}

/// Where a trace is being written.
struct Recorder {
    trace: Trace,
    /// The next step, float and slot.
    at: usize,
    float: usize,
    slot: usize,
    output: usize,
    same: bool,
    /// Are second derivatives of rules wanted?
    second: bool,
    /// Is it a formula without values?
    formula: bool,
    /// Did a formula branch?
    branched: bool,
    refused: Option<&'static str>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Message of an invariant: symbols live in a trace.
const RECORDING: &str = "a symbol is used in the trace that it was made in";

fn with<T>(f: impl FnOnce(&mut Recorder) -> T) -> T {
    RECORDER.with(|recorder| f(recorder.borrow_mut().as_mut().expect(RECORDING)))
}

/// What came of following a trace.
pub(super) struct Followed {
    pub(super) trace: Trace,
    /// Were the steps the same?
    pub(super) same: bool,
    /// Did a formula branch?
    pub(super) branched: bool,
    /// Why the trace cannot be used.
    pub(super) refused: Option<&'static str>,
}

/// Gives the recorder back, also if the program panics.
struct Session {
    outer: Option<Recorder>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let outer = self.outer.take();
        RECORDER.with(|recorder| *recorder.borrow_mut() = outer);
    }
}

/// Runs a program, which is expected to do what `trace` says.
pub(super) fn follow(trace: Trace, second: bool, formula: bool, run: impl FnOnce()) -> Followed {
    let new = Recorder {
        trace,
        at: 0,
        float: 0,
        slot: 0,
        output: 0,
        same: true,
        second,
        formula,
        branched: false,
        refused: None,
    };
    let session = Session {
        outer: RECORDER.with(|recorder| recorder.borrow_mut().replace(new)),
    };
    run();
    let done = RECORDER.with(|recorder| recorder.borrow_mut().take());
    drop(session);
    let mut done = done.expect(RECORDING);
    if done.at < done.trace.steps.len() {
        done.trace.steps.truncate(done.at);
        done.same = false;
    }
    if done.output < done.trace.outputs.len() {
        done.trace.outputs.truncate(done.output);
        done.same = false;
    }
    done.trace.floats.truncate(done.float);
    done.trace.slots.truncate(done.slot);
    Followed {
        trace: done.trace,
        same: done.same,
        branched: done.branched,
        refused: done.refused,
    }
}

impl Recorder {
    fn push(&mut self, op: Op, args: [Arg; 3], n: i32) -> u32 {
        let step = Step { op, args, n };
        if self.trace.steps.get(self.at) != Some(&step) {
            self.same = false;
            self.trace.steps.truncate(self.at);
            self.trace.steps.push(step);
        }
        self.at += 1;
        let node = self.trace.inputs + self.at - 1;
        u32::try_from(node)
            .ok()
            .filter(|node| node & FLOAT == 0)
            .expect("nodes of a trace are counted in 31 bits")
    }

    fn operand<R: Real>(&mut self, x: Symbol<R>) -> Arg {
        if x.node != CONSTANT {
            return Arg(x.node);
        }
        let index = self.float;
        self.float += 1;
        let value = x.value.to_f64();
        match self.trace.floats.get_mut(index) {
            Some(float) => *float = value,
            None => self.trace.floats.push(value),
        }
        Arg(FLOAT | index as u32)
    }

    fn output<R: Real>(&mut self, x: Symbol<R>) {
        let arg = self.operand(x);
        if self.trace.outputs.get(self.output) != Some(&arg) {
            self.same = false;
            self.trace.outputs.truncate(self.output);
            self.trace.outputs.push(arg);
        }
        self.output += 1;
    }

    fn slot(&mut self, value: f64) {
        match self.trace.slots.get_mut(self.slot) {
            Some(slot) => *slot = value,
            None => self.trace.slots.push(value),
        }
        self.slot += 1;
    }
}

/// A number that records what is done with it. It also has a value.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<R> {
    node: u32,
    value: R,
}

/// The node of what does not depend on any input.
const CONSTANT: u32 = u32::MAX;

impl<R: Real> Default for Symbol<R> {
    fn default() -> Self {
        Symbol::constant(R::default())
    }
}

impl<R: Real> Symbol<R> {
    fn constant(value: R) -> Self {
        Symbol {
            node: CONSTANT,
            value,
        }
    }

    /// Input number `at`.
    pub(super) fn input(at: usize, value: R) -> Self {
        Symbol {
            node: at as u32,
            value,
        }
    }

    /// Makes it a result of the program.
    pub(super) fn emit(self) {
        with(|recorder| recorder.output(self));
    }

    fn is_constant(self) -> bool {
        self.node == CONSTANT
    }

    fn step(op: Op, args: &[Symbol<R>], n: i32, value: R) -> Self {
        if args.iter().all(|x| x.is_constant()) {
            return Symbol::constant(value);
        }
        let node = with(|recorder| {
            let mut operands = [Arg::NONE; 3];
            for (operand, x) in operands.iter_mut().zip(args) {
                *operand = recorder.operand(*x);
            }
            recorder.push(op, operands, n)
        });
        Symbol { node, value }
    }

    fn compare(self, op: Op, o: Self, outcome: bool) -> bool {
        if self.is_constant() && o.is_constant() {
            return outcome;
        }
        with(|recorder| {
            if recorder.formula {
                recorder.branched = true;
                return false;
            }
            let operands = [recorder.operand(self), recorder.operand(o), Arg::NONE];
            recorder.push(op, operands, i32::from(outcome));
            outcome
        })
    }

    /// Notes that a formula cannot do without the value.
    fn branches(self) {
        if !self.is_constant() {
            with(|recorder| recorder.branched |= recorder.formula);
        }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident;)*) => {$(
        impl<R: Real> $trait for Symbol<R> {
            type Output = Self;
            fn $method(self, o: Self) -> Self {
                Symbol::step(Op::$trait, &[self, o], 0, self.value.$method(o.value))
            }
        }
    )*};
}
operators! { Add add; Sub sub; Mul mul; Div div; Rem rem; }

impl<R: Real> Neg for Symbol<R> {
    type Output = Self;
    fn neg(self) -> Self {
        Symbol::step(Op::Neg, &[self], 0, -self.value)
    }
}

macro_rules! methods {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(
            fn $name(self $(, $b: Self)* $(, $n: i32)?) -> Self {
                let n = 0 $(+ $n)?;
                let value = self.value.$name($($b.value),* $($n)?);
                Symbol::step(Op::Row(Row::$name), &[self $(, $b)*], n, value)
            }
        )*
    };
}

macro_rules! comparisons {
    ($($method:ident $op:ident;)*) => {$(
        fn $method(self, o: Self) -> bool {
            self.compare(Op::$op, o, Scalar::$method(self.value, o.value))
        }
    )*};
}

impl<R: Real> Scalar for Symbol<R> {
    type Real = R;

    fn from_real(c: R) -> Self {
        Symbol::constant(c)
    }

    fn primal(self) -> R {
        if !self.is_constant() {
            with(|recorder| {
                recorder.branched |= recorder.formula;
                let bits = self.value.to_f64().to_bits();
                let args = [Arg(self.node), Arg(bits as u32), Arg((bits >> 32) as u32)];
                recorder.push(Op::Pin, args, 0);
            });
        }
        self.value
    }

    fn is_zero(self) -> bool {
        self.branches();
        self.is_constant() && self.value.is_zero()
    }

    fn vanishes(self) -> bool {
        self.branches();
        !self.is_constant() || self.value.vanishes()
    }

    fn mul_strong(self, o: Self) -> Self {
        Symbol::step(Op::Strong, &[self, o], 0, self.value.mul_strong(o.value))
    }

    fn add_real(self, c: R) -> Self {
        self + Symbol::constant(c)
    }
    fn sub_real(self, c: R) -> Self {
        self - Symbol::constant(c)
    }
    fn mul_real(self, c: R) -> Self {
        self * Symbol::constant(c)
    }
    fn div_real(self, c: R) -> Self {
        self / Symbol::constant(c)
    }
    fn rem_real(self, c: R) -> Self {
        self % Symbol::constant(c)
    }
    fn real_sub(c: R, x: Self) -> Self {
        Symbol::constant(c) - x
    }
    fn real_div(c: R, x: Self) -> Self {
        Symbol::constant(c) / x
    }
    fn real_rem(c: R, x: Self) -> Self {
        Symbol::constant(c) % x
    }

    comparisons! { lt Lt; le Le; gt Gt; ge Ge; eq Eq; ne Ne; }

    fn call_rule<T: Rule<R, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: [&[Self]; N],
        mut y: [&mut [Self]; M],
    ) {
        let values = x.map(|x| x.iter().map(|x| x.value).collect::<Vec<R>>());
        let mut results = y.each_ref().map(|y| vec![R::default(); y.len()]);
        rule.primal(refs(&values), results.each_mut().map(Vec::as_mut_slice));
        let all = || x.iter().flat_map(|x| x.iter().copied());
        for (y, results) in y.iter_mut().zip(&results) {
            for (y, value) in y.iter_mut().zip(results) {
                *y = Symbol::constant(*value);
            }
        }
        if all().all(Symbol::is_constant) {
            return;
        }
        let n = all().count();
        let active: Vec<bool> = all().map(|x| !x.is_constant()).collect();
        let second = with(|recorder| {
            recorder.branched |= recorder.formula;
            let mut first = None;
            for x in all() {
                let arg = recorder.operand(x);
                let step = recorder.push(Op::Input, [arg, Arg::NONE, Arg::NONE], 0);
                first.get_or_insert(step);
            }
            let first = first.unwrap_or_default();
            let slot = recorder.slot as u32;
            for (number, y) in y.iter_mut().flat_map(|y| y.iter_mut()).enumerate() {
                let args = [Arg(first), Arg(n as u32), Arg(slot)];
                y.node = recorder.push(Op::Output, args, number as i32);
                recorder.slot(y.value.to_f64());
            }
            recorder.second
        });
        let jacobian = jacobian_of(rule, refs(&values), refs(&results), &active);
        with(|recorder| jacobian.iter().for_each(|v| recorder.slot(v.to_f64())));
        if !second {
            return;
        }
        if active.iter().filter(|on| **on).count() > MOST {
            with(|recorder| {
                recorder.refused = Some(
                    "a custom rule of more than 128 inputs has no second order here; use \
                     `SecondOrder::new(AutoDual::new(), AutoSource::new())`",
                );
            });
            return;
        }
        let hessians = hessians_of(rule, refs(&values), refs(&results), &active);
        with(|recorder| hessians.iter().for_each(|v| recorder.slot(v.to_f64())));
    }

    di_elementary::elementary!(methods);
}

/// Inputs of a rule whose second derivatives are taken.
const MOST: usize = 128;
