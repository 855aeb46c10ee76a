//! Functions that are generic over types: of constants, and of code that touches no differentiated value.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 0.9, 1.3, 0.6],
    &[-1.2, 0.4, 0.9, -0.3, 0.8, 1.7],
];

trait Model {
    const SCALE: f64;
    fn weight(&self, i: usize) -> f64;
    fn shift() -> f64;
    fn kind(&self) -> Kind {
        Kind::Smooth
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Smooth,
    Rough,
}

#[derive(Clone, Copy)]
struct Linear(f64);

impl Model for Linear {
    const SCALE: f64 = 2.0;
    fn weight(&self, i: usize) -> f64 {
        self.0 * i as f64 + 0.5
    }
    fn shift() -> f64 {
        0.3
    }
}

#[derive(Clone, Copy)]
struct Square;

impl Model for Square {
    const SCALE: f64 = 0.5;
    fn weight(&self, i: usize) -> f64 {
        (i * i) as f64 + 1.0
    }
    fn shift() -> f64 {
        -0.2
    }
    fn kind(&self) -> Kind {
        Kind::Rough
    }
}

#[differentiable]
fn weighted<M: Model + Copy>(x: &[f64], #[constant] m: M) -> f64 {
    let mut s = M::shift();
    for (i, t) in x.iter().enumerate() {
        let w: f64 = m.weight(i);
        s += w * t * t * M::SCALE;
    }
    match m.kind() {
        Kind::Smooth => s.sin(),
        Kind::Rough => s,
    }
}

#[test]
fn constants_of_a_type_that_is_a_parameter() {
    let m = Linear(0.3);
    scalar!(weighted::AD.with(m), |x: &[f64]| weighted(x, m))
        .row(115)
        .check(&POINTS);
    scalar!(weighted::AD.with(Square), |x: &[f64]| weighted(x, Square))
        .row(115)
        .check(&POINTS);
}

#[differentiable]
fn by_reference<M, const N: usize>(x: &[f64; N], #[constant] m: &M, k: f64) -> f64
where
    M: Model + ?Sized,
{
    let mut s = 0.0;
    for i in 0..N {
        let w: f64 = m.weight(i);
        s += (w * x[i]).sin() * k;
    }
    s
}

#[differentiable]
fn without_a_value<M: Model>(x: f64) -> f64 {
    M::SCALE * x * x + <M as Model>::shift() * x
}

#[differentiable]
fn shifted<M: Model>(x: &mut [f64], #[constant] m: &M) {
    #[ad(checkpoint = 2)]
    for k in 0..5 {
        let w: f64 = m.weight(k);
        for i in 0..x.len() {
            x[i] += 0.1 * (x[i] * w + M::shift()).cos();
        }
    }
}

#[differentiable]
fn recursive<M: Model>(x: &[f64], #[constant] m: &M, n: usize) -> f64 {
    if n == 0 {
        return x[0] * x[1];
    }
    let w: f64 = m.weight(n);
    recursive(x, m, n - 1) * w.sin() + recursive::<M>(&x[1..], m, 0) * x[0]
}

#[differentiable]
fn calls<M: Model + Copy>(x: &[f64], #[constant] m: M) -> f64 {
    let a = [x[0], x[1]];
    let mut y = x.to_vec();
    shifted(&mut y, &m);
    weighted(&y, m) * weighted::<M>(&x[1..], m)
        + by_reference(&a, &m, x[2])
        + by_reference::<M, 2>(&a, &m, x[3])
        + without_a_value::<M>(y[4])
        + recursive(&y, &m, 3)
}

#[differentiable]
fn of_several(x: &[f64], #[constant] q: &Square) -> f64 {
    let square = without_a_value::<Square>(x[1]);
    calls(x, *q) * 0.1 + by_reference(&[x[0]], q, x[5]) + without_a_value::<Linear>(x[0]) * square
}

#[test]
fn calls_that_name_the_type_or_do_not() {
    let m = Linear(0.3);
    scalar!(calls::AD.with(m), |x: &[f64]| calls(x, m))
        .row(115)
        .check(&POINTS);
    scalar!(of_several::AD.with(&Square), |x: &[f64]| of_several(
        x, &Square
    ))
    .row(115)
    .check(&POINTS);
}

#[differentiable]
fn functions_of_the_user<F: Fn(usize) -> f64, G>(
    x: &[f64],
    y: &mut [f64],
    #[constant] weight: &F,
    #[constant] pick: G,
) where
    G: Fn(usize, usize) -> bool + Copy,
{
    for i in 0..y.len() {
        let w: f64 = weight(i);
        y[i] = if pick(i, x.len()) {
            w * x[i] * x[0]
        } else {
            x[i].exp()
        };
    }
}

#[test]
fn closures_as_constants() {
    let weight = |i: usize| i as f64 - 1.5;
    let pick = |i: usize, n: usize| (i + n) % 2 == 0;
    inplace!(
        functions_of_the_user::AD.with(&weight, pick),
        |x: &[f64], y: &mut [f64]| functions_of_the_user(x, y, &weight, pick),
        3
    )
    .row(115)
    .check(&POINTS);
}

#[test]
fn handles_of_functions_generic_over_types() {
    let backend = AutoSource::new();
    let slope = derivative(without_a_value::<Linear>::AD, NoPrep, &backend, &0.7).unwrap();
    assert_close("slope", &[slope], &[4.0 * 0.7 + 0.3], ROUNDING);
    let (x, k) = ([0.4, -0.9], 0.8);
    let f = by_reference::AD.with(&Square);
    let (dx, dk) = gradient(f, NoPrep, &backend, &(x, k)).unwrap();
    let inner = |i: usize| Square.weight(i) * x[i];
    let expected = [0, 1].map(|i| inner(i).cos() * Square.weight(i) * k);
    assert_close("gradient", &dx, &expected, ROUNDING);
    let sines = inner(0).sin() + inner(1).sin();
    assert_close("gradient", &[dk], &[sines], ROUNDING);
    let fixed = by_reference::<Square, 2>::AD.fix_k(&k).with(&Square);
    let dx: [f64; 2] = gradient(fixed, NoPrep, &AutoDual::new(), &x).unwrap();
    assert_close("with duals", &dx, &expected, ROUNDING);
}

#[differentiable]
fn of_any_weights(x: &[f64], #[constant] w: &impl Model) -> f64 {
    let terms = x.iter().enumerate().map(|(i, v)| w.weight(i) * v.powi(3));
    terms.sum()
}

#[test]
fn constants_of_unnamed_types() {
    scalar!(
        of_any_weights::AD.with(&Square),
        |x: &[f64]| of_any_weights(x, &Square)
    )
    .row(346)
    .check(&POINTS);
}

trait Potential {
    fn energy(&self, r: f64) -> f64;
    fn share(&self, k: usize) -> f64 {
        1.0 / (k + 1) as f64
    }
}

struct Harmonic {
    k: f64,
}

struct Morse {
    depth: f64,
    a: f64,
}

#[differentiable]
impl Potential for Harmonic {
    fn energy(&self, r: f64) -> f64 {
        self.k * r * r
    }
}

#[differentiable]
impl Potential for Morse {
    fn energy(&self, r: f64) -> f64 {
        self.depth * (1.0 - (-self.a * r).exp()).powi(2)
    }
}

#[differentiable]
fn chain<P: Potential>(x: &[f64], #[constant] p: &P) -> f64 {
    let bonds = x.windows(2).map(|w| w[1] - w[0]);
    bonds
        .enumerate()
        .map(|(k, r)| p.energy(r) * p.share(k))
        .sum()
}

#[differentiable]
fn pair(x: &[f64], #[constant] p: &impl Potential) -> f64 {
    let r = x[0] * x[1];
    p.energy(r)
}

#[differentiable]
fn morse_chain(x: &[f64], #[constant] p: &Morse) -> f64 {
    chain(x, p) + pair(x, &Harmonic { k: 0.7 })
}

#[test]
fn methods_of_constants_of_type_parameters() {
    let p = Morse { depth: 0.3, a: 0.8 };
    scalar!(morse_chain::AD.with(&p), |x: &[f64]| morse_chain(x, &p))
        .row(360)
        .check(&POINTS);
}
