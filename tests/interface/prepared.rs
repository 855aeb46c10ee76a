//! Preparation: reuse, other sizes, threads, evaluations and allocations.

use core::cell::Cell;

use di::prelude::*;
use di::{
    AutoComplexStep, AutoFiniteDifferences, AutoForwardFromPrimitive, AutoReverseFromPrimitive,
    AutoSymbolic, AutoTaylor, Error, Prep, Scalar,
};
use di_test::allocations::{count, count_bytes};
use di_test::compare::{assert_bitwise, assert_close, assert_empty};
use di_test::parity::rows;
use ndarray::{Array2, array};

use crate::near;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn calls<T>(work: impl FnOnce() -> T) -> (T, usize) {
    CALLS.with(|calls| calls.set(0));
    (work(), CALLS.with(Cell::get))
}

fn counted() -> f64 {
    CALLS.with(|calls| calls.set(calls.get() + 1));
    0.0
}

/// `y_i = sin(x_i x_{i+1}) + i x_0`, with a scratch buffer.
#[differentiable]
fn mix(x: &[f64], #[constant] k: f64, #[cache] buffer: &mut [f64], y: &mut [f64]) {
    let zero = passive(counted());
    for i in 0..x.len() {
        buffer[i] = (k * x[i]).sin();
    }
    for i in 0..y.len() {
        y[i] = buffer[i % x.len()] * x[(i + 1) % x.len()] + zero;
    }
}

fn mix_jacobian(x: &[f64], k: f64, m: usize) -> Array2<f64> {
    let n = x.len();
    let mut j = Array2::zeros((m, n));
    for i in 0..m {
        let (a, b) = (i % n, (i + 1) % n);
        j[[i, a]] += k * (k * x[a]).cos() * x[b];
        j[[i, b]] += (k * x[a]).sin();
    }
    j
}

/// `f = sum_i sin(k x_i) x_{i+1}` with scratch: its gradient is the sum of rows above.
#[differentiable]
fn total(x: &[f64], #[constant] k: f64, #[cache] buffer: &mut [f64]) -> f64 {
    let zero = passive(counted());
    let mut s = zero;
    for i in 0..x.len() {
        buffer[i] = (k * x[i]).sin();
    }
    for i in 0..x.len() {
        s += buffer[i] * x[(i + 1) % x.len()];
    }
    s
}

fn point(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 1.7 + seed).sin()).collect()
}

macro_rules! each_backend {
    ($run:ident) => {
        $run!(AutoSource::new(), 1e-12);
        $run!(AutoDual::new(), 1e-12);
        $run!(AutoDual::new().chunk(1), 1e-12);
        $run!(AutoTape::new(), 1e-12);
        $run!(AutoFiniteDiff::new(), 1e-5);
        $run!(AutoForwardFromPrimitive(AutoSource::new()), 1e-12);
        $run!(AutoReverseFromPrimitive(AutoSource::new()), 1e-12);
        $run!(AutoReverseFromPrimitive(AutoDual::new()), 1e-12);
    };
}

#[test]
fn one_prep_serves_all_variants_at_other_points() {
    let _row = rows(&[8, 27, 34, 35, 36]);
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let (backend, n, m) = ($backend, 4, 6);
            let buffer = vec![f64::NAN; n];
            let mut y = vec![9.0; m];
            let prep = {
                let f = mix::AD.with(0.3, &buffer).output(&mut y);
                prepare_jacobian(f, &backend, &vec![0.0; n]).unwrap()
            };
            for seed in [0.1, 0.9] {
                let (x, k) = (point(n, seed), 1.0 + seed);
                let exact = mix_jacobian(&x, k, m);
                let mut expected = vec![0.0; m];
                mix(&x, k, &mut vec![0.0; n], &mut expected);
                y.fill(f64::NAN);
                let f = || mix::AD.with(k, &buffer);
                let j = jacobian(f().output(&mut y), &prep, &backend, &x).unwrap();
                near(&j, &exact, $tolerance);
                let (value, j) =
                    value_and_jacobian(f().output(&mut y), &prep, &backend, &x).unwrap();
                assert_bitwise("value", value, &expected);
                near(&j, &exact, $tolerance);
                let mut j = di::Matrix::filled((m, n), f64::NAN);
                jacobian_into(f().output(&mut y), &mut j, &prep, &backend, &x).unwrap();
                near(&j, &exact, $tolerance);
                j.fill(f64::NAN);
                y.fill(f64::NAN);
                let value =
                    value_and_jacobian_into(f().output(&mut y), &mut j, &prep, &backend, &x)
                        .unwrap();
                assert_bitwise("value", value, &expected);
                near(&j, &exact, $tolerance);
            }
        };
    }
    each_backend!(run);
}

#[test]
fn preps_take_other_sizes() {
    let _row = rows(&[40]);
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let backend = $backend;
            let (buffer, mut y) = (vec![0.0; 3], vec![0.0; 5]);
            let f = mix::AD.with(0.7, &buffer).output(&mut y);
            let mut prep = prepare_jacobian(f, &backend, &point(3, 0.0)).unwrap();
            for (n, m) in [(12, 5), (12, 1), (2, 9), (1, 1)] {
                let (buffer, mut y, x) = (vec![0.0; n], vec![0.0; m], point(n, 0.4));
                let f = || mix::AD.with(0.7, &buffer);
                let error = jacobian(f().output(&mut y), &prep, &backend, &x).unwrap_err();
                assert!(matches!(error, Error::Preparation(_)), "{error}");
                prep.resize(f().output(&mut y), &x).unwrap();
                let j = jacobian(f().output(&mut y), &prep, &backend, &x).unwrap();
                near(&j, &mix_jacobian(&x, 0.7, m), $tolerance);
            }
        };
    }
    each_backend!(run);
}

/// A prep for less takes no more memory than there was before.
#[test]
fn smaller_preps_give_memory_back() {
    let _row = rows(&[41]);
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let backend = $backend;
            let (buffer, mut y, x) = (vec![0.0; 40], vec![0.0; 30], point(40, 0.4));
            let f = mix::AD.with(0.7, &buffer).output(&mut y);
            let mut prep = prepare_jacobian(f, &backend, &x).unwrap();
            for (n, m) in [(20, 30), (20, 9), (3, 2)] {
                let (buffer, mut y, x) = (vec![0.0; n], vec![0.0; m], point(n, 0.4));
                let f = mix::AD.with(0.7, &buffer).output(&mut y);
                let (_, all) = count_bytes(|| prep.resize(f, &x).unwrap());
                let more = all.bytes.saturating_sub(all.freed);
                assert_bitwise("bytes more than before", &[more as f64], &[0.0]);
                let f = mix::AD.with(0.7, &buffer).output(&mut y);
                let j = jacobian(f, &prep, &backend, &x).unwrap();
                near(&j, &mix_jacobian(&x, 0.7, m), $tolerance);
            }
        };
    }
    each_backend!(run);
}

/// Evaluations: as few as there can be.
#[test]
fn evaluations_are_counted() {
    let _row = rows(&[67, 68, 69, 70]);
    let (n, m, k) = (13, 3, 0.6);
    let (buffer, mut y, x) = (vec![0.0; n], vec![0.0; m], point(n, 0.2));
    let f = || mix::AD.with(k, &buffer);
    // forward engines: ceil(13 / 8) and no more with the value
    for (chunk, expected) in [(None, 2), (Some(4), 4), (Some(1), 13)] {
        let backend = chunk.map_or(AutoDual::new(), |chunk| AutoDual::new().chunk(chunk));
        let prep = prepare_jacobian(f().output(&mut y), &backend, &x).unwrap();
        let (j, alone) = calls(|| jacobian(f().output(&mut y), &prep, &backend, &x).unwrap());
        let (_, both) =
            calls(|| value_and_jacobian(f().output(&mut y), &prep, &backend, &x).unwrap());
        assert_eq!((alone, both), (expected, expected));
        near(&j, &mix_jacobian(&x, k, m), 1e-12);
        let (g, found) =
            calls(|| gradient(total::AD.with(k, &buffer), NoPrep, &backend, &x).unwrap());
        assert_eq!(found, expected);
        near(
            &g,
            &mix_jacobian(&x, k, n).sum_axis(ndarray::Axis(0)),
            1e-12,
        );
        // the wrong mode: all adjoints share the pushforwards
        let yb = [vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 2.0]];
        let prep = prepare_pullback(f().output(&mut y), &backend, &x, &yb).unwrap();
        let (xb, found) = calls(|| pullback(f().output(&mut y), &prep, &backend, &x, &yb).unwrap());
        assert_eq!(found, expected);
        let j = mix_jacobian(&x, k, m);
        near(&xb[1], &(&j.row(1) + &(2.0 * &j.row(2))), 1e-12);
    }
    // generated code goes by rows if there are few of them, with one forward sweep
    let prep = prepare_jacobian(f().output(&mut y), &AutoSource::new(), &x).unwrap();
    let (_, found) = calls(|| jacobian(f().output(&mut y), &prep, &AutoSource::new(), &x).unwrap());
    assert_eq!(found, 1);
    // and by columns if those are few
    let (buffer, mut y, x) = (vec![0.0; 2], vec![0.0; 40], point(2, 0.2));
    let f = || mix::AD.with(k, &buffer);
    let prep = prepare_jacobian(f().output(&mut y), &AutoSource::new(), &x).unwrap();
    let (j, found) = calls(|| jacobian(f().output(&mut y), &prep, &AutoSource::new(), &x).unwrap());
    assert_eq!(found, 1);
    near(&j, &mix_jacobian(&x, k, 40), 1e-12);
    // a reverse engine in the wrong mode: ceil(40 / 8) pullbacks
    let backend = AutoReverseFromPrimitive(AutoSource::new());
    let v = [1.0, -1.0];
    let prep = prepare_pushforward(f().output(&mut y), &backend, &x, &v).unwrap();
    let (dy, found) = calls(|| pushforward(f().output(&mut y), &prep, &backend, &x, &v).unwrap());
    assert_eq!(found, 5);
    near(&dy, &mix_jacobian(&x, k, 40).dot(&array![1.0, -1.0]), 1e-12);
}

#[test]
fn last_chunks_need_not_be_full() {
    let _row = rows(&[14, 72]);
    for n in 1..=13 {
        let (buffer, x) = (vec![0.0; n], point(n, 0.3));
        let f = total::AD.with(0.9, &buffer);
        let exact = mix_jacobian(&x, 0.9, n).sum_axis(ndarray::Axis(0));
        for chunk in 1..=5.min(n) {
            let g = gradient(f, NoPrep, &AutoDual::new().chunk(chunk), &x).unwrap();
            near(&g, &exact, 1e-12);
        }
    }
    // tangents at once are those one by one
    let (buffer, x) = (vec![0.0; 5], point(5, 0.3));
    let tangents: [Vec<f64>; 11] = core::array::from_fn(|k| point(5, k as f64));
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let (backend, f) = ($backend, total::AD.with(0.9, &buffer));
            let all = pushforward(f, NoPrep, &backend, &x, &tangents).unwrap();
            let products = hvp(f, NoPrep, &AutoDual::new(), &x, &tangents).unwrap();
            for (k, v) in tangents.iter().enumerate() {
                near(
                    &[all[k]],
                    &[pushforward(f, NoPrep, &backend, &x, v).unwrap()],
                    $tolerance,
                );
                let one = hvp(f, NoPrep, &AutoSource::new(), &x, v).unwrap();
                near(&products[k], &one, 1e-12);
            }
            let adjoints: [f64; 3] = [1.0, -2.0, 0.5];
            let all = pullback(f, NoPrep, &backend, &x, &adjoints).unwrap();
            for (found, v) in all.iter().zip(adjoints) {
                near(
                    found,
                    &pullback(f, NoPrep, &backend, &x, &v).unwrap(),
                    $tolerance,
                );
            }
        };
    }
    each_backend!(run);
}

#[test]
fn jvp_and_vjp_are_names_of_the_same() {
    let _row = rows(&[15]);
    let (buffer, x, v) = (vec![0.0; 3], point(3, 0.5), point(3, 0.7));
    let (f, backend) = (total::AD.with(0.9, &buffer), AutoSource::new());
    let [one] = pushforward(f, NoPrep, &backend, &x, &[&v]).unwrap();
    assert_bitwise("jvp", &[jvp(f, NoPrep, &backend, &x, &v).unwrap()], &[one]);
    let [one] = pullback(f, NoPrep, &backend, &x, &[2.0]).unwrap();
    assert_bitwise("vjp", &vjp(f, NoPrep, &backend, &x, &2.0).unwrap(), &one);
}

#[differentiable]
fn curve(t: f64) -> [f64; 3] {
    [t.sin(), t * t, 4.0]
}

#[differentiable]
fn twist(x: &[f64; 3]) -> [f64; 2] {
    [x[0] * x[1], x[2].exp()]
}

#[differentiable]
fn volume(x: &[f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

fn allocates_nothing(what: &str, mut work: impl FnMut()) {
    work();
    let ((), found) = count(&mut work);
    assert_close(what, &[found as f64], &[0.0], di_test::compare::ROUNDING);
}

#[test]
fn arrays_need_no_heap() {
    let _row = rows(&[19]);
    assert!(di_test::allocations::counts());
    let (x, t) = ([1.0, 2.0, 0.5], 0.3);
    macro_rules! run {
        ($backend:expr) => {
            let backend = $backend;
            let prep = prepare_derivative(curve::AD, &backend, &t).unwrap();
            let mut dy = [0.0; 3];
            allocates_nothing("derivative", || {
                derivative_into(curve::AD, &mut dy, &prep, &backend, &t).unwrap();
                dy = derivative(curve::AD, &prep, &backend, &t).unwrap();
            });
            near(&dy, &[t.cos(), 2.0 * t, 0.0], 1e-14);
            let prep = prepare_gradient(volume::AD, &backend, &x).unwrap();
            let mut g = [0.0; 3];
            allocates_nothing("gradient", || {
                g = gradient(volume::AD, &prep, &backend, &x).unwrap();
            });
            near(&g, &[1.0, 0.5, 2.0], 1e-14);
            let prep = prepare_jacobian(twist::AD, &backend, &x).unwrap();
            let mut j = di::Matrix::zeros((2, 3));
            allocates_nothing("jacobian", || {
                jacobian_into(twist::AD, &mut j, &prep, &backend, &x).unwrap();
            });
            near(&j, &[2.0, 1.0, 0.0, 0.0, 0.0, 0.5_f64.exp()], 1e-14);
        };
    }
    run!(AutoSource::new());
    run!(AutoDual::new());
}

#[test]
fn caches_and_second_order_need_no_heap() {
    let _row = rows(&[28, 64]);
    let (n, buffer) = (6, vec![0.0; 6]);
    let (x, v, f) = (
        point(n, 0.1),
        [point(n, 0.4), point(n, 0.8)],
        total::AD.with(0.8, &buffer),
    );
    macro_rules! first {
        ($backend:expr) => {
            let (backend, mut g) = ($backend, vec![0.0; n]);
            let prep = prepare_gradient(f, &backend, &x).unwrap();
            allocates_nothing("gradient", || {
                value_and_gradient_into(f, &mut g, &prep, &backend, &x).unwrap();
            });
            let prep = prepare_pullback(f, &backend, &x, &1.0).unwrap();
            allocates_nothing("pullback", || {
                pullback_into(f, &mut g, &prep, &backend, &x, &1.0).unwrap();
            });
            let prep = prepare_pushforward(f, &backend, &x, &v).unwrap();
            allocates_nothing("pushforward", || {
                pushforward_into(f, &mut [0.0; 2], &prep, &backend, &x, &v).unwrap();
            });
        };
    }
    macro_rules! second {
        ($backend:expr) => {
            let (backend, mut g) = ($backend, vec![0.0; n]);
            let mut products = [vec![0.0; n], vec![0.0; n]];
            let prep = prepare_hvp(f, &backend, &x, &v).unwrap();
            allocates_nothing("hvp", || {
                hvp_into(f, &mut products, &prep, &backend, &x, &v).unwrap();
                value_gradient_and_hvp_into(f, &mut g, &mut products, &prep, &backend, &x, &v)
                    .unwrap();
            });
            let mut h = di::Matrix::zeros((n, n));
            let prep = prepare_hessian(f, &backend, &x).unwrap();
            allocates_nothing("hessian", || {
                hessian_into(f, &mut h, &prep, &backend, &x).unwrap();
            });
        };
    }
    first!(AutoSource::new());
    first!(AutoDual::new());
    first!(AutoTape::new());
    first!(AutoTaylor::new());
    first!(AutoSymbolic::new());
    first!(AutoSymbolic::new().factored());
    first!(AutoComplexStep::new());
    first!(AutoFiniteDiff::new());
    first!(AutoFiniteDifferences::central(5));
    first!(AutoForwardFromPrimitive(AutoSource::new()));
    first!(AutoReverseFromPrimitive(AutoSource::new()));
    second!(AutoSource::new());
    second!(AutoDual::new());
    second!(SecondOrder::new(AutoDual::new(), AutoSource::new()));
    second!(SecondOrder::new(AutoTape::new(), AutoSource::new()));
    second!(SecondOrder::new(AutoTape::new(), AutoDual::new()));
    second!(SecondOrder::new(AutoTape::new(), AutoTape::new()));
    second!(SecondOrder::new(AutoDual::new(), AutoDual::new()));
    second!(SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()));
    second!(SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new()));
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn preps_are_send_and_clones_are_their_own() {
    let _row = rows(&[46, 47]);
    let (buffer, f) = (vec![0.0; 6], |b| total::AD.with(0.8, b));
    let backend = AutoSource::new();
    let prep: Prep<_, _, _> = prepare_gradient(f(&buffer), &backend, &point(6, 0.0)).unwrap();
    is_send(&prep);
    let serial: Vec<Vec<f64>> = (0..4)
        .map(|k| gradient(f(&buffer), &prep, &backend, &point(6, k as f64)).unwrap())
        .collect();
    let threads: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..4)
            .map(|k| {
                let (prep, buffer) = (prep.clone(), &buffer);
                scope.spawn(move || {
                    gradient(f(buffer), &prep, &backend, &point(6, k as f64)).unwrap()
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    for (a, b) in serial.iter().zip(&threads) {
        assert_bitwise("gradient", a, b);
    }
}

/// The function may have threads of its own: scalars are `Send`.
#[generic]
fn halves<S: Scalar<Real = f64>>(x: &[S]) -> S {
    let (a, b) = x.split_at(x.len() / 2);
    let sum = |part: Vec<S>| part.iter().fold(S::default(), |s, x| s + *x * *x * *x);
    let a = a.to_vec();
    std::thread::scope(|scope| {
        let first = scope.spawn(move || sum(a));
        sum(b.to_vec()) + first.join().unwrap_or_default()
    })
}

#[test]
fn functions_with_threads_of_their_own() {
    let _row = rows(&[48]);
    let x = point(7, 0.2);
    let exact: Vec<f64> = x.iter().map(|x| 3.0 * x * x).collect();
    near(
        &gradient(halves::AD, NoPrep, &AutoDual::new(), &x).unwrap(),
        &exact,
        1e-13,
    );
    near(
        &gradient(halves::AD, NoPrep, &AutoFiniteDiff::new(), &x).unwrap(),
        &exact,
        1e-6,
    );
}

/// What branches at prep time does not bind later calls.
#[differentiable]
fn kinked(x: &[f64]) -> f64 {
    if x[0] > 0.0 {
        x[0] * x[1]
    } else {
        let mut s = 0.0;
        let mut k = 0.0;
        while k < -x[0] {
            s += x[1] * x[1];
            k += 1.0;
        }
        s
    }
}

#[test]
fn control_flow_may_change_after_preparation() {
    let _row = rows(&[116]);
    macro_rules! run {
        ($backend:expr, $tolerance:expr) => {
            let backend = $backend;
            let prep = prepare_gradient(kinked::AD, &backend, &[1.0, 1.0]).unwrap();
            for (x, exact) in [
                ([2.0, 3.0], [3.0, 2.0]),
                ([-0.5, 3.0], [0.0, 6.0]),
                ([-3.5, 3.0], [0.0, 24.0]),
                ([0.5, -1.0], [-1.0, 0.5]),
            ] {
                let g = gradient(kinked::AD, &prep, &backend, &x).unwrap();
                near(&g, &exact, $tolerance);
            }
        };
    }
    each_backend!(run);
}

#[generic]
fn constant<S: Scalar<Real = f64>>(x: &[S]) -> Vec<S> {
    vec![S::from_real(2.0); x.len() + 1]
}

#[differentiable]
fn fixed(x: &[f64]) -> f64 {
    let _ = x;
    3.0
}

#[test]
fn constant_functions_have_exact_zeros() {
    let _row = rows(&[20, 21]);
    for n in [0, 3] {
        let x = vec![1.5; n];
        let j = jacobian(constant::AD, NoPrep, &AutoDual::new(), &x).unwrap();
        assert_eq!(j.shape(), (n + 1, n));
        let zeros = |what: &str, found: &[f64], count: usize| match count {
            0 => assert_empty(what, found),
            _ => assert_bitwise(what, found, &vec![0.0; count]),
        };
        zeros("jacobian", j.as_slice(), n * (n + 1));
        macro_rules! run {
            ($backend:expr, $tolerance:expr) => {
                let g = gradient(fixed::AD, NoPrep, &$backend, &x).unwrap();
                zeros("gradient", &g, n);
            };
        }
        each_backend!(run);
        let h = hessian(fixed::AD, NoPrep, &AutoSource::new(), &x).unwrap();
        assert_eq!(h, di::Matrix::zeros((n, n)));
    }
    let mut y: [f64; 0] = [];
    let x = point(3, 0.0);
    let f = mix::AD.with(1.0, &x).output(&mut y);
    assert_eq!(
        jacobian(f, NoPrep, &AutoSource::new(), &x).unwrap().shape(),
        (0, 3)
    );
    let f = mix::AD.with(1.0, &x).output(&mut y);
    assert_eq!(
        jacobian(f, NoPrep, &AutoDual::new(), &x).unwrap().shape(),
        (0, 3)
    );
}
