//! Constants that are carried as they are written: texts, structs that borrow them, options, maps, and what is made of them.

use borrowed::weighed;
use di::prelude::*;
use di_test::scalar;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use trees::grown;

const POINTS: [&[f64]; 3] = [&[0.3, 0.7], &[1.4, 0.4], &[-0.6, 1.2]];

fn sum(v: &[f64]) -> f64 {
    v.iter().sum()
}

#[differentiable]
fn lettered(a: f64, t: &str) -> f64 {
    a * t.len() as f64
}

#[differentiable]
fn listed(a: f64, ks: &[usize], names: &[String]) -> f64 {
    let mut s = 0.0;
    for &k in ks {
        s += a * k as f64;
    }
    s * names.len() as f64
}

#[differentiable]
fn texts(x: &[f64]) -> f64 {
    use std::fmt::Write;
    let t = String::from("abc");
    let u = format!("{}-{}", t, 3);
    let mut s = lettered(x[0], &t) + lettered(x[1], &u) * x[0];
    for i in 0..2 {
        let v = format!("{}{i}", t);
        let mut w = String::new();
        for _ in 0..i {
            w.push_str("ab");
        }
        w += "c";
        s += lettered(x[0], &v) * x[1] + lettered(x[i], &w);
        if i == 1 {
            let z = "q".repeat(i + 2);
            s *= lettered(x[1], &z);
        }
        let names: Vec<String> = vec![format!("a{i}"), t.clone()];
        s += listed(x[0], &[i, 2], &names);
    }
    let mut out = String::new();
    for n in 0..3 {
        write!(out, "{n}").unwrap();
    }
    s + lettered(x[0], &out)
}

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    let w = 1.5;
    let mut s = 0.0;
    for k in 0..3 {
        s += sum(&[w, k as f64]) * x[0] * x[1];
    }
    s + sum(&[w + 1.0, 2.0 * w]) * x[0]
}

#[differentiable]
fn parsed(x: &[f64], text: &str) -> (f64, Vec<usize>) {
    (x[0], text.split(' ').map(|s| s.parse().unwrap()).collect())
}

#[differentiable]
fn places(x: &[f64]) -> f64 {
    let (a, ks) = parsed(x, "0 1 1");
    let mut s = a;
    for k in ks {
        s += x[k] * x[0];
    }
    s
}

#[differentiable]
mod borrowed {
    #[derive(Clone, Debug)]
    pub struct Car<'a> {
        pub name: &'a str,
        pub mass: f64,
    }

    impl<'a> Car<'a> {
        pub fn weight(&self) -> f64 {
            if self.name == "abc" {
                self.mass * 2.0
            } else if self.name.starts_with('x') {
                self.mass.sin()
            } else {
                self.name.len() as f64 * self.mass
            }
        }
    }

    pub fn weighed(x: &[f64]) -> f64 {
        let c = Car {
            name: "abc",
            mass: x[0],
        };
        let d = Car {
            name: "xy",
            mass: x[1] * x[0],
        };
        let mut s = c.weight() * x[1] + d.weight();
        if d.name != "abc" && c.name == "abc" {
            s *= x[0];
        }
        s
    }
}

#[differentiable]
mod trees {
    #[derive(Clone, Debug)]
    pub struct Tree {
        pub key: usize,
        pub w: f64,
        pub left: Option<Box<Tree>>,
    }

    impl Tree {
        pub fn new(key: usize, w: f64) -> Tree {
            Tree { key, w, left: None }
        }

        pub fn get(&self, key: usize) -> f64 {
            if key == self.key {
                return self.w;
            }
            match &self.left {
                Some(tree) => tree.get(key),
                None => 0.0,
            }
        }
    }

    fn leaf(k: usize, w: f64) -> Tree {
        Tree::new(k, w * 2.0)
    }

    pub fn grown(x: &[f64]) -> f64 {
        let root = Tree::new(3, 1.5);
        let two = leaf(4, 2.0);
        let mut s = 0.0;
        for k in 0..2 {
            let l = leaf(k, k as f64 + 1.0);
            s += l.get(k) * x[k].sin();
        }
        s + root.get(1) * x[0] + root.get(3) * x[1] * x[0] * two.get(4)
    }
}

pub struct Node {
    key: usize,
    w: f64,
    right: Option<Box<Node>>,
}

#[differentiable]
fn chosen(x: &[f64], #[constant] node: &Node) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        let next = if node.key > k {
            Some(node)
        } else {
            node.right.as_deref()
        };
        if let Some(n) = next {
            s += n.w * x[0] * x[1];
        }
        s = match next {
            Some(n) => s * n.w + x[1],
            None => x[1].sin(),
        };
    }
    s
}

#[differentiable]
fn counted(
    x: &[f64],
    #[constant] data: &[(usize, u32)],
    #[constant] names: &BTreeSet<(String, usize)>,
) -> f64 {
    let pairs: BTreeSet<(usize, u32)> = data.iter().copied().collect();
    let mut s = 0.0;
    for (h, c) in &pairs {
        s += x[*h] * f64::from(*c);
    }
    for &(h, c) in &pairs {
        s += x[h] * x[0] * f64::from(c);
    }
    for (n, h) in names.iter().filter(|(n, _)| n != "a") {
        s += n.len() as f64 * x[*h].sin();
    }
    let data: BTreeMap<usize, u32> = data.iter().copied().filter(|data| data.0 < 9).collect();
    for (h, &c) in &data {
        s += x[*h] * (c.min(3) + 1) as f64 * x[1];
    }
    for (&h, &c) in data.iter() {
        s += x[h] * f64::from(c) * x[1];
    }
    s += data.iter().map(|(_, &c)| f64::from(c) * x[0]).sum::<f64>();
    for i in 0..2 {
        let data: HashMap<usize, u32> = data.iter().map(|(k, v)| (*k, *v + i as u32)).collect();
        s += f64::from(data[&1]) * x[i] * x[0];
    }
    s
}

#[test]
fn texts_that_are_lent() {
    scalar!(texts).row(712).takes_memory().check(&POINTS);
    scalar!(weighed).row(713).check(&POINTS);
}

#[test]
fn options_and_lists_of_constants() {
    let node = Node {
        key: 1,
        w: 0.5,
        right: Some(Box::new(Node {
            key: 2,
            w: 1.5,
            right: None,
        })),
    };
    scalar!(chosen::AD.with(&node), |x| chosen(x, &node))
        .row(714)
        .check(&POINTS);
    scalar!(grown).row(717).check(&POINTS);
    scalar!(summed).row(715).check(&POINTS);
    scalar!(places).row(715).takes_memory().check(&POINTS);
}

#[test]
fn maps_and_sets_that_hide_what_they_are_made_of() {
    let data = [(1usize, 2u32), (0, 5)];
    let names = BTreeSet::from([("a".to_string(), 1), ("bcd".to_string(), 0)]);
    scalar!(counted::AD.with(&data, &names), |x| counted(
        x, &data, &names
    ))
    .row(716)
    .takes_memory()
    .check(&POINTS);
}
