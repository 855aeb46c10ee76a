//! A function as programs: traced, differentiated, compiled, and checked at each call.

use crate::capability::Operator;
use crate::error::{Error, has_failed};
use crate::function::{
    Call, Generic, Kind, Slot, XLanes, XLanesMut, XRef, XShape, YLanesMut, YOwned, YShape,
};
use crate::matrix::Matrix;
use crate::rules::zero;
use crate::scalar::Real;
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

/// What is run on symbols: the function, or an inner engine that differentiates it.
pub(super) trait Work<K: Generic> {
    /// Visits the places of `x` and fixed parameters, with their values.
    fn load(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        to: &mut impl FnMut(&mut Symbol<K::Real>, K::Real),
    );
    /// Runs it, and visits the results.
    fn run(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        result: &mut impl FnMut(Symbol<K::Real>),
    );
    /// Shape of the function's result.
    fn shape(&self) -> YShape<K>;
}

/// Visits the inputs of a function with their values.
pub(super) fn load<K: Generic>(
    lifted: &mut Lifted<K, Symbol<K::Real>>,
    call: Call<'_, K>,
    x: XRef<'_, K, K::Real>,
    to: &mut impl FnMut(&mut Symbol<K::Real>, K::Real),
) {
    K::X::zip_values::<_, K::Real>(K::X::lanes_mut(&mut lifted.x), x, to);
    let fixed = K::Fixed::lanes_mut(&mut lifted.fixed);
    K::Fixed::zip_values::<_, K::Real>(fixed, call.fixed, to);
}

impl<K: Generic> Work<K> for Lifted<K, Symbol<K::Real>> {
    fn load(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        to: &mut impl FnMut(&mut Symbol<K::Real>, K::Real),
    ) {
        load(self, call, x, to);
    }
    fn run(
        &mut self,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
        result: &mut impl FnMut(Symbol<K::Real>),
    ) {
        Lifted::run(self, call, x);
        K::Y::each(K::Y::lanes(&self.values.y), result);
    }
    fn shape(&self) -> YShape<K> {
        K::Y::shape_of(&self.values.y)
    }
}

/// Everything that calls of one operator need.
pub(super) struct Engine<K: Generic> {
    operator: Operator,
    factored: bool,
    n: usize,
    m: usize,
    /// Are first derivatives among the results?
    derived: bool,
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
            derived: self.derived,
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
    /// Nothing is traced yet. `derived` says that first derivatives are among the results.
    pub(super) fn new(
        operator: Operator,
        factored: bool,
        derived: bool,
        x: &XShape<K>,
        y: &YShape<K>,
    ) -> Self {
        Engine {
            operator,
            factored,
            n: K::X::len(x),
            m: K::Y::len(y),
            derived,
            trace: Trace::default(),
            variants: Vec::new(),
            active: 0,
            follows: K::DATA || K::X::PASSIVE || K::Fixed::PASSIVE,
            drifted: false,
            y: K::Y::store(y, zero()),
        }
    }

    /// Runs the function on symbols, and makes the program for what it did the active one.
    pub(super) fn follow(
        &mut self,
        work: &mut impl Work<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        let mut at = 0;
        let number = &mut |to: &mut Symbol<K::Real>, v: K::Real| {
            *to = Symbol::input(at, v);
            at += 1;
        };
        work.load(call, x, number);
        let mut trace = std::mem::take(&mut self.trace);
        trace.inputs = at;
        // What the inner engine derived is differentiated once more, not twice.
        let second = self.operator.is_second_order() && !self.derived;
        let followed = follow(trace, second, false, || {
            work.run(call, x, &mut Symbol::emit);
        });
        self.trace = followed.trace;
        if let Some(reason) = followed.refused {
            // no program belongs to it
            self.trace = Trace::default();
            return Err(self.unsupported(reason));
        }
        // a program knows neither the data of rules nor the error of a function
        self.follows |= !self.trace.slots.is_empty() || has_failed();
        if !followed.same || self.variants.is_empty() {
            let (steps, outputs) = (&self.trace.steps, &self.trace.outputs);
            let known = |v: &Variant<_, _>| v.steps == *steps && v.outputs == *outputs;
            match self.variants.iter().position(known) {
                Some(known) => self.active = known,
                None => {
                    let all = vec![self.drifted; self.trace.floats.len()];
                    return self.compile(all, work.shape());
                }
            }
        }
        let variant = &self.variants[self.active];
        match drift(&self.trace.floats, &variant.floats, &variant.changes) {
            None => Ok(()),
            Some(_) if variant.changes.contains(&true) => {
                // not for the first time: whatever is equal was so by chance
                self.drifted = true;
                self.replace(vec![true; self.trace.floats.len()], work.shape())
            }
            Some(changes) => self.replace(changes, work.shape()),
        }
    }

    fn unsupported(&self, reason: &'static str) -> Error {
        Error::Unsupported {
            operator: self.operator,
            backend: "AutoSymbolic",
            reason,
        }
    }

    fn replace(&mut self, changes: Vec<bool>, shape: YShape<K>) -> Result<(), Error> {
        self.variants.swap_remove(self.active);
        self.compile(changes, shape)
    }

    /// A program for the trace.
    fn compile(&mut self, changes: Vec<bool>, shape: YShape<K>) -> Result<(), Error> {
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
            shape,
            program,
        });
        Ok(())
    }

    /// The derivatives that the operator asks for, and the number of seeds.
    fn roots(&self, graph: &mut Graph<K::Real>, y: Vec<Id>) -> (Roots, usize) {
        let n = self.n;
        let (y, given) = self.split(y);
        let m = y.len();
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
                roots.first = given.unwrap_or_else(|| all(graph.tangents(&y, &[Some(one)])));
                roots.last = all(graph.tangents(&roots.first, &[Some(one)]));
            }
            Operator::Hvp => {
                seeds = n;
                roots.first = given.unwrap_or_else(|| all(graph.adjoints(&[(y[0], one)], n)));
                let dx: Vec<_> = (0..n).map(|i| Some(graph.seed(i))).collect();
                roots.last = all(graph.tangents(&roots.first, &dx));
            }
            Operator::Hessian => {
                roots.first = given.unwrap_or_else(|| all(graph.adjoints(&[(y[0], one)], n)));
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

    /// The results of the function, and first derivatives if they came with them.
    fn split(&self, mut y: Vec<Id>) -> (Vec<Id>, Option<Vec<Id>>) {
        if !self.derived {
            return (y, None);
        }
        let first = match self.operator {
            Operator::SecondDerivative => y.len() / 2,
            _ => 1,
        };
        let given = y.split_off(first);
        (y, Some(given))
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
        work: &mut impl Work<K>,
        call: Call<'_, K>,
        x: XRef<'_, K, K::Real>,
    ) -> Result<(), Error> {
        if self.follows || self.variants.is_empty() {
            self.follow(work, call, x)?;
            self.run(call, x);
            return Ok(());
        }
        self.run(call, x);
        if !self.program().holds() {
            self.follow(work, call, x)?;
            self.run(call, x);
        }
        Ok(())
    }

    fn run(&mut self, call: Call<'_, K>, x: XRef<'_, K, K::Real>) {
        let program = &mut self.variants[self.active].program;
        let load = &mut |v: K::Real, to: &mut K::Real| *to = v;
        let left = K::X::values_and::<K::Real, K::Real>(x, program.inputs(), load);
        K::Fixed::values_and::<K::Real, K::Real>(call.fixed, left, load);
        program.load(&self.trace);
        program.run_once();
    }

    pub(super) fn program(&mut self) -> &mut Program<K::Real> {
        &mut self.variants[self.active].program
    }

    /// Programs are for one operator: another one gets an error instead of the wrong registers.
    pub(super) fn is_for(&self, operator: Operator) -> Result<(), Error> {
        if self.operator == operator {
            return Ok(());
        }
        Err(self.unsupported("the prep was made for another operator"))
    }

    /// Instructions of the active program.
    pub(super) fn instructions(&self) -> usize {
        self.variants[self.active].program.len()
    }

    /// Has the function as many results as the plan says? The operator notices if it has not.
    pub(super) fn fits(&self) -> bool {
        let derived = if self.derived { self.m } else { 0 };
        self.variants[self.active].outputs.len() == self.m + derived
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

    /// Value, first and second derivative.
    pub(super) fn write_second_derivative(
        &mut self,
        y: Slot<'_, K, K::Real>,
        dy: YLanesMut<'_, K, K::Real>,
        ddy: YLanesMut<'_, K, K::Real>,
    ) {
        if self.fits() {
            copy::<K::Y, _>(self.program().first(), dy);
            copy::<K::Y, _>(self.program().last(), ddy);
        }
        self.write_y(y);
    }

    /// Products with the Hessian, and the gradient if it is asked for; returns the value.
    pub(super) fn write_products(
        &mut self,
        dx: &[XLanes<'_, K, K::Real>],
        g: Option<XLanesMut<'_, K, K::Real>>,
        products: &mut [XLanesMut<'_, K, K::Real>],
    ) -> K::Real {
        let program = self.program();
        for (dx, product) in dx.iter().zip(products) {
            program.set_seeds::<K::X>(*dx);
            program.run_each();
            copy::<K::X, _>(program.last(), K::X::reborrow_lanes(product));
        }
        if let Some(g) = g {
            copy::<K::X, _>(program.first(), g);
        }
        self.number()
    }

    /// The Hessian, and the gradient if it is asked for; returns the value.
    pub(super) fn write_hessian(
        &mut self,
        g: Option<XLanesMut<'_, K, K::Real>>,
        h: &mut Matrix<K::Real>,
    ) -> K::Real {
        h.fill(K::Real::default());
        let program = self.program();
        for ((row, column), v) in program.places.iter().zip(program.last()) {
            h[[*row, *column]] = v;
            h[[*column, *row]] = v;
        }
        if let Some(g) = g {
            copy::<K::X, _>(program.first(), g);
        }
        self.number()
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

/// Copies values to lanes.
pub(super) fn copy<F: Family, R: Real>(values: impl Iterator<Item = R>, to: F::LanesMut<'_, R>) {
    let mut values = values;
    F::each_mut(to, &mut |to: &mut R| {
        *to = values.next().unwrap_or_default()
    });
}
