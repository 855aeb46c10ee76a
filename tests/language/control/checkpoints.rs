//! Loops whose trips are not recorded: `#[ad(checkpoint)]`, `#[ad(revolve = n)]`, `#[ad(recompute)]`.

use di::__private::{Handle, Pool, Primals, Record, Tape};
use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4], &[-0.2, 0.4, 0.9]];

#[differentiable]
fn oscillator(x: &[f64], #[constant] n: usize) -> f64 {
    let mut q = x[0];
    let mut p = x[1];
    let mut energy = 0.0;
    let h = 0.1;
    #[ad(checkpoint)]
    for i in 0..n {
        p -= h * (q.sin() + x[2] * q * (i as f64));
        q += h * p;
        energy += p * p * h;
    }
    q * p + energy
}

#[differentiable]
fn oscillator_revolved(x: &[f64], #[constant] n: usize) -> f64 {
    let mut q = x[0];
    let mut p = x[1];
    let mut energy = 0.0;
    let h = 0.1;
    #[ad(revolve = 3)]
    for i in 0..n {
        p -= h * (q.sin() + x[2] * q * (i as f64));
        q += h * p;
        energy += p * p * h;
    }
    q * p + energy
}

macro_rules! counts {
    ($($name:ident $f:ident $n:literal;)*) => {
        $(
            #[differentiable]
            fn $name(x: &[f64]) -> f64 {
                $f(x, $n)
            }
        )*
    };
}

counts! {
    periodic_0 oscillator 0; periodic_1 oscillator 1; periodic_2 oscillator 2;
    periodic_7 oscillator 7; periodic_20 oscillator 20;
    binomial_0 oscillator_revolved 0; binomial_1 oscillator_revolved 1; binomial_2 oscillator_revolved 2;
    binomial_7 oscillator_revolved 7; binomial_20 oscillator_revolved 20;
}

#[test]
fn any_number_of_trips() {
    scalar!(periodic_0).row(82).check(&POINTS);
    scalar!(periodic_1).row(82).check(&POINTS);
    scalar!(periodic_2).row(82).check(&POINTS);
    scalar!(periodic_7).row(82).check(&POINTS);
    scalar!(periodic_20).row(82).check(&POINTS);
    scalar!(binomial_0).row(82).check(&POINTS);
    scalar!(binomial_1).row(82).check(&POINTS);
    scalar!(binomial_2).row(82).check(&POINTS);
    scalar!(binomial_7).row(82).check(&POINTS);
    scalar!(binomial_20).row(82).check(&POINTS);
}

#[differentiable]
fn stencil(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let mut u = x.to_vec();
    let mut next = vec![0.0; n];
    let mut grid = [[0.5; 2]; 3];
    #[ad(checkpoint = 2)]
    for t in (1..=5).rev() {
        if t == 3 {
            continue;
        }
        for i in 0..n {
            let left = if i > 0 { u[i - 1] } else { 1.0 };
            next[i] = u[i] + 0.1 * (left - u[i]) * u[i] + x[0] * grid[i % 3][0] * 0.01;
            if next[i] > 50.0 {
                break;
            }
        }
        u.copy_from_slice(&next);
        grid[t % 3][t % 2] += u[0];
    }
    for i in 0..n {
        y[i] = u[i] * grid[i % 3][1];
    }
    u[0] = 0.0;
}

#[test]
fn vectors_arrays_and_exits_inside() {
    inplace!(stencil, 3).row(82).check(&POINTS);
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut trace = [0.0; 4];
    #[ad(checkpoint)]
    for i in 0..4 {
        let mut inner = s * x[1];
        #[ad(revolve = 2)]
        for k in 0..5 {
            inner = inner * 0.9 + (s * x[2]).sin() / (k as f64 + 1.0);
            trace[i] += inner * 0.1;
        }
        s += inner * 0.2;
    }
    s + trace[1] * trace[3]
}

#[test]
fn loops_inside_one_another() {
    scalar!(nested).row(82).check(&POINTS);
}

#[differentiable]
fn halve(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * y[i] * 0.5;
    }
}

#[differentiable]
fn on_outputs(x: &[f64], y: &mut [f64]) {
    let weights = [1.0, 2.0, 0.5];
    let scale: f64 = 3.0;
    for i in 0..x.len() {
        y[i] = weights[i] * x[i];
    }
    let tail = &x[1..];
    #[ad(checkpoint)]
    for k in 0..3 {
        y[k] += tail[k % 2] * scale * weights[k];
        halve(x, y);
        let first: f64 = y[0];
        if first > 0.2 {
            y[2] *= first + weights[k];
        }
    }
    y[0] *= x[1];
}

#[test]
fn outputs_views_and_calls_inside() {
    inplace!(on_outputs, 3).row(82).step(0.01).check(&POINTS);
}

#[differentiable]
fn again(x: &[f64]) -> f64 {
    let mut y = vec![1.0; 3];
    let mut s = 0.0;
    #[ad(recompute)]
    halve(x, &mut y);
    #[ad(recompute)]
    {
        let t = y[0] * x[1];
        s += t.exp() * x[2];
        y[1] = s;
    }
    #[ad(recompute)]
    s *= y[1] + x[0];
    s + y[2]
}

#[test]
fn statements_that_are_run_again() {
    scalar!(again).row(82).check(&POINTS);
}

struct Model {
    gain: f64,
}

#[differentiable]
fn with_constants(
    x: &[f64],
    #[constant] model: &Model,
    #[constant] w: &[f64],
    #[constant] up: bool,
) -> f64 {
    let mut s = x[0];
    #[ad(checkpoint)]
    for (v, c) in x.iter().zip(w) {
        let gain: f64 = model.gain;
        if up {
            s += v * c * gain * s;
        } else {
            s -= v;
        }
    }
    s
}

#[test]
fn constants_of_any_type() {
    let (model, w) = (Model { gain: 0.5 }, [1.0, 2.0, 3.0]);
    let f = with_constants::AD.with(&model, &w, true);
    let x = [0.5, 0.25, 2.0];
    let value = |x: &[f64]| with_constants(x, &model, &w, true);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x).unwrap();
    for i in 0..3 {
        let h = 1e-5;
        let moved = |d: f64| {
            let mut x = x;
            x[i] += d;
            value(&x)
        };
        let d = (moved(h) - moved(-h)) / (2.0 * h);
        assert!((g[i] - d).abs() < 1e-7, "{i}: {} for {d}", g[i]);
    }
}

/// The same loop, recorded.
#[differentiable]
fn oscillator_recorded(x: &[f64], #[constant] n: usize) -> f64 {
    let mut q = x[0];
    let mut p = x[1];
    let mut energy = 0.0;
    let h = 0.1;
    for i in 0..n {
        p -= h * (q.sin() + x[2] * q * (i as f64));
        q += h * p;
        energy += p * p * h;
    }
    q * p + energy
}

const LONG: usize = 400;

counts! {
    recorded_long oscillator_recorded 400; periodic_long oscillator 400; binomial_long oscillator_revolved 400;
}

/// Floats on the tape after the forward sweep.
macro_rules! floats_on_the_tape {
    ($f:ident) => {{
        let mut tape = Tape::<f64>::new();
        let mut words = vec![0.0; <$f as Handle>::WORDS];
        let mut ints = vec![0; <$f as Handle>::INTS];
        let at = Primals {
            args: (&[0.7, 1.1, -0.001][..], ()),
            ctx: (),
            caches: (),
            y: &mut 0.0,
        };
        let record = Record {
            words: &mut words,
            ints: &mut ints,
            tape: &mut tape,
        };
        <$f as Handle>::augmented(at, record, &mut Pool::new());
        tape.words.mark()
    }};
}

#[test]
fn the_tape_is_short() {
    let recorded = floats_on_the_tape!(recorded_long);
    assert!(recorded >= LONG, "{recorded}");
    // snapshots of three numbers: the root of the trips, or as many as were asked for
    assert_eq!(floats_on_the_tape!(periodic_long), 3 * 20);
    assert_eq!(floats_on_the_tape!(binomial_long), 3 * 3);
}

#[test]
fn snapshots_do_not_change_the_gradient() {
    let _row = di_test::rows::row(82);
    let x = [0.7, 1.1, -0.001];
    let backend = AutoSource::new();
    let expected = gradient(recorded_long::AD, NoPrep, &backend, &x).unwrap();
    let periodic = gradient(periodic_long::AD, NoPrep, &backend, &x).unwrap();
    let binomial = gradient(binomial_long::AD, NoPrep, &backend, &x).unwrap();
    let exact = di_test::compare::ROUNDING;
    di_test::compare::assert_close("periodic", &periodic, &expected, exact);
    di_test::compare::assert_close("binomial", &binomial, &expected, exact);
}

#[differentiable]
fn indexed(x: &[f64]) -> f64 {
    let mut order: Vec<usize> = Vec::new();
    for i in 0..4 {
        order.push((3 * i + 1) % 4);
    }
    let mut s = 1.0;
    #[ad(checkpoint)]
    for t in 0..8 {
        s = (s * x[order[t % 4]]).sin() + x[t % 4];
    }
    s
}

#[test]
fn indices_computed_outside_of_the_loop() {
    scalar!(indexed).row(82).check(&[&[0.3, -0.7, 1.1, 0.2]]);
}

#[differentiable]
fn nothing_changes(x: &[f64]) -> f64 {
    #[ad(checkpoint)]
    for _ in 0..3 {}
    let mut y = x[0];
    #[ad(revolve = 2)]
    for t in 0..4 {
        let unused = y * t as f64;
        assert!(unused.is_finite());
    }
    y *= x[1];
    #[ad(checkpoint)]
    for t in 0..3 {
        #[ad(checkpoint)]
        for _ in 0..t {}
        y *= x[2];
    }
    y * y
}

#[test]
fn loops_that_change_nothing() {
    scalar!(nothing_changes).row(82).check(&POINTS);
}
