//! Derivatives of graphs, which are graphs.

use di_elementary::Product;

use crate::scalar::Real;

use super::graph::{Code, Graph, Id};
use super::table::Row;
use super::trace::{Symbol, Trace, follow};

/// A partial derivative along one edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Factor {
    /// 1
    One,
    /// -1
    MinusOne,
    /// An expression, and how it multiplies.
    By(Id, Product),
    /// Two expressions, whose product may be too small for a float: first the one, then the other.
    Both(Id, Id),
}

/// The trace of a formula of the table, whose inputs are the arguments and then the result; nothing
/// if it branches.
fn formula<R: Real>(row: Row, k: u8, n: i32) -> Option<Trace> {
    let arity = row.entry().arity();
    let trace = Trace {
        inputs: arity + 1,
        ..Trace::default()
    };
    // values do not matter where nothing looks at them
    let mut x = [Symbol::<R>::default(); 4];
    for (i, x) in x.iter_mut().enumerate() {
        *x = Symbol::input(i, R::from_f64(0.5));
    }
    let followed = follow(trace, false, true, || {
        row.partial(k, [x[0], x[1], x[2]], n, x[arity]).emit();
    });
    (!followed.branched).then_some(followed.trace)
}

impl<R: Real> Graph<R> {
    /// The arguments that a node depends on and its derivatives by them, where `on` says so.
    pub(super) fn partials(&mut self, id: Id, on: &dyn Fn(Id) -> bool) -> Vec<(Id, Factor)> {
        use Factor::{Both, By, MinusOne, One};
        let node = self.node(id);
        let [a, b, _] = node.args;
        let mut edges = Vec::new();
        match node.code {
            Code::Input | Code::Seed | Code::Number | Code::Float => {}
            Code::Slot => {
                let derivatives = self.derivatives_of_slot(id);
                let edge = |(input, slot)| (input, By(slot, Product::Plain));
                edges.extend(derivatives.into_iter().map(edge));
            }
            Code::Neg => edges.push((a, MinusOne)),
            Code::Add => edges.extend([(a, One), (b, One)]),
            Code::Sub => edges.extend([(a, One), (b, MinusOne)]),
            Code::Mul => edges.extend([(a, By(b, Product::Plain)), (b, By(a, Product::Plain))]),
            // zeros win in the product, and in its derivatives
            Code::Strong => {
                edges.extend([(a, By(b, Product::Strong)), (b, By(a, Product::Select))]);
            }
            Code::Div => {
                let one = self.number(R::from_f64(1.0));
                let reciprocal = self.div(one, b);
                if on(a) {
                    edges.push((a, By(reciprocal, Product::Plain)));
                }
                if on(b) {
                    edges.push((b, Both(self.neg(id), reciprocal)));
                }
            }
            Code::Row(Row::recip) => edges.push((a, Both(self.neg(id), id))),
            Code::Row(Row::powi) if node.n < 0 => {
                let n = self.number(R::from_f64(f64::from(node.n)));
                edges.push((a, Both(id, self.div(n, a))));
            }
            Code::Rem => {
                edges.push((a, One));
                if on(b) {
                    let whole = self.sub(a, id);
                    let whole = self.div(whole, b);
                    let whole = self.row(Row::round, [whole, 0, 0], 0);
                    edges.push((b, By(self.neg(whole), Product::Plain)));
                }
            }
            Code::Row(row) => {
                for partial in row.entry().partials {
                    let argument = node.args[partial.argument];
                    if on(argument) {
                        let is_negative = |p: f64| p < 0.0;
                        if let (Row::powf, 0) = (row, partial.argument)
                            && self.as_number(b).is_some_and(is_negative)
                        {
                            edges.push((a, Both(id, self.div(b, a))));
                            continue;
                        }
                        let k = partial.argument as u8;
                        let by = self.partial_of_row(row, k, node.args, node.n, id);
                        let product = match partial.product {
                            Product::Select => Product::Select,
                            Product::Plain | Product::Strong => Product::Plain,
                        };
                        edges.push((argument, By(by, product)));
                    }
                }
            }
            Code::Partial(row, k) => {
                for j in 0..row.entry().arity() {
                    let second = row.entry().second(k as usize, j);
                    if second && on(node.args[j]) {
                        let (low, high) = (k.min(j as u8), k.max(j as u8));
                        let code = Code::Second(row, low, high);
                        let by = self.opaque(code, node.args, node.n);
                        edges.push((node.args[j], By(by, Product::Plain)));
                    }
                }
            }
            // a derivative of third order, which no operator asks for
            Code::Second(..) => {
                let nan = self.number(R::NAN);
                let arguments = &node.args[..node.code.arity()];
                edges.extend(arguments.iter().map(|a| (*a, By(nan, Product::Plain))));
            }
        }
        edges.retain(|(argument, _)| on(*argument));
        edges
    }

    fn partial_of_row(&mut self, row: Row, k: u8, args: [Id; 3], n: i32, y: Id) -> Id {
        let known = self.formulas.remove(&(row, k, n));
        let formula = known.unwrap_or_else(|| formula::<R>(row, k, n));
        let partial = match &formula {
            None => self.opaque(Code::Partial(row, k), args, n),
            Some(trace) => {
                let mut inputs = args[..row.entry().arity()].to_vec();
                inputs.push(y);
                let map = self.import(trace, &inputs, &[]);
                self.result(trace, &map, &[], 0)
            }
        };
        self.formulas.insert((row, k, n), formula);
        partial
    }

    /// A tangent or adjoint times a partial derivative.
    pub(super) fn times(&mut self, t: Id, factor: Factor) -> Id {
        match factor {
            Factor::One => t,
            Factor::MinusOne => self.neg(t),
            Factor::By(by, Product::Plain) => self.mul(t, by),
            Factor::By(by, Product::Strong) => self.strong(t, by),
            Factor::By(by, Product::Select) => self.strong(by, t),
            Factor::Both(a, b) => {
                let t = self.mul(t, a);
                self.mul(t, b)
            }
        }
    }

    fn accumulate(&mut self, sum: &mut Option<Id>, term: Id) {
        *sum = Some(match *sum {
            None => term,
            Some(sum) => self.add(sum, term),
        });
    }

    /// Nodes that some roots depend on, ascending.
    pub(super) fn below(&self, roots: &[Id]) -> Vec<Id> {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            found.push(id);
            let node = self.node(id);
            open.extend(&node.args[..node.code.arity()]);
            open.extend(self.inputs_of_slot(id));
        }
        found.sort_unstable();
        found
    }

    /// Which of some nodes, ascending, depend on the inputs below `n`?
    pub(super) fn active(&self, order: &[Id], n: usize) -> Vec<bool> {
        let mut active = vec![false; self.nodes.len()];
        for id in order {
            let node = self.node(*id);
            let below = &node.args[..node.code.arity()];
            active[*id as usize] = match node.code {
                Code::Input => (node.args[0] as usize) < n,
                Code::Slot => self.inputs_of_slot(*id).iter().any(|a| active[*a as usize]),
                _ => below.iter().any(|a| active[*a as usize]),
            };
        }
        active
    }

    /// Tangents of `roots` where the inputs below `n` have these; nothing is zero.
    pub(super) fn tangents(&mut self, roots: &[Id], seeds: &[Option<Id>]) -> Vec<Option<Id>> {
        let order = self.below(roots);
        let mut tangents: Vec<Option<Id>> = vec![None; self.nodes.len()];
        let active = self.active(&order, seeds.len());
        for id in order.into_iter().filter(|id| active[*id as usize]) {
            let node = self.node(id);
            if node.code == Code::Input {
                tangents[id as usize] = seeds[node.args[0] as usize];
                continue;
            }
            let moves = |a: Id| tangents.get(a as usize).is_some_and(Option::is_some);
            let mut sum = None;
            for (argument, factor) in self.partials(id, &moves) {
                if let Some(t) = tangents[argument as usize] {
                    let term = self.times(t, factor);
                    self.accumulate(&mut sum, term);
                }
            }
            tangents[id as usize] = sum;
        }
        roots.iter().map(|id| tangents[*id as usize]).collect()
    }

    /// Adjoints of the inputs below `n` where `roots` have these; nothing is zero.
    pub(super) fn adjoints(&mut self, roots: &[(Id, Id)], n: usize) -> Vec<Option<Id>> {
        let ids: Vec<Id> = roots.iter().map(|(id, _)| *id).collect();
        let order = self.below(&ids);
        let active = self.active(&order, n);
        let mut adjoints: Vec<Option<Id>> = vec![None; self.nodes.len()];
        for (id, adjoint) in roots {
            self.accumulate(&mut adjoints[*id as usize], *adjoint);
        }
        let on = |a: Id| active.get(a as usize) == Some(&true);
        let mut result = vec![None; n];
        for id in order.into_iter().rev().filter(|id| on(*id)) {
            let Some(adjoint) = adjoints[id as usize] else {
                continue;
            };
            let node = self.node(id);
            if node.code == Code::Input {
                result[node.args[0] as usize] = Some(adjoint);
            }
            for (argument, factor) in self.partials(id, &on) {
                let term = self.times(adjoint, factor);
                self.accumulate(&mut adjoints[argument as usize], term);
            }
        }
        result
    }
}
