//! A function as programs: traced, differentiated, compiled, and checked at each call.

use crate::capability::Operator;
use crate::error::Error;
use crate::function::{Call, Generic, Kind, Slot, XRef, XShape, YOwned, YShape};
use crate::rules::zero;
use crate::value::Family;

use super::super::sweep::Lifted;
use super::graph::{Graph, Id};
use super::program::{Program, Roots};
use super::trace::{Arg, Step, Symbol, Trace, follow};

/// One way through the function.
#[derive(Clone)]
struct Variant<R, S> {
    steps: Vec<Step>,
    outputs: Vec<Arg>,
    /// Floats that the program has taken for constants.
    floats: Vec<f64>,
    /// Floats that are loaded at each call.
    changes: Vec<bool>,
    shape: S,
    program: Program<R>,
}

/// Ways through the function that are kept.
const VARIANTS: usize = 16;

/// Everything that calls of one operator need.
pub(super) struct Engine<K: Generic> {
    operator: Operator,
    factored: bool,
    n: usize,
    m: usize,
    lifted: Lifted<K, Symbol<K::Real>>,
    trace: Trace,
    variants: Vec<Variant<K::Real, YShape<K>>>,
    active: usize,
    /// Must the function be run to see what its data does?
    follows: bool,
    /// Have floats changed that were found by comparing them?
    drifted: bool,
    y: YOwned<K, K::Real>,
}

impl<K: Generic> Clone for Engine<K> {
    fn clone(&self) -> Self {
        Engine {
            operator: self.operator,
            factored: self.factored,
            n: self.n,
            m: self.m,
            lifted: self.lifted.clone(),
            trace: self.trace.clone(),
            variants: self.variants.clone(),
            active: self.active,
            follows: self.follows,
            drifted: self.drifted,
            y: self.y.clone(),
        }
    }
}

impl<K: Generic> Engine<K> {
    /// Traces the function at `x`.
    pub(super) fn new(
        operator: Operator,
        factored: bool,
        shapes: (&XShape<K>, &YShape<K>),
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<Self, Error> {
        let (n, fixed) = (
            K::X::len(shapes.0),
            K::Fixed::len(&K::Fixed::shape::<K::Real>(call.fixed)),
        );
        let mut engine = Engine {
            operator,
            factored,
            n,
            m: K::Y::len(shapes.1),
            lifted: Lifted::new(shapes.0, shapes.1, call),
            trace: Trace {
                inputs: n + fixed,
                ..Trace::default()
            },
            variants: Vec::new(),
            active: 0,
            follows: K::DATA || K::X::PASSIVE || K::Fixed::PASSIVE,
            drifted: false,
            y: K::Y::store(shapes.1, zero()),
        };
        engine.follow(call, x)?;
        Ok(engine)
    }

    /// Runs the function on symbols, and makes the program for what it did the active one.
    fn follow(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>) -> Result<(), Error> {
        let mut at = 0;
        let number = &mut |to: &mut Symbol<K::Real>, v: K::Real| {
            *to = Symbol::input(at, v);
            at += 1;
        };
        let lifted = &mut self.lifted;
        K::X::zip_values::<_, K::Real>(K::X::lanes_mut(&mut lifted.x), x, number);
        let fixed = K::Fixed::lanes_mut(&mut lifted.fixed);
        K::Fixed::zip_values::<_, K::Real>(fixed, call.fixed, number);
        let trace = std::mem::take(&mut self.trace);
        let inputs = trace.inputs;
        let followed = follow(trace, self.operator.is_second_order(), false, || {
            lifted.run(call, x);
            let y = K::Y::lanes(&lifted.values.y);
            K::Y::each(y, &mut |y: Symbol<K::Real>| y.emit());
        });
        self.trace = followed.trace;
        self.trace.inputs = inputs;
        if let Some(reason) = followed.refused {
            return Err(self.unsupported(reason));
        }
        self.follows |= !self.trace.slots.is_empty();
        if !followed.same || self.variants.is_empty() {
            let (steps, outputs) = (&self.trace.steps, &self.trace.outputs);
            let known = |v: &Variant<_, _>| v.steps == *steps && v.outputs == *outputs;
            match self.variants.iter().position(known) {
                Some(known) => self.active = known,
                None => return self.compile(vec![self.drifted; self.trace.floats.len()]),
            }
        }
        let variant = &self.variants[self.active];
        match drift(&self.trace.floats, &variant.floats, &variant.changes) {
            None => Ok(()),
            Some(_) if variant.changes.contains(&true) => {
                // not for the first time: whatever is equal was so by chance
                self.drifted = true;
                self.replace(vec![true; self.trace.floats.len()])
            }
            Some(changes) => self.replace(changes),
        }
    }

    fn unsupported(&self, reason: &'static str) -> Error {
        Error::Unsupported {
            operator: self.operator,
            backend: "AutoSymbolic",
            reason,
        }
    }

    fn replace(&mut self, changes: Vec<bool>) -> Result<(), Error> {
        self.variants.swap_remove(self.active);
        self.compile(changes)
    }

    /// A program for the trace.
    fn compile(&mut self, changes: Vec<bool>) -> Result<(), Error> {
        let (mut graph, y) = Graph::of(&self.trace, &changes);
        let (roots, seeds) = self.roots(&mut graph, y);
        let program = Program::new(&graph, self.trace.inputs, seeds, roots);
        if self.variants.len() == VARIANTS {
            self.variants.remove(0);
        }
        self.active = self.variants.len();
        self.variants.push(Variant {
            steps: self.trace.steps.clone(),
            outputs: self.trace.outputs.clone(),
            floats: self.trace.floats.clone(),
            changes,
            shape: K::Y::shape_of(&self.lifted.values.y),
            program,
        });
        Ok(())
    }

    /// The derivatives that the operator asks for, and the number of seeds.
    fn roots(&self, graph: &mut Graph<K::Real>, y: Vec<Id>) -> (Roots, usize) {
        let (n, m) = (self.n, y.len());
        let none = graph.number(zero());
        let one = graph.number(crate::rules::one());
        let all = |ids: Vec<Option<Id>>| -> Vec<Id> {
            ids.into_iter().map(|id| id.unwrap_or(none)).collect()
        };
        let mut roots = Roots {
            y: y.clone(),
            ..Roots::default()
        };
        let mut seeds = 0;
        match self.operator {
            Operator::Pushforward => {
                seeds = n;
                let dx: Vec<_> = (0..n).map(|i| Some(graph.seed(i))).collect();
                roots.last = all(graph.tangents(&y, &dx));
            }
            Operator::Pullback => {
                seeds = m;
                let yb: Vec<_> = y
                    .iter()
                    .enumerate()
                    .map(|(i, y)| (*y, graph.seed(i)))
                    .collect();
                roots.last = all(graph.adjoints(&yb, n));
            }
            Operator::Derivative | Operator::Taylor => {
                roots.last = all(graph.tangents(&y, &[Some(one)]))
            }
            Operator::Gradient => roots.last = all(graph.adjoints(&[(y[0], one)], n)),
            Operator::Jacobian => {
                for (row, column, id) in self.jacobian(graph, &y, one) {
                    roots.last.push(id);
                    roots.places.push((row, column));
                }
            }
            Operator::SecondDerivative => {
                roots.first = all(graph.tangents(&y, &[Some(one)]));
                roots.last = all(graph.tangents(&roots.first, &[Some(one)]));
            }
            Operator::Hvp => {
                seeds = n;
                roots.first = all(graph.adjoints(&[(y[0], one)], n));
                let dx: Vec<_> = (0..n).map(|i| Some(graph.seed(i))).collect();
                roots.last = all(graph.tangents(&roots.first, &dx));
            }
            Operator::Hessian => {
                roots.first = all(graph.adjoints(&[(y[0], one)], n));
                if self.factored {
                    let entries = graph.factored(&roots.first, n);
                    for (row, column, id) in entries {
                        if column <= row {
                            roots.last.push(id);
                            roots.places.push((row, column));
                        }
                    }
                } else {
                    for column in 0..n {
                        let below = &roots.first[column..];
                        let mut dx = vec![None; n];
                        dx[column] = Some(one);
                        for (k, id) in graph.tangents(below, &dx).into_iter().enumerate() {
                            if let Some(id) = id {
                                roots.last.push(id);
                                roots.places.push((column + k, column));
                            }
                        }
                    }
                }
            }
        }
        (roots, seeds)
    }

    /// Entries of the Jacobian that are not zero.
    fn jacobian(&self, graph: &mut Graph<K::Real>, y: &[Id], one: Id) -> Vec<(usize, usize, Id)> {
        let n = self.n;
        let mut entries = Vec::new();
        if self.factored {
            return graph.factored(y, n);
        }
        if n <= y.len() {
            for column in 0..n {
                let mut dx = vec![None; n];
                dx[column] = Some(one);
                let tangents = graph.tangents(y, &dx).into_iter().enumerate();
                entries.extend(tangents.filter_map(|(row, id)| Some((row, column, id?))));
            }
        } else {
            for (row, y) in y.iter().enumerate() {
                let adjoints = graph.adjoints(&[(*y, one)], n).into_iter().enumerate();
                entries.extend(adjoints.filter_map(|(column, id)| Some((row, column, id?))));
            }
        }
        entries
    }

    /// Values at `x`, by a program that is valid there.
    pub(super) fn evaluate(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        if self.follows {
            self.follow(call, x)?;
            self.run(call, x);
            return Ok(());
        }
        self.run(call, x);
        if !self.program().holds() {
            self.follow(call, x)?;
            self.run(call, x);
        }
        Ok(())
    }

    fn run(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>) {
        let program = &mut self.variants[self.active].program;
        let mut inputs = program.inputs().iter_mut();
        let mut load = |v: K::Real| {
            if let Some(to) = inputs.next() {
                *to = v;
            }
        };
        K::X::values(x, &mut load);
        K::Fixed::values(call.fixed, &mut load);
        program.load(&self.trace);
        program.run_once();
    }

    pub(super) fn program(&mut self) -> &mut Program<K::Real> {
        &mut self.variants[self.active].program
    }

    /// Instructions of the active program.
    pub(super) fn instructions(&self) -> usize {
        self.variants[self.active].program.len()
    }

    /// Has the function as many results as the plan says? The operator notices if it has not.
    pub(super) fn fits(&self) -> bool {
        self.variants[self.active].outputs.len() == self.m
    }

    /// Writes the results to their place.
    pub(super) fn write_y(&mut self, y: Slot<'_, K, K::Real>) {
        let variant = &self.variants[self.active];
        if K::Y::shape_of(&self.y) != variant.shape {
            self.y = K::Y::store(&variant.shape, zero());
        }
        let mut values = variant.program.y();
        K::Y::each_mut(K::Y::lanes_mut(&mut self.y), &mut |to: &mut K::Real| {
            *to = values.next().unwrap_or_default();
        });
        K::Kind::copy::<K::Y, K::Real>(&self.y, y);
    }

    /// The value of a function that returns a number.
    pub(super) fn number(&self) -> K::Real {
        let program = &self.variants[self.active].program;
        program.y().next().unwrap_or_default()
    }
}

/// Which floats are loaded, if some of those that a program has taken for constants are others now.
fn drift(now: &[f64], then: &[f64], changes: &[bool]) -> Option<Vec<bool>> {
    let floats = || now.iter().zip(then).zip(changes);
    let moved =
        |((now, then), changes): ((&f64, &f64), &bool)| !changes && now.to_bits() != then.to_bits();
    let any = floats().any(moved);
    any.then(|| floats().map(|pair| *pair.1 || moved(pair)).collect())
}
