//! Functions and methods of structs with floats whose results hold none: lists, maps, sets, iterators, enums, tuples.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.5, 2.1, 0.3, 0.7], &[0.4, -1.8, 1.1, 2.6]];

#[differentiable]
mod boards {
    use std::collections::{BTreeMap, HashSet};

    #[derive(Clone, Copy, PartialEq)]
    pub enum Side {
        Left,
        Right,
    }

    #[derive(Clone)]
    pub struct Board {
        pub squares: [Option<(u8, bool)>; 4],
        pub factor: f64,
        pub names: Vec<(usize, Side)>,
        pub weights: Vec<f64>,
    }

    impl Board {
        fn pieces(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
            self.squares
                .iter()
                .enumerate()
                .filter_map(|(i, s)| s.map(|(p, _)| (i, p)))
        }

        fn listed(&self) -> Vec<(usize, u8)> {
            self.squares
                .iter()
                .enumerate()
                .filter_map(|(i, s)| s.map(|(p, _)| (i, p)))
                .collect()
        }

        fn white(&self, least: u8) -> Vec<(usize, u8)> {
            let mut found = Vec::new();
            for (i, s) in self.squares.iter().enumerate() {
                if let Some((p, true)) = s {
                    if *p >= least {
                        found.push((i, *p));
                    }
                }
            }
            found
        }

        fn counts(&self) -> BTreeMap<usize, usize> {
            let mut counts = BTreeMap::new();
            for (k, _) in &self.names {
                *counts.entry(*k).or_insert(0) += 1;
            }
            counts
        }

        fn ids(&self) -> HashSet<usize> {
            self.names.iter().map(|(k, _)| *k).collect()
        }

        fn heavy(&self) -> Vec<(usize, bool)> {
            let weights = self.weights.iter().enumerate();
            weights.map(|(i, w)| (i, *w > 1.0)).collect()
        }
    }

    fn pieces_of(board: &Board) -> Vec<(usize, u8)> {
        let squares = &board.squares;
        squares
            .iter()
            .enumerate()
            .filter_map(|(i, s)| s.map(|(p, _)| (i, p)))
            .collect()
    }

    pub fn score(x: &[f64], board: &Board) -> f64 {
        let mut sum = 0.0;
        for (i, p) in board.pieces() {
            sum += x[i] * x[i] * p as f64;
        }
        for (i, p) in board.listed() {
            sum += (x[i] * p as f64).sin() * board.factor;
        }
        for (i, p) in board.white(2) {
            sum += x[i] * p as f64 * board.factor;
        }
        for (i, p) in &pieces_of(board) {
            sum += (x[*i] * *p as f64).cos();
        }
        let ids = board.ids();
        for k in 0..x.len() {
            if ids.contains(&k) {
                sum *= 1.0 + x[k] * board.weights[k];
            }
        }
        for (i, is_heavy) in board.heavy() {
            if is_heavy {
                sum += x[i] * board.weights[i];
            }
        }
        sum + board
            .pieces()
            .map(|(i, _)| x[i] * board.factor)
            .sum::<f64>()
    }

    pub fn counted(x: &[f64], board: &Board) -> f64 {
        let mut sum = board.factor;
        let counts = board.counts();
        for (k, n) in &counts {
            sum += x[*k].sin() * *n as f64;
        }
        sum
    }

    pub fn of_constant(x: &[f64], #[constant] board: &Board) -> f64 {
        score(x, board) + counted(x, board)
    }

    pub fn of_made(x: &[f64], #[constant] board: &Board) -> f64 {
        let board = Board {
            squares: board.squares,
            factor: x[0],
            names: board.names.clone(),
            weights: vec![x[1] * 0.5, x[2], x[3] * 0.1, x[0] * x[1]],
        };
        score(x, &board) * counted(x, &board)
    }
}

#[test]
fn lists_maps_and_iterators_without_floats() {
    use boards::{Board, Side, of_constant, of_made};
    let board = Board {
        squares: [Some((1, true)), None, Some((3, false)), Some((2, true))],
        factor: 2.0,
        names: vec![(1, Side::Left), (3, Side::Right), (1, Side::Left)],
        weights: vec![0.5, 2.0, 0.1, 3.0],
    };
    scalar!(of_constant::AD.with(&board), |x: &[f64]| of_constant(
        x, &board
    ))
    .row(721)
    .takes_memory()
    .check(&POINTS);
    scalar!(of_made::AD.with(&board), |x: &[f64]| of_made(x, &board))
        .row(721)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Kind {
    Low,
    High,
}

#[derive(Clone, Copy, Differentiable)]
struct Line {
    ratio: f64,
    #[constant]
    ends: (usize, usize),
}

#[differentiable]
impl Line {
    fn kind(&self) -> Kind {
        if self.ratio < 0.5 {
            Kind::Low
        } else {
            Kind::High
        }
    }

    fn ends(&self) -> (usize, usize) {
        self.ends
    }

    fn turned(&self) -> (usize, usize) {
        if self.ratio > 1.0 {
            self.ends
        } else {
            (self.ends.1, self.ends.0)
        }
    }

    fn cost(&self, previous: Kind) -> f64 {
        let mut d = self.ratio * self.ratio;
        if previous != self.kind() {
            d += 2.0 * self.ratio;
        }
        if self.kind() == Kind::Low {
            d *= 3.0;
        }
        d
    }
}

#[differentiable]
fn costs(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        let line = Line {
            ratio: *v,
            ends: (i, 3),
        };
        let (a, b) = line.ends();
        let (c, d) = line.turned();
        s += line.cost(Kind::High) * (a + b) as f64 + x[c] * x[d];
    }
    s
}

#[differentiable]
mod plants {
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum Stage {
        Low,
        High,
    }

    #[derive(Clone, Copy)]
    struct Plant {
        mass: f64,
    }

    impl Plant {
        fn stage(&self) -> Stage {
            if self.mass < 2.0 {
                Stage::Low
            } else {
                Stage::High
            }
        }
    }

    pub fn crop(x: &[f64]) -> f64 {
        let crop: Vec<Plant> = x.iter().map(|&mass| Plant { mass: 2.0 * mass }).collect();
        let n = crop.iter().filter(|p| p.stage() >= Stage::High).count();
        let mut sum = 0.0;
        for plant in &crop {
            let k = 1 + plant.stage() as usize;
            sum += plant.mass * plant.mass * k as f64;
        }
        sum * (n + 1) as f64
    }
}

#[test]
fn enums_and_tuples_that_methods_return() {
    scalar!(costs).row(722).step(0.01).check(&POINTS);
    scalar!(plants::crop::AD, plants::crop)
        .row(722)
        .step(0.01)
        .check(&POINTS);
}
