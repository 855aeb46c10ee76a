//! Operators beyond the eight: diagonals, bound preps, auxiliary results, checks, many points, threads, nesting.

use di::prelude::*;
use di::{Error, Scalar, nested};
use di_test::compare::{assert_bitwise, assert_close, assert_empty};
use di_test::parity::rows;
use ndarray::Array2;

use crate::near;

#[differentiable]
fn valley(x: &[f64], #[constant] k: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += k * (x[i] - x[i - 1] * x[i - 1]).powi(2) + (1.0 - x[i - 1]).powi(2);
    }
    s
}

fn valley_derivatives(x: &[f64], k: f64) -> (Vec<f64>, Array2<f64>) {
    let n = x.len();
    let (mut g, mut h) = (vec![0.0; n], Array2::zeros((n, n)));
    for i in 1..n {
        let d = x[i] - x[i - 1] * x[i - 1];
        g[i] += 2.0 * k * d;
        g[i - 1] += -4.0 * k * d * x[i - 1] - 2.0 * (1.0 - x[i - 1]);
        h[[i, i]] += 2.0 * k;
        h[[i, i - 1]] -= 4.0 * k * x[i - 1];
        h[[i - 1, i]] -= 4.0 * k * x[i - 1];
        h[[i - 1, i - 1]] += 8.0 * k * x[i - 1] * x[i - 1] - 4.0 * k * d + 2.0;
    }
    (g, h)
}

fn point(n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| ((i * i) as f64 * 0.37).sin() * 1.3)
        .collect()
}

#[test]
fn diagonal_of_the_hessian() {
    let _row = rows(&[113]);
    for n in [0, 1, 2, 7, 8, 9, 20] {
        let x = point(n);
        let (g, h) = valley_derivatives(&x, 3.0);
        let expected: Vec<f64> = h.diag().to_vec();
        macro_rules! check {
            ($backend:expr, $tolerance:expr) => {
                let (f, backend) = (valley::AD.with(3.0), $backend);
                let prep = prepare_hessian_diagonal(f, &backend, &vec![0.0; n]).unwrap();
                let (y, grad, d) =
                    value_gradient_and_hessian_diagonal(f, &prep, &backend, &x).unwrap();
                near(&[y], &[valley(&x, 3.0)], 0.0);
                near(&grad, &g, $tolerance);
                near(&d, &expected, $tolerance);
                let d = hessian_diagonal(f, NoPrep, &backend, &x).unwrap();
                near(&d, &expected, $tolerance);
                let l = laplacian(f, &prep, &backend, &x).unwrap();
                near(&[l], &[expected.iter().sum()], $tolerance);
            };
        }
        check!(AutoSource::new(), 1e-13);
        check!(AutoDual::new(), 1e-13);
        check!(SecondOrder::new(AutoDual::new(), AutoSource::new()), 1e-13);
        check!(
            SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()),
            1e-5
        );
    }
}

#[test]
fn bound_preps() {
    let _row = rows(&[111]);
    let (x, k) = (point(5), 2.0);
    let (g, h) = valley_derivatives(&x, k);
    let (f, backend) = (valley::AD.with(k), AutoSource::new());
    let ready = prepare_gradient(f, &backend, &vec![0.0; 5])
        .unwrap()
        .bind(f);
    near(&ready.gradient(&x).unwrap(), &g, 1e-13);
    let mut buffer = [0.0; 5];
    let y = ready.value_and_gradient_into(&mut buffer, &x).unwrap();
    assert_bitwise("value", &[y], &[valley(&x, k)]);
    near(&buffer, &g, 1e-13);
    assert!(ready.gradient(&[1.0]).is_err());
    let ready = prepare_hessian(f, &backend, &x).unwrap().bind(f);
    near(&ready.hessian(&x).unwrap(), &h, 1e-13);
    let (v, dual) = (vec![1.0; 5], AutoDual::new());
    let ready = prepare_hvp(f, &dual, &x, &v).unwrap().bind(f);
    let (_, hv) = ready.gradient_and_hvp(&x, &v).unwrap();
    near(&hv, &h.sum_axis(ndarray::Axis(1)), 1e-13);
    let mut ready = prepare_gradient(f, &backend, &x).unwrap().bind(f);
    ready.resize(&point(9)).unwrap();
    near(
        &ready.gradient(&point(9)).unwrap(),
        &valley_derivatives(&point(9), k).0,
        1e-13,
    );
    let mut h_into = di::Matrix::zeros((5, 5));
    let ready = prepare_hessian(f, &backend, &x).unwrap().bind(f);
    let y = ready
        .value_gradient_and_hessian_into(&mut buffer, &mut h_into, &x)
        .unwrap();
    assert_bitwise("value", &[y], &[valley(&x, k)]);
    near(&buffer, &g, 1e-13);
    near(&h_into, &h, 1e-13);
}

#[differentiable]
fn swirl(x: &[f64], #[constant] k: f64, y: &mut [f64]) {
    y[0] = k * x[0] * x[1];
    y[1] = x[0].sin();
    y[2] = x[1] * x[1];
}

#[differentiable]
fn helix(t: f64, y: &mut [f64]) {
    y[0] = t.cos();
    y[1] = t * t;
}

/// Bound with an output, which the calls lend.
#[test]
fn bound_preps_of_functions_that_write() {
    let _row = rows(&[111]);
    let (x, k, backend) = ([0.4, 1.5], 3.0, AutoSource::new());
    let j = ndarray::array![[k * x[1], k * x[0]], [x[0].cos(), 0.0], [0.0, 2.0 * x[1]]];
    let value = [k * x[0] * x[1], x[0].sin(), x[1] * x[1]];
    let mut y = [9.0; 3];
    let prep = prepare_jacobian(swirl::AD.with(1.0).output(&mut y), &backend, &[0.0; 2]).unwrap();
    let mut ready = prep.bind(swirl::AD.with(k).output(&mut y));
    near(&ready.jacobian(&x).unwrap(), &j, 1e-14);
    let (found, found_j) = ready.value_and_jacobian(&x).unwrap();
    assert_bitwise("value", found, &value);
    near(&found_j, &j, 1e-14);
    let mut into = di::Matrix::zeros((3, 2));
    ready.jacobian_into(&mut into, &x).unwrap();
    near(&into, &j, 1e-14);
    assert!(ready.jacobian(&[1.0]).is_err());
    drop(ready);
    let (dx, yb) = ([1.0, -2.0], [1.0, 0.5, -1.0]);
    let f = swirl::AD.with(k).output(&mut y);
    let prep = prepare_pushforward(f, &backend, &x, &dx).unwrap();
    let mut ready = prep.bind(swirl::AD.with(k).output(&mut y));
    let mut dy = [0.0; 3];
    let found = ready.value_and_pushforward_into(&mut dy, &x, &dx).unwrap();
    assert_bitwise("value", found, &value);
    near(&dy, &j.dot(&ndarray::arr1(&dx)), 1e-14);
    near(&ready.pushforward(&x, &dx).unwrap(), &dy, 0.0);
    let f = swirl::AD.with(k).output(&mut y);
    let prep = prepare_pullback(f, &backend, &x, &yb).unwrap();
    let mut ready = prep.bind(swirl::AD.with(k).output(&mut y));
    near(
        &ready.pullback(&x, &yb).unwrap(),
        &j.t().dot(&ndarray::arr1(&yb)),
        1e-14,
    );
    let mut y = [0.0; 2];
    let prep = prepare_derivative(helix::AD.output(&mut y), &backend, &0.0).unwrap();
    let mut ready = prep.bind(helix::AD.output(&mut y));
    let (found, slope) = ready.value_and_derivative(&0.7).unwrap();
    assert_bitwise("value", found, &[0.7_f64.cos(), 0.7 * 0.7]);
    near(&slope, &[-0.7_f64.sin(), 1.4], 1e-14);
}

#[differentiable]
fn fit(x: &[f64], #[constant] data: &[f64]) -> (f64, Vec<f64>) {
    let mut r = vec![0.0; data.len()];
    let mut s = 0.0;
    for i in 0..data.len() {
        r[i] = x[0] * data[i] - x[1];
        s += r[i] * r[i];
    }
    (s, r)
}

#[generic]
fn fit_generic<S: Scalar<Real = f64>>(x: &[S], #[constant] data: &[f64]) -> (S, Vec<S>) {
    let r: Vec<S> = data.iter().map(|d| x[0].mul_real(*d) - x[1]).collect();
    (r.iter().fold(S::default(), |s, r| s + *r * *r), r)
}

#[test]
fn auxiliary_results() {
    let _row = rows(&[110]);
    let (x, data) = ([0.5, 2.0], [1.0, 3.0, -2.0]);
    let r: Vec<f64> = data.iter().map(|d| x[0] * d - x[1]).collect();
    let g = [
        r.iter().zip(&data).map(|(r, d)| 2.0 * r * d).sum(),
        r.iter().map(|r| -2.0 * r).sum::<f64>(),
    ];
    macro_rules! check {
        ($f:expr, $backend:expr, $tolerance:expr) => {
            let (f, backend) = ($f.with(&data), $backend);
            let prep = prepare_gradient_with_aux(f, &backend, &[0.0, 0.0]).unwrap();
            for _ in 0..2 {
                let (y, aux, found) = value_and_gradient_with_aux(f, &prep, &backend, &x).unwrap();
                near(&[y], &[r.iter().map(|r| r * r).sum()], 1e-15);
                near(&aux, &r, 1e-15);
                near(&found, &g, $tolerance);
            }
        };
    }
    check!(fit::AD, AutoSource::new(), 1e-13);
    check!(fit::AD, AutoDual::new(), 1e-13);
    check!(fit_generic::AD, AutoDual::new(), 1e-13);
    check!(fit_generic::AD, AutoFiniteDiff::new(), 1e-6);
}

#[differentiable]
fn twice_wrong(x: f64) -> f64 {
    2.0 * x.cos()
}

#[di::custom_rule(partials(twice_wrong))]
fn wrong_sine(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
fn uses_wrong(x: &[f64]) -> f64 {
    x[0] * x[0] + wrong_sine(x[1])
}

#[test]
fn gradients_are_checked_in_one_line() {
    assert_eq!(check_gradient(valley::AD.with(3.0), &point(6)), Ok(()));
    let error = check_gradient(uses_wrong::AD, &[1.0, 0.5]).unwrap_err();
    let Error::Gradient(found) = &error else {
        panic!("expected a disagreement, found {error}")
    };
    assert_eq!((found.inputs, found.entries.len()), (2, 1));
    assert_eq!(found.entries[0].index, 1);
    let text = error.to_string();
    assert!(text.starts_with("1 of 2 entries"), "{text}");
    assert!(text.contains("entry 1: expected 8.77"), "{text}");
    assert!(check_gradient_of(valley::AD.with(1.0), &di::AutoZero::forward(), &point(3)).is_err());
}

#[differentiable]
fn below_the_floor(x: f64) -> f64 {
    9e-7 * x
}

#[di::custom_rule(partials(below_the_floor))]
fn flat(x: f64) -> f64 {
    0.0 * x
}

#[differentiable]
fn uses_flat(x: &[f64]) -> f64 {
    flat(x[0])
}

#[test]
fn checks_see_errors_from_a_millionth_on() {
    // a slope of zero is said to be 9e-7, then 1.1e-6
    assert_eq!(check_gradient(uses_flat::AD, &[1.0]), Ok(()));
    assert!(check_gradient(uses_flat::AD, &[1.1 / 0.9]).is_err());
}

#[test]
fn many_points_and_threads() {
    let _row = rows(&[47, 115]);
    let (f, backend) = (valley::AD.with(1.5), AutoSource::new());
    let points: Vec<Vec<f64>> = (0..23)
        .map(|k| point(6).iter().map(|x| x + k as f64).collect())
        .collect();
    let prep = prepare_gradient(f, &backend, &points[0]).unwrap();
    for threads in [0, 1, 3, 40] {
        let all = at_points(&prep, &points, threads, |prep, x| {
            gradient(f, prep, &backend, x)
        })
        .unwrap();
        assert_eq!(all.len(), points.len());
        for (found, x) in all.iter().zip(&points) {
            assert_bitwise(
                "as one thread",
                found,
                &gradient(f, &prep, &backend, x).unwrap(),
            );
        }
    }
    let mut wrong = points.clone();
    wrong[20].push(0.0);
    let error = at_points(&prep, &wrong, 4, |prep, x| gradient(f, prep, &backend, x)).unwrap_err();
    assert!(matches!(error, Error::Preparation(_)));
    assert!(
        at_points(&prep, &points[..0], 2, |prep, x| gradient(
            f, prep, &backend, x
        ))
        .unwrap()
        .is_empty()
    );
}

#[generic]
fn outer<S: Scalar<Real = f64>>(x: &[S]) -> Vec<S> {
    x.iter()
        .map(|a| x.iter().fold(S::default(), |s, b| s + (*a * *b).sin()))
        .collect()
}

#[test]
fn columns_on_threads_are_those_of_one() {
    let _row = rows(&[115]);
    for n in [0, 1, 2, 5, 16, 19] {
        let x = point(n);
        let one = jacobian(outer::AD, NoPrep, &AutoDual::new(), &x).unwrap();
        for threads in [1, 2, 4] {
            let mut team = prepare_team(outer::AD, &AutoDual::new(), &x, threads).unwrap();
            assert!(team.threads() <= threads);
            for _ in 0..2 {
                let j = team.jacobian(outer::AD, &x).unwrap();
                let (j, one) = (j.as_slice(), one.as_slice());
                match n {
                    0 => assert_empty("of nothing", j),
                    _ => assert_bitwise("as one thread", j, one),
                }
            }
        }
    }
    let x = point(13);
    let mut team = prepare_team(valley::AD.with(1.0), &AutoDual::new(), &x, 3).unwrap();
    let g = team.gradient(valley::AD.with(2.0), &x).unwrap();
    near(&g, &valley_derivatives(&x, 2.0).0, 1e-13);
    assert!(team.gradient(valley::AD.with(2.0), &point(4)).is_err());
}

/// d/dx x d/dy (x + y) = 1, not 2.
#[generic]
fn confusing<S: Scalar<Real = f64>>(x: S) -> S {
    x * nested::derivative(|y| nested::constant(x) + y, S::from_real(3.0))
}

#[generic]
fn third<S: Scalar<Real = f64>>(x: S) -> S {
    nested::derivative(|x| nested::derivative(|x| x.sin() * x * x, x), x)
}

/// The squared norm of a gradient: its gradient is `2 H g`.
#[generic]
fn steepness<S: Scalar<Real = f64>>(x: &[S]) -> S {
    let g = nested::gradient(
        |x| {
            x.windows(2).fold(Default::default(), |s, w| {
                s + (w[0] * w[1]).sin() + w[0] * w[0] * w[1]
            })
        },
        x,
    );
    g.iter().fold(S::default(), |s, g| s + *g * *g)
}

#[test]
fn nested_derivatives_keep_their_levels() {
    let _row = rows(&[112, 114]);
    assert_close(
        "d/dx x d/dy (x + y)",
        &[derivative(confusing::AD, NoPrep, &AutoDual::new(), &5.0).unwrap()],
        &[1.0],
        di_test::compare::ROUNDING,
    );
    assert_eq!(
        second_derivative(confusing::AD, NoPrep, &AutoDual::new(), &5.0),
        Ok(0.0)
    );
    // the third derivative of x^2 sin x
    let x = 0.7_f64;
    let exact = 6.0 * x.cos() - 6.0 * x * x.sin() - x * x * x.cos();
    near(
        &[derivative(third::AD, NoPrep, &AutoDual::new(), &x).unwrap()],
        &[exact],
        1e-13,
    );
    // and the fourth
    let exact = -12.0 * x.sin() - 8.0 * x * x.cos() + x * x * x.sin();
    near(
        &[second_derivative(third::AD, NoPrep, &AutoDual::new(), &x).unwrap()],
        &[exact],
        1e-13,
    );
    // w[0] w[1]: by hand for two numbers
    let (a, b) = (0.4_f64, 1.1_f64);
    let (s, c) = ((a * b).sin(), (a * b).cos());
    let g = [b * c + 2.0 * a * b, a * c + a * a];
    let h = [
        [-b * b * s + 2.0 * b, c - a * b * s + 2.0 * a],
        [c - a * b * s + 2.0 * a, -a * a * s],
    ];
    let exact = [0, 1].map(|i| 2.0 * (h[i][0] * g[0] + h[i][1] * g[1]));
    near(
        &gradient(steepness::AD, NoPrep, &AutoDual::new(), &[a, b]).unwrap(),
        &exact,
        1e-13,
    );
    near(
        &gradient(steepness::AD, NoPrep, &AutoFiniteDiff::new(), &[a, b]).unwrap(),
        &exact,
        1e-6,
    );
}
