//! Functions that are generic over lengths, and over lifetimes with bounds.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [
    &[0.7, 1.1, -0.4, 0.9, 1.3, 0.6],
    &[-1.2, 0.4, 0.9, -0.3, 0.8, 1.7],
];

#[differentiable]
fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * x[i] / (N + i) as f64;
    }
    s.sqrt()
}

#[differentiable]
fn normalized<const N: usize>(mut x: [f64; N]) -> [f64; N] {
    let k = norm(&x);
    for t in x.iter_mut() {
        *t /= k;
    }
    x
}

#[differentiable]
fn add_scaled<const N: usize>(y: &mut [f64; N], k: f64, x: &[f64; N]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = *y * x + k * x;
    }
}

#[differentiable]
fn power<const K: u32>(t: f64) -> f64 {
    let mut p = 1.0;
    for _ in 0..K {
        p *= t;
    }
    if K % 2 == 0 { p } else { p + t.sin() }
}

#[differentiable]
fn calls(x: &[f64]) -> f64 {
    let a = [x[0], x[1] * x[1], x[2]];
    let b = [x[3], x[4]];
    let u: [f64; 3] = normalized(a);
    let v: [f64; 2] = normalized::<2>(b);
    let mut w = u;
    add_scaled(&mut w, x[5], &a);
    add_scaled::<3>(&mut w, v[0], &u);
    norm(&w) * power::<3>(x[0]) + power::<2>(v[1]) * norm::<2>(&b)
}

#[test]
fn lengths_inferred_and_given() {
    scalar!(calls).row(114).check(&POINTS);
}

#[differentiable]
fn product<const M: usize, const K: usize, const N: usize>(
    a: &[[f64; K]; M],
    b: &[[f64; N]; K],
) -> [[f64; N]; M] {
    let mut c = [[0.0; N]; M];
    for i in 0..M {
        for j in 0..N {
            for k in 0..K {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn trace<const N: usize>(a: &[[f64; N]; N]) -> f64 {
    let mut work = [0.0; N];
    for i in 0..N {
        work[i] = a[i][i] * a[N - 1 - i][i];
    }
    work.iter().map(|t| t.exp()).sum()
}

#[differentiable]
fn matrices(x: &[f64]) -> f64 {
    let a = [[x[0], x[1], 0.5], [x[2], -1.0, x[3]]];
    let b = [[x[4], x[5]], [x[0], 2.0], [x[1], x[3]]];
    let c: [[f64; 2]; 2] = product(&a, &b);
    let d: [[f64; 3]; 3] = product::<3, 2, 3>(&b, &a);
    trace(&c) + trace::<3>(&d) * x[2]
}

#[test]
fn matrices_of_several_lengths() {
    scalar!(matrices).row(114).check(&POINTS);
}

#[differentiable]
fn chebyshev<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for k in (1..N).rev() {
        let b0 = 2.0 * t * b1 - b2 + c[k];
        b2 = b1;
        b1 = b0;
    }
    t * b1 - b2 + c[0]
}

#[differentiable]
fn nested_generic<const N: usize>(c: &[f64; N], x: &[f64], flip: bool) -> f64 {
    let mut s = 0.0;
    for (i, t) in x.iter().enumerate() {
        let y = chebyshev::<N>(c, *t);
        if y < 0.0 || flip {
            continue;
        }
        let mut row = *c;
        row[i % N] *= y;
        s += chebyshev(&row, y * 0.3) + norm(&row);
    }
    s
}

#[differentiable]
fn of_nested(x: &[f64]) -> f64 {
    nested_generic(&[x[0], x[1], x[2], 0.4], &x[3..], false)
        + nested_generic(&[1.0, x[4]], x, false)
        + nested_generic(&[1.5, -0.5, 2.0], x, true)
}

#[test]
fn generic_functions_that_call_each_other() {
    scalar!(of_nested).row(114).step(0.01).check(&POINTS);
}

#[differentiable]
fn halves<const N: usize>(x: &[f64; N], n: usize) -> f64 {
    if n == 0 {
        return norm(x);
    }
    let mut y = *x;
    for t in y.iter_mut() {
        *t = t.sin() + 0.5;
    }
    halves(&y, n - 1) * x[n % N] + halves::<N>(x, n / 2)
}

#[differentiable]
fn of_halves(x: &[f64]) -> f64 {
    halves(&[x[0], x[1], x[2]], 3) * halves(&[x[3], x[4]], 2) + x[5]
}

#[test]
fn generic_functions_that_call_themselves() {
    scalar!(of_halves).row(114).check(&POINTS);
}

#[differentiable]
fn stepped<const N: usize>(x: &[f64], y: &mut [f64]) {
    let mut state = [0.0; N];
    for i in 0..N {
        state[i] = x[i];
    }
    #[ad(checkpoint = 3)]
    for k in 0..8 {
        let last = state[N - 1];
        for i in 0..N {
            state[i] += 0.1 * (last * x[i]).sin() + k as f64 * 0.01;
        }
    }
    for i in 0..N {
        y[i] = state[i];
    }
}

#[test]
fn checkpoints_in_generic_functions() {
    inplace!(stepped::<4>::AD, stepped::<4>, 4)
        .row(114)
        .check(&POINTS);
}

#[test]
fn handles_of_generic_functions() {
    let backend = AutoSource::new();
    // the length is inferred from `x`
    let g = gradient(norm::AD, NoPrep, &backend, &[3.0, 0.0, 0.0]).unwrap();
    assert!((g[0] - 1.0 / 3.0_f64.sqrt()).abs() <= 1e-15);
    assert_eq!(g[1..], [0.0, 0.0]);
    let x = [1.5, -0.5];
    let g = gradient(norm::<2>::AD, NoPrep, &backend, &x).unwrap();
    let d = gradient(norm::<2>::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    let y = norm(&x);
    for (i, ((g, d), x)) in g.iter().zip(&d).zip(x).enumerate() {
        let expected = x / (2 + i) as f64 / y;
        assert!((g - expected).abs() <= 1e-15, "{g} {expected}");
        assert!((d - expected).abs() <= 1e-15, "{d} {expected}");
    }
    let prep = prepare_hessian(norm::AD, &backend, &x).unwrap();
    let h = hessian(norm::AD, &prep, &backend, &x).unwrap();
    let third = |i: usize, j: usize| {
        let w = |i: usize| 1.0 / (2 + i) as f64;
        let own = if i == j { w(i) / y } else { 0.0 };
        own - w(i) * x[i] * w(j) * x[j] / y.powi(3)
    };
    for i in 0..2 {
        for j in 0..2 {
            assert!((h[[i, j]] - third(i, j)).abs() <= 1e-14);
        }
    }
    // several parameters, one of them held
    let c = [1.0, 2.0, 0.5];
    let (dc, dt) = gradient(chebyshev::AD, NoPrep, &backend, &(c, 0.3)).unwrap();
    assert_eq!(dc, [1.0, 0.3, 2.0 * 0.3 * 0.3 - 1.0]);
    assert!((dt - (2.0 + 0.5 * 4.0 * 0.3)).abs() <= 1e-15);
    let only: [f64; 3] = gradient(chebyshev::<3>::AD.fix_t(0.3), NoPrep, &backend, &c).unwrap();
    assert_eq!(only, dc);
    // no argument tells the constant
    let slope = derivative(power::<3>::AD, NoPrep, &backend, &0.5).unwrap();
    assert!((slope - (0.75 + 0.5_f64.cos())).abs() <= 1e-15);
    // x / norm(x): (I - u g^T) / norm, where g is the gradient of the norm
    let j = jacobian(normalized::<2>::AD, NoPrep, &backend, &x).unwrap();
    for i in 0..2 {
        for k in 0..2 {
            let unit = if i == k { 1.0 } else { 0.0 };
            let expected = (unit - x[i] / y * g[k]) / y;
            assert!((j[[i, k]] - expected).abs() <= 1e-14);
        }
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Poly<const N: usize> {
    c: [f64; N],
    shift: f64,
}

struct Table<const N: usize> {
    knots: [f64; N],
}

#[differentiable]
fn horner<const N: usize>(p: &Poly<N>, t: f64) -> f64 {
    let mut s = 0.0;
    for k in (0..N).rev() {
        s = s * (t - p.shift) + p.c[k];
    }
    s
}

#[differentiable]
fn shifted<const N: usize>(mut p: Poly<N>, by: f64) -> Poly<N> {
    p.shift += by;
    p.c[N - 1] *= by;
    p
}

#[differentiable]
fn at_knots<const N: usize>(x: &[f64], #[constant] table: &Table<N>) -> f64 {
    let mut s = 0.0;
    for (i, t) in x.iter().enumerate() {
        let knot: f64 = table.knots[i % N];
        s += (t * knot).sin();
    }
    s
}

#[differentiable]
fn structs(x: &[f64], #[constant] table: &Table<2>) -> f64 {
    let p = Poly::<3> {
        c: [x[0], x[1], x[2]],
        shift: x[3],
    };
    let q: Poly<3> = shifted(p, x[4]);
    horner(&q, x[5]) * horner::<3>(&p, 0.5) + at_knots(x, table) * at_knots::<2>(&x[2..], table)
}

#[test]
fn structs_with_lengths() {
    let table = Table { knots: [0.7, 1.9] };
    scalar!(structs::AD.with(&table), |x: &[f64]| structs(x, &table))
        .row(114)
        .check(&POINTS);
}

const COUNT: usize = 3;

#[differentiable]
fn squares<const N: usize>(v: [f64; N]) -> f64 {
    v.iter().map(|a| a * a).sum()
}

#[differentiable]
fn made<const N: usize>(x: &[f64]) -> f64 {
    let v = std::array::from_fn::<f64, N, _>(|i| x[i] * x[i + 1]);
    v[0] * v[N - 1]
}

#[differentiable]
fn lengths_of_arrays(x: &[f64]) -> f64 {
    let v = std::array::from_fn::<f64, 2, _>(|i| x[i].sin());
    squares(std::array::from_fn::<f64, COUNT, _>(|i| x[i] * v[1])) * made::<4>(x) + v[0]
}

#[test]
fn lengths_written_behind_from_fn() {
    scalar!(lengths_of_arrays).row(423).check(&POINTS);
}
