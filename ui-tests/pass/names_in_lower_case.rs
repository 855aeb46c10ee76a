//! Constants that are spelled like variables, and patterns whose names come from elsewhere.
#![allow(non_upper_case_globals)]

use di::differentiable;

static limit: f64 = 3.0;
const offset: usize = 1;
const shift: i32 = 3;
static table: [f64; 3] = [1.0, 2.0, 3.0];

enum Kind {
    Plain,
    Damped { rate: f64, order: usize },
}

#[differentiable]
fn constants(x: &[f64]) -> f64 {
    let rest = x[offset];
    assert!(limit > 0.0, "{limit}");
    let b = x[(shift - 2) as usize] * table[offset + 1];
    let mut s = 0.0;
    for i in 0..offset + 1 {
        s += x[i] * limit;
    }
    if offset + 1 > 2 { s } else { s * rest + b }
}

#[differentiable]
fn of_any_length<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in offset..N - offset {
        s += x[i] * x[offset - 1];
    }
    s
}

macro_rules! damped {
    ($name:ident, $rate:ident) => {
        #[differentiable]
        fn $name(x: f64, #[constant] kind: &Kind) -> f64 {
            match kind {
                Kind::Plain => x,
                Kind::Damped { $rate, order } => x * $rate * *order as f64,
            }
        }
    };
}

damped!(motion, rate);

#[differentiable]
fn dropped(x: &[f64], n: usize) -> f64 {
    let v = x.to_vec();
    let s = v[0];
    match n {
        0 => drop(v),
        _ => {}
    }
    s
}

fn main() {
    let x = [1.0, 2.0, 3.0];
    let kind = Kind::Damped {
        rate: 2.0,
        order: 3,
    };
    assert_eq!(constants(&x), 24.0);
    assert_eq!(of_any_length(&x), 2.0);
    assert_eq!(motion(1.0, &kind) + motion(1.0, &Kind::Plain), 7.0);
    assert_eq!(dropped(&x, 0), 1.0);
}
