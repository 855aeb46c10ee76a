//! Functions in the bodies of functions.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn with_helpers(x: &[f64]) -> f64 {
    const HALF: f64 = 0.5;
    fn square(t: f64) -> f64 {
        t * t * HALF
    }
    fn norm(v: &[f64]) -> f64 {
        let mut s = 0.0;
        for t in v {
            s += square(*t);
        }
        s.sqrt()
    }
    fn power(t: f64, n: usize) -> f64 {
        if n == 0 { 1.0 } else { t * power(t, n - 1) }
    }
    fn scale(v: &mut [f64], k: f64) {
        for t in v.iter_mut() {
            *t *= k;
        }
    }
    let mut y = x.to_vec();
    let k = power(x[1], 3);
    scale(&mut y[1..], k + norm(x));
    norm(&y) * square(y[0]) + HALF * y[2]
}

#[differentiable]
fn square(t: f64) -> f64 {
    t * t * t
}

#[differentiable]
fn shadowing(x: &[f64]) -> f64 {
    let outer = square(x[0]);
    #[differentiable]
    fn square(t: f64) -> f64 {
        t.sin()
    }
    outer * square(x[1]) + x.iter().map(|v| square(*v)).sum::<f64>()
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
impl Pair {
    fn weigh(&self, x: f64) -> f64 {
        fn bump(p: &Pair, x: f64) -> f64 {
            p.a * (x * p.b).exp()
        }
        let a: f64 = self.a;
        bump(self, x) + bump(&Pair { b: x, ..*self }, a)
    }
}

#[differentiable]
fn in_methods(x: &[f64]) -> f64 {
    let p = Pair { a: x[0], b: x[1] };
    p.weigh(x[2]) * x[3]
}

#[test]
fn functions_of_the_body() {
    scalar!(with_helpers).row(140).check(&POINTS);
    scalar!(shadowing).row(140).check(&POINTS);
    scalar!(in_methods).row(140).check(&POINTS);
}

#[differentiable]
fn in_all_blocks(x: &[f64]) -> f64 {
    const K: f64 = 2.0;
    let mut s = 0.0;
    if x[0] > 0.0 {
        const K: f64 = 3.0;
        use std::f64::consts::FRAC_PI_4 as ANGLE;
        fn g(t: f64) -> f64 {
            h(t) * t * K + ANGLE
        }
        fn h(t: f64) -> f64 {
            fn deep(t: f64, #[constant] n: usize) -> f64 {
                if n == 0 {
                    t.sin()
                } else {
                    K * deep(t * 0.5, n - 1)
                }
            }
            deep(t, 2) + 1.0
        }
        s += g(x[0]);
    } else {
        fn g(t: f64) -> f64 {
            t.cos() * K
        }
        s += g(x[1]);
    }
    for t in x {
        fn g(t: f64) -> f64 {
            t * t
        }
        s += g(*t);
    }
    let scaled = |t: f64| {
        fn g(t: f64) -> f64 {
            1.0 + t.exp()
        }
        const LIMIT: f64 = 0.5;
        if t > LIMIT { g(t) } else { g(-t) * x[2] }
    };
    let passive: f64 = {
        fn table(i: usize) -> f64 {
            entry(i) + 0.25
        }
        fn entry(i: usize) -> f64 {
            i as f64 * 0.5
        }
        table(x.len())
    };
    scaled(x[2]) * scaled(x[3]) + passive * s
}

#[differentiable]
impl Pair {
    fn spread(&self, x: f64) -> f64 {
        if x > 0.0 {
            fn bump(t: f64) -> f64 {
                t.tanh()
            }
            bump(x * self.a)
        } else {
            fn bump(t: f64) -> f64 {
                t * t
            }
            bump(x - self.b)
        }
    }
}

#[differentiable]
fn in_blocks_of_methods(x: &[f64]) -> f64 {
    let p = Pair { a: x[0], b: x[1] };
    p.spread(x[2]) * p.spread(x[3])
}

#[test]
fn functions_in_inner_blocks() {
    scalar!(in_all_blocks).row(140).check(&POINTS);
    scalar!(in_blocks_of_methods).row(140).check(&POINTS);
}
