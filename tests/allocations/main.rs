//! After preparation the in-place operators allocate nothing.

#![allow(
    clippy::needless_range_loop,
    clippy::ptr_arg,
    clippy::trivially_copy_pass_by_ref,
    clippy::unwrap_used,
    clippy::useless_vec,
    clippy::vec_init_then_push,
    reason = "functions as users write them"
)]

mod bodies;
mod containers;
mod count;

use di::prelude::*;
use di_test::allocations::{Counting, count};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A cache, a call with `&mut`, branches and loops: all that could need memory.
#[differentiable]
fn loss(x: &[f64], #[constant] data: &[f64], #[cache] r: &mut [f64]) -> f64 {
    residuals(x, data, r);
    let mut s = 0.0;
    for v in r {
        s += if *v > 0.0 { *v * *v } else { v.exp() };
    }
    s
}

/// The same with a vector of its own, which generated code keeps.
#[differentiable]
fn buffered(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut r = vec![0.0; data.len()];
    residuals(x, data, &mut r);
    let mut s = 0.0;
    for v in &r {
        s += v * v;
    }
    s
}

#[differentiable]
fn residuals(x: &[f64], #[constant] data: &[f64], r: &mut [f64]) {
    for i in 0..data.len() {
        let mut p = 0.0;
        for k in (0..x.len()).rev() {
            p = p * data[i] + x[k];
        }
        r[i] = p - data[i].sin();
    }
}

/// As many trips as `x[0]` asks for.
#[differentiable]
fn growing(x: &[f64]) -> f64 {
    let mut s = x[0] * x[1];
    let mut k = 0.0;
    while k < x[0] {
        s = s.sin() + x[1];
        k += 1.0;
    }
    s
}

const DATA: [f64; 7] = [0.1, -0.3, 0.5, 1.2, -0.8, 0.4, 0.9];
const X: [f64; 5] = [0.3, -0.2, 0.7, 0.1, -0.5];
const V: [f64; 5] = [1.0, 0.5, -1.0, 0.25, 2.0];

/// Runs all in-place operators of one backend, some times, and counts.
macro_rules! allocates_nothing {
    ($backend:expr) => {
        let backend = $backend;
        let x = &X[..];
        let v = &[1.0, 0.5, -1.0, 0.25, 2.0][..];
        let buffer = [0.0; 7];
        let f = loss::AD.with(&DATA, &buffer);
        let (mut g, mut h) = (vec![0.0; 5], vec![0.0; 5]);
        let (mut hessian, mut j) = (di::Matrix::zeros((5, 5)), di::Matrix::zeros((7, 5)));
        let mut r = vec![0.0; 7];
        let first = prepare_gradient(f, &backend, x).unwrap();
        let product = prepare_hvp(f, &backend, x, v).unwrap();
        let second = prepare_hessian(f, &backend, x).unwrap();
        let matrix =
            prepare_jacobian(residuals::AD.with(&DATA).output(&mut r), &backend, x).unwrap();
        for call in 0..3 {
            let n = count(|| gradient_into(f, &mut g, &first, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "gradient_into, call {call}");
            let n = count(|| value_and_gradient_into(f, &mut g, &first, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "value_and_gradient_into, call {call}");
            let n = count(|| hvp_into(f, &mut h, &product, &backend, x, v).unwrap()).1;
            assert_eq!(n, 0, "hvp_into, call {call}");
            let n = count(|| hessian_into(f, &mut hessian, &second, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "hessian_into, call {call}");
            let f = residuals::AD.with(&DATA).output(&mut r);
            let n = count(|| jacobian_into(f, &mut j, &matrix, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "jacobian_into, call {call}");
        }
        // What was computed meanwhile is no nonsense.
        for i in 0..5 {
            let row: f64 = (0..5).map(|k| hessian[[i, k]] * v[k]).sum();
            assert!(
                (row - h[i]).abs() < 1e-10 * row.abs().max(1.0),
                "{row} {}",
                h[i]
            );
        }
    };
}

#[test]
fn generated_code_allocates_nothing() {
    allocates_nothing!(AutoSource::new());
}

#[test]
fn dual_numbers_allocate_nothing() {
    allocates_nothing!(AutoDual::new());
}

/// Vectors of every kind: fixed, nested, of integers, copies, given away, left early, from a helper.
#[differentiable]
fn crowded(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let order = vec![0_usize; data.len()];
    let copy = x.to_vec();
    let mut sum = 0.0;
    for i in 0..data.len() {
        let mut row = vec![data[i], x[0], copy[1]];
        row[0] = row[1] * row[2];
        if data[i] > 1.0 {
            continue;
        }
        sum += row[0] + x[order[i]];
        if data[i] > 0.8 {
            return sum * row[1];
        }
    }
    let squares: Vec<f64> = squared(copy);
    for s in &squares {
        sum += s.sin();
    }
    sum
}

#[differentiable]
fn squared(v: Vec<f64>) -> Vec<f64> {
    let mut squares = vec![0.0; v.len()];
    for i in 0..v.len() {
        squares[i] = v[i] * v[i];
    }
    squares
}

#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = 2.0 * x[i];
    }
    y
}

#[derive(Differentiable, Clone)]
struct Weights {
    w: Vec<f64>,
    bias: f64,
}

/// A vector of a struct, copied and changed.
#[differentiable]
fn layer(p: &Weights, #[constant] data: &[f64]) -> f64 {
    let v = p.w.to_vec();
    let mut scaled = p.w.to_vec();
    let mut sum = p.bias;
    for i in 0..scaled.len() {
        scaled[i] *= data[i] + v[0];
        sum += scaled[i] * v[i];
    }
    sum
}

#[test]
fn vectors_of_structs_are_copied_into_buffers() {
    let x = Weights {
        w: V.to_vec(),
        bias: 0.5,
    };
    let f = layer::AD.with(&DATA);
    macro_rules! check {
        ($backend:expr) => {
            let backend = $backend;
            let (mut g, mut h) = (x.clone(), di::Matrix::zeros((6, 6)));
            let first = prepare_gradient(f, &backend, &x).unwrap();
            let product = prepare_hvp(f, &backend, &x, &x).unwrap();
            let second = prepare_hessian(f, &backend, &x).unwrap();
            for call in 0..3 {
                let n = count(|| gradient_into(f, &mut g, &first, &backend, &x).unwrap()).1;
                assert_eq!(n, 0, "gradient_into, call {call}");
                let n = count(|| hvp_into(f, &mut g, &product, &backend, &x, &x).unwrap()).1;
                assert_eq!(n, 0, "hvp_into, call {call}");
                let n = count(|| hessian_into(f, &mut h, &second, &backend, &x).unwrap()).1;
                assert_eq!(n, 0, "hessian_into, call {call}");
            }
        };
    }
    check!(AutoSource::new());
    check!(AutoSource::new().forward());
    check!(AutoSource::new().reverse());
    check!(AutoDual::new());
}

#[differentiable]
fn sum_and_squares(x: &[f64]) -> (f64, Vec<f64>) {
    let squares: Vec<f64> = squared(x.to_vec());
    (squares[0] + squares[1], squares)
}

/// Constants lent to a helper, and rows that change places.
#[differentiable]
fn lends_and_swaps(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let weights = vec![1.0, 2.0, 3.0];
    let mut rows = [[x[0], x[1]], [x[1], x[2]]];
    rows.swap(0, 1);
    let mut sum = 0.0;
    for _ in 0..3 {
        let a: f64 = dot(&x[..3], &weights);
        let b: f64 = dot(x, &data[..5]);
        sum += a * b * rows[0][1];
    }
    sum
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

/// Vectors whose lengths nothing tells before: two that grow side by side, one that is filled by a helper
/// and grows further, one in a loop.
#[differentiable]
fn collects(x: &[f64], #[constant] data: &[f64]) -> f64 {
    let mut few = Vec::new();
    let mut many = Vec::new();
    let mut more: Vec<f64> = squared(x.to_vec());
    for d in data {
        many.push(x[0] * *d);
        if *d > 0.0 {
            few.push(x[1].sin());
            more.push(x[2] * *d);
        }
        let mut inner = Vec::new();
        inner.push(x[3] * *d);
        inner.push(x[4]);
        few.push(inner[0] * inner[1]);
    }
    let mut sum = 0.0;
    for a in &few {
        sum += a * a;
    }
    while let Some(b) = many.pop() {
        sum += b * more[0];
    }
    sum + more[more.len() - 1] * few[0]
}

/// Runs the operators of a backend on functions with vectors of their own, some times, and counts.
macro_rules! keeps_vectors {
    ($backend:expr) => {
        let backend = $backend;
        keeps_vectors!(@number buffered::AD.with(&DATA), backend);
        // left early, and to the end
        keeps_vectors!(@number crowded::AD.with(&DATA), backend);
        keeps_vectors!(@number crowded::AD.with(&[0.5; 4]), backend);
        keeps_vectors!(@number lends_and_swaps::AD.with(&DATA), backend);
        keeps_vectors!(@vector squared::AD, &V[..], backend, 5);
        keeps_vectors!(@vector doubled::AD, &V[..], backend, 5);
        keeps_vectors!(@vector sum_and_squares::AD, &(1.0, V.to_vec()), backend, 6);
    };
    (@number $f:expr, $backend:ident) => {
        let (f, x, v) = ($f, &X[..], &V[..]);
        let (mut g, mut h) = (vec![0.0; 5], di::Matrix::zeros((5, 5)));
        let first = prepare_gradient(f, &$backend, x).unwrap();
        let pushed = prepare_pushforward(f, &$backend, x, v).unwrap();
        let product = prepare_hvp(f, &$backend, x, v).unwrap();
        let second = prepare_hessian(f, &$backend, x).unwrap();
        for call in 0..4 {
            let n = count(|| gradient_into(f, &mut g, &first, &$backend, x).unwrap()).1;
            assert_eq!(n, 0, "gradient_into, call {call}");
            let n = count(|| value_and_pushforward(f, &pushed, &$backend, x, v).unwrap()).1;
            assert_eq!(n, 0, "value_and_pushforward, call {call}");
            let n = count(|| hvp_into(f, &mut g, &product, &$backend, x, v).unwrap()).1;
            assert_eq!(n, 0, "hvp_into, call {call}");
            let n = count(|| hessian_into(f, &mut h, &second, &$backend, x).unwrap()).1;
            assert_eq!(n, 0, "hessian_into, call {call}");
        }
    };
    (@vector $f:expr, $dy:expr, $backend:ident, $m:expr) => {
        let (f, x, v, dy) = ($f, &X[..], &V[..], $dy);
        let (mut g, mut j, mut to) = (vec![0.0; 5], di::Matrix::zeros(($m, 5)), dy.to_owned());
        let matrix = prepare_jacobian(f, &$backend, x).unwrap();
        let pushed = prepare_pushforward(f, &$backend, x, v).unwrap();
        let pulled = prepare_pullback(f, &$backend, x, dy).unwrap();
        for call in 0..4 {
            let n = count(|| jacobian_into(f, &mut j, &matrix, &$backend, x).unwrap()).1;
            assert_eq!(n, 0, "jacobian_into, call {call}");
            let n = count(|| pushforward_into(f, &mut to, &pushed, &$backend, x, v).unwrap()).1;
            assert_eq!(n, 0, "pushforward_into, call {call}");
            let n = count(|| pullback_into(f, &mut g, &pulled, &$backend, x, dy).unwrap()).1;
            assert_eq!(n, 0, "pullback_into, call {call}");
        }
    };
}

#[test]
fn generated_code_keeps_vectors_of_the_function() {
    keeps_vectors!(AutoSource::new());
    keeps_vectors!(AutoSource::new().forward());
    keeps_vectors!(AutoSource::new().reverse());
}

#[test]
fn dual_numbers_keep_vectors_of_the_function() {
    keeps_vectors!(AutoDual::new());
    keeps_vectors!(AutoDual::new().chunk(2));
}

/// Which of them grows into whose buffer shows in the calls of the preparation alone.
macro_rules! settles {
    ($backend:expr) => {
        let (f, x, v, backend) = (collects::AD.with(&DATA), &X[..], &V[..], $backend);
        let (mut g, mut h) = (vec![0.0; 5], di::Matrix::zeros((5, 5)));
        let first = prepare_gradient(f, &backend, x).unwrap();
        let product = prepare_hvp(f, &backend, x, v).unwrap();
        let second = prepare_hessian(f, &backend, x).unwrap();
        for call in 0..8 {
            let n = count(|| gradient_into(f, &mut g, &first, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "gradient_into, call {call}");
            let n = count(|| hvp_into(f, &mut g, &product, &backend, x, v).unwrap()).1;
            assert_eq!(n, 0, "hvp_into, call {call}");
            let n = count(|| hessian_into(f, &mut h, &second, &backend, x).unwrap()).1;
            assert_eq!(n, 0, "hessian_into, call {call}");
        }
    };
}

#[test]
fn vectors_that_grow_find_their_buffers() {
    settles!(AutoSource::new());
    settles!(AutoSource::new().forward());
    settles!(AutoSource::new().reverse());
    settles!(AutoDual::new());
}

#[test]
fn loop_allocates_nothing_once_its_largest_trip_count_was_seen() {
    let backend = AutoSource::new();
    let mut g = [0.0; 2];
    let prep = prepare_gradient(growing::AD, &backend, &[1.0, 0.5][..]).unwrap();
    let mut trips = |n: f64| {
        count(|| gradient_into(growing::AD, &mut g[..], &prep, &backend, &[n, 0.5][..]).unwrap()).1
    };
    trips(1000.0);
    for n in [1.0, 500.0, 1000.0, 3.0] {
        assert_eq!(trips(n), 0, "{n} trips");
    }
}

/// Branches that decide what is computed, not how much is kept.
#[differentiable]
fn sided(x: &[f64]) -> f64 {
    let mut squares = vec![0.0; x.len()];
    let mut sum = 0.0;
    for i in 0..x.len() {
        squares[i] = if x[i] > 0.0 {
            x[i].sin() * x[0]
        } else {
            (x[i] * x[i] + 1.0).ln()
        };
        sum += squares[i] * squares[i];
    }
    if sum > 1.0 { sum.sqrt() } else { sum * x[0] }
}

/// One side needs a vector that the other has no use for.
#[differentiable]
fn lopsided(x: &[f64]) -> f64 {
    if x[0] > 0.0 {
        let copy = x.to_vec();
        let mut squares = Vec::new();
        for v in &copy {
            squares.push(v * v);
        }
        return squares[1] * copy[2];
    }
    x[1] * x[1]
}

#[test]
fn another_branch_takes_memory_only_if_it_needs_more() {
    let (here, there) = (&X[..], &[-0.3, -2.0, -0.7, 3.1, 0.5][..]);
    macro_rules! check {
        ($backend:expr) => {
            let (backend, mut g, mut h) = ($backend, [0.0; 5], di::Matrix::zeros((5, 5)));
            let first = prepare_gradient(sided::AD, &backend, here).unwrap();
            let second = prepare_hessian(sided::AD, &backend, here).unwrap();
            for x in [there, here, &V[..]] {
                let n =
                    count(|| gradient_into(sided::AD, &mut g[..], &first, &backend, x).unwrap());
                assert_eq!(n.1, 0, "gradient_into at {x:?}");
                let n = count(|| hessian_into(sided::AD, &mut h, &second, &backend, x).unwrap());
                assert_eq!(n.1, 0, "hessian_into at {x:?}");
            }
            // the first call there takes what it needs, and the prep keeps it
            let prep = prepare_gradient(lopsided::AD, &backend, there).unwrap();
            let mut call = |x| {
                count(|| gradient_into(lopsided::AD, &mut g[..], &prep, &backend, x).unwrap()).1
            };
            assert_eq!(call(there), 0);
            assert!(call(here) > 0);
            call(here);
            for x in [here, there, here] {
                assert_eq!(call(x), 0, "at {x:?}");
            }
        };
    }
    check!(AutoSource::new());
    check!(AutoSource::new().forward());
    check!(AutoSource::new().reverse());
    check!(AutoDual::new());
}
