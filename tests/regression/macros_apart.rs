//! What a macro of one's own binds is its own, however its caller calls it: names, labels, names in texts. A call takes the
//! declaration before it.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.3, 0.7, 2.1], &[-0.4, 0.9, 0.3]];

macro_rules! doubled {
    ($e:expr) => {
        'a: loop {
            let v = $e;
            if v > -1e9 {
                break 'a v * 2.0;
            }
        }
    };
}

macro_rules! digits {
    ($e:expr) => {{
        let n = $e;
        format!("{n}").len()
    }};
}

macro_rules! inner {
    (0) => {
        100.0
    };
    ($e:expr) => {
        f64::from($e)
    };
}

/// What it hands on is an expression, whatever it is written as.
macro_rules! outer {
    ($e:expr) => {
        inner!($e)
    };
}

macro_rules! count {
    () => {
        0usize
    };
    ($a:tt $($r:tt)*) => {
        1usize + count!($($r)*)
    };
}

macro_rules! add {
    ($s:ident, $e:expr) => {
        $s += $e;
    };
}

macro_rules! twice {
    ($s:ident, $e:expr) => {
        add!($s, $e);
        let u = $e;
        add!($s, u * u);
    };
}

#[differentiable]
fn square(v: f64) -> f64 {
    v * v
}

macro_rules! squared {
    ($e:expr) => {{
        let square = square($e);
        square * 2.0
    }};
}

#[derive(Clone, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

macro_rules! pairs {
    ($e:expr) => {{
        let a = $e;
        let b = a * 2.0;
        vec![Pair { a, b }, Pair { a: b, b: a }]
    }};
}

macro_rules! steps {
    ({ $($s:stmt;)* } $e:expr) => {{
        $($s)*
        $e
    }};
}

#[differentiable]
fn lists_of_statements(x: &[f64]) -> f64 {
    steps!({ let a = x[0] * 2.0; let b = a * x[1]; } a * b) + x[2]
}

#[differentiable]
fn labels(x: &[f64]) -> f64 {
    'a: {
        let q = doubled!({
            if x[0] > 0.0 {
                break 'a x[1] * 5.0;
            }
            x[2]
        });
        q + 100.0
    }
}

#[differentiable]
fn texts(x: &[f64]) -> f64 {
    let n = 12345;
    x[0] * digits!(7) as f64 + n as f64
}

#[differentiable]
fn fragments(x: &[f64]) -> f64 {
    x[0] * outer!(0) + x[1] * count!(a += b) as f64
}

#[differentiable]
fn statements(x: &[f64]) -> f64 {
    let mut s = x[0];
    let u = 3.0;
    twice!(s, x[1] * u);
    for v in x {
        twice!(s, *v);
    }
    s
}

#[differentiable]
fn names(x: &[f64]) -> f64 {
    let s = x[0];
    macro_rules! shadowed {
        ($e:expr) => {{
            let s = s + $e;
            s * s
        }};
    }
    let l = pairs!(x[0]);
    shadowed!(x[1]) * shadowed!(s) + squared!(x[0] + x[1]) + l[0].a * l[1].a + l[1].b
}

#[test]
fn macros_bind_names_of_their_own() {
    scalar!(labels).check(&POINTS);
    scalar!(lists_of_statements).check(&POINTS);
    scalar!(texts).check(&POINTS);
    scalar!(fragments).check(&POINTS);
    scalar!(statements).check(&POINTS);
    scalar!(names).check(&POINTS);
}
