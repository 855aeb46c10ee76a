//! Structs that say how they are iterated and indexed: `IntoIterator` of values and references, several impls of `Index`,
//! and methods of constants that return iterators.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92],
    &[0.33, 0.64, 1.41],
    &[1.31, 0.83, 0.46],
];

#[differentiable]
mod iterated {
    use std::ops::{Index, IndexMut};
    pub(super) struct W {
        v: Vec<f64>,
        k: f64,
    }
    impl<'a> IntoIterator for &'a W {
        type Item = &'a f64;
        type IntoIter = std::slice::Iter<'a, f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.v.iter()
        }
    }
    impl<'a> IntoIterator for &'a mut W {
        type Item = &'a mut f64;
        type IntoIter = std::slice::IterMut<'a, f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.v.iter_mut()
        }
    }
    impl IntoIterator for W {
        type Item = f64;
        type IntoIter = std::vec::IntoIter<f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.v.into_iter()
        }
    }
    pub(super) fn make(x: &[f64]) -> W {
        W {
            v: x.iter().map(|v| v * x[0]).collect(),
            k: x[1],
        }
    }
    pub(super) fn total(w: &W) -> f64 {
        let mut s = w.k;
        for a in w {
            s += a * a;
        }
        s
    }
    pub(super) fn double(w: &mut W) {
        for a in w {
            *a *= 2.0;
        }
    }
    pub(super) struct Holder {
        w: W,
        f: f64,
    }
    impl Holder {
        fn sum(&self) -> f64 {
            let mut s = 0.0;
            for a in &self.w {
                s += a * self.f;
            }
            s + (&self.w).into_iter().map(|a| a.sin()).sum::<f64>()
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut w = make(x);
        let mut s = total(&w);
        double(&mut w);
        for a in &mut w {
            *a += x[2] * *a;
        }
        for (i, a) in (&w).into_iter().enumerate() {
            s += a.powi(i as i32 + 1);
        }
        s += x.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>();
        for v in make(x) {
            s *= 1.0 + v;
        }
        let h = Holder { w: make(x), f: s };
        s += h.sum();
        s += w.into_iter().map(|v| v * x[1]).sum::<f64>();
        s
    }
    pub(super) struct T {
        d: [f64; 4],
    }
    impl Index<usize> for T {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            &self.d[i]
        }
    }
    impl IndexMut<usize> for T {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.d[i]
        }
    }
    impl Index<(usize, usize)> for T {
        type Output = f64;
        fn index(&self, (r, c): (usize, usize)) -> &f64 {
            &self.d[2 * r + c]
        }
    }
    impl IndexMut<(usize, usize)> for T {
        fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 {
            &mut self.d[2 * r + c]
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let mut t = T {
            d: [x[0], x[1], x[2], x[0] * x[1]],
        };
        t[0] += x[1];
        t[(0, 1)] *= t[2];
        for i in 0..2 {
            for j in 0..2 {
                t[(i, j)] += t[i + j] * x[i];
                t[j] -= 0.5 * t[(j, i)];
            }
        }
        let at = (1, 1);
        let k = 3usize;
        t[at] * t[k] + t[(1, 0)]
    }
}
#[derive(Differentiable)]
struct S {
    v: Vec<f64>,
}
#[differentiable]
impl<'a> IntoIterator for &'a S {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;
    fn into_iter(self) -> Self::IntoIter {
        self.v.iter()
    }
}
#[differentiable]
impl IntoIterator for S {
    type Item = f64;
    type IntoIter = std::vec::IntoIter<f64>;
    fn into_iter(self) -> Self::IntoIter {
        self.v.into_iter()
    }
}
#[differentiable]
fn single(x: &[f64]) -> f64 {
    let w = S { v: x.to_vec() };
    let mut s = 0.0;
    for a in &w {
        s += a * a;
    }
    for a in w {
        s *= a;
    }
    s
}

struct Dataset {
    rows: Vec<Vec<f64>>,
    labels: Vec<bool>,
}
impl Dataset {
    fn iter(&self) -> impl Iterator<Item = (&[f64], bool)> + '_ {
        (self.rows.iter().map(Vec::as_slice)).zip(self.labels.iter().copied())
    }
}
#[differentiable]
fn objective(w: &[f64], #[constant] data: &Dataset) -> f64 {
    let mut loss = 0.0;
    for (row, label) in data.iter() {
        let z = w[0] * row[0] + w[1] * row[1] + w[2];
        loss += if label { z * z } else { z.sin() };
    }
    loss * data.iter().map(|(row, _)| row[0] * w[1]).sum::<f64>()
}

#[test]
fn structs_with_iterators_of_their_own() {
    scalar!(iterated::f::AD, iterated::f)
        .takes_memory()
        .row(901)
        .check(&POINTS);
    scalar!(single::AD, single)
        .takes_memory()
        .row(901)
        .check(&POINTS);
}

#[test]
fn several_indices_of_a_struct() {
    scalar!(iterated::g::AD, iterated::g)
        .row(902)
        .check(&POINTS);
}

#[test]
fn iterators_of_constants() {
    let data = Dataset {
        rows: vec![vec![1.0, 0.5], vec![2.0, -1.0], vec![0.3, 0.7]],
        labels: vec![true, false, true],
    };
    scalar!(objective::AD.with(&data), |w: &[f64]| objective(w, &data))
        .takes_memory()
        .row(903)
        .check(&POINTS);
}

#[differentiable]
mod bags {
    use std::ops::Index;
    #[derive(Clone, Copy)]
    pub(super) struct View<'a> {
        data: &'a [f64],
        w: usize,
    }
    impl<'a> IntoIterator for View<'a> {
        type Item = &'a [f64];
        type IntoIter = std::slice::Chunks<'a, f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.data.chunks(self.w)
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let v = View { data: x, w: 2 };
        let mut s = 0.0;
        for r in v {
            s += r[0] * r[r.len() - 1];
        }
        s + v.into_iter().map(|r| r[0].sin()).sum::<f64>()
    }
    pub(super) struct T {
        d: [f64; 4],
    }
    impl Index<i32> for T {
        type Output = f64;
        fn index(&self, i: i32) -> &f64 {
            &self.d[(i + 1) as usize]
        }
    }
    impl Index<u8> for T {
        type Output = f64;
        fn index(&self, i: u8) -> &f64 {
            &self.d[i as usize]
        }
    }
    impl Index<&str> for T {
        type Output = f64;
        fn index(&self, i: &str) -> &f64 {
            match i {
                "a" => &self.d[0],
                _ => &self.d[3],
            }
        }
    }
    pub(super) fn g(x: &[f64]) -> f64 {
        let t = T {
            d: [x[0], x[1], x[2], x[0] * x[1]],
        };
        let k: u8 = 2;

        t[1i32] * t[k] + t["b"] * t[1u8] + t[k as i32] * t["a"]
    }
    #[derive(Clone)]
    pub(super) struct Bag {
        v: Vec<f64>,
    }
    impl IntoIterator for Bag {
        type Item = f64;
        type IntoIter = std::vec::IntoIter<f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.v.into_iter()
        }
    }
    impl<'a> IntoIterator for &'a Bag {
        type Item = &'a f64;
        type IntoIter = std::slice::Iter<'a, f64>;
        fn into_iter(self) -> Self::IntoIter {
            self.v.iter()
        }
    }
    impl Bag {
        fn norm(&self) -> f64 {
            self.into_iter().map(|v| v * v).sum::<f64>()
        }
        fn all(&self) -> f64 {
            let mut s = 0.0;
            for v in self {
                s += v.sin();
            }
            s
        }
    }
    pub(super) fn total(b: &Bag, k: f64) -> f64 {
        b.into_iter().map(|v| v * k).sum()
    }
    pub(super) fn h(x: &[f64]) -> f64 {
        let bags = vec![
            Bag { v: x.to_vec() },
            Bag {
                v: vec![x[0] * x[1], 2.0],
            },
        ];
        let mut s = 0.0;
        for b in &bags {
            for v in b {
                s += v * v;
            }
            s += b.norm() * b.all();
        }
        let c = bags[0].clone();
        let v: Vec<f64> = c.into_iter().rev().collect();
        for b in bags {
            for v in b {
                s *= 1.0 + 0.1 * v;
            }
        }
        s + v[0] * v[1] + total(&Bag { v }, x[1])
    }
}

#[test]
fn structs_that_borrow_and_lists_of_structs_are_iterated() {
    scalar!(bags::f::AD, bags::f).row(901).check(&POINTS);
    scalar!(bags::g::AD, bags::g).row(902).check(&POINTS);
    scalar!(bags::h::AD, bags::h)
        .takes_memory()
        .row(901)
        .check(&POINTS);
}
