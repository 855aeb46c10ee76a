//! Texts that read variables, constants that are parsed, and results of which nothing is known but what the function
//! returns; elements of lists of references by their names; constants of structs with lengths.

use di::prelude::*;
use di_test::scalar;
use std::collections::BTreeMap;

const POINTS: [&[f64]; 2] = [&[0.3, 1.2, -0.7], &[1.1, -0.4, 0.9]];

fn tokens(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[differentiable]
fn half(v: f64) -> f64 {
    v / 2.0
}

/// What a program in reverse Polish notation computes.
#[differentiable]
fn evaluated(p: &[f64], #[constant] program: &str) -> Result<f64, String> {
    let mut stack: Vec<f64> = Vec::new();
    for token in tokens(program) {
        match token.as_str() {
            "+" | "*" => {
                let b = stack.pop().ok_or_else(|| format!("nothing for {token}"))?;
                let a = stack.pop().ok_or("nothing")?;
                stack.push(if token == "+" { a + half(b) } else { a * b });
            }
            t if t.starts_with('p') => {
                let i: usize = t[1..].parse().map_err(|_| format!("bad {t}"))?;
                stack.push(*p.get(i).ok_or("out of range")?);
            }
            t => stack.push(t.parse::<f64>().map_err(|e| format!("{t}: {e}"))?),
        }
    }
    match stack.as_slice() {
        [v] => Ok(*v),
        _ => Err(format!("{} left", stack.len())),
    }
}

#[differentiable]
fn program(x: &[f64]) -> f64 {
    let bad = evaluated(x, "p0 p7 *").is_err() && evaluated(x, "p0 px *").is_err();
    let v = evaluated(x, "p0 p1 * p2 p2 * +  2.5 * p0 +").unwrap_or(0.0);
    if bad { v } else { 0.0 }
}

#[test]
fn texts_that_are_parsed() {
    scalar!(program)
        .row(700)
        .row(704)
        .takes_memory()
        .check(&POINTS);
}

struct Table {
    weights: BTreeMap<String, f64>,
    order: Vec<usize>,
}

impl Table {
    fn weight(&self, name: &str) -> Result<f64, String> {
        let found = self.weights.get(name).copied();
        found.ok_or_else(|| format!("no {name}"))
    }

    fn place(&self, k: usize) -> Option<(usize, f64)> {
        Some((*self.order.get(k)?, k as f64 + 0.5))
    }
}

fn table() -> Table {
    let weights = [("a", 1.5), ("b", -0.5)].map(|(name, w)| (name.to_owned(), w));
    Table {
        weights: BTreeMap::from(weights),
        order: vec![2, 0, 1],
    }
}

#[differentiable]
fn weighted(x: &[f64], #[constant] table: &Table, name: &str) -> Result<f64, String> {
    let w = table
        .weight(name)
        .map_err(|e| format!("{e} of {}", table.order.len()))?;
    let v = table
        .weights
        .get("a")
        .ok_or_else(|| format!("no a beside {name}"))?;
    Ok(half(x[0]) * w + x[1] * x[1] * v)
}

#[differentiable]
fn placed(x: &[f64], #[constant] table: &Table) -> Option<f64> {
    let mut s = 0.0;
    for k in 0..3 {
        let (i, w) = table.place(k)?;
        s = s * w + x[i] * x[0];
    }
    Some(s)
}

#[differentiable]
fn by_table(x: &[f64]) -> f64 {
    let t = table();
    let missing = weighted(x, &t, "c").is_err();
    let sum = weighted(x, &t, "b").unwrap_or(0.0) + placed(x, &t).unwrap_or(1.0);
    if missing { sum } else { 0.0 }
}

#[test]
fn results_of_methods_without_an_attribute() {
    scalar!(by_table)
        .row(701)
        .row(704)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
mod mesh {
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq)]
    pub enum MeshError {
        Unknown(String),
        Flat { at: String, value: f64 },
    }

    pub struct Node {
        pub x: f64,
        pub y: f64,
    }

    pub struct Mesh {
        pub nodes: Vec<Node>,
        pub bars: Vec<[usize; 2]>,
        pub names: BTreeMap<String, usize>,
    }

    impl Mesh {
        fn id(&self, name: &str) -> Result<usize, MeshError> {
            self.names
                .get(name)
                .copied()
                .ok_or_else(|| MeshError::Unknown(name.to_string()))
        }

        fn length(&self, bar: &[usize; 2]) -> f64 {
            let [a, b] = bar.map(|i| &self.nodes[i]);
            (b.x - a.x).hypot(b.y - a.y)
        }

        fn area(&self, i: usize, j: usize, k: usize) -> f64 {
            let [a, b, c] = [&self.nodes[i], &self.nodes[j], &self.nodes[k]];
            (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
        }
    }

    fn checked(mesh: &Mesh, name: &str) -> Result<f64, MeshError> {
        let k = mesh.id(name)?;
        let l = mesh.length(&mesh.bars[k]);
        if l < 1e-9 {
            return Err(MeshError::Flat {
                at: name.to_string(),
                value: l,
            });
        }
        Ok(l * l + 0.5 * l)
    }

    pub fn energy(x: &[f64], #[constant] mesh: &Mesh) -> f64 {
        let missing = checked(mesh, "none").is_err();
        let sum = checked(mesh, "low").unwrap_or(0.0) * x[0] * x[1];
        let moved = Node {
            x: x[0],
            y: x[1] * x[2],
        };
        let far = moved.x.hypot(moved.y) * checked(mesh, "high").unwrap_or(0.0);
        if missing {
            sum + far * mesh.area(0, 1, 2)
        } else {
            0.0
        }
    }

    pub fn around(x: &[f64]) -> f64 {
        let at = |x: f64, y: f64| Node { x, y };
        let nodes = vec![at(x[0], 0.1), at(1.5, x[1]), at(x[2], x[0] * x[1])];
        let tri = [2, 0, 1];
        let [a, b, c] = tri.map(|i| &nodes[i]);
        let [d, _] = [&nodes[tri[0]], &nodes[1]];
        (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y) + d.x * d.y
    }
}

#[test]
fn errors_of_constants_and_lists_of_references() {
    let at = |x: f64, y: f64| mesh::Node { x, y };
    let nodes = vec![at(0.2, 0.1), at(1.5, -0.3), at(0.7, 0.9)];
    let names = [("low", 0), ("high", 1)].map(|(name, k)| (name.to_owned(), k));
    let mesh = mesh::Mesh {
        nodes,
        bars: vec![[0, 1], [2, 0]],
        names: BTreeMap::from(names),
    };
    let with = mesh::energy::AD.with(&mesh);
    scalar!(with, |x| mesh::energy(x, &mesh))
        .row(702)
        .row(703)
        .takes_memory()
        .check(&POINTS);
    scalar!(mesh::around::AD, mesh::around)
        .row(702)
        .check(&POINTS);
}

#[differentiable]
mod grids {
    #[derive(Clone, Copy)]
    pub struct Grid<const R: usize, const C: usize>(pub [[f64; C]; R]);

    impl<const R: usize, const C: usize> Grid<R, C> {
        pub const ZERO: Self = Grid([[0.0; C]; R]);

        pub fn transposed(&self) -> Grid<C, R> {
            let mut t = Grid::<C, R>::ZERO;
            for i in 0..R {
                for j in 0..C {
                    t.0[j][i] = self.0[i][j];
                }
            }
            t
        }

        pub fn times<const K: usize>(&self, other: &Grid<C, K>) -> Grid<R, K> {
            let mut p = Grid::ZERO;
            for i in 0..R {
                for j in 0..K {
                    p.0[i][j] = (0..C).map(|k| self.0[i][k] * other.0[k][j]).sum();
                }
            }
            p
        }

        pub fn doubled(&self) -> Self {
            let mut d = Self::ZERO;
            for (to, row) in d.0.iter_mut().zip(&self.0) {
                for (v, w) in to.iter_mut().zip(row) {
                    *v += 2.0 * w;
                }
            }
            d
        }
    }

    pub fn product(x: &[f64]) -> f64 {
        let g = Grid([[x[0], x[1], 1.0], [x[2], x[0] * x[1], x[1]]]);
        let p = g.times(&g.transposed()).doubled();
        p.0[0][0] * p.0[1][1] - p.0[0][1]
    }
}

#[test]
fn constants_of_structs_with_lengths() {
    scalar!(grids::product::AD, grids::product)
        .row(705)
        .check(&POINTS);
}
