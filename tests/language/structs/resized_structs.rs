//! Methods and functions that change the lengths of vectors in the structs that they borrow: bodies in the place of
//! calls.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, -0.4], &[1.2, 0.4, 0.9], &[0.3, -0.8, 1.1]];

#[derive(Clone, Debug, Differentiable)]
struct Grid {
    n: usize,
    cells: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn step(&mut self, k: f64) {
        let mut next = self.cells.clone();
        for i in 1..self.n {
            next[i] = k * self.cells[i] + self.cells[i - 1].sin();
        }
        self.cells = next;
    }

    fn refine(&mut self) {
        let mut next = Vec::new();
        for pair in self.cells.windows(2) {
            next.push(pair[0]);
            next.push(0.5 * (pair[0] + pair[1]) * pair[0]);
        }
        self.n = next.len();
        self.cells = next;
    }

    fn exchange(&mut self, other: &mut Grid) {
        std::mem::swap(&mut self.cells, &mut other.cells);
        std::mem::swap(&mut self.n, &mut other.n);
    }

    fn emptied(&mut self) -> Vec<f64> {
        self.n = 0;
        std::mem::take(&mut self.cells)
    }
}

#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut g = Grid {
        n: 3,
        cells: vec![x[0], x[1], x[2]],
    };
    let mut h = Grid {
        n: 2,
        cells: vec![x[1] * x[1], 1.0],
    };
    for k in 0..4 {
        g.step(x[0]);
        g.exchange(&mut h);
        if k == 2 {
            g.refine();
        }
    }
    let last = g.cells[g.n - 1] * h.cells[h.n - 1];
    let all = g.emptied();
    last + all.iter().map(|c| c * c).sum::<f64>() + g.n as f64 * x[2]
}

#[derive(Clone, Debug, Differentiable)]
struct Sim {
    now: Grid,
    before: Grid,
    rate: f64,
}

#[differentiable]
impl Sim {
    fn step(&mut self) {
        let mut next = self.now.clone();
        for i in 0..self.now.n {
            next.cells[i] += self.rate * self.before.cells[i].cos();
        }
        self.before = std::mem::replace(&mut self.now, next);
    }

    fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
            self.rate *= self.now.cells[0];
        }
        std::mem::swap(&mut self.now, &mut self.before);
    }
}

#[differentiable]
fn restart(s: &mut Sim, first: f64) {
    let cells: Vec<f64> = s.now.cells.iter().map(|c| first * c).collect();
    s.now.cells = cells;
    *s = Sim {
        rate: first,
        ..s.clone()
    };
}

#[differentiable]
fn simulated(x: &[f64]) -> f64 {
    let start = Grid {
        n: 2,
        cells: vec![x[0], x[1]],
    };
    let mut s = Sim {
        now: start.clone(),
        before: start,
        rate: x[2],
    };
    s.run(3);
    restart(&mut s, x[1] * x[2]);
    s.run(2);
    s.now.cells[0] * s.before.cells[1] + s.rate
}

#[test]
fn fields_that_are_replaced() {
    scalar!(replaced).takes_memory().row(460).check(&POINTS);
    scalar!(simulated).takes_memory().row(460).check(&POINTS);
}

#[differentiable]
mod lists {
    #[derive(Clone, Debug)]
    pub struct Curve {
        pub t: Vec<f64>,
        pub log_df: Vec<f64>,
    }

    #[derive(Clone, Debug)]
    pub struct Part {
        pub place: f64,
        pub mass: f64,
    }

    pub struct World {
        pub parts: Vec<Part>,
        pub curves: Vec<Curve>,
        pub steps: Vec<usize>,
        pub rows: Vec<Vec<f64>>,
    }

    pub trait Step {
        fn step(&mut self, h: f64);

        fn twice(&mut self, h: f64) {
            self.step(h);
            self.step(0.5 * h);
        }
    }

    impl Curve {
        pub fn new() -> Self {
            Self {
                t: Vec::new(),
                log_df: Vec::with_capacity(4),
            }
        }

        pub fn push(&mut self, t: f64, df: f64) -> &mut Self {
            self.t.push(t);
            self.log_df.push((1.0 + df * df).ln());
            self
        }

        pub fn inserted(&mut self, k: usize, t: f64) -> Option<f64> {
            if k > self.t.len() {
                return None;
            }
            self.t.insert(k, t);
            self.log_df.extend(vec![t * t; 1]);
            Some(self.t[0])
        }

        pub fn trim(&mut self, n: usize) {
            if self.t.len() > n {
                self.t.truncate(n);
            }
            self.log_df.resize(n, 2.0);
            self.t.retain(|t| *t > -9.0);
        }

        pub fn restart(&mut self) {
            self.t.clear();
            self.log_df.clear();
        }
    }

    impl World {
        fn spawn(&mut self, place: f64) {
            let mass = place * place;
            self.steps.push(self.parts.len());
            self.parts.push(Part { place, mass });
            self.rows.push(vec![place; 2]);
        }

        fn removed(&mut self) -> f64 {
            match self.parts.pop() {
                Some(p) => p.place * p.mass,
                None => 0.0,
            }
        }

        fn grow(&mut self, v: f64) {
            for c in self.curves.iter_mut() {
                c.push(v, v * v);
            }
            if let Some(c) = self.curves.last_mut() {
                c.push(v.sin(), v);
            }
            for i in 0..self.rows.len() {
                self.rows[i].push(v);
            }
            self.curves[0].inserted(0, v);
        }

        fn total(&self) -> f64 {
            let parts: f64 = self.parts.iter().map(|p| p.place * p.mass).sum();
            let rows: f64 = self.rows.iter().flatten().map(|v| v * v).sum();
            let curves = self.curves.iter();
            let of = |c: &Curve| c.log_df.iter().sum::<f64>() * c.t[0];
            parts + rows + curves.map(of).sum::<f64>()
        }
    }

    impl Step for World {
        fn step(&mut self, h: f64) {
            let moved = |p: &Part| Part {
                place: p.place + h * p.mass,
                mass: p.mass,
            };
            self.parts = self.parts.iter().map(moved).collect();
        }
    }

    fn spawn_two(w: &mut World, v: f64) {
        spawn_one(w, v);
        spawn_one(w, v * v);
    }

    fn spawn_one(w: &mut World, v: f64) {
        w.spawn(v);
    }

    pub fn curve(x: &[f64]) -> f64 {
        let mut c = Curve::new();
        c.push(x[0], x[1]).push(x[1], x[0] + 3.0);
        for i in 0..4 {
            if let Some(first) = c.inserted(i, x[0] * i as f64) {
                c.t[0] += 0.1 * first;
            }
        }
        c.trim(3);
        let before = c.log_df[2] * c.t[1];
        c.restart();
        for _ in 0..2 {
            c.push(x[2], x[0]);
        }
        before + c.log_df[1] * c.t[0]
    }

    pub fn world(x: &[f64]) -> f64 {
        let first = Part {
            place: x[0],
            mass: 1.0,
        };
        let mut c = Curve::new();
        c.push(x[1], 2.0);
        let mut w = World {
            parts: vec![first],
            curves: vec![c.clone(), c],
            steps: Vec::new(),
            rows: Vec::new(),
        };
        let mut sum = 0.0;
        for i in 0..3 {
            spawn_two(&mut w, x[1]);
            w.step(0.1 * x[0]);
            w.twice(x[2]);
            if i == 1 {
                sum += w.removed();
            }
            w.grow(x[0] + i as f64);
        }
        let all = &mut w;
        all.spawn(x[2]);
        sum + w.total() + w.steps.len() as f64 * x[1]
    }
}

#[test]
fn lists_in_fields_that_methods_make_longer() {
    scalar!(lists::curve::AD, |x: &[f64]| lists::curve(x))
        .takes_memory()
        .row(461)
        .check(&POINTS);
    scalar!(lists::world::AD, |x: &[f64]| lists::world(x))
        .takes_memory()
        .row(461)
        .check(&POINTS);
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let mut curves = vec![lists::Curve::new(), lists::Curve::new()];
    for (i, c) in curves.iter_mut().enumerate() {
        c.t.push(x[i]);
        c.push(x[2], x[i]);
    }
    let second = &mut curves[1];
    second.t = vec![x[0], x[1] * x[1]];
    second.log_df.pop();
    second.push(x[1], x[0]);
    if let Some(first) = curves.first_mut() {
        first.log_df.extend_from_slice(x);
        first.log_df[1] *= x[1];
    }
    curves[0].log_df.iter().sum::<f64>() * curves[1].t[1] + curves[1].log_df[0] * curves[1].t[2]
}

#[test]
fn lists_in_elements_behind_references() {
    scalar!(borrowed).takes_memory().row(462).check(&POINTS);
}
