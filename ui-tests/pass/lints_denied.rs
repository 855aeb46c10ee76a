//! Lints that are denied by name: generated code is not what they are about.
#![deny(unused, nonstandard_style, missing_docs, unused_qualifications, unused_results)]
#![deny(trivial_casts, unreachable_pub, single_use_lifetimes, rust_2018_idioms)]

use di::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: f64,
    n: u32,
}

#[differentiable]
impl Pair {
    fn grow(&mut self, k: f64) {
        self.a *= k;
        self.n += 1;
    }
}

#[differentiable]
fn total(x: &[f64]) -> f64 {
    let mut p = Pair { a: x[0], n: 0 };
    for v in x {
        p.grow(*v);
    }
    p.a * f64::from(p.n)
}

#[differentiable]
fn plain(x: &[f64], y: &mut [f64]) {
    for (a, b) in y.iter_mut().zip(x) {
        *a = b.sin();
    }
}

fn main() {
    let g = gradient(total::AD, NoPrep, &AutoSource::new(), &[1.0, 3.0]);
    assert_eq!(g.ok(), Some([12.0, 2.0]));
    let _ = plain::AD;
}
