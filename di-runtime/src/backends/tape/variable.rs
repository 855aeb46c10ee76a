//! The scalar that records what is done to it.

use std::any::Any;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use super::op::{Elementary, Op};
use super::recording::{self, Guard, Question};
use crate::scalar::rule::split;
use crate::scalar::{Real, Rule, Scalar};

/// A number that knows its place in a recording.
///
/// The value is any scalar: a tape over dual numbers records what they do, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable<S> {
    pub(super) value: S,
    /// Place among the inputs and results; [`CONSTANT`] has none.
    pub(super) node: u32,
    /// Number of the recording.
    pub(super) level: u32,
}

/// A number that depends on nothing.
const CONSTANT: u32 = u32::MAX;

impl<S: Scalar> Variable<S> {
    /// Not recorded.
    pub(super) fn constant(value: S) -> Self {
        Variable {
            value,
            node: CONSTANT,
            level: 0,
        }
    }

    fn is_constant(self) -> bool {
        self.node == CONSTANT
    }

    /// As an operand of a node.
    pub(super) fn operand(self, level: u32) -> u32 {
        if self.is_constant() {
            let c = self.value.primal().to_f64();
            recording::with(level, |recording| recording.real(c))
        } else {
            assert!(
                self.level == level,
                "numbers of different recordings do not mix: expected recording {level}, found {}",
                self.level
            );
            self.node
        }
    }

    fn record(self, op: Op, x: [u32; 3], value: S) -> Self {
        let level = self.level;
        Variable {
            value,
            node: recording::with(level, |recording| recording.push(op, x)),
            level,
        }
    }

    /// An operation of a number and a real.
    fn with_real(self, op: Op, c: S::Real, value: S) -> Self {
        if self.is_constant() {
            return Variable::constant(value);
        }
        let level = self.level;
        let node = recording::with(level, |recording| {
            let c = recording.real(c.to_f64());
            recording.push(op, [self.node, c, 0])
        });
        Variable { value, node, level }
    }

    /// An operation of several numbers, constants among them.
    fn call<const N: usize>(op: Op, x: [Self; N], n: i32, value: S) -> Self {
        let Some(first) = x.iter().find(|x| !x.is_constant()) else {
            return Variable::constant(value);
        };
        let mut operands = [0, n.cast_unsigned(), 0];
        for (operand, x) in operands.iter_mut().zip(x) {
            *operand = x.operand(first.level);
        }
        first.record(op, operands, value)
    }

    /// Notes what was asked and answered.
    fn ask(self, question: Question, o: Self, answer: bool) -> bool {
        let level = match (self.is_constant(), o.is_constant()) {
            (true, true) => return answer,
            (false, _) => self.level,
            (true, false) => o.level,
        };
        let (a, b) = (self.operand(level), o.operand(level));
        let guard = Guard {
            question,
            answer,
            a,
            b,
        };
        recording::with(level, |recording| {
            if recording.guards.last() != Some(&guard) {
                recording.guards.push(guard);
            }
        });
        answer
    }
}

impl<S: Scalar> Default for Variable<S> {
    fn default() -> Self {
        Variable::constant(S::default())
    }
}

impl<S: Scalar> Add for Variable<S> {
    type Output = Self;

    fn add(self, o: Self) -> Self {
        let value = self.value + o.value;
        match (self.is_constant(), o.is_constant()) {
            (false, false) => Variable::call(Op::Add, [self, o], 0, value),
            (false, true) => self.with_real(Op::AddReal, o.value.primal(), value),
            (true, _) => o.with_real(Op::AddReal, self.value.primal(), value),
        }
    }
}

impl<S: Scalar> Sub for Variable<S> {
    type Output = Self;

    fn sub(self, o: Self) -> Self {
        let value = self.value - o.value;
        match (self.is_constant(), o.is_constant()) {
            (false, false) => Variable::call(Op::Sub, [self, o], 0, value),
            (false, true) => self.with_real(Op::SubReal, o.value.primal(), value),
            (true, _) => o.with_real(Op::RealSub, self.value.primal(), value),
        }
    }
}

impl<S: Scalar> Mul for Variable<S> {
    type Output = Self;

    fn mul(self, o: Self) -> Self {
        let value = self.value * o.value;
        match (self.is_constant(), o.is_constant()) {
            (false, false) => Variable::call(Op::Mul, [self, o], 0, value),
            (false, true) => self.with_real(Op::MulReal, o.value.primal(), value),
            (true, _) => o.with_real(Op::MulReal, self.value.primal(), value),
        }
    }
}

impl<S: Scalar> Div for Variable<S> {
    type Output = Self;

    fn div(self, o: Self) -> Self {
        let value = self.value / o.value;
        match (self.is_constant(), o.is_constant()) {
            (false, false) => Variable::call(Op::Div, [self, o], 0, value),
            (false, true) => self.with_real(Op::DivReal, o.value.primal(), value),
            (true, _) => o.with_real(Op::RealDiv, self.value.primal(), value),
        }
    }
}

impl<S: Scalar> Rem for Variable<S> {
    type Output = Self;

    fn rem(self, o: Self) -> Self {
        let value = self.value % o.value;
        match (self.is_constant(), o.is_constant()) {
            (false, false) => Variable::call(Op::Rem, [self, o], 0, value),
            (false, true) => self.with_real(Op::RemReal, o.value.primal(), value),
            (true, _) => o.with_real(Op::RealRem, self.value.primal(), value),
        }
    }
}

impl<S: Scalar> Neg for Variable<S> {
    type Output = Self;

    fn neg(self) -> Self {
        Variable::call(Op::Neg, [self], 0, -self.value)
    }
}

macro_rules! methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(method!($name $args);)*
    };
}

macro_rules! method {
    ($name:ident ($x:ident; $n:ident)) => {
        fn $name(self, $n: i32) -> Self {
            Variable::call(Op::Call(Elementary::$name), [self], $n, self.value.$name($n))
        }
    };
    (clamp ($x:ident, $lo:ident, $hi:ident)) => {
        fn clamp(self, $lo: Self, $hi: Self) -> Self {
            let value = self.value.clamp($lo.value, $hi.value);
            // which did not panic
            $lo.ask(Question::Le, $hi, true);
            Variable::call(Op::Call(Elementary::clamp), [self, $lo, $hi], 0, value)
        }
    };
    ($name:ident ($x:ident $(, $b:ident)*)) => {
        fn $name(self $(, $b: Self)*) -> Self {
            let value = self.value.$name($($b.value),*);
            Variable::call(Op::Call(Elementary::$name), [self $(, $b)*], 0, value)
        }
    };
}

macro_rules! comparisons {
    ($($name:ident $question:ident;)*) => {$(
        fn $name(self, o: Self) -> bool {
            self.ask(Question::$question, o, self.value.$name(o.value))
        }
    )*};
}

impl<S: Scalar> Scalar for Variable<S> {
    type Real = S::Real;

    fn from_real(c: S::Real) -> Self {
        Variable::constant(S::from_real(c))
    }

    /// A replay must find the very same float.
    fn primal(self) -> S::Real {
        let c = self.value.primal();
        self.ask(Question::Exactly, Variable::from_real(c), true);
        c
    }

    /// A replay must find the same integer part.
    fn integer(self) -> S::Real {
        let c = self.value.integer();
        let whole = c.trunc();
        self.ask(Question::Integer, Variable::from_real(whole), true);
        c
    }

    fn is_zero(self) -> bool {
        self.is_constant() && self.value.is_zero()
    }

    fn vanishes(self) -> bool {
        let answer = self.value.vanishes();
        self.ask(Question::Eq, Variable::default(), answer)
    }

    fn mul_strong(self, o: Self) -> Self {
        let value = self.value.mul_strong(o.value);
        if self.is_zero() {
            return Variable::constant(value);
        }
        Variable::call(Op::MulStrong, [self, o], 0, value)
    }

    fn add_real(self, c: S::Real) -> Self {
        self.with_real(Op::AddReal, c, self.value.add_real(c))
    }

    fn sub_real(self, c: S::Real) -> Self {
        self.with_real(Op::SubReal, c, self.value.sub_real(c))
    }

    fn mul_real(self, c: S::Real) -> Self {
        self.with_real(Op::MulReal, c, self.value.mul_real(c))
    }

    fn div_real(self, c: S::Real) -> Self {
        self.with_real(Op::DivReal, c, self.value.div_real(c))
    }

    fn rem_real(self, c: S::Real) -> Self {
        self.with_real(Op::RemReal, c, self.value.rem_real(c))
    }

    fn real_sub(c: S::Real, x: Self) -> Self {
        x.with_real(Op::RealSub, c, S::real_sub(c, x.value))
    }

    fn real_div(c: S::Real, x: Self) -> Self {
        x.with_real(Op::RealDiv, c, S::real_div(c, x.value))
    }

    fn real_rem(c: S::Real, x: Self) -> Self {
        x.with_real(Op::RealRem, c, S::real_rem(c, x.value))
    }

    comparisons! { lt Lt; le Le; gt Gt; ge Ge; eq Eq; ne Ne; }

    fn call_rule<R: Rule<S::Real, N, M>, const N: usize, const M: usize>(
        rule: &R,
        x: [&[Self]; N],
        y: [&mut [Self]; M],
    ) {
        record_rule(rule, x, y);
    }

    di_elementary::elementary!(methods);
}

/// Results of a rule that are looked at together.
const TOGETHER: usize = 4;

/// Values and partial derivatives of foreign results, and room to compute them.
pub(super) struct Foreign<S> {
    /// For each result its value and its partial derivatives.
    pub(super) kept: Vec<S>,
    values: Vec<S>,
    adjoints: Vec<[S; TOGETHER]>,
}

impl<S: Scalar> Foreign<S> {
    fn new() -> Box<Self> {
        Box::new(Foreign {
            kept: Vec::new(),
            values: Vec::new(),
            adjoints: Vec::new(),
        })
    }
}

/// The numbers of foreign results in the scalar of a recording.
pub(super) fn kept<S: Scalar>(foreign: Option<&(dyn Any + Send)>) -> &[S] {
    let foreign = foreign.and_then(|any| any.downcast_ref::<Foreign<S>>());
    foreign.map_or(&[], |foreign| &foreign.kept)
}

/// A rule cannot be kept beyond the call, since it may borrow: what is recorded are its results and
/// their partial derivatives here.
fn record_rule<S: Scalar, const N: usize, const M: usize>(
    rule: &impl Rule<S::Real, N, M>,
    x: [&[Variable<S>]; N],
    mut y: [&mut [Variable<S>]; M],
) {
    let all = || x.iter().flat_map(|x| x.iter().copied());
    let level = all().find(|x| !x.is_constant()).map(|x| x.level);
    let mut taken = Taken::of(level);
    let foreign = taken.foreign.get_or_insert_with(Foreign::new);
    let (n, m) = (x.map(<[_]>::len), y.each_ref().map(|y| y.len()));
    let (inputs, outputs) = (n.iter().sum::<usize>(), m.iter().sum::<usize>());
    foreign.values.clear();
    foreign.values.extend(all().map(|x| x.value));
    foreign.values.resize(inputs + outputs, S::default());
    let (xs, ys) = foreign.values.split_at_mut(inputs);
    let xs = split(xs, n).map(|x| &*x);
    S::call_rule(rule, xs, split(ys, m));
    let results = y.iter_mut().flat_map(|y| y.iter_mut());
    let Some(level) = level else {
        for (y, value) in results.zip(ys) {
            *y = Variable::constant(*value);
        }
        return;
    };
    let operands: Operands = recording::with(level, |recording| {
        let at = recording.operands.len();
        (at, at + inputs)
    });
    for x in all() {
        let operand = x.operand(level);
        recording::with(level, |recording| recording.operands.push(operand));
    }
    let ys = split(ys, m).map(|y| &*y);
    let mut flat = ys.iter().flat_map(|y| y.iter().copied());
    let mut results = results;
    for at in (0..outputs).step_by(TOGETHER) {
        let count = TOGETHER.min(outputs - at);
        foreign.adjoints.clear();
        foreign
            .adjoints
            .resize(inputs + outputs, [S::default(); TOGETHER]);
        let (xb, yb) = foreign.adjoints.split_at_mut(inputs);
        for k in 0..count {
            yb[at + k][k] = S::from_real(S::Real::from_f64(1.0));
        }
        rule.pullback(xs, ys, split(yb, m).map(|y| &*y), split(xb, n));
        let (xb, _) = foreign.adjoints.split_at(inputs);
        for (k, (y, value)) in (&mut results).zip(&mut flat).take(count).enumerate() {
            let base =
                u32::try_from(foreign.kept.len()).expect("a tape has fewer than 2^32 numbers");
            foreign.kept.push(value);
            foreign.kept.extend(xb.iter().map(|xb| xb[k]));
            let (from, to) = operands;
            let x = [from, to - from].map(|i| u32::try_from(i).expect("counted with the nodes"));
            let node = recording::with(level, |recording| {
                recording.push(Op::Given, [x[0], x[1], base])
            });
            *y = Variable { value, node, level };
        }
    }
}

/// The foreign results of a recording, out of it since the rule may record; back in it when this is dropped, also if
/// the rule panics.
struct Taken<S: Scalar> {
    level: Option<u32>,
    foreign: Option<Box<Foreign<S>>>,
}

impl<S: Scalar> Taken<S> {
    fn of(level: Option<u32>) -> Self {
        let begun = level.map(|level| {
            recording::with(level, |recording| {
                recording.has_foreign = true;
                (recording.foreign.take(), recording.operands.is_empty())
            })
        });
        let (taken, fresh) = begun.unwrap_or_default();
        let mut foreign = taken.and_then(|any| any.downcast::<Foreign<S>>().ok());
        if let (Some(foreign), true) = (&mut foreign, fresh) {
            foreign.kept.clear();
        }
        Taken { level, foreign }
    }
}

impl<S: Scalar> Drop for Taken<S> {
    fn drop(&mut self) {
        if let Some(level) = self.level {
            let foreign = self.foreign.take();
            recording::with(level, |recording| {
                recording.foreign = foreign.map(|foreign| foreign as Box<dyn Any + Send>);
            });
        }
    }
}

/// First and last operand of foreign results.
type Operands = (usize, usize);
