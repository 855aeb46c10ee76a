//! `.cloned()` of an option of a reference, or of an iterator over one, took the vectors out of the variable behind it:
//! later reads found it empty.

#![allow(clippy::unwrap_used, reason = "options as users read them")]

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.3, 0.7, 2.1], &[-0.4, 0.9, 0.3]];

#[differentiable]
mod kept {
    #[derive(Clone)]
    pub struct Part {
        a: Vec<f64>,
        z: f64,
    }
    fn made(x: &[f64]) -> Part {
        Part {
            a: x.to_vec(),
            z: x[1],
        }
    }
    fn value(p: &Part) -> f64 {
        p.a.iter().sum::<f64>() * p.z
    }
    fn or(p: Option<&Part>, other: &Part) -> Part {
        p.cloned().unwrap_or(other.clone())
    }
    pub(super) fn options(x: &[f64]) -> f64 {
        let (w, v) = (made(x), vec![x[0], x[2]]);
        let c = Some(&w).cloned().unwrap();
        let o = Some(made(&x[1..]));
        let d = o.as_ref().cloned().unwrap();
        let mut e = Some(&v).cloned().unwrap();
        e[0] *= 2.0;
        let r = Some(&w);
        let f = match r.cloned() {
            Some(f) => value(&f),
            None => 0.0,
        };
        value(&w) * 5.0 + value(&c) + value(&d) * value(o.as_ref().unwrap()) + e[0] * v[0] + f
    }
    pub(super) fn branches(x: &[f64]) -> f64 {
        let (w, u) = (made(x), made(&x[1..]));
        let c = if x[0] > 0.0 { Some(&w) } else { Some(&u) }.cloned();
        let d = or(Some(&w), &u);
        value(&w) * 5.0 + value(&c.unwrap()) + value(&d) * value(&u)
    }
    pub(super) fn iterators(x: &[f64]) -> f64 {
        let (w, o) = (made(x), Some(made(&x[1..])));
        let once: Vec<Part> = std::iter::once(&w).cloned().collect();
        let of_option: Vec<Part> = o.iter().cloned().collect();
        let mapped: Vec<Part> = (0..2).map(|_| &w).cloned().collect();
        value(&once[0]) * value(&w)
            + value(&of_option[0]) * value(o.as_ref().unwrap())
            + value(&mapped[0])
            + value(&mapped[1])
    }
}

#[test]
fn what_is_cloned_stays() {
    scalar!(kept::options::AD, kept::options)
        .takes_memory()
        .check(&POINTS);
    scalar!(kept::branches::AD, kept::branches)
        .takes_memory()
        .check(&POINTS);
    scalar!(kept::iterators::AD, kept::iterators)
        .takes_memory()
        .check(&POINTS);
}
