//! Jacobians by elimination: factors that entries have in common are computed once.
//!
//! The derivative graph has the partial derivatives on its edges; an entry of the Jacobian is the sum over all
//! paths of their products. Inner nodes are eliminated one after the other, each replaced by edges from what it
//! depends on to what depends on it. A node between whose ends all paths run is so collapsed to one edge, which
//! all entries share: the factoring of D* (B. Guenter: Efficient symbolic differentiation for graphics
//! applications, 2007). The order is by least new edges (H. Markowitz, 1957; A. Griewank, S. Reese: On the
//! calculation of Jacobian matrices by the Markowitz rule, 1991).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use di_elementary::Product;

use crate::scalar::Real;

use super::derive::Factor;
use super::graph::{Code, Graph, Id};

/// A vertex of the derivative graph: a node, or a result.
type Vertex = usize;

struct Edges {
    /// Factors to what a vertex depends on.
    below: Vec<BTreeMap<Vertex, Factor>>,
    above: Vec<BTreeMap<Vertex, ()>>,
}

impl Edges {
    fn cost(&self, v: Vertex) -> usize {
        self.below[v].len() * self.above[v].len()
    }
}

impl<R: Real> Graph<R> {
    /// Entries of the Jacobian that are not zero: result, input and expression.
    pub(super) fn factored(&mut self, results: &[Id], n: usize) -> Vec<(usize, usize, Id)> {
        let order = self.below(results);
        let active = self.active(&order, n);
        let on = |a: Id| active.get(a as usize) == Some(&true);
        let nodes = self.nodes.len();
        let mut edges = Edges {
            below: vec![BTreeMap::new(); nodes + results.len()],
            above: vec![BTreeMap::new(); nodes + results.len()],
        };
        let inner: Vec<Id> = order.iter().copied().filter(|id| on(*id)).collect();
        for id in &inner {
            for (argument, factor) in self.partials(*id, &on) {
                self.join(&mut edges, *id as Vertex, argument as Vertex, factor);
            }
        }
        for (i, id) in results.iter().enumerate().filter(|(_, id)| on(**id)) {
            self.join(&mut edges, nodes + i, *id as Vertex, Factor::One);
        }
        let is_input = |id: Id, graph: &Self| graph.node(id).code == Code::Input;
        let mut open: BinaryHeap<Reverse<(usize, Vertex)>> = inner
            .iter()
            .filter(|id| !is_input(**id, self))
            .map(|id| Reverse((edges.cost(*id as Vertex), *id as Vertex)))
            .collect();
        let mut done = vec![false; nodes];
        while let Some(Reverse((cost, v))) = open.pop() {
            if done[v] {
                continue;
            }
            let now = edges.cost(v);
            if now != cost {
                open.push(Reverse((now, v)));
                continue;
            }
            done[v] = true;
            let below = std::mem::take(&mut edges.below[v]);
            let above = std::mem::take(&mut edges.above[v]);
            for a in below.keys() {
                edges.above[*a].remove(&v);
            }
            for u in above.into_keys() {
                let Some(upper) = edges.below[u].remove(&v) else {
                    continue;
                };
                for (a, lower) in &below {
                    let factor = self.compose(*lower, upper);
                    self.join(&mut edges, u, *a, factor);
                }
            }
            for w in below.into_keys().filter(|w| *w < nodes && !done[*w]) {
                if !is_input(w as Id, self) {
                    open.push(Reverse((edges.cost(w), w)));
                }
            }
        }
        let mut entries = Vec::new();
        for i in 0..results.len() {
            for (a, factor) in std::mem::take(&mut edges.below[nodes + i]) {
                let one = self.number(R::from_f64(1.0));
                let value = self.times(one, factor);
                entries.push((i, self.node(a as Id).args[0] as usize, value));
            }
        }
        entries
    }

    /// Adds to the factor of an edge.
    fn join(&mut self, edges: &mut Edges, above: Vertex, below: Vertex, factor: Factor) {
        let sum = match edges.below[above].get(&below) {
            None => factor,
            Some(old) => self.sum(*old, factor),
        };
        edges.below[above].insert(below, sum);
        edges.above[below].insert(above, ());
    }

    fn value_of(&mut self, factor: Factor) -> (Id, Product) {
        match factor {
            Factor::One => (self.number(R::from_f64(1.0)), Product::Plain),
            Factor::MinusOne => (self.number(R::from_f64(-1.0)), Product::Plain),
            Factor::By(by, product) => (by, product),
            Factor::Both(a, b) => (self.mul(a, b), Product::Plain),
        }
    }

    fn sum(&mut self, a: Factor, b: Factor) -> Factor {
        let ((a, first), (b, second)) = (self.value_of(a), self.value_of(b));
        let product = if first == second {
            first
        } else {
            Product::Plain
        };
        Factor::By(self.add(a, b), product)
    }

    /// First along `lower`, then along `upper`.
    fn compose(&mut self, lower: Factor, upper: Factor) -> Factor {
        match (lower, upper) {
            (Factor::One, other) | (other, Factor::One) => other,
            (Factor::MinusOne, Factor::MinusOne) => Factor::One,
            (Factor::MinusOne, Factor::By(by, product))
            | (Factor::By(by, product), Factor::MinusOne) => Factor::By(self.neg(by), product),
            (Factor::MinusOne, Factor::Both(a, b)) | (Factor::Both(a, b), Factor::MinusOne) => {
                Factor::Both(self.neg(a), b)
            }
            // what is above comes as an adjoint, what is below as a tangent
            (Factor::Both(..), Factor::By(by, Product::Plain)) => {
                Factor::By(self.times(by, lower), Product::Plain)
            }
            (Factor::By(by, Product::Plain), Factor::Both(..)) => {
                Factor::By(self.times(by, upper), Product::Plain)
            }
            (Factor::Both(..), Factor::By(..)) => {
                let (by, product) = self.value_of(lower);
                self.compose(Factor::By(by, product), upper)
            }
            (Factor::By(..), Factor::Both(..)) => {
                let (by, product) = self.value_of(upper);
                self.compose(lower, Factor::By(by, product))
            }
            (Factor::Both(a, b), Factor::Both(c, d)) => {
                let (first, second) = (self.mul(c, b), self.mul(a, d));
                Factor::Both(first, second)
            }
            (Factor::By(a, first), Factor::By(b, second)) => {
                let by = match (first, second) {
                    // a zero indicator wins, here and nowhere further on
                    (Product::Select, _) | (_, Product::Strong) => self.strong(a, b),
                    (_, Product::Select) => self.strong(b, a),
                    (_, Product::Plain) => self.mul(a, b),
                };
                Factor::By(by, Product::Plain)
            }
        }
    }
}
