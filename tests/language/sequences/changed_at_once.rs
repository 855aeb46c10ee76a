//! Functions and methods without an attribute that change several things at once: numbers, values of numbers, collections.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 2.3, 0.4, 0.7], &[0.3, -0.8, 1.4, 0.2]];

fn n(s: &mut u64) -> u64 {
    *s = s.wrapping_mul(6364136223846793005).wrapping_add(1);
    *s >> 33
}
fn shuffle(s: &mut u64, v: &mut Vec<usize>) {
    for i in (1..v.len()).rev() {
        let j = n(s) as usize % (i + 1);
        v.swap(i, j);
    }
}
fn draw(s: &mut u64, v: &mut [usize], k: &mut usize) -> f64 {
    *k += 1;
    let j = n(s) as usize % v.len();
    v[j] += 1;
    (n(s) % 7) as f64
}
#[derive(Clone, Copy)]
struct R(u64);
impl R {
    fn n(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        self.0 >> 33
    }
    fn shuffle(&mut self, v: &mut [usize]) {
        for i in (1..v.len()).rev() {
            let j = self.n() as usize % (i + 1);
            v.swap(i, j);
        }
    }
    fn counted(&mut self, count: &mut u32) -> f64 {
        *count += 1;
        (self.n() >> 20) as f64 / 2048.0
    }
}
fn both(r: &mut R, k: &mut usize, by: usize) -> f64 {
    *k += by;
    (r.n() % 5) as f64
}
fn two(a: &mut R, b: &mut R) {
    std::mem::swap(a, b);
    a.n();
}
fn reverse_pairs(v: &mut Vec<usize>) {
    for c in v.chunks_mut(2) {
        c.reverse();
    }
}
#[differentiable]
fn a(x: &[f64]) -> f64 {
    let mut r = 3u64;
    let mut o: Vec<usize> = (0..x.len()).collect();
    shuffle(&mut r, &mut o);
    shuffle(&mut r, &mut o);
    let mut k = 0;
    let mut s = 0.0;
    for _ in 0..3 {
        s += x[k % 2] * draw(&mut r, &mut o, &mut k);
    }
    s + o
        .iter()
        .enumerate()
        .map(|(k, &i)| x[i % 4] * x[i % 4] * k as f64)
        .sum::<f64>()
        + (r % 11) as f64 * x[0]
}
#[differentiable]
fn b(x: &[f64]) -> f64 {
    let mut r = R(3);
    let mut o: Vec<usize> = (0..x.len()).collect();
    r.shuffle(&mut o);
    r.shuffle(&mut o);
    let mut count = 0;
    let mut s = 0.0;
    for v in x {
        s += v * v * r.counted(&mut count);
    }
    s * count as f64
        + o.iter()
            .enumerate()
            .map(|(k, &i)| x[i] * x[i] * k as f64)
            .sum::<f64>()
        + (r.n() % 13) as f64 * x[1]
}
#[differentiable]
fn c(x: &[f64]) -> f64 {
    let (mut r, mut q) = (R(3), R(8));
    let mut k = 1;
    let mut s = 0.0;
    for i in 0..4 {
        s += x[i] * both(&mut r, &mut k, i + 1);
        two(&mut r, &mut q);
        if k > 4 {
            s += x[k % 4] * both(&mut q, &mut k, 2);
        }
    }
    s * s + (q.n() % 3) as f64 * x[0] + k as f64 * x[2] + (r.n() % 17) as f64 * x[3]
}
#[differentiable]
fn d(x: &[f64]) -> f64 {
    let mut o: Vec<usize> = (0..x.len()).collect();
    reverse_pairs(&mut o);
    o.extend(0..x.len());
    o.iter()
        .enumerate()
        .map(|(k, &i)| x[i] * x[i] * k as f64)
        .sum()
}

#[derive(Clone, Copy)]
struct Left {
    n: u32,
}

#[derive(Clone, Copy)]
struct Right {
    n: u32,
}

impl Left {
    fn trade(&mut self, other: &mut Right) {
        std::mem::swap(&mut self.n, &mut other.n);
        self.n += 1;
    }
}

#[differentiable]
fn traded(x: &[f64]) -> f64 {
    let (mut a, mut b) = (Left { n: 2 }, Right { n: 5 });
    a.trade(&mut b);
    let s = x[0] * a.n as f64;
    a.trade(&mut b);
    s + x[1].sin() * b.n as f64 + x[2] * a.n as f64
}

#[test]
fn what_changes_at_once() {
    scalar!(a::AD, a).takes_memory().row(945).check(&POINTS);
    scalar!(b::AD, b).takes_memory().row(945).check(&POINTS);
    scalar!(c::AD, c).row(945).check(&POINTS);
    scalar!(d::AD, d).takes_memory().row(945).check(&POINTS);
    scalar!(traded::AD, traded).row(945).check(&POINTS);
}
