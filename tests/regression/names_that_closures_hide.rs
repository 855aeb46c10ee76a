//! Generated code that rustc refused: names that a closure hides, an item of a range whose number is not known in
//! patterns, and impl blocks of structs with lifetimes.

use approx::assert_relative_eq;
use di::prelude::*;

struct Table {
    offsets: Vec<f64>,
}

impl Table {
    fn pick(&self, i: usize, f: impl Fn(usize) -> usize) -> f64 {
        self.offsets[f(i) % self.offsets.len()]
    }
}

#[derive(Clone, Copy)]
struct Pair {
    i: usize,
    w: f64,
}

#[differentiable]
fn hidden(x: f64, #[constant] table: &Table) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let w = table.pick(i + 1, |i| i * 2 + 1) * table.pick(i, |j| j + i);
        s += w * x.powi(i as i32 + 1);
    }
    s
}

#[differentiable]
fn hidden_by_a_pattern(x: f64, #[constant] pairs: &[Pair], #[constant] i: usize) -> f64 {
    let n: f64 = passive(
        pairs
            .iter()
            .filter(|&&Pair { i, .. }| i % 2 == 0)
            .map(|p| Pair { i: i + p.i, w: p.w })
            .map(|Pair { i, w }| i as f64 * w)
            .sum::<f64>(),
    );
    n * x * x
}

#[test]
fn closures_hide_names() {
    let table = Table {
        offsets: vec![0.5, -0.3, 1.2, 0.7],
    };
    let x = 0.7;
    let w = [0.7 * 0.5, -0.3 * 1.2, 0.7 * 0.5];
    let expected = w[0] + 2.0 * w[1] * x + 3.0 * w[2] * x * x;
    let backend = AutoSource::new();
    let found = derivative(hidden::AD.with(&table), NoPrep, &backend, &x).unwrap();
    assert_relative_eq!(found, expected, epsilon = 1e-12);

    let pairs = [(2, 0.5), (3, 0.25), (4, 0.7)].map(|(i, w)| Pair { i, w });
    let f = hidden_by_a_pattern::AD.with(&pairs, 1);
    let found = derivative(f, NoPrep, &backend, &x).unwrap();
    assert_relative_eq!(found, 2.0 * x * (3.0 * 0.5 + 5.0 * 0.7), epsilon = 1e-12);
}

#[differentiable]
fn largest(x: &[f64], #[constant] from: usize) -> Option<f64> {
    let k = (from..x.len()).max_by(|&i, &j| x[i].abs().total_cmp(&x[j].abs()))?;
    Some(x[k] * x[k])
}

#[test]
fn items_of_ranges_that_inputs_choose() {
    let f = largest::AD.with(1);
    let found = gradient(f, NoPrep, &AutoSource::new(), &[5.0, -3.0, 2.0]).unwrap();
    assert_eq!(found, [0.0, -6.0, 0.0]);
}

#[differentiable]
mod grids {
    pub(super) struct Grid<'a> {
        pub(super) knots: &'a [f64],
        pub(super) scale: f64,
    }

    impl<'a> Grid<'a> {
        const STEPS: usize = 2;

        fn bump(&self, k: usize, t: f64) -> f64 {
            (-(t - self.knots[k]).powi(2) * self.scale).exp()
        }

        fn total(&self, t: f64) -> f64 {
            let mut s = 0.0;
            for k in 0..Self::STEPS {
                s += self.bump(k, t);
            }
            s
        }
    }

    pub(super) fn field(x: &[f64], #[constant] grid: &Grid<'_>) -> f64 {
        x.iter().map(|&t| grid.total(t)).sum()
    }
}

#[test]
fn blocks_with_lifetimes() {
    let knots = [0.2, 0.7];
    let grid = grids::Grid {
        knots: &knots,
        scale: 0.8,
    };
    let x = [0.3, -0.4, 1.1];
    let found = gradient(grids::field::AD.with(&grid), NoPrep, &AutoSource::new(), &x).unwrap();
    for (found, t) in found.iter().zip(x) {
        let slope = |k: f64| -1.6 * (t - k) * (-(t - k).powi(2) * 0.8).exp();
        assert_relative_eq!(*found, slope(0.2) + slope(0.7), epsilon = 1e-12);
    }
}

#[differentiable]
mod auction {
    fn cdf(a: f64, b: f64) -> impl Fn(f64) -> f64 {
        move |v| 1.0 - (1.0 - v.powf(a)).powf(b)
    }
    fn pdf(a: f64, b: f64) -> impl Fn(f64) -> f64 {
        move |v| a * b * v.powf(a - 1.0) * (1.0 - v.powf(a)).powf(b - 1.0)
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let (cdf, pdf) = (cdf(x[0], x[1]), pdf(x[0], x[1]));
        cdf(0.3) / pdf(0.4)
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let cdf = cdf(x[0], x[1]);
        cdf(0.3)
    }
}
#[differentiable]
mod hiding {
    fn law(k: f64) -> impl Fn(f64) -> f64 {
        move |v| v * k
    }
    fn scale(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x) * 2.0
    }
    fn both(x: f64) -> f64 {
        scale(|v| v * v, x) + law(x)(x)
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let law = law(x[0]);
        let scale = |a: f64, b: f64| a * b * 10.0;
        law(2.0) + scale(x[1], x[0]) + both(x[1])
    }
}
#[test]
fn variables_with_the_names_of_functions() {
    let backend = AutoSource::new();
    let x = [1.5, 2.0];
    for (found, plain) in [
        (
            gradient(auction::f::AD, NoPrep, &backend, &x).unwrap(),
            auction::f as fn(&[f64]) -> f64,
        ),
        (
            gradient(auction::g::AD, NoPrep, &backend, &x).unwrap(),
            auction::g,
        ),
        (
            gradient(hiding::f::AD, NoPrep, &backend, &x).unwrap(),
            hiding::f,
        ),
    ] {
        for (k, found) in found.iter().enumerate() {
            let at = |h: f64| {
                let mut x = x;
                x[k] += h;
                plain(&x)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert_relative_eq!(*found, slope, max_relative = 1e-6);
        }
    }
}
