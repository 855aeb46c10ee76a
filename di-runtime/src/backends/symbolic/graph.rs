//! Expressions with sharing: equal nodes are one node, and simplifications that are exact are made at once.

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::scalar::{Real, Scalar};

use super::super::mixer::Map;
use super::table::Row;
use super::trace::{Arg, Op, Operand, Trace};

/// A node of a graph. Arguments are always older than the node.
pub(super) type Id = u32;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Code {
    /// An input: its number.
    Input,
    /// An entry of a tangent or adjoint: its number.
    Seed,
    /// A number: its bits.
    Number,
    /// A float of the trace that may change: its number.
    Float,
    /// A value or derivative of a rule: its slot.
    Slot,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Strong,
    Row(Row),
    /// A derivative of a row that branches, by one argument.
    Partial(Row, u8),
    /// By two.
    Second(Row, u8, u8),
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) code: Code,
    pub(super) args: [Id; 3],
    pub(super) n: i32,
}

/// In few and long words.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c] = self.args.map(u64::from);
        state.write_u64(a | b << 32);
        state.write_u64(c | u64::from(self.code.word()) << 32);
        if self.n != 0 {
            state.write_u32(self.n.cast_unsigned());
        }
    }
}

impl Code {
    /// Is there nothing below?
    pub(super) fn is_leaf(self) -> bool {
        matches!(
            self,
            Code::Input | Code::Seed | Code::Number | Code::Float | Code::Slot
        )
    }

    /// As an integer.
    fn word(self) -> u32 {
        let row = |kind: u32, row: Row| kind | (row as u32) << 4;
        match self {
            Code::Input => 0,
            Code::Seed => 1,
            Code::Number => 2,
            Code::Float => 3,
            Code::Slot => 4,
            Code::Neg => 5,
            Code::Add => 6,
            Code::Sub => 7,
            Code::Mul => 8,
            Code::Div => 9,
            Code::Rem => 10,
            Code::Strong => 11,
            Code::Row(r) => row(12, r),
            Code::Partial(r, k) => row(13, r) | u32::from(k) << 16,
            Code::Second(r, k, j) => row(14, r) | u32::from(k) << 16 | u32::from(j) << 24,
        }
    }

    /// How many arguments are nodes.
    pub(super) fn arity(self) -> usize {
        match self {
            Code::Input | Code::Seed | Code::Number | Code::Float | Code::Slot => 0,
            Code::Neg => 1,
            Code::Add | Code::Sub | Code::Mul | Code::Div | Code::Rem | Code::Strong => 2,
            Code::Row(row) | Code::Partial(row, _) | Code::Second(row, ..) => row.entry().arity(),
        }
    }

    /// Computes a node that is no leaf.
    #[inline]
    pub(super) fn evaluate<S: Scalar>(self, [a, b, c]: [S; 3], n: i32) -> S {
        match self {
            Code::Neg => -a,
            Code::Add => a + b,
            Code::Sub => a - b,
            Code::Mul => a * b,
            Code::Div => a / b,
            Code::Rem => a % b,
            Code::Strong => a.mul_strong(b),
            Code::Row(row) => row.value([a, b, c], n),
            Code::Partial(row, k) => row.partial(k, [a, b, c], n, row.value([a, b, c], n)),
            Code::Second(row, k, j) => row.second(k, j, [a, b, c], n),
            Code::Input | Code::Seed | Code::Number | Code::Float | Code::Slot => a,
        }
    }
}

/// A value or derivative of a rule, behind a slot.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) inputs: Vec<Id>,
    slot: usize,
    outputs: usize,
}

/// What a slot is: output of a call, and by which inputs it is differentiated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) call: usize,
    output: usize,
    by: [Option<usize>; 2],
}

/// A condition under which the graph is what the program does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Guard {
    /// A comparison with its outcome.
    Compare(Op, Id, Id, bool),
    /// A value with its bits.
    Pin(Id, u64),
}

/// Expressions over the inputs of a program.
#[derive(Clone, Debug)]
pub(super) struct Graph<R> {
    pub(super) nodes: Vec<Node>,
    index: Map<Node, Id>,
    calls: Vec<Call>,
    meanings: Map<Id, Meaning>,
    pub(super) guards: Vec<Guard>,
    /// Formulas of derivatives of rows, where they do not branch.
    pub(super) formulas: Map<(Row, u8, i32), Option<Trace>>,
    real: PhantomData<R>,
}

impl<R: Real> Graph<R> {
    pub(super) fn new() -> Self {
        Graph {
            nodes: Vec::new(),
            index: Map::default(),
            calls: Vec::new(),
            meanings: Map::default(),
            guards: Vec::new(),
            formulas: Map::default(),
            real: PhantomData,
        }
    }

    /// The graph of a trace, and its results. `changes` says which floats are no constants.
    pub(super) fn of(trace: &Trace, changes: &[bool]) -> (Self, Vec<Id>) {
        let mut graph = Graph::new();
        // derivatives are about as many again
        let likely = 2 * (trace.inputs + trace.steps.len());
        graph.nodes.reserve(likely);
        graph.index.reserve(likely);
        let inputs: Vec<Id> = (0..trace.inputs).map(|i| graph.input(i)).collect();
        let map = graph.import(trace, &inputs, changes);
        let results = (0..trace.outputs.len()).map(|k| graph.result(trace, &map, changes, k));
        let results = results.collect();
        (graph, results)
    }

    pub(super) fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    fn intern(&mut self, code: Code, args: [Id; 3], n: i32) -> Id {
        let node = Node { code, args, n };
        match self.index.entry(node) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let id = Id::try_from(self.nodes.len()).expect("nodes are counted in 32 bits");
                self.nodes.push(node);
                *place.insert(id)
            }
        }
    }

    pub(super) fn input(&mut self, i: usize) -> Id {
        self.intern(Code::Input, [i as Id, 0, 0], 0)
    }

    pub(super) fn seed(&mut self, i: usize) -> Id {
        self.intern(Code::Seed, [i as Id, 0, 0], 0)
    }

    pub(super) fn number(&mut self, v: R) -> Id {
        let bits = v.to_f64().to_bits();
        self.intern(Code::Number, [bits as u32, (bits >> 32) as u32, 0], 0)
    }

    /// The number that a node is.
    pub(super) fn as_number(&self, id: Id) -> Option<f64> {
        let node = self.node(id);
        let [low, high, _] = node.args;
        let bits = u64::from(low) | u64::from(high) << 32;
        (node.code == Code::Number).then(|| f64::from_bits(bits))
    }

    /// Adds the steps of a trace.
    pub(super) fn import(&mut self, trace: &Trace, inputs: &[Id], changes: &[bool]) -> Vec<Id> {
        let mut map = inputs.to_vec();
        for step in &trace.steps {
            let mut args = [0; 3];
            let operands = match step.op {
                Op::Pin => 1,
                Op::Output => 0,
                _ => 3,
            };
            for (to, arg) in args.iter_mut().zip(step.args).take(operands) {
                *to = match arg.decode() {
                    Operand::Node(k) => map[k],
                    Operand::Nothing => 0,
                    Operand::Float(k) => self.float(trace, k, changes),
                };
            }
            let [a, b, _] = args;
            let id = match step.op {
                Op::Neg => self.neg(a),
                Op::Add => self.add(a, b),
                Op::Sub => self.sub(a, b),
                Op::Mul => self.mul(a, b),
                Op::Div => self.div(a, b),
                Op::Rem => self.rem(a, b),
                Op::Strong => self.strong(a, b),
                Op::Row(row) => self.row(row, args, step.n),
                Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => {
                    self.guards.push(Guard::Compare(step.op, a, b, step.n != 0));
                    a
                }
                Op::Pin => {
                    let [_, low, high] = step.args.map(Arg::number);
                    let bits = u64::from(low) | u64::from(high) << 32;
                    self.guards.push(Guard::Pin(a, bits));
                    a
                }
                Op::Input => a,
                Op::Output => self.output(step.args, step.n, &map, trace),
            };
            map.push(id);
        }
        map
    }

    /// A float of a trace.
    fn float(&mut self, trace: &Trace, k: usize, changes: &[bool]) -> Id {
        if changes.get(k) == Some(&true) {
            self.intern(Code::Float, [k as Id, 0, 0], 0)
        } else {
            self.number(R::from_f64(trace.floats[k]))
        }
    }

    /// A result of an imported trace.
    pub(super) fn result(&mut self, trace: &Trace, map: &[Id], changes: &[bool], k: usize) -> Id {
        match trace.outputs[k].decode() {
            Operand::Node(k) => map[k],
            Operand::Float(k) => self.float(trace, k, changes),
            Operand::Nothing => self.number(R::default()),
        }
    }

    /// The value of one output of a rule.
    fn output(&mut self, args: [Arg; 3], n: i32, map: &[Id], trace: &Trace) -> Id {
        let [first, count, slot] = args.map(|arg| arg.number() as usize);
        if n == 0 {
            let outputs = trace.steps[first + count - trace.inputs..].iter();
            let outputs = outputs.take_while(|step| step.op == Op::Output && step.args == args);
            self.calls.push(Call {
                inputs: map[first..first + count].to_vec(),
                slot,
                outputs: outputs.count(),
            });
        }
        self.slot(Meaning {
            call: self.calls.len() - 1,
            output: n as usize,
            by: [None, None],
        })
    }

    fn slot(&mut self, meaning: Meaning) -> Id {
        let call = &self.calls[meaning.call];
        let (n, m) = (call.inputs.len(), call.outputs);
        let at = match meaning.by {
            [None, _] => meaning.output,
            [Some(j), None] => m + meaning.output * n + j,
            [Some(j), Some(k)] => {
                let (j, k) = (j.max(k), j.min(k));
                m + m * n + meaning.output * (n * (n + 1) / 2) + j * (j + 1) / 2 + k
            }
        };
        let slot = call.slot + at;
        let id = self.intern(Code::Slot, [slot as Id, 0, 0], 0);
        self.meanings.insert(id, meaning);
        id
    }

    /// What a slot depends on: each input of the call with the derivative by it.
    pub(super) fn derivatives_of_slot(&mut self, id: Id) -> Vec<(Id, Id)> {
        let Some(meaning) = self.meanings.get(&id).copied() else {
            return Vec::new();
        };
        let by = |j| match meaning.by {
            [None, _] => Some([Some(j), None]),
            [Some(i), None] => Some([Some(i), Some(j)]),
            _ => None,
        };
        let inputs = self.calls[meaning.call].inputs.clone();
        let derivatives = inputs.iter().enumerate().filter_map(|(j, input)| {
            let by = by(j)?;
            Some((*input, self.slot(Meaning { by, ..meaning })))
        });
        derivatives.collect()
    }

    /// Inputs of the call behind a slot.
    pub(super) fn inputs_of_slot(&self, id: Id) -> &[Id] {
        let meaning = self.meanings.get(&id);
        meaning.map_or(&[], |meaning| &self.calls[meaning.call].inputs)
    }

    /// A number, if all arguments are numbers.
    fn fold(&mut self, code: Code, args: &[Id], n: i32) -> Option<Id> {
        let mut x = [R::default(); 3];
        for (x, id) in x.iter_mut().zip(args) {
            *x = R::from_f64(self.as_number(*id)?);
        }
        let value = code.evaluate(x, n);
        Some(self.number(value))
    }

    fn is(&self, id: Id, value: f64) -> bool {
        self.as_number(id)
            .is_some_and(|v| v.to_bits() == value.to_bits())
    }

    fn negated(&self, id: Id) -> Option<Id> {
        let node = self.node(id);
        (node.code == Code::Neg).then_some(node.args[0])
    }

    pub(super) fn neg(&mut self, a: Id) -> Id {
        if let Some(id) = self.fold(Code::Neg, &[a], 0).or(self.negated(a)) {
            return id;
        }
        self.intern(Code::Neg, [a, 0, 0], 0)
    }

    pub(super) fn add(&mut self, a: Id, b: Id) -> Id {
        if let Some(id) = self.fold(Code::Add, &[a, b], 0) {
            return id;
        }
        if let Some(b) = self.negated(b) {
            return self.sub(a, b);
        }
        if let Some(a) = self.negated(a) {
            return self.sub(b, a);
        }
        if self.is(b, -0.0) {
            return a;
        }
        if self.is(a, -0.0) {
            return b;
        }
        self.intern(Code::Add, [a.min(b), a.max(b), 0], 0)
    }

    pub(super) fn sub(&mut self, a: Id, b: Id) -> Id {
        if let Some(id) = self.fold(Code::Sub, &[a, b], 0) {
            return id;
        }
        if let Some(b) = self.negated(b) {
            return self.add(a, b);
        }
        if self.is(b, 0.0) {
            return a;
        }
        self.intern(Code::Sub, [a, b, 0], 0)
    }

    pub(super) fn mul(&mut self, a: Id, b: Id) -> Id {
        if let Some(id) = self.fold(Code::Mul, &[a, b], 0) {
            return id;
        }
        for (a, b) in [(a, b), (b, a)] {
            if self.is(a, 1.0) {
                return b;
            }
            if self.is(a, -1.0) {
                return self.neg(b);
            }
            if let Some(a) = self.negated(a) {
                let product = self.mul(a, b);
                return self.neg(product);
            }
        }
        self.intern(Code::Mul, [a.min(b), a.max(b), 0], 0)
    }

    pub(super) fn div(&mut self, a: Id, b: Id) -> Id {
        if let Some(id) = self.fold(Code::Div, &[a, b], 0) {
            return id;
        }
        if self.is(b, 1.0) {
            return a;
        }
        if let Some(a) = self.negated(a) {
            let quotient = self.div(a, b);
            return self.neg(quotient);
        }
        self.intern(Code::Div, [a, b, 0], 0)
    }

    pub(super) fn rem(&mut self, a: Id, b: Id) -> Id {
        self.fold(Code::Rem, &[a, b], 0)
            .unwrap_or_else(|| self.intern(Code::Rem, [a, b, 0], 0))
    }

    /// A product in which a zero of `a` wins; plain where one factor is a number that is finite.
    pub(super) fn strong(&mut self, a: Id, b: Id) -> Id {
        if let Some(id) = self.fold(Code::Strong, &[a, b], 0) {
            return id;
        }
        let plain =
            |v: Option<f64>, zero: bool| v.is_some_and(|v| v.is_finite() && (zero || v != 0.0));
        if plain(self.as_number(a), false) || plain(self.as_number(b), true) || a == b {
            return self.mul(a, b);
        }
        if let Some(a) = self.negated(a) {
            let product = self.strong(a, b);
            return self.neg(product);
        }
        if let Some(b) = self.negated(b) {
            let product = self.strong(a, b);
            return self.neg(product);
        }
        self.intern(Code::Strong, [a, b, 0], 0)
    }

    pub(super) fn row(&mut self, row: Row, args: [Id; 3], n: i32) -> Id {
        let arity = row.entry().arity();
        let code = Code::Row(row);
        if let Some(id) = self.fold(code, &args[..arity], n) {
            return id;
        }
        match (row, n) {
            (Row::powi, 1) => args[0],
            (Row::powi, 0) => self.number(R::from_f64(1.0)),
            _ => self.intern(code, args, n),
        }
    }

    /// A derivative that is not written as an expression.
    pub(super) fn opaque(&mut self, code: Code, args: [Id; 3], n: i32) -> Id {
        self.intern(code, args, n)
    }
}
