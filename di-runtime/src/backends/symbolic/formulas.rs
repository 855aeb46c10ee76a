//! Formulas of a function and its derivatives, to be read.

use crate::bound::{Evaluate, Float, Function, Input, Key};
use crate::capability::Operator;
use crate::error::Error;
use crate::function::{Generic, Signature};
use crate::scalar::Real;
use crate::value::{Container, Family};

use super::super::sweep::Lifted;
use super::graph::{Code, Graph, Guard, Id};
use super::trace::{Op, Symbol, Trace, follow};

/// A function as an expression of its inputs, with derivatives. Returned by [`formulas`].
///
/// Inputs are `x0`, `x1`, .. in their flat order, followed by active parameters that were fixed. Products are
/// written from left to right as they are computed. `t0 = ..; t1 = ..;` stand before a formula that would be
/// long without them. What a rule computes is `rule0`, `rule1`, .. ; a derivative of an elementary function
/// that branches is `d0 powf(x0, x1)`, by its argument 0.
#[derive(Clone, Debug)]
pub struct Formulas<R> {
    graph: Graph<R>,
    y: Vec<Id>,
    n: usize,
    names: Vec<String>,
}

/// The formulas of a function for the branches that it takes at `x`. With other constants or on
/// other branches, the formulas differ ([`Formulas::conditions`]).
///
/// # Errors
/// [`Error::Unsupported`] for a custom rule of more than 128 inputs.
pub fn formulas<F, X>(f: F, x: &X) -> Result<Formulas<Float<F>>, Error>
where
    F: Function,
    Key<F>: Generic,
    X: Container<Input<F>, Float<F>> + ?Sized,
{
    type Y<F> = <Key<F> as Signature>::Y;
    type Fixed<F> = <Key<F> as Signature>::Fixed;
    let f = f.bind();
    let call = f.call();
    let mut spare = Default::default();
    let shape = x.shape();
    let n = Input::<F>::len(&shape);
    let y = f.output_shape().or_else(Y::<F>::fixed_shape);
    let empty = || Y::<F>::shape_of(&Y::<F>::vacant(Float::<F>::default()));
    let mut lifted =
        Lifted::<Key<F>, Symbol<Float<F>>>::new(&shape, &y.unwrap_or_else(empty), call.form());
    let mut at = 0;
    let number = &mut |to: &mut Symbol<Float<F>>, v: Float<F>| {
        *to = Symbol::input(at, v);
        at += 1;
    };
    let view = x.view(&mut spare);
    Input::<F>::zip_values::<_, Float<F>>(Input::<F>::lanes_mut(&mut lifted.x), view, number);
    let fixed = Fixed::<F>::lanes_mut(&mut lifted.fixed);
    Fixed::<F>::zip_values::<_, Float<F>>(fixed, call.fixed, number);
    let trace = Trace {
        inputs: at,
        ..Trace::default()
    };
    let followed = follow(trace, true, false, || {
        lifted.run(call, view);
        let y = Y::<F>::lanes(&lifted.values.y);
        Y::<F>::each(y, &mut |y: Symbol<Float<F>>| y.emit());
    });
    if let Some(reason) = followed.refused {
        return Err(Error::Unsupported {
            operator: Operator::Hessian,
            backend: "AutoSymbolic",
            reason,
        });
    }
    let inputs = followed.trace.inputs;
    let (graph, y) = Graph::of(&followed.trace, &[]);
    Ok(Formulas {
        graph,
        y,
        n,
        names: (0..inputs).map(|i| format!("x{i}")).collect(),
    })
}

/// Nodes of a formula that is written in one piece.
const LONG: usize = 60;

impl<R: Real> Formulas<R> {
    /// Names for the inputs, in their flat order; those that are missing keep theirs.
    pub fn with_names(mut self, names: &[&str]) -> Self {
        for (to, name) in self.names.iter_mut().zip(names) {
            *to = (*name).to_owned();
        }
        self
    }

    /// Number of results.
    pub fn results(&self) -> usize {
        self.y.len()
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.n
    }

    /// Result `i`.
    ///
    /// # Panics
    /// If there is none.
    pub fn value(&self, i: usize) -> String {
        self.show(self.y[i])
    }

    /// The derivative of result `i` by input `j`: an entry of the gradient or Jacobian.
    ///
    /// # Panics
    /// If there is no such result or input.
    pub fn derivative(&mut self, i: usize, j: usize) -> String {
        assert!(j < self.n, "input {j} of {}", self.n);
        match self.first(i)[j] {
            Some(id) => self.show(id),
            None => "0".to_owned(),
        }
    }

    /// The second derivative of result `i` by inputs `j` and `k`: an entry of its Hessian.
    ///
    /// # Panics
    /// If there is no such result or input.
    pub fn second_derivative(&mut self, i: usize, j: usize, k: usize) -> String {
        assert!(j.max(k) < self.n, "inputs {j} and {k} of {}", self.n);
        let Some(first) = self.first(i)[j] else {
            return "0".to_owned();
        };
        let one = self.graph.number(crate::rules::one());
        match self.graph.adjoints(&[(first, one)], self.n)[k] {
            Some(id) => self.show(id),
            None => "0".to_owned(),
        }
    }

    /// What must hold for the formulas to be those of the function.
    pub fn conditions(&self) -> Vec<String> {
        let guards = self.graph.guards.iter().map(|guard| match *guard {
            Guard::Compare(op, a, b, outcome) => {
                let (yes, no) = match op {
                    Op::Lt => ("<", ">="),
                    Op::Le => ("<=", ">"),
                    Op::Gt => (">", "<="),
                    Op::Ge => (">=", "<"),
                    Op::Eq => ("==", "!="),
                    _ => ("!=", "=="),
                };
                let sign = if outcome { yes } else { no };
                format!("{} {sign} {}", self.show(a), self.show(b))
            }
            Guard::Pin(a, bits) => format!("{} == {}", self.show(a), f64::from_bits(bits)),
        });
        let mut conditions: Vec<String> = Vec::new();
        for condition in guards {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        conditions
    }

    fn first(&mut self, i: usize) -> Vec<Option<Id>> {
        let one = self.graph.number(crate::rules::one());
        self.graph.adjoints(&[(self.y[i], one)], self.n)
    }

    /// The formula, with names for what it has more than once if it would be long.
    fn show(&self, id: Id) -> String {
        let below = self.graph.below(&[id]);
        let mut size = vec![0_usize; self.graph.nodes.len()];
        let mut uses = vec![0_usize; self.graph.nodes.len()];
        for id in &below {
            let node = self.graph.node(*id);
            let args = &node.args[..node.code.arity()];
            let sum: usize = args.iter().map(|a| size[*a as usize]).sum();
            size[*id as usize] = sum.saturating_add(1);
            for a in args {
                uses[*a as usize] += 1;
            }
        }
        let mut text: Vec<Option<(String, u8)>> = vec![None; self.graph.nodes.len()];
        let mut before = String::new();
        let mut count = 0;
        let long = size[id as usize] > LONG;
        for at in below {
            let node = self.graph.node(at);
            let piece = self.piece(at, &text);
            let shared = uses[at as usize] > 1 && !node.code.is_leaf();
            text[at as usize] = Some(if long && shared && at != id {
                let name = format!("t{count}");
                count += 1;
                before += &format!("{name} = {}; ", piece.0);
                (name, ATOM)
            } else {
                piece
            });
        }
        let last = text[id as usize].take().map(|(text, _)| text);
        before + &last.unwrap_or_default()
    }

    /// One node, and how tightly it binds.
    fn piece(&self, id: Id, text: &[Option<(String, u8)>]) -> (String, u8) {
        let node = self.graph.node(id);
        let [a, b, _] = node.args;
        let part = |id: Id, least: u8| match &text[id as usize] {
            Some((text, binds)) if *binds >= least => text.clone(),
            Some((text, _)) => format!("({text})"),
            None => String::new(),
        };
        let call = |name: &str, arity: usize| {
            let mut args: Vec<String> = node.args[..arity].iter().map(|a| part(*a, 0)).collect();
            if name.ends_with("powi") {
                args.push(node.n.to_string());
            }
            (format!("{name}({})", args.join(", ")), ATOM)
        };
        match node.code {
            Code::Input => (self.names[a as usize].clone(), ATOM),
            Code::Seed => (format!("v{a}"), ATOM),
            Code::Number => {
                let v = self.graph.as_number(id).unwrap_or_default();
                let binds = if v.is_sign_negative() { SUM } else { ATOM };
                (R::from_f64(v).to_string(), binds)
            }
            Code::Float => (format!("c{a}"), ATOM),
            Code::Slot => (format!("rule{a}"), ATOM),
            Code::Neg => (format!("-{}", part(a, PRODUCT)), SUM),
            Code::Add => (format!("{} + {}", part(a, SUM), part(b, SUM + 1)), SUM),
            Code::Sub => (format!("{} - {}", part(a, SUM), part(b, SUM + 1)), SUM),
            Code::Mul | Code::Strong => (
                format!("{} * {}", part(a, PRODUCT), part(b, PRODUCT + 1)),
                PRODUCT,
            ),
            Code::Div => (
                format!("{} / {}", part(a, PRODUCT), part(b, PRODUCT + 1)),
                PRODUCT,
            ),
            Code::Rem => (
                format!("{} % {}", part(a, PRODUCT), part(b, PRODUCT + 1)),
                PRODUCT,
            ),
            Code::Row(row) if row.entry().name == "powi" => {
                (format!("{}^{}", part(a, ATOM), node.n), POWER)
            }
            Code::Row(row) if row.entry().name == "powf" => {
                (format!("{}^{}", part(a, ATOM), part(b, ATOM)), POWER)
            }
            Code::Row(row) => call(row.entry().name, row.entry().arity()),
            Code::Partial(row, k) => {
                call(&format!("d{k} {}", row.entry().name), row.entry().arity())
            }
            Code::Second(row, k, j) => call(
                &format!("d{k}{j} {}", row.entry().name),
                row.entry().arity(),
            ),
        }
    }
}

/// How tightly things bind.
const SUM: u8 = 1;
const PRODUCT: u8 = 3;
const POWER: u8 = 5;
const ATOM: u8 = 7;
