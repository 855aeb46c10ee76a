//! Lists and trees in arenas: structs with options of indices, which are made, changed and followed; and lists of enums
//! with several indices.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close, assert_same};
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[1.0, 2.5, 0.3, -0.7, 0.9],
    &[0.4, -1.2, 0.8, 1.9, 0.2],
    &[-0.6, 0.1, 1.1, 0.5, 2.0],
];

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Item {
    value: f64,
    next: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Default, Differentiable)]
pub struct List {
    items: Vec<Item>,
    #[constant]
    head: Option<usize>,
    last: Option<i32>,
}

#[differentiable]
impl List {
    fn push(&mut self, value: f64) {
        self.items.push(Item {
            value,
            next: self.head,
        });
        self.head = Some(self.items.len() - 1);
        self.last = self.last.map_or(Some(0), |k| Some(k + 1));
    }

    fn sum(&self, from: Option<usize>) -> f64 {
        let (mut at, mut sum) = (from, 0.0);
        while let Some(k) = at {
            let item = &self.items[k];
            sum = sum * 0.7 + item.value;
            at = item.next;
        }
        sum
    }

    fn behind(&self, at: usize) -> Option<usize> {
        self.items.get(at)?.next
    }
}

#[differentiable]
fn linked(x: &[f64]) -> f64 {
    let mut list = List::default();
    for v in x {
        list.push(v * v);
    }
    list.push(x[0] * x[1]);
    let same = match (list.head, list.behind(3)) {
        (Some(a), Some(b)) => list.items[a].value * list.items[b].value,
        (None, _) => x[0],
        _ => 2.0,
    };
    let copy = list.items[1].clone();
    list.items[4].next = copy.next;
    let short = List {
        head: Some(1),
        ..list.clone()
    };
    list.sum(list.head) * same + short.sum(short.head) * list.last.unwrap_or(9) as f64
}

#[differentiable]
fn followed(x: &[f64]) -> f64 {
    let mut list = List {
        items: vec![],
        head: None,
        last: None,
    };
    x.iter().for_each(|v| list.push(v.sin()));
    if list.items[2].next < list.head && list.items[0].next <= None {
        list.items[3].value *= x[0];
    }
    if list.items[0].next > list.head || list.items[1].next >= list.items[4].next {
        list.items[2].value = 0.0;
    }
    let at: Vec<Option<usize>> = list.items.iter().map(|item| item.next).collect();
    let sum = at.iter().flatten().sum::<usize>() as f64;
    list.head.take();
    let first = *list.head.get_or_insert(2);
    sum * list.sum(Some(first)) + if list.head == Some(2) { x[1] } else { 0.0 }
}

#[differentiable]
fn of_list(list: &List, from: Option<usize>, k: f64) -> f64 {
    list.sum(from) * k + if list.head == from { k * k } else { 0.0 }
}

#[differentiable]
mod trees {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Node {
        v: f64,
        left: Option<usize>,
        right: Option<u32>,
        open: Option<bool>,
    }

    fn insert(nodes: &mut Vec<Node>, v: f64) {
        let new = nodes.len();
        nodes.push(Node {
            v,
            left: None,
            right: None,
            open: if new % 2 == 0 { Some(true) } else { None },
        });
        let mut at = 0;
        while at < new {
            if v < nodes[at].v {
                match nodes[at].left {
                    Some(left) => at = left,
                    None => {
                        nodes[at].left = Some(new);
                        break;
                    }
                }
            } else {
                match nodes[at].right {
                    Some(right) => at = right as usize,
                    None => {
                        nodes[at].right = Some(new as u32);
                        break;
                    }
                }
            }
        }
    }

    fn sum(nodes: &[Node], at: Option<usize>, depth: f64) -> f64 {
        let Some(k) = at else { return 0.0 };
        let n = &nodes[k];
        let w = if n.open.is_some() { depth } else { 1.0 };
        let right = n.right.map(|k| k as usize);
        w * n.v * n.v + sum(nodes, n.left, depth * 0.5) + sum(nodes, right, depth * 0.25)
    }

    fn leaves(nodes: &[Node]) -> usize {
        let is_leaf = |n: &&Node| n.left.is_none() && n.right == None;
        nodes.iter().filter(is_leaf).count()
    }

    pub fn sorted(x: &[f64]) -> f64 {
        let mut nodes = vec![];
        for v in x {
            insert(&mut nodes, v.sin());
        }
        if let Some(k) = nodes.iter().position(|n| n.left.is_none()) {
            nodes[k].v *= 2.0;
            nodes[k].open.take();
        }
        let mut largest: Option<usize> = None;
        for (i, n) in nodes.iter().enumerate() {
            if largest.is_none_or(|k| nodes[k].v < n.v) {
                largest = Some(i);
            }
        }
        let top = nodes[largest.unwrap_or(0)].v;
        sum(&nodes, Some(0), 1.0) * top + leaves(&nodes) as f64 * x[0]
    }
}

#[derive(Clone, Copy)]
enum Tree {
    Leaf(usize),
    Node(usize, usize),
}

#[differentiable]
fn likelihood(nodes: &[Tree], at: usize, x: &[f64]) -> [f64; 2] {
    match nodes[at] {
        Tree::Leaf(i) => [x[i], 1.0 - x[i] * 0.1],
        Tree::Node(l, r) => {
            let (a, b) = (likelihood(nodes, l, x), likelihood(nodes, r, x));
            [a[0] * b[1] + a[1] * b[0], a[1] * b[0] - a[0]]
        }
    }
}

#[differentiable]
fn gray(x: &[f64], n: usize) -> f64 {
    let mut tree = vec![Tree::Node(1, 2), Tree::Node(3, n)];
    tree.extend([Tree::Leaf(0), Tree::Leaf(1), Tree::Node(5, 6)]);
    tree.push(Tree::Leaf(2));
    tree.push(Tree::Leaf(n - 1));
    let fixed = [Tree::Node(1, 2), Tree::Leaf(3), Tree::Leaf(4)];
    let [a, b] = likelihood(&tree, 0, x);
    a + b.sin() * likelihood(&fixed, 0, x)[0]
}

#[differentiable]
fn picked(x: &[f64], order: &[i128], seen: &mut [u128]) -> f64 {
    seen[0] += 1 << 70;
    x[order[1].unsigned_abs() as usize] * if order[0] < -(1 << 80) { x[0] } else { 1.0 }
}

#[differentiable]
fn wide(x: &[f64], n: usize) -> f64 {
    let (mut order, mut seen) = ([-(1i128 << 90); 2], vec![1u128, 7]);
    order[1] = -(n as i128);
    let y = picked(x, &order, &mut seen);
    y * y * (seen[0] >> 69) as f64
}

#[test]
fn lists_in_arenas() {
    scalar!(linked).row(927).takes_memory().check(&POINTS);
    scalar!(followed).row(927).takes_memory().check(&POINTS);
    let mut list = List::default();
    for v in [1.0, 2.0, 3.0] {
        list.push(v);
    }
    let (of, k) = gradient(
        of_list::AD.with(Some(2)),
        NoPrep,
        &AutoSource::new(),
        &(list.clone(), 0.5),
    )
    .unwrap();
    let values: Vec<f64> = of.items.iter().map(|item| item.value).collect();
    let _row = di_test::rows::row(927);
    assert_close("items", &values, &[0.5, 0.35, 0.245], DIFFERENCES);
    assert_close("k", &[k], &[3.87 + 1.0], DIFFERENCES);
    assert_same("head", of.head, Some(2));
    assert_same("next", of.items[1].next, list.items[1].next);
}

#[test]
fn trees_in_arenas() {
    scalar!(trees::sorted::AD, trees::sorted)
        .row(928)
        .check(&POINTS);
    scalar!(gray::AD.with(4), |x: &[f64]| gray(x, 4))
        .row(929)
        .takes_memory()
        .check(&POINTS);
    scalar!(wide::AD.with(2), |x: &[f64]| wide(x, 2))
        .row(929)
        .check(&POINTS);
}
