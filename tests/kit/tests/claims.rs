//! Claims on the kit itself, and those that its scenarios show best.

#![allow(
    clippy::needless_range_loop,
    clippy::unwrap_used,
    reason = "loops over indices are under test, and a panic is how tests fail"
)]

use di::prelude::*;
use di::{
    AutoComplexStep, AutoFiniteDifferences, AutoSymbolic, AutoZero, Capabilities, Mode, Operator,
};
use di_test::allocations::{Counting, count_bytes};
use di_test::compare::{assert_bitwise, assert_same};
use di_test::families::{
    allocation_free_scenarios, default_scenarios, sparse_scenarios, static_scenarios,
    struct_scenarios,
};
use di_test::{
    Allocations, Options, Place, Scenario, Sparsity, check_differentiation, parity, returns,
    test_differentiation, writes,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn holds(what: &str, holds: bool) {
    assert_same(what, holds, true);
}

#[test]
fn prepared_calls_into_buffers_allocate_nothing() {
    let _row = parity::rows(&[19, 101]);
    let options = Options::new()
        .allocations(Allocations::NonePrepared)
        .reprepare(false)
        .misuse(false);
    let backends = (AutoSource::new(), AutoDual::new());
    let scenarios = (allocation_free_scenarios(), static_scenarios());
    check_differentiation(&backends, &scenarios, &options).assert();
}

#[test]
fn arrays_of_fixed_size_are_returned_without_memory() {
    let _row = parity::row(19);
    #[differentiable]
    fn f(x: &[f64; 3]) -> f64 {
        x[0] * x[1] * x[2].sin()
    }
    #[differentiable]
    fn curve(t: f64) -> [f64; 2] {
        [t.sin(), t.cos()]
    }
    let (backend, x) = (AutoSource::new(), [1.0, 2.0, 0.5]);
    let prep = prepare_gradient(f::AD, &backend, &x).unwrap();
    let (g, allocated) = count_bytes(|| gradient(f::AD, &prep, &backend, &x));
    let expected = [2.0 * 0.5_f64.sin(), 0.5_f64.sin(), 2.0 * 0.5_f64.cos()];
    assert_bitwise("gradient", &g.unwrap(), &expected);
    assert_eq!(allocated.count, 0);
    let prep = prepare_derivative(curve::AD, &backend, &0.0).unwrap();
    let (d, allocated) = count_bytes(|| derivative(curve::AD, &prep, &backend, &0.5));
    assert_bitwise("derivative", &d.unwrap(), &[0.5_f64.cos(), -0.5_f64.sin()]);
    assert_eq!((allocated.count, allocated.bytes), (0, 0));
}

#[test]
fn constants_and_caches_through_a_change_of_function() {
    let _row = parity::rows(&[22, 23, 24, 98]);
    let (function, cache) = (vec![0.5, -1.0, 2.0], vec![f64::NAN; 3]);
    let sum: f64 = function.iter().map(|x: &f64| x.sin()).sum();
    let slopes: Vec<f64> = function.iter().map(|x| x.cos()).collect();
    let plain = Scenario::gradient("sum of sines", returns(sines::AD), function, sum, &slopes);
    let backends = (AutoSource::new(), AutoDual::new(), AutoFiniteDiff::new());
    // Prepared with -3, called with 3.
    let constant = plain
        .clone()
        .change_function("with a constant", returns(times::AD.with(3.0)), 3.0)
        .prepared_with(returns(times::AD.with(-3.0)));
    // The content of the cache does not matter.
    let cached = returns(through::AD.with(2.0, &cache));
    let cached = plain
        .clone()
        .change_function("with a constant and a cache", cached, 2.0);
    let (a, b) = (3.0, 4.0);
    let closure = differentiable_closure!([a: f64, b: f64] |x: &[f64]| -> f64 {
        let mut sum = 0.0;
        for x in x {
            sum += (a + b) * x.sin();
        }
        sum
    });
    let closure = plain
        .clone()
        .change_function("with captures", returns(closure), 7.0);
    test_differentiation(&backends, &(plain, constant, cached, closure));
}

#[differentiable]
fn sines(x: &[f64]) -> f64 {
    x.iter().map(|x| x.sin()).sum()
}

#[differentiable]
fn times(x: &[f64], #[constant] c: f64) -> f64 {
    c * sines(x)
}

#[differentiable]
fn through(x: &[f64], #[constant] c: f64, #[cache] buffer: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        buffer[i] = c * x[i].sin();
    }
    let mut sum = 0.0;
    for v in buffer.iter() {
        sum += v;
    }
    sum
}

#[differentiable]
fn nothing(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for (i, y) in y.iter_mut().enumerate() {
        *y = (n + i) as f64;
    }
}

#[test]
fn results_come_from_a_reference_backend() {
    let _row = parity::row(103);
    let (by_hand, mut computed) = (struct_scenarios(), struct_scenarios());
    for scenario in &mut computed.4 {
        let empty = scenario.clone().expect(&[]).expect_first(&[]);
        *scenario = empty.compute_results(&AutoDual::new()).unwrap();
    }
    for (computed, by_hand) in computed.4.iter().zip(&by_hand.4) {
        let result = |scenario: &Scenario<_, _, _, _>| scenario.reference().result.clone().unwrap();
        let tolerance = di_test::compare::ROUNDING;
        di_test::compare::assert_close("hessian", &result(computed), &result(by_hand), tolerance);
    }
    test_differentiation(&(AutoSource::new(),), &computed);
}

#[test]
fn options_say_what_is_checked() {
    let _row = parity::row(99);
    let wrong = Scenario::gradient(
        "sines",
        returns(sines::AD),
        vec![0.5],
        0.5_f64.sin(),
        &[0.5],
    );
    let backends = (AutoSource::new(),);
    let run = |options: Options| check_differentiation(&backends, &wrong, &options);
    holds("wrong reference", !run(Options::new()).passed());
    holds("tolerance", run(Options::new().relative(0.5)).passed());
    holds(
        "absolute tolerance",
        run(Options::new().absolute(0.5)).passed(),
    );
    holds(
        "no correctness",
        run(Options::new().correctness(false)).passed(),
    );
    let excluded = run(Options::new().excluding(&[Operator::Gradient]));
    holds(
        "excluded",
        excluded.entries.is_empty() && !excluded.passed(),
    );
    let report = run(Options::new());
    let text = format!("{}{report}", report.failures());
    holds(
        "report",
        text.contains("gradient of sines (1 -> 1) by AutoSource") && text.contains("failed"),
    );
    // Dense results store everything.
    let options = Options::new().sparsity(Sparsity::OfSparse);
    check_differentiation(&backends, &sparse_scenarios().0, &options).assert();
}

#[test]
fn zero_backends_give_values_and_zeros() {
    let _row = parity::rows(&[21, 58]);
    let zeros = |mode: Mode| {
        let backend = match mode {
            Mode::Forward => AutoZero::forward(),
            _ => AutoZero::reverse(),
        };
        assert_eq!(backend.mode(), mode);
        let x = vec![1.0, 2.0];
        let y: f64 = x.iter().map(|x: &f64| x.sin()).sum();
        let gradient = Scenario::gradient("sines", returns(sines::AD), x.clone(), y, &[0.0; 2]);
        let f = writes(|y: &mut Vec<f64>| nothing::AD.output(y));
        let jacobian = Scenario::jacobian("nothing", f, x, vec![2.0, 3.0], &[0.0; 4]);
        let both = (gradient.into_buffer(), jacobian.into_buffer());
        test_differentiation(&(backend,), &both);
        // What does not depend on `x` has derivative zero, exactly.
        let options = Options::new().relative(0.0);
        check_differentiation(&(AutoSource::new(), AutoDual::new()), &both.1, &options).assert();
    };
    zeros(Mode::Forward);
    zeros(Mode::Reverse);
}

thread_local! {
    static EVALUATIONS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Nothing, and counts how often it is asked.
fn counted() -> f64 {
    EVALUATIONS.with(|count| count.set(count.get() + 1));
    0.0
}

#[differentiable]
fn counted_sum(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() + passive(counted())
}

#[differentiable]
fn counted_copy(x: &[f64], y: &mut [f64]) {
    let zero = passive(counted());
    for i in 0..y.len() {
        y[i] = x[i] + zero;
    }
}

#[differentiable]
fn counted_wave(t: f64) -> [f64; 2] {
    [t + passive(counted()), t]
}

/// What the interface adds to a backend that computes nothing: no evaluation, no memory. `ratios` in the benches has
/// the times.
#[test]
fn interface_adds_neither_evaluations_nor_memory() {
    let _row = parity::rows(&[106, 107]);
    let (n, x) = (40, vec![1.0; 40]);
    let (v, mut g, mut hv) = (vec![1.0; n], vec![9.0; n], vec![9.0; n]);
    let (mut y, mut dy, mut j) = (vec![9.0; n], vec![9.0; n], di::Matrix::zeros((n, n)));
    let (mut d, mut dd) = ([9.0; 2], [9.0; 2]);
    /// One evaluation and no allocation.
    macro_rules! costs_one {
        ($call:expr) => {{
            EVALUATIONS.with(|count| count.set(0));
            let (result, allocated) = count_bytes(|| $call.is_ok());
            let evaluations = EVALUATIONS.with(|count| count.get());
            let found = [
                f64::from(u8::from(result)),
                f64::from(evaluations),
                allocated.count as f64,
            ];
            assert_bitwise(stringify!($call), &found, &[1.0, 1.0, 0.0]);
        }};
    }
    let (f, copy, wave) = (counted_sum::AD, counted_copy::AD, counted_wave::AD);
    let source = AutoSource::new();
    let prep = prepare_gradient(f, &source, &x).unwrap();
    costs_one!(value_and_gradient_into(f, &mut g, &prep, &source, &x));
    for b in [AutoZero::forward(), AutoZero::reverse()] {
        let prep = prepare_gradient(f, &b, &x).unwrap();
        costs_one!(gradient_into(f, &mut g, &prep, &b, &x));
        costs_one!(value_and_gradient_into(f, &mut g, &prep, &b, &x));
        assert_bitwise("gradient", &g, &[0.0; 40]);
        let prep = prepare_hvp(f, &b, &x, &v).unwrap();
        costs_one!(hvp_into(f, &mut hv, &prep, &b, &x, &v));
        let prep = prepare_hessian(f, &b, &x).unwrap();
        costs_one!(hessian_into(f, &mut j, &prep, &b, &x));
        costs_one!(value_gradient_and_hessian_into(
            f, &mut g, &mut j, &prep, &b, &x
        ));
        let prep = prepare_jacobian(copy.output(&mut y), &b, &x).unwrap();
        costs_one!(jacobian_into(copy.output(&mut y), &mut j, &prep, &b, &x));
        costs_one!(value_and_jacobian_into(
            copy.output(&mut y),
            &mut j,
            &prep,
            &b,
            &x
        ));
        assert_bitwise("value", &y, &x);
        let prep = prepare_pushforward(copy.output(&mut y), &b, &x, &v).unwrap();
        costs_one!(pushforward_into(
            copy.output(&mut y),
            &mut dy,
            &prep,
            &b,
            &x,
            &v
        ));
        let prep = prepare_pullback(copy.output(&mut y), &b, &x, &v).unwrap();
        costs_one!(pullback_into(
            copy.output(&mut y),
            &mut dy,
            &prep,
            &b,
            &x,
            &v
        ));
        let prep = prepare_derivative(wave, &b, &0.0).unwrap();
        costs_one!(derivative_into(wave, &mut d, &prep, &b, &0.5));
        let prep = prepare_second_derivative(wave, &b, &0.0).unwrap();
        costs_one!(second_derivative_into(wave, &mut dd, &prep, &b, &0.5));
        assert_bitwise("derivatives", &[d, dd].concat(), &[0.0; 4]);
    }
}

#[test]
fn scenarios_are_data() {
    let _row = parity::row(98);
    let ((number, ..), in_place) = default_scenarios();
    let scenario = &number.0.0[0];
    let about = scenario.about();
    holds("operator", about.operator == Operator::Pushforward);
    holds(
        "places",
        (about.place, about.function) == (Place::Out, Place::Out),
    );
    holds(
        "names",
        about.to_string() == "pushforward of num_to_num (1 -> 1)",
    );
    assert_bitwise("value", &scenario.reference().value, &[0.42_f64.sin()]);
    let two = &number.0.1[0];
    #[allow(clippy::approx_constant, reason = "the tangent of the scenario")]
    let expected = 3.14 * 0.42_f64.cos();
    let found = two.reference().result.clone().unwrap();
    assert_bitwise("two tangents", &found, &[expected, -2.0 * expected]);
    let jacobian = in_place.0.2[1].about();
    let places = (jacobian.place, jacobian.function);
    holds("in place", places == (Place::In, Place::In));
    holds(
        "name",
        jacobian.to_string() == "jacobian_into of onevec_to_onevec! (1 -> 1)",
    );
}

#[differentiable]
fn steeper(x: f64) -> f64 {
    100.0 * x
}

/// The rule says something else than the body would.
#[di::custom_rule(partials(steeper))]
fn ruled(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
fn uses_rule(x: &[f64]) -> f64 {
    ruled(x[0]) * x[1]
}

#[test]
fn rules_are_used_instead_of_bodies_by_every_backend() {
    let _row = parity::row(97);
    let (x, y) = (vec![0.5, 3.0], 3.0 * 0.5_f64.sin());
    let f = returns(uses_rule::AD);
    let gradient = [3.0 * 50.0, 0.5_f64.sin()];
    let hessian = [300.0, 50.0, 50.0, 0.0];
    let backends = (
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        SecondOrder::new(AutoDual::new(), AutoSource::new()),
    );
    test_differentiation(
        &backends,
        &(
            Scenario::gradient("rule", f, x.clone(), y, &gradient),
            Scenario::hessian("rule", f, x, y, &hessian).expect_first(&gradient),
        ),
    );
}

/// Two caches of different shapes, one of them in rows.
#[differentiable]
fn two_caches(x: &[f64], #[cache] a: &mut [f64], #[cache] b: &mut [[f64; 2]]) -> f64 {
    for i in 0..x.len() {
        a[i] = x[i].sin();
        b[i] = [a[i] * x[i], x[i]];
    }
    let mut sum = 0.0;
    for row in b.iter() {
        sum += row[0] * row[1];
    }
    sum
}

#[test]
fn several_caches_keep_their_shapes() {
    let _row = parity::row(25);
    let (a, b) = (vec![f64::NAN; 3], vec![[f64::NAN; 2]; 3]);
    let x = vec![0.5, -1.0, 2.0_f64];
    let y: f64 = x.iter().map(|x| x * x * x.sin()).sum();
    let expected: Vec<f64> = x
        .iter()
        .map(|x| 2.0 * x * x.sin() + x * x * x.cos())
        .collect();
    let f = returns(two_caches::AD.with(&a, &b));
    let backends = (
        AutoSource::new(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        AutoFiniteDiff::new(),
    );
    test_differentiation(
        &backends,
        &Scenario::gradient("two caches", f, x, y, &expected),
    );
}

/// Buffers that belong together, with a field that is no float.
#[derive(Differentiable, Clone)]
struct Buffers {
    sines: Vec<f64>,
    pairs: [f64; 2],
    count: usize,
}

#[differentiable]
fn in_a_struct(x: &[f64], #[cache] b: &mut Buffers) -> f64 {
    b.pairs[0] = 0.0;
    for i in 0..b.count {
        b.sines[i] = x[i].sin();
        b.pairs[0] += b.sines[i] * x[i] * x[i];
    }
    b.pairs[1] = 2.0 * b.pairs[0];
    b.pairs[1] * b.sines[0]
}

#[test]
fn buffers_may_be_the_fields_of_a_struct() {
    let _row = parity::row(25);
    let buffers = Buffers {
        sines: vec![f64::NAN; 3],
        pairs: [f64::NAN; 2],
        count: 3,
    };
    let x = vec![0.5, -1.0, 2.0_f64];
    let inner: f64 = x.iter().map(|x| x * x * x.sin()).sum();
    let y = 2.0 * inner * x[0].sin();
    let slope = |x: &f64| 2.0 * x * x.sin() + x * x * x.cos();
    let mut expected: Vec<f64> = x.iter().map(|v| 2.0 * slope(v) * x[0].sin()).collect();
    expected[0] += 2.0 * inner * x[0].cos();
    let f = returns(in_a_struct::AD.with(&buffers));
    let backends = (
        AutoSource::new(),
        AutoSource::new().forward(),
        AutoDual::new(),
        AutoTape::new(),
        AutoSymbolic::new(),
        AutoFiniteDiff::new(),
    );
    let scenario = Scenario::gradient("buffers in a struct", f, x, y, &expected);
    test_differentiation(&backends, &scenario);
}

#[test]
fn backends_are_of_all_kinds_and_say_which() {
    let _rows = parity::rows(&[49, 50]);
    let x = vec![0.5, -1.0, 2.0];
    let y: f64 = x.iter().map(|x: &f64| x.sin()).sum();
    let expected: Vec<f64> = x.iter().map(|x| x.cos()).collect();
    let scenario = Scenario::gradient("sines", returns(sines::AD), x, y, &expected);
    let backends = (
        AutoSource::new().forward(),
        AutoSource::new().reverse(),
        AutoDual::new(),
        AutoTape::new(),
        AutoFiniteDiff::new(),
        AutoFiniteDifferences::central(5),
        AutoComplexStep::new(),
        AutoSymbolic::new(),
    );
    let report = check_differentiation(&backends, &scenario, &Options::new());
    report.assert();
    holds(
        "all were tried",
        report.tried().values().sum::<usize>() == 8,
    );
    holds("forward", backends.0.mode() == Mode::Forward);
    holds("reverse", backends.1.mode() == Mode::Reverse);
    holds("both", AutoSource::new().mode() == Mode::ForwardOrReverse);
    let forward = [
        backends.2.mode(),
        backends.4.mode(),
        backends.5.mode(),
        backends.6.mode(),
    ];
    holds("forward engines", forward == [Mode::Forward; 4]);
    holds("tape", backends.3.mode() == Mode::ForwardOrReverse);
    holds("expressions", backends.7.mode() == Mode::Symbolic);
}

#[test]
fn parameters_of_backends_change_what_they_do() {
    let _row = parity::row(53);
    let x = vec![0.5, -1.0, 2.0];
    let y: f64 = x.iter().map(|x: &f64| x.sin()).sum();
    let expected: Vec<f64> = x.iter().map(|x| x.cos()).collect();
    let scenario = Scenario::gradient("sines", returns(sines::AD), x.clone(), y, &expected);
    let calls = |backend: AutoDual| {
        let f = di_test::calls::Counted(sines::AD);
        let prep = prepare_gradient(f, &backend, &x).unwrap();
        let (g, calls) = di_test::calls::count(|| gradient(f, &prep, &backend, &x));
        assert!(g.is_ok());
        calls.evaluations as f64
    };
    let found = [
        calls(AutoDual::new()),
        calls(AutoDual::new().chunk(1)),
        calls(AutoDual::new().chunk(2)),
    ];
    assert_bitwise("evaluations by chunk", &found, &[1.0, 3.0, 2.0]);
    test_differentiation(
        &(
            AutoDual::new().chunk(2),
            AutoTape::eager(),
            AutoFiniteDiff::new().forward(),
            AutoFiniteDiff::new().relative_step(1e-5),
            AutoFiniteDiff::new().absolute_step(1e-5),
            AutoFiniteDifferences::forward(4),
        ),
        &scenario,
    );
}

#[test]
fn batches_are_as_even_as_they_get() {
    use di_runtime::batch::even_batch;
    let _row = parity::row(55);
    let found: Vec<f64> = (1..=10).map(|n| even_batch(n, 16) as f64).collect();
    let expected: Vec<f64> = (1..=10).map(f64::from).collect();
    assert_bitwise("up to the maximum", &found, &expected);
    assert_bitwise("beyond", &[even_batch(17, 16) as f64], &[9.0]);
}

#[test]
fn claims_are_what_the_tests_show() {
    parity::check();
}
