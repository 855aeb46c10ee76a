//! What people write without a thought: generic structs of nested modules, closures chosen by payloads, pairs of integers
//! in structs, and texts that branches set.

use di::prelude::*;
use di_test::scalar;
use model::{chained, compared, gridded, layered, picked, reported, shown, traced, warned};

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.9], &[0.6, 1.7, 0.9]];

#[differentiable]
pub mod model {
    pub mod parts {
        pub mod links {
            fn half(x: f64) -> f64 {
                0.5 * x
            }

            #[derive(Clone, Copy)]
            pub struct Pair<T> {
                a: T,
                pub b: T,
            }

            impl<T: Copy> Pair<T> {
                pub fn new(a: T, b: T) -> Self {
                    Pair { a, b }
                }

                pub fn first(&self) -> T {
                    self.a
                }
            }

            impl Pair<f64> {
                pub fn mean(&self) -> f64 {
                    half(self.a + self.b)
                }
            }

            pub fn squared(p: &Pair<f64>) -> f64 {
                p.a * p.a
            }
        }

        #[derive(Clone)]
        pub struct Stack<T> {
            pub all: Vec<T>,
        }

        impl<T: Clone> Stack<T> {
            pub fn new() -> Self {
                Stack { all: Vec::new() }
            }

            pub fn push(&mut self, t: T) {
                self.all.push(t);
            }

            pub fn last(&self) -> Option<T> {
                self.all.last().cloned()
            }
        }
    }
    use self::parts::Stack;
    use parts::links::{self, Pair};

    pub struct Chain {
        pub at: Pair<f64>,
        pub k: f64,
    }

    impl Chain {
        pub fn sum(&self) -> f64 {
            self.at.first() * self.at.b + self.k
        }
    }

    fn swapped(p: Pair<f64>) -> Pair<f64> {
        Pair::new(p.b, p.first() * p.first())
    }

    pub fn chained(x: &[f64]) -> f64 {
        let c = Chain {
            at: Pair::new(x[0], x[1]),
            k: x[2],
        };
        let mut s: Stack<f64> = Stack::new();
        for v in x {
            s.push(*v * x[0]);
        }
        let q = swapped(Pair::new(x[0], x[2]));
        let d: links::Pair<f64> = links::Pair::new(x[2], 1.0);
        c.sum() * q.mean() + links::squared(&q) * s.last().unwrap_or(0.0) + d.mean().powi(2)
    }

    pub enum Act {
        Leaky(f64),
        Shift { by: f64, n: usize },
        Flat,
    }

    pub struct Layer {
        pub act: Act,
        pub w: f64,
    }

    impl Layer {
        pub fn run(&self, x: f64) -> f64 {
            let f: Box<dyn Fn(f64) -> f64 + '_> = match &self.act {
                Act::Leaky(a) => {
                    let twice = a * 2.0;
                    Box::new(move |t| if t > 0.0 { t * t } else { t * twice })
                }
                Act::Shift { by, n } if *n > 1 => Box::new(move |t| t * t + by * *n as f64 * t),
                Act::Shift { by, .. } => Box::new(move |t| t * by),
                Act::Flat => Box::new(|t: f64| t.tanh() * self.w),
            };
            (0..3).map(|k| f(x - k as f64)).sum()
        }
    }

    pub fn layered(x: &[f64]) -> f64 {
        let acts = [
            Act::Leaky(x[0]),
            Act::Shift {
                by: x[0] * x[1],
                n: 2,
            },
            Act::Shift { by: x[1], n: 0 },
            Act::Flat,
        ];
        let mut s = 0.0;
        for act in acts {
            s += Layer { act, w: x[1] }.run(x[2]);
        }
        s
    }

    #[derive(Clone, Copy)]
    pub struct Grid<'a> {
        pub size: (usize, usize),
        pub data: &'a [f64],
    }

    impl<'a> Grid<'a> {
        pub fn new(size: (usize, usize), data: &'a [f64]) -> Self {
            Grid { size, data }
        }

        pub fn at(&self, i: usize, j: usize) -> f64 {
            self.data[i * self.size.1 + j]
        }

        pub fn trace(&self) -> f64 {
            let (n, m) = self.size;
            (0..n.min(m)).map(|i| self.at(i, i).powi(2)).sum()
        }
    }

    pub fn gridded(x: &[f64]) -> f64 {
        let all: Vec<f64> = x.iter().chain(x).copied().collect();
        let g = Grid {
            size: (2, 3),
            data: &all,
        };
        let h = Grid::new((3, 2), &all);
        g.trace() * h.trace() + g.at(1, 2) * h.size.0 as f64
    }

    #[derive(Clone)]
    pub struct Cell {
        pub v: f64,
        pub parent: Option<(usize, usize)>,
    }

    impl Cell {
        pub fn new(v: f64, parent: Option<(usize, usize)>) -> Cell {
            Cell { v, parent }
        }

        pub fn cost(&self, x: &[f64]) -> f64 {
            match self.parent {
                Some((i, j)) => self.v * x[i] * x[j],
                None => self.v * self.v,
            }
        }
    }

    pub fn traced(x: &[f64]) -> f64 {
        let a = Cell::new(x[0], None);
        let mut b = Cell::new(x[1], Some((1, 2)));
        let mut s = a.cost(x) + b.cost(x);
        b.parent = Some((0, 2));
        if let Some(p) = b.parent {
            s += x[p.0] * x[p.1];
        }
        let cells = vec![a, b];
        for c in &cells {
            if c.parent.is_some() {
                s += c.cost(x) * x[0];
            }
        }
        s
    }

    pub fn warned(x: &[f64]) -> f64 {
        let mut status = "";
        let mut y = x[0];
        if x[0] > 1.0 {
            status = "hot";
            y = x[0] * x[1];
        } else if x[0] > 0.0 {
            status = "warm";
        }
        assert!(!status.is_empty(), "{status}");
        if status == "hot" { y * x[2] } else { y * y }
    }

    pub fn shown(x: &[f64]) -> f64 {
        let mut status = "none".to_string();
        let (mut y, mut length) = (x[0], 0);
        for k in 0..3 {
            if y > 1.0 {
                status = "hot".to_string();
            } else {
                status = format!("warm {k}");
            }
            let line = format!("{status}!");
            length += line.len();
            y *= x[1];
        }
        if status == "hot" {
            y
        } else {
            y * y * length as f64
        }
    }

    pub fn compared(x: &[f64]) -> f64 {
        let mut all = vec![(x[0], 1usize), (x[1], 2), (x[2], 0)];
        all.sort_by(|p, q| p.partial_cmp(q).unwrap());
        match all[0] == (x[0], 1) || all[2] > (x[1], 2) {
            true => all[1].0 * x[0],
            false => all[2].0 * x[1] * x[1],
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Price {
        pub value: f64,
    }

    impl Price {
        pub fn worth(&self, x: f64) -> f64 {
            let (debug, plain) = (format!("{self:?}"), "{self}".to_string());
            let scale = if plain.len() == 6 && debug != plain {
                2.0
            } else {
                1.0
            };
            self.value * x * scale
        }
    }

    pub fn reported(x: &[f64]) -> f64 {
        Price { value: x[0] }.worth(x[1])
    }

    pub fn picked(x: &[f64]) -> f64 {
        let (p, q) = ((x[0], Price { value: x[1] }.value), (x[1], x[0]));
        if p < q {
            x[0] * x[1]
        } else {
            x[0] * x[0] * x[1]
        }
    }
}

#[test]
fn generic_structs_of_nested_modules() {
    scalar!(chained).row(912).takes_memory().check(&POINTS);
}

#[test]
fn closures_chosen_by_payloads() {
    scalar!(layered).row(913).check(&POINTS);
}

#[test]
fn pairs_of_integers_in_structs() {
    scalar!(gridded).row(914).check(&POINTS);
    scalar!(traced).row(914).check(&POINTS);
}

#[test]
fn texts_that_branches_set() {
    scalar!(warned).row(921).check(&POINTS);
    scalar!(shown).row(921).takes_memory().check(&POINTS);
}

#[test]
fn tuples_that_are_compared() {
    scalar!(compared).row(922).check(&POINTS);
    scalar!(picked).row(922).check(&POINTS);
}

#[test]
fn texts_that_are_no_formats() {
    scalar!(reported).row(910).takes_memory().check(&POINTS);
}
