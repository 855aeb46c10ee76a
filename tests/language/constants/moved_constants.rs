//! Constants in differentiated structs that change, move and are read in chains, closures and nested loops.

use di::prelude::*;
use di_test::scalar;
use model::{
    by_assignment, by_cell, by_chain, by_closure, by_index, by_loop, by_pairs, by_replacement,
    by_swaps,
};

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, -0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    C,
    Fe { z: u32 },
}

fn weight(e: Element) -> f64 {
    match e {
        Element::C => 0.6,
        Element::Fe { z } => f64::from(z) * 0.1,
    }
}

fn weight_of(e: &Element) -> f64 {
    weight(*e) * 2.0
}

fn heavy(e: &Element) -> bool {
    weight(*e) > 1.0
}

fn both(a: Element, b: &Element, k: f64) -> f64 {
    weight(a) + k * weight(*b)
}

#[differentiable]
mod model {
    use super::{Element, both, heavy, weight, weight_of};
    #[derive(Clone, Debug)]
    pub struct Atom {
        pub element: Element,
        pub x: f64,
        pub y: [f64; 2],
    }
    pub struct Cell {
        pub atoms: Vec<Atom>,
        pub kind: Element,
        pub k: f64,
    }
    fn form(e: Element, s: f64) -> f64 {
        match e {
            Element::C => s * 0.5,
            Element::Fe { z } => s * s * z as f64,
        }
    }
    fn form_of(e: &Element, s: f64) -> f64 {
        form(*e, s) + weight_of(e) * s
    }
    fn atoms(x: &[f64]) -> Vec<Atom> {
        vec![
            Atom {
                element: Element::Fe { z: 26 },
                x: x[0],
                y: [x[1], x[2]],
            },
            Atom {
                element: Element::C,
                x: x[1] * x[2],
                y: [x[0], 1.0],
            },
            Atom {
                element: Element::Fe { z: 3 },
                x: x[2].exp(),
                y: [x[2], x[0] * x[0]],
            },
        ]
    }
    pub fn by_loop(x: &[f64]) -> f64 {
        let a = atoms(x);
        let mut s = 0.0;
        for atom in &a {
            s += weight(atom.element) * atom.x.exp() + weight_of(&atom.element) * atom.y[1];
        }
        s
    }
    pub fn by_chain(x: &[f64]) -> f64 {
        let a = atoms(x);
        a.iter().map(|a| weight(a.element) * a.x).sum::<f64>()
            * a.iter()
                .filter(|a| heavy(&a.element))
                .map(|a| a.y[0])
                .sum::<f64>()
    }
    pub fn by_index(x: &[f64]) -> f64 {
        let a = atoms(x);
        let mut s = 0.0;
        for i in 0..3 {
            s += form(a[i].element, a[i].x) + weight_of(&a[i].element) * a[i].y[0];
        }
        s
    }
    pub fn by_closure(x: &[f64]) -> f64 {
        let a = atoms(x);
        let g = |i: usize, t: f64| both(a[i].element, &a[(i + 1) % 3].element, 2.0) * t * a[i].x;
        g(0, x[0]) + g(1, x[1]) * g(2, x[2])
    }
    fn of_pairs(a: &[Atom], t: f64) -> f64 {
        let mut s = t;
        for (i, atom) in a.iter().enumerate() {
            for b in &a[i + 1..] {
                s += both(atom.element, &b.element, 1.5) * atom.x * b.x;
                s *= form(b.element, 0.01 * t) + 1.0;
            }
        }
        s
    }
    pub fn by_pairs(x: &[f64]) -> f64 {
        let a = atoms(x);
        of_pairs(&a, x[0]) * of_pairs(&a[1..], x[1])
    }
    fn of_cell(c: &Cell, t: f64) -> f64 {
        let mut s = weight(c.kind) * c.k;
        for a in c.atoms.iter().rev() {
            if heavy(&a.element) {
                s += form(c.kind, a.x * t);
                continue;
            }
            s *= form_of(&a.element, t);
        }
        s
    }
    pub fn by_cell(x: &[f64]) -> f64 {
        let c = Cell {
            atoms: atoms(x),
            kind: Element::Fe { z: 7 },
            k: x[1],
        };
        of_cell(&c, x[0]) + of_cell(&c, x[2])
    }
    pub fn by_swaps(x: &[f64]) -> f64 {
        let mut a = atoms(x);
        let old = a[0].element;
        a[0].element = Element::C;
        a[1].element = old;
        a.swap(0, 2);
        let mut s = 0.0;
        for atom in &a {
            s += form(atom.element, atom.x) * weight(atom.element);
        }
        s * weight(old)
    }
    pub fn by_assignment(x: &[f64]) -> f64 {
        let mut a = atoms(x);
        for i in 0..3 {
            if a[i].x > 0.5 {
                a[i].element = a[(i + 1) % 3].element;
                a[i].x *= weight(a[i].element);
            }
            a[i].x += form(a[i].element, a[i].y[0]);
        }
        a.iter().map(|b| b.x * weight_of(&b.element)).sum()
    }
    pub fn by_replacement(x: &[f64]) -> f64 {
        let mut b = atoms(x)[1].clone();
        let mut s = 0.0;
        for k in 0..4 {
            s += form(b.element, b.x);
            b = Atom {
                element: if k % 2 == 0 {
                    Element::Fe { z: k + 1 }
                } else {
                    Element::C
                },
                x: b.x * 0.9 + x[0],
                ..b
            };
            s *= 1.0 + 0.1 * weight(b.element);
        }
        s
    }
}

#[test]
fn constants_are_read_in_loops_and_chains() {
    scalar!(by_loop).check(&POINTS);
    scalar!(by_chain).check(&POINTS);
    scalar!(by_index).check(&POINTS);
    scalar!(by_closure).check(&POINTS);
    scalar!(by_pairs).check(&POINTS);
    scalar!(by_cell).takes_memory().check(&POINTS);
}

#[test]
fn constants_change_and_move() {
    scalar!(by_swaps).check(&POINTS);
    scalar!(by_assignment).check(&POINTS);
    scalar!(by_replacement).check(&POINTS);
}
