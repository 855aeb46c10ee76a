//! Arrays of arrays of structs, as parameters, borrowed, changed and returned.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, -0.4, 1.3], &[-0.7, 0.4, 0.3]];

#[differentiable]
mod grids {
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug)]
    pub struct C {
        pub re: f64,
        pub im: f64,
    }

    impl C {
        fn size(&self) -> f64 {
            self.re * self.re + self.im.sin()
        }
    }

    impl Add for C {
        type Output = C;
        fn add(self, o: C) -> C {
            C {
                re: self.re + o.re,
                im: self.im + o.im,
            }
        }
    }

    impl Mul for C {
        type Output = C;
        fn mul(self, o: C) -> C {
            C {
                re: self.re * o.re - self.im * o.im,
                im: self.re * o.im + self.im * o.re,
            }
        }
    }

    pub struct Film {
        pub layers: [[C; 2]; 2],
        pub rows: Vec<[C; 2]>,
        pub depth: f64,
    }

    fn made(x: &[f64]) -> [[C; 2]; 2] {
        let c = |i: usize, j: usize| C { re: x[i], im: x[j] };
        [
            [c(0, 1), c(1, 2)],
            [
                c(2, 0),
                C {
                    re: 1.0,
                    im: x[1] * x[0],
                },
            ],
        ]
    }

    fn product(a: [[C; 2]; 2], b: [[C; 2]; 2]) -> [[C; 2]; 2] {
        let mut m = a;
        for i in 0..2 {
            for j in 0..2 {
                m[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
            }
        }
        m
    }

    fn square<const N: usize>(a: &[[C; N]; N]) -> [[C; N]; N] {
        let mut s = *a;
        for i in 0..N {
            for j in 0..N {
                s[i][j] = C { re: 0.0, im: 0.0 };
                for k in 0..N {
                    s[i][j] = s[i][j] + a[i][k] * a[k][j];
                }
            }
        }
        s
    }

    fn crossed(m: &[[C; 2]; 2], i: usize) -> f64 {
        m[i][0].size() * m[1 - i][1].re
    }

    fn total(rows: &[[C; 2]], k: f64) -> f64 {
        let mut sum = 0.0;
        for row in rows {
            for c in row {
                sum += c.size() * k;
            }
        }
        sum
    }

    fn row(r: &[C]) -> f64 {
        r.iter().map(|c| c.re * c.im).sum()
    }

    fn ends(r: &[C; 2]) -> C {
        r[0] * r[1]
    }

    fn change(m: &mut [[C; 2]; 2], k: f64) {
        m[0][1].re *= k;
        m[1] = m[0];
        m[1][0] = m[0][0] * m[0][1];
    }

    fn bump(r: &mut [C; 2]) {
        r[0].re *= r[1].im;
    }

    fn swapped(m: [[C; 2]; 2]) -> ([[C; 2]; 2], f64) {
        let mut h = m;
        h.swap(0, 1);
        (h, m[0][0].re)
    }

    fn line(m: [[C; 2]; 2], at: usize) -> Option<[C; 2]> {
        if at < 2 { Some(m[at]) } else { None }
    }

    pub(super) fn lent(x: &[f64]) -> f64 {
        let m = made(x);
        crossed(&m, 0) + crossed(&m, 1) * total(&m, x[0]) + row(&m[0]) * ends(&m[1]).re
    }

    pub(super) fn returned(x: &[f64]) -> f64 {
        let m = product(made(x), square(&made(x)));
        let (h, re) = swapped(m);
        let of_line = match line(h, 1) {
            Some([a, b]) => a.re * b.im,
            None => 0.0,
        };
        crossed(&m, 1) * re + of_line
    }

    pub(super) fn changed(x: &[f64]) -> f64 {
        let mut m = made(x);
        let mut sum = 0.0;
        for k in 0..3 {
            change(&mut m, x[k]);
            bump(&mut m[0]);
            sum += crossed(&m, k % 2) * x[0];
            let old = m[0];
            m[0] = [m[1][1], old[0]];
        }
        sum + total(&m[1..], 0.5)
    }

    pub(super) fn looped(x: &[f64]) -> f64 {
        let mut m = [[C { re: 0.0, im: 1.0 }; 3]; 2];
        for (i, r) in m.iter_mut().enumerate() {
            for (j, c) in r.iter_mut().enumerate() {
                c.re = x[j] * (i + 1) as f64;
            }
        }
        if x[0] > 0.0 {
            m[1][2] = m[0][0] * m[1][1];
        } else {
            m[0] = m[1];
        }
        let sums = m.map(|r| r[0] + r[1] * r[2]);
        m.iter().flatten().map(|c| c.size()).sum::<f64>() + sums[0].re * sums[1].im
    }

    pub(super) fn listed(x: &[f64]) -> f64 {
        let mut rows: Vec<[C; 2]> = Vec::new();
        for k in 0..3 {
            rows.push([
                C { re: x[k], im: x[0] },
                C {
                    re: x[k] * x[1],
                    im: x[2],
                },
            ]);
        }
        rows[1][0].re += rows[0][1].im * x[1];
        let copy = rows.clone();
        rows[0] = copy[1];
        total(&rows, 1.5) + copy.iter().map(|r| r[1].size()).sum::<f64>() * x[0]
    }

    fn of_film(film: &Film) -> f64 {
        let mut sum = film.layers[1][1].size() + row(&film.layers[0]);
        for [a, b] in &film.rows {
            sum += a.re * b.im * film.depth;
        }
        sum + crossed(&film.layers, 1)
    }

    pub(super) fn in_fields(x: &[f64]) -> f64 {
        let m = made(x);
        let film = Film {
            layers: m,
            rows: vec![m[0], m[1], m[0]],
            depth: x[1],
        };
        let mut layers = film.layers;
        change(&mut layers, film.depth);
        let thin = Film {
            layers,
            rows: vec![film.rows[1]],
            depth: x[2],
        };
        of_film(&film) + of_film(&thin)
    }

    pub(super) fn of_constants(x: &[f64], #[constant] film: &Film) -> f64 {
        let mut sum = crossed(&film.layers, 0) * x[0] + ends(&film.layers[1]).im * x[1];
        for r in &film.layers {
            sum += ends(r).re * x[2] * x[2];
        }
        sum + film.layers[0][1].re * x[0]
    }

    /// Of what operators hand in.
    pub(super) fn pairs(m: &[[C; 2]; 3]) -> f64 {
        (0..3).map(|i| m[i][0].re * m[(i + 1) % 3][1].im).sum()
    }

    pub(super) fn pairs_of_slice(m: &[[C; 2]]) -> f64 {
        (0..3).map(|i| m[i][0].re * m[(i + 1) % 3][1].im).sum()
    }

    pub(super) fn pairs_of_value(mut m: [[C; 2]; 3]) -> f64 {
        m[0][0].re *= 2.0;
        pairs(&m)
    }
}

#[test]
fn lent() {
    scalar!(grids::lent::AD, grids::lent)
        .row(320)
        .check(&POINTS);
}

#[test]
fn returned() {
    scalar!(grids::returned::AD, grids::returned)
        .row(320)
        .check(&POINTS);
}

#[test]
fn changed() {
    scalar!(grids::changed::AD, grids::changed)
        .row(320)
        .check(&POINTS);
}

#[test]
fn looped() {
    scalar!(grids::looped::AD, grids::looped)
        .row(320)
        .check(&POINTS);
}

#[test]
fn listed() {
    scalar!(grids::listed::AD, grids::listed)
        .row(320)
        .check(&POINTS);
}

#[test]
fn in_fields() {
    scalar!(grids::in_fields::AD, grids::in_fields)
        .takes_memory()
        .row(320)
        .check(&POINTS);
}

fn row_of(k: f64) -> [grids::C; 2] {
    let (re, im) = (0.3 + 0.2 * k, 0.9 - 0.1 * k);
    [grids::C { re, im }, grids::C { re: -im, im: re }]
}

#[test]
fn of_constants() {
    let film = grids::Film {
        layers: [row_of(0.0), row_of(1.0)],
        rows: vec![row_of(2.0)],
        depth: 0.4,
    };
    scalar!(grids::of_constants::AD.with(&film), |x: &[f64]| {
        grids::of_constants(x, &film)
    })
    .takes_memory()
    .row(320)
    .check(&POINTS);
}

/// The derivative of `pairs`, row by row, with `re` of the first row counted twice if it is doubled.
fn expected(m: &[[grids::C; 2]; 3], doubled: f64) -> Vec<f64> {
    let each = (0..3).flat_map(|i| {
        let by = if i == 0 { doubled } else { 1.0 };
        let before = if i == 1 { doubled } else { 1.0 };
        [
            by * m[(i + 1) % 3][1].im,
            0.0,
            0.0,
            before * m[(i + 2) % 3][0].re,
        ]
    });
    each.collect()
}

fn listed_rows(rows: &[[grids::C; 2]]) -> Vec<f64> {
    rows.iter().flatten().flat_map(|c| [c.re, c.im]).collect()
}

#[test]
fn as_inputs() {
    let m = [row_of(0.0), row_of(1.0), row_of(2.0)];
    let source = AutoSource::new();
    let g = gradient(grids::pairs::AD, NoPrep, &source, &m).unwrap();
    let _row = di_test::rows::row(320);
    assert_close("array", &listed_rows(&g), &expected(&m, 1.0), ROUNDING);
    let g = gradient(grids::pairs_of_slice::AD, NoPrep, &source, &m.to_vec()).unwrap();
    assert_close("slice", &listed_rows(&g), &expected(&m, 1.0), ROUNDING);
    let g = gradient(grids::pairs_of_value::AD, NoPrep, &source, &m).unwrap();
    assert_close("value", &listed_rows(&g), &expected(&m, 2.0), ROUNDING);
}
