//! Parts by ranges that methods and functions of constants return.

use di::prelude::*;
use di_test::scalar;
use std::ops::{Range, RangeInclusive};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 0.9], &[1.3, 0.4, 0.8, 1.6]];

#[derive(Clone, Copy)]
struct Problem {
    n: usize,
}

impl Problem {
    fn state_range(&self, k: usize) -> Range<usize> {
        k * self.n..(k + 1) * self.n
    }

    fn closed(&self, k: usize) -> RangeInclusive<usize> {
        k * self.n..=k * self.n + 1
    }
}

fn block(n: usize, k: usize) -> std::ops::Range<usize> {
    n * k..n * (k + 1)
}

fn of(p: &Problem, k: usize) -> Range<usize> {
    p.state_range(k)
}

#[differentiable]
fn by_methods(z: &[f64], p: Problem) -> f64 {
    let mut sum = 0.0;
    for k in 0..2 {
        let state = &z[p.state_range(k)];
        sum += state[0] * state[1].sin() * z[p.closed(k)][1];
    }
    sum * z[p.state_range(1)].iter().sum::<f64>()
}

#[differentiable]
fn with_names(z: &[f64], #[constant] p: &Problem) -> f64 {
    let r = p.state_range(1);
    let (a, b) = (&z[r.clone()], &z[p.closed(0)]);
    let mut sum = a[0] * b[1];
    for k in r.clone() {
        sum += z[k] * z[k - r.start];
    }
    sum + z[r].iter().map(|v| v * v * v).sum::<f64>()
}

#[differentiable]
fn by_functions(z: &[f64], #[constant] p: &Problem) -> f64 {
    let r = block(2, 1);
    let mut y = z.to_vec();
    for v in &mut y[p.state_range(0)] {
        *v *= v.exp();
    }
    let first = z[block(2, 0)].iter().product::<f64>();
    first * y[0] * y[1] + z[of(p, 1)][1] * y[r].iter().sum::<f64>()
}

#[test]
fn parts_by_ranges_of_constants() {
    let p = Problem { n: 2 };
    scalar!(by_methods::AD.with(p), |z| by_methods(z, p))
        .row(400)
        .check(&POINTS);
    scalar!(with_names::AD.with(&p), |z| with_names(z, &p))
        .row(400)
        .check(&POINTS);
    scalar!(by_functions::AD.with(&p), |z| by_functions(z, &p))
        .row(400)
        .check(&POINTS);
}

#[differentiable]
mod layout {
    pub struct Layout {
        pub n: usize,
        pub names: Vec<String>,
    }

    impl Layout {
        fn part(&self, k: usize) -> std::ops::Range<usize> {
            self.n * k..self.n * (k + 1)
        }
    }

    fn last(layout: &Layout) -> std::ops::Range<usize> {
        layout.part(layout.names.len() - 1)
    }

    fn ends(n: usize) -> std::ops::RangeInclusive<usize> {
        1..=n
    }

    pub fn energy(z: &[f64], #[constant] layout: &Layout) -> f64 {
        let r = layout.part(1);
        let a = &z[r.clone()];
        let sum = z[ends(2)].iter().map(|v| v.sin()).sum::<f64>();
        a[0] * z[layout.part(0)][1] * sum + z[last(layout)].iter().product::<f64>()
    }
}

#[test]
fn in_modules() {
    let layout = layout::Layout {
        n: 2,
        names: vec!["first".to_owned(), "last".to_owned()],
    };
    scalar!(layout::energy::AD.with(&layout), |z| layout::energy(
        z, &layout
    ))
    .row(400)
    .check(&POINTS);
}
