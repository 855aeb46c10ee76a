//! What every backend must do: the default scenarios, and claims on backends as such.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

use di::prelude::*;
use di::{
    AutoComplexStep, AutoEchidna, AutoFiniteDifferences, AutoForwardFromPrimitive, AutoNumDual,
    AutoReverseFromPrimitive, AutoSymbolic, AutoZero, BACKENDS, Capabilities, Mode, NoAutoDiff,
    Operator, Scheme, auto, closure,
};
use di_test::compare::{Tolerance, assert_bitwise, assert_close};
use di_test::families::{DefaultScenarios, default_scenarios};
use di_test::parity::rows;
use di_test::{Backends, Options, check_differentiation};

#[global_allocator]
static ALLOCATOR: di_test::allocations::Counting = di_test::allocations::Counting;

fn pass<B: Backends<DefaultScenarios>>(backends: B) {
    let report = check_differentiation(&backends, &default_scenarios(), &Options::new());
    println!("{report}");
    report.assert();
}

#[test]
fn scenarios_as_expressions() {
    pass((AutoSymbolic::new(), AutoSymbolic::new().factored()));
}

#[test]
fn scenarios_by_differences() {
    let one_sided = AutoFiniteDiff::new()
        .backward()
        .hessian_scheme(Scheme::Backward);
    pass((
        one_sided,
        AutoFiniteDifferences::central(5),
        AutoFiniteDifferences::forward(6),
    ));
    pass((AutoComplexStep::new(),));
}

#[test]
fn scenarios_by_other_engines() {
    pass((AutoNumDual::new(), AutoEchidna::new()));
    pass((
        SecondOrder::new(AutoNumDual::new(), AutoSource::new()),
        SecondOrder::new(AutoEchidna::new(), AutoDual::new()),
    ));
}

#[test]
fn scenarios_from_one_primitive() {
    pass((
        AutoForwardFromPrimitive(AutoSymbolic::new()),
        AutoReverseFromPrimitive(AutoSymbolic::new()),
        AutoReverseFromPrimitive(AutoEchidna::new()),
    ));
    let wrapped = AutoForwardFromPrimitive(AutoSource::new());
    pass((SecondOrder::new(AutoDual::new(), wrapped),));
    // both compute with one primitive what the wrapped one computes with all
    let x: Vec<f64> = (0..11).map(|i| 0.1 * i as f64 - 0.4).collect();
    let g = gradient(curved::AD, NoPrep, &AutoSymbolic::new(), &x).unwrap();
    let forward = AutoForwardFromPrimitive(AutoSymbolic::new());
    let reverse = AutoReverseFromPrimitive(AutoSymbolic::new());
    near(
        &gradient(curved::AD, NoPrep, &forward, &x).unwrap(),
        &g,
        1e-14,
    );
    near(
        &gradient(curved::AD, NoPrep, &reverse, &x).unwrap(),
        &g,
        1e-14,
    );
}

#[differentiable]
fn curved(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (i as f64 + 1.0) * x[i].sin() * x[(i + 1) % x.len()];
    }
    sum
}

fn curved_gradient(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut g = vec![0.0; n];
    for i in 0..n {
        g[i] += (i as f64 + 1.0) * x[i].cos() * x[(i + 1) % n];
        g[(i + 1) % n] += (i as f64 + 1.0) * x[i].sin();
    }
    g
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], relative: f64) {
    let tolerance = Tolerance {
        relative,
        absolute: relative,
    };
    assert_close("derivative", found, expected, tolerance);
}

/// Runs something on each backend that differentiates.
macro_rules! each_backend {
    ($backend:ident => $body:expr) => {{
        for listed in BACKENDS {
            let $backend = (listed.make)();
            if $backend.mode() != Mode::None {
                $body;
            }
        }
        let $backend = AutoNumDual::new();
        $body;
        let $backend = AutoEchidna::new();
        $body;
    }};
}

#[test]
fn lists_of_backends() {
    let _rows = rows(&[50, 51, 52]);
    let x = [0.4, -0.2, 1.1];
    for name in [
        "forward",
        "reverse",
        "dual",
        "finite_diff",
        "finite_differences",
        "symbolic",
    ] {
        let backend = auto(name).unwrap();
        assert!(backend.check_available() && backend.check_inplace());
        let g = gradient(curved::AD, NoPrep, &backend, &x).unwrap();
        near(
            &g,
            &curved_gradient(&x),
            backend.accuracy(Operator::Gradient),
        );
    }
    let modes = ["forward", "reverse", "source", "symbolic"].map(|name| auto(name).unwrap().mode());
    let expected = [
        Mode::Forward,
        Mode::Reverse,
        Mode::ForwardOrReverse,
        Mode::Symbolic,
    ];
    assert_eq!(modes, expected);
    assert!(auto("magic").is_err());
    assert!(!NoAutoDiff.check_available() && !NoAutoDiff.check_inplace());
    let refused = gradient(curved::AD, NoPrep, &NoAutoDiff, &x).unwrap_err();
    assert!(refused.to_string().contains("no engine was chosen"));
}

#[test]
fn steps_and_schemes() {
    let _row = rows(&[59]);
    let x = [0.4, -0.2, 1.1];
    let expected = curved_gradient(&x);
    let fd = AutoFiniteDiff::new();
    for backend in [
        fd,
        fd.forward(),
        fd.backward(),
        fd.relative_step(1e-6),
        fd.forward().absolute_step(1e-7),
        fd.jacobian_scheme(Scheme::Forward)
            .hessian_scheme(Scheme::Backward),
    ] {
        near(
            &gradient(curved::AD, NoPrep, &backend, &x).unwrap(),
            &expected,
            1e-5,
        );
    }
    // a step so large that its error is seen: the square of the step, or the step
    let cubes = closure(|x: f64| x * x * x);
    let wide = derivative(&cubes, NoPrep, &fd.absolute_step(0.5), &0.0).unwrap();
    near(&[wide], &[0.25], 1e-14);
    let ahead = derivative(&cubes, NoPrep, &fd.forward().absolute_step(0.5), &1.0).unwrap();
    near(&[ahead], &[4.75], 1e-14);
    let behind = derivative(&cubes, NoPrep, &fd.backward().absolute_step(0.5), &1.0).unwrap();
    near(&[behind], &[1.75], 1e-14);
    for chunk in 1..=3 {
        let g = gradient(curved::AD, NoPrep, &AutoDual::new().chunk(chunk), &x).unwrap();
        near(&g, &expected, 1e-14);
    }
}

/// Values beside gradients are those of the function, bit by bit, with every backend that does not take differences.
#[test]
fn values_are_those_of_the_function() {
    let _row = rows(&[3]);
    let x: Vec<f64> = (0..11).map(|i| 0.1 * f64::from(i) - 0.4).collect();
    let (expected, mut count) = (curved(&x), 0.0);
    each_backend!(backend => {
        let (first, accuracy) = (vec![0.0; 11], backend.accuracy(Operator::Gradient));
        if accuracy <= 1e-10 {
            let what = format!("value by {}", backend.name());
            let prep = prepare_gradient(curved::AD, &backend, &first).unwrap();
            let (y, g) = value_and_gradient(curved::AD, &prep, &backend, &x).unwrap();
            assert_bitwise(&what, &[y], &[expected]);
            near(&g, &curved_gradient(&x), accuracy);
            let mut g = first;
            let y = value_and_gradient_into(curved::AD, &mut g, &prep, &backend, &x).unwrap();
            assert_bitwise(&what, &[y], &[expected]);
            near(&g, &curved_gradient(&x), accuracy);
            count += 1.0;
        }
    });
    assert_bitwise("backends", &[count], &[11.0]);
}

#[differentiable]
fn with_all(
    #[constant] scale: f64,
    x: &[f64],
    #[constant] weights: &[f64],
    #[cache] room: &mut [f64],
    #[constant] power: i32,
    y: &mut [f64],
) {
    for i in 0..x.len() {
        room[i] = scale * x[i].powi(power);
    }
    for i in 0..y.len() {
        y[i] = weights[i] * room[i] * x[0];
    }
}

fn with_all_jacobian(scale: f64, x: &[f64], weights: &[f64], power: i32) -> Vec<f64> {
    let n = x.len();
    let mut j = vec![0.0; n * n];
    for i in 0..n {
        j[i * n + i] += weights[i] * scale * f64::from(power) * x[i].powi(power - 1) * x[0];
        j[i * n] += weights[i] * scale * x[i].powi(power);
    }
    j
}

#[test]
fn contexts_of_every_kind() {
    let _row = rows(&[27]);
    let (x, cache) = ([1.2, 0.8, 0.5], [f64::NAN; 3]);
    each_backend!(backend => {
        let mut y = [0.0; 3];
        let first = with_all::AD.with(1.0, &[0.0; 3], &cache, 1).output(&mut y);
        let prep = prepare_jacobian(first, &backend, &[1.0; 3]).unwrap();
        for (scale, weights, power) in [(0.5, [1.0, 2.0, 3.0], 3), (2.0, [0.0, 1.0, -1.0], 2), (2.0, [1.0; 3], 2)] {
            let f = with_all::AD.with(scale, &weights, &cache, power).output(&mut y);
            let j = jacobian(f, &prep, &backend, &x).unwrap();
            let accuracy = backend.accuracy(Operator::Jacobian).max(1e-13);
            near(j.as_slice(), &with_all_jacobian(scale, &x, &weights, power), accuracy);
        }
    });
}

#[differentiable]
fn through_a_cache(x: &[f64], #[constant] k: f64, #[cache] room: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        room[i] = (k * x[i]).sin();
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += room[i] * x[i];
    }
    sum
}

/// Prepared gradients with a cache, by every backend of the list and by engines of other crates: `tests/interface` has
/// the other operators.
#[test]
fn caches_need_no_heap() {
    let _row = rows(&[28]);
    assert!(di_test::allocations::counts());
    let (x, room) = ([1.2_f64, 0.8, 0.5], [f64::NAN; 3]);
    let f = through_a_cache::AD.with(2.0, &room);
    let expected = x.map(|x| (2.0 * x).sin() + 2.0 * x * (2.0 * x).cos());
    each_backend!(backend => {
        let mut g = [0.0; 3];
        let prep = prepare_gradient(f, &backend, &[0.3; 3]).unwrap();
        gradient_into(f, &mut g, &prep, &backend, &x).unwrap();
        let (result, found) = di_test::allocations::count(|| gradient_into(f, &mut g, &prep, &backend, &x));
        result.unwrap();
        let accuracy = backend.accuracy(Operator::Gradient).max(1e-13);
        near(&g, &expected, accuracy);
        println!("{}: {found}", backend.name());
        // which keeps a tape of its own for each call
        if backend.name() != "AutoEchidna" {
            assert_bitwise(backend.name(), &[found as f64], &[0.0]);
        }
    });
}

#[differentiable]
fn branching(x: &[f64], #[constant] limit: f64) -> f64 {
    let mut sum = 0.0;
    let mut i = 0;
    while i < x.len() && sum < limit {
        sum += if x[i] > 0.5 {
            x[i] * x[i] * x[0]
        } else {
            x[i].exp()
        };
        i += 1;
    }
    sum
}

fn branching_gradient(x: &[f64], limit: f64) -> Vec<f64> {
    let (mut g, mut sum) = (vec![0.0; x.len()], 0.0);
    for i in 0..x.len() {
        if sum >= limit {
            break;
        }
        if x[i] > 0.5 {
            g[i] += 2.0 * x[i] * x[0];
            g[0] += x[i] * x[i];
            sum += x[i] * x[i] * x[0];
        } else {
            g[i] += x[i].exp();
            sum += x[i].exp();
        }
    }
    g
}

/// How far a point is from where a branch changes.
fn margin(x: &[f64], limit: f64) -> f64 {
    let (mut sum, mut least) = (0.0, limit);
    for v in x {
        least = f64::min(least, (v - 0.5).abs());
        sum += if *v > 0.5 { v * v * x[0] } else { v.exp() };
        least = least.min((sum - limit).abs());
    }
    least
}

/// Gradients by one prep where branches change.
macro_rules! follow_branches {
    ($backend:expr) => {{
        let backend = $backend;
        let prep = prepare_gradient(branching::AD.with(2.0), &backend, &[0.0; 4]).unwrap();
        let mut seen = 0;
        for k in 0..60 {
            let x: Vec<f64> = (0..4)
                .map(|i| 1.5 * ((k * 4 + i) as f64 * 0.77).sin())
                .collect();
            let limit = f64::from(k % 3) + 0.3;
            if margin(&x, limit) < 0.15 {
                continue;
            }
            seen += 1;
            let g = gradient(branching::AD.with(limit), &prep, &backend, &x).unwrap();
            // inputs may be small, and steps with them
            let accuracy = backend.accuracy(Operator::Gradient).max(1e-14) * 10.0;
            near(&g, &branching_gradient(&x, limit), accuracy);
        }
        assert!(seen > 10, "{seen}");
    }};
}

#[test]
fn branches_may_change_after_preparation() {
    let _row = rows(&[116]);
    each_backend!(backend => {
        // differences see both sides unless they are told where to stay
        if backend.accuracy(Operator::Gradient) <= 1e-10 {
            follow_branches!(backend);
        }
    });
    follow_branches!(AutoFiniteDiff::new());
    follow_branches!(AutoFiniteDifferences::central(5).max_range(0.04));
}

#[test]
fn zero_backends() {
    let _row = rows(&[58]);
    let x = [0.4, -0.2, 1.1];
    for backend in [AutoZero::forward(), AutoZero::reverse()] {
        let (y, g) = value_and_gradient(curved::AD, NoPrep, &backend, &x).unwrap();
        assert_bitwise("value", &[y], &[curved(&x)]);
        assert_bitwise("gradient", &g, &[0.0; 3]);
        let (mut y, cache) = ([7.0; 3], [f64::NAN; 3]);
        let f = with_all::AD.with(2.0, &[1.0; 3], &cache, 2).output(&mut y);
        let (y, j) = value_and_jacobian(f, NoPrep, &backend, &x).unwrap();
        let mut expected = [0.0; 3];
        with_all(2.0, &x, &[1.0; 3], &mut [0.0; 3], 2, &mut expected);
        assert_bitwise("value", y, &expected);
        assert_bitwise("jacobian", j.as_slice(), &[0.0; 9]);
    }
}

#[test]
fn batches_of_every_size() {
    let _row = rows(&[72]);
    for n in 1..=13 {
        let x: Vec<f64> = (0..n).map(|i| (0.9 * i as f64).cos()).collect();
        let expected = curved_gradient(&x);
        for chunk in 1..=5.min(n) {
            let backend = AutoDual::new().chunk(chunk);
            near(
                &gradient(curved::AD, NoPrep, &backend, &x).unwrap(),
                &expected,
                1e-13,
            );
            let [back] = pullback(curved::AD, NoPrep, &backend, &x, &[1.0]).unwrap();
            near(&back, &expected, 1e-13);
        }
        each_backend!(backend => {
            let accuracy = backend.accuracy(Operator::Gradient).max(1e-13);
            near(&gradient(curved::AD, NoPrep, &backend, &x).unwrap(), &expected, accuracy);
            let [back] = pullback(curved::AD, NoPrep, &backend, &x, &[1.0]).unwrap();
            near(&back, &expected, accuracy);
            let v: Vec<f64> = (0..n).map(|i| 1.0 - 0.2 * i as f64).collect();
            let along: f64 = expected.iter().zip(&v).map(|(g, v)| g * v).sum();
            let dy = pushforward(curved::AD, NoPrep, &backend, &x, &[&v, &v, &v]).unwrap();
            near(&dy, &[along; 3], accuracy * n as f64);
        });
    }
}

/// The square of `x[0] + i x[1]`, as the README says: a pair.
#[differentiable]
fn square(x: &[f64; 2]) -> [f64; 2] {
    [x[0] * x[0] - x[1] * x[1], 2.0 * x[0] * x[1]]
}

#[test]
fn complex_numbers_are_pairs() {
    let _row = rows(&[108]);
    let (re, im) = (0.7, -1.3);
    // that of a holomorphic function is its derivative 2 z as a matrix
    let expected = [2.0 * re, -2.0 * im, 2.0 * im, 2.0 * re];
    each_backend!(backend => {
        let j = jacobian(square::AD, NoPrep, &backend, &[re, im]).unwrap();
        let accuracy = backend.accuracy(Operator::Jacobian).max(1e-14);
        near(j.as_slice(), &expected, accuracy);
    });
}

#[test]
fn table_of_parity_is_what_the_tests_show() {
    di_test::parity::check();
}
