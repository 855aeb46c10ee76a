//! Recordings as shorter code: common subexpressions once, dead code gone, sums and products with
//! additions in one operation.

use std::ops::Range;

use super::super::mixer::Map;
use super::op::{Op, arity, real_operand};
use super::recording::{Guard, Node, REAL, Recording};

/// One operation of simplified code. Operands are those of nodes.
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub(super) op: Op,
    /// Bit `k`: operand `k` carries a derivative that reaches a result.
    pub(super) active: u8,
    /// Index of its result among inputs and nodes.
    pub(super) y: u32,
    pub(super) x: [u32; 3],
    /// Terms of a sum.
    pub(super) terms: Range<usize>,
}

/// Simplified code.
pub(super) struct Code {
    pub(super) inputs: u32,
    pub(super) instructions: Vec<Instruction>,
    /// Operands of sums.
    pub(super) terms: Vec<u32>,
    pub(super) reals: Vec<f64>,
    pub(super) guards: Vec<Guard>,
    pub(super) roots: Vec<u32>,
    /// Inputs and nodes of the recording.
    pub(super) values: usize,
}

/// Shorter chains of additions stay as they are.
const SHORTEST_SUM: u32 = 4;

/// The operands of a node that are numbers.
fn operands(node: &Node) -> impl Iterator<Item = u32> + use<'_> {
    node.x.iter().copied().take(arity(node.op))
}

/// Operands of a node that are values, not reals.
fn values(node: &Node) -> impl Iterator<Item = u32> + use<'_> {
    operands(node).filter(|x| x & REAL == 0)
}

/// All simplifications. The first `active` inputs are differentiated.
pub(super) fn simplify(recording: &Recording, active: usize, roots: &[u32]) -> Code {
    let inputs = recording.inputs;
    let Shared {
        nodes,
        reals,
        guards,
        roots,
    } = share(recording, roots);
    let count = inputs as usize + nodes.len();
    let facts = Facts::of(inputs as usize, &nodes, &guards, &roots, active);
    let sums = Sums::of(inputs, &nodes, &facts.uses);
    let mut code = Code {
        inputs,
        instructions: Vec::new(),
        terms: Vec::new(),
        reals,
        guards,
        roots,
        values: count,
    };
    // products that went into the addition that uses them
    let mut gone = vec![false; nodes.len()];
    let fused: Vec<Option<(Op, [u32; 3])>> = (0..nodes.len())
        .map(|i| {
            let y = inputs as usize + i;
            if !facts.live[y] || sums.role[i] != Role::None {
                return None;
            }
            let product = |x: u32| {
                let i = x.checked_sub(inputs).filter(|_| x & REAL == 0)? as usize;
                let product = matches!(nodes[i].op, Op::Mul | Op::MulReal);
                (product && facts.uses[x as usize] == 1).then_some((i, nodes[i]))
            };
            let fused = fuse(&nodes[i], product);
            fused.map(|(with, op, x)| {
                gone[with] = true;
                (op, x)
            })
        })
        .collect();
    // The real that a sum begins with is added right before the sum: so terms that are alike stay together.
    let begins = |i: usize| {
        let x = nodes[sums.start[i]?].x[0];
        let first = x.checked_sub(inputs).filter(|_| x & REAL == 0)? as usize;
        (nodes[first].op == Op::AddReal && facts.uses[x as usize] == 1).then_some(first)
    };
    let mut late = vec![false; nodes.len()];
    for first in (0..nodes.len()).filter_map(begins) {
        late[first] = true;
    }
    let mut order = Vec::with_capacity(nodes.len());
    for i in 0..nodes.len() {
        let is_there = facts.live[inputs as usize + i] && !gone[i];
        if is_there && sums.role[i] != Role::Inner && !late[i] {
            order.extend(begins(i));
            order.push(i);
        }
    }
    for i in order {
        let (y, node) = (inputs as usize + i, &nodes[i]);
        let from = code.terms.len();
        let (op, x) = if sums.role[i] == Role::Last {
            let first = sums.collect(i, inputs, &nodes, &mut code.terms);
            (Op::Sum, [first, 0, 0])
        } else {
            fused[i].unwrap_or((node.op, node.x))
        };
        let terms = from..code.terms.len();
        let varied = |x: u32| x & REAL == 0 && facts.varied[x as usize];
        let mut mask = 0;
        if facts.reverse(y) {
            if op == Op::Sum {
                mask |= u8::from(varied(x[0]));
                mask |= u8::from(code.terms[terms.clone()].iter().any(|x| varied(*x))) << 1;
            }
            for (k, x) in x.iter().enumerate().take(arity(op)) {
                mask |= u8::from(depends(op, k) && varied(*x)) << k;
            }
        }
        code.instructions.push(Instruction {
            op,
            active: mask,
            y: y as u32,
            x,
            terms,
        });
    }
    code
}

/// Does operand `k` carry a derivative at all?
fn depends(op: Op, k: usize) -> bool {
    match op {
        Op::Call(f) => f.depends(k),
        op => real_operand(op) != Some(k),
    }
}

/// A recording in which nothing is computed twice.
struct Shared {
    nodes: Vec<Node>,
    reals: Vec<f64>,
    guards: Vec<Guard>,
    roots: Vec<u32>,
}

/// Common subexpressions: equal operations of equal operands. Nodes that have become copies stay, dead.
fn share(recording: &Recording, roots: &[u32]) -> Shared {
    let inputs = recording.inputs;
    let mut reals = Vec::new();
    let mut seen = Map::<u64, u32>::default();
    let real: Vec<u32> = (recording.reals.iter())
        .map(|c| {
            *seen.entry(c.to_bits()).or_insert_with(|| {
                reals.push(*c);
                (reals.len() as u32 - 1) | REAL
            })
        })
        .collect();
    let mut same: Vec<u32> = (0..inputs).collect();
    same.reserve(recording.nodes.len());
    let find = |same: &[u32], x: u32| {
        if x & REAL != 0 {
            real[(x & !REAL) as usize]
        } else {
            same[x as usize]
        }
    };
    let mut first = Map::<Node, u32>::default();
    first.reserve(recording.nodes.len());
    let mut nodes = Vec::with_capacity(recording.nodes.len());
    for node in &recording.nodes {
        let mut node = *node;
        for x in node.x.iter_mut().take(arity(node.op)) {
            *x = find(&same, *x);
        }
        let y = inputs + nodes.len() as u32;
        same.push(*first.entry(node).or_insert(y));
        nodes.push(node);
    }
    let mut guards = Vec::new();
    let mut asked = Map::<Guard, ()>::default();
    for guard in &recording.guards {
        let guard = Guard {
            a: find(&same, guard.a),
            b: find(&same, guard.b),
            ..*guard
        };
        if asked.insert(guard, ()).is_none() {
            guards.push(guard);
        }
    }
    let roots = roots.iter().map(|root| find(&same, *root)).collect();
    Shared {
        nodes,
        reals,
        guards,
        roots,
    }
}

/// What is known of inputs and nodes.
struct Facts {
    /// A root or a guard needs it.
    live: Vec<bool>,
    /// A root needs it.
    useful: Vec<bool>,
    /// It depends on an input that is differentiated.
    varied: Vec<bool>,
    /// How often it is read by live nodes, guards and roots.
    uses: Vec<u32>,
}

impl Facts {
    fn of(inputs: usize, nodes: &[Node], guards: &[Guard], roots: &[u32], active: usize) -> Self {
        let count = inputs + nodes.len();
        let mut facts = Facts {
            live: vec![false; count],
            useful: vec![false; count],
            varied: (0..count).map(|i| i < active).collect(),
            uses: vec![0; count],
        };
        let asked = guards.iter().flat_map(|guard| [guard.a, guard.b]);
        for x in asked.filter(|x| x & REAL == 0) {
            facts.live[x as usize] = true;
            facts.uses[x as usize] += 1;
        }
        for x in roots.iter().filter(|x| *x & REAL == 0) {
            facts.live[*x as usize] = true;
            facts.useful[*x as usize] = true;
            facts.uses[*x as usize] += 1;
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            let y = inputs + i;
            if facts.live[y] {
                for x in values(node) {
                    facts.live[x as usize] = true;
                    facts.useful[x as usize] |= facts.useful[y];
                    facts.uses[x as usize] += 1;
                }
            }
        }
        for (i, node) in nodes.iter().enumerate() {
            let mut numbers = node.x.iter().enumerate().take(arity(node.op));
            facts.varied[inputs + i] = numbers
                .any(|(k, x)| x & REAL == 0 && depends(node.op, k) && facts.varied[*x as usize]);
        }
        facts
    }

    /// Has the reverse sweep anything to do with it?
    fn reverse(&self, y: usize) -> bool {
        self.useful[y] && self.varied[y]
    }
}

/// Place of an addition in a chain of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    None,
    /// Used by the next one only.
    Inner,
    Last,
}

/// Chains of additions, each result of which is used by the next one only.
struct Sums {
    role: Vec<Role>,
    /// Where the chain begins, for the last of one.
    start: Vec<Option<usize>>,
    /// Which operand is the chain so far, for nodes that continue one.
    continues: Vec<Option<usize>>,
}

impl Sums {
    fn of(inputs: u32, nodes: &[Node], uses: &[u32]) -> Self {
        let mut length = vec![0u32; nodes.len()];
        let mut continues = vec![None; nodes.len()];
        let mut continued = vec![false; nodes.len()];
        for (i, node) in nodes.iter().enumerate() {
            if node.op != Op::Add || uses[inputs as usize + i] == 0 {
                continue;
            }
            let so_far = |k: usize| {
                let x = node.x[k];
                let at = x.checked_sub(inputs).filter(|_| uses[x as usize] == 1)? as usize;
                // where a sum begins with a real, that is no term of another one
                let chain = if nodes[at].op == Op::AddReal {
                    1
                } else {
                    length[at]
                };
                (chain > 0).then_some((chain, k, at))
            };
            // the longer one; the left one of two
            let longest = [so_far(1), so_far(0)]
                .into_iter()
                .flatten()
                .max_by_key(|c| c.0);
            length[i] = 1;
            if let Some((chain, k, at)) = longest.filter(|(_, _, at)| nodes[*at].op == Op::Add) {
                length[i] += chain;
                continues[i] = Some(k);
                continued[at] = true;
            }
        }
        let mut role = vec![Role::None; nodes.len()];
        let mut start = vec![None; nodes.len()];
        for i in 0..nodes.len() {
            if length[i] >= SHORTEST_SUM && !continued[i] {
                role[i] = Role::Last;
                let mut at = i;
                while let Some(k) = continues[at] {
                    at = (nodes[at].x[k] - inputs) as usize;
                    role[at] = Role::Inner;
                }
                start[i] = Some(at);
            }
        }
        Sums {
            role,
            start,
            continues,
        }
    }

    /// Appends the terms of the chain that ends at node `last`; returns the number that it begins with.
    fn collect(&self, last: usize, inputs: u32, nodes: &[Node], terms: &mut Vec<u32>) -> u32 {
        let from = terms.len();
        let mut at = last;
        while let Some(k) = self.continues[at] {
            terms.push(nodes[at].x[1 - k]);
            at = (nodes[at].x[k] - inputs) as usize;
        }
        terms.push(nodes[at].x[1]);
        terms[from..].reverse();
        nodes[at].x[0]
    }
}

/// An addition or subtraction together with a product that it alone uses, and which node that is.
fn fuse(
    node: &Node,
    product: impl Fn(u32) -> Option<(usize, Node)>,
) -> Option<(usize, Op, [u32; 3])> {
    let [a, b, _] = node.x;
    let with = |(i, by): (usize, Node), rest: u32, mul: Op, scale: Option<Op>| {
        let op = if by.op == Op::Mul { Some(mul) } else { scale };
        op.map(|op| (i, op, [by.x[0], by.x[1], rest]))
    };
    match node.op {
        Op::Add => {
            let right = product(b).and_then(|p| with(p, a, Op::MulAdd, Some(Op::ScaleAdd)));
            right.or_else(|| with(product(a)?, b, Op::MulAdd, Some(Op::ScaleAdd)))
        }
        Op::Sub => {
            let right = product(b).and_then(|p| with(p, a, Op::SubMul, Some(Op::SubScale)));
            right.or_else(|| with(product(a)?, b, Op::MulSub, None))
        }
        _ => None,
    }
}
