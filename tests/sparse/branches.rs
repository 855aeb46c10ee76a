//! Global patterns of annotated functions with branches on inputs: both arms, joined.

use di::prelude::*;
use di::sparse::{
    AutoSparse, Notation, Pattern, SparsePrep, Tracing, Verify, hessian_pattern, jacobian_pattern,
};
use di_test::parity::rows;

use super::{close, dense};

/// Points with each sign pattern and some between.
fn points(n: usize) -> Vec<Vec<f64>> {
    let mut points = Vec::new();
    for k in 0..64usize {
        let at = |i: usize| {
            let sign = if k >> (i % 6) & 1 == 1 { 1.0 } else { -1.0 };
            sign * (0.3 + 0.7 * ((i * 5 + k * 3) as f64 * 0.61).sin().abs())
        };
        points.push((0..n).map(at).collect());
    }
    points
}

macro_rules! jacobians {
    ($($test:ident $f:ident ($n:literal, $m:literal) $entries:expr;)*) => {
        $(
            #[test]
            fn $test() {
                let _row = rows(&[78]);
                let mut y = vec![0.0; $m];
                let f = $f::AD.output(&mut y);
                let global = jacobian_pattern(f, &Tracing::global(), &[0.5; $n]).unwrap();
                let expected: &[(usize, usize)] = &$entries;
                let found: Vec<_> = global.entries().collect();
                assert_eq!(found, expected);
                let f = $f::AD.output(&mut y);
                let sets = Tracing::global().notation(Notation::Sets);
                assert_eq!(jacobian_pattern(f, &sets, &[0.5; $n]).unwrap(), global);
                let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Always);
                let prep = prepare_jacobian($f::AD.output(&mut y), &backend, &[0.5; $n]).unwrap();
                for x in points($n) {
                    let f = $f::AD.output(&mut y);
                    let local = jacobian_pattern(f, &Tracing::local(), &x).unwrap();
                    assert!(global.covers(&local), "{x:?}");
                    let plain = AutoDual::new();
                    let j = jacobian($f::AD.output(&mut y), NoPrep, &plain, &x).unwrap();
                    for (entry, value) in j.indexed_iter() {
                        assert!(*value == 0.0 || global.contains(entry.0, entry.1), "{x:?}");
                    }
                    let sparse = jacobian($f::AD.output(&mut y), &prep, &backend, &x).unwrap();
                    close(&dense(&sparse), &j);
                }
            }
        )*
    };
}

macro_rules! hessians {
    ($($test:ident $f:ident ($n:literal) $lower:expr;)*) => {
        $(
            #[test]
            fn $test() {
                let _row = rows(&[78]);
                let global = hessian_pattern($f::AD, &Tracing::global(), &[0.5; $n]).unwrap();
                let expected: &[(usize, usize)] = &$lower;
                let found: Vec<_> = global.lower().entries().collect();
                assert_eq!(found, expected);
                let backend = AutoSparse::new(AutoSource::new()).verify(Verify::Always);
                let prep = prepare_hessian($f::AD, &backend, &[0.5; $n]).unwrap();
                assert!(!prep.structure().unwrap().is_constant());
                for x in points($n) {
                    let local = hessian_pattern($f::AD, &Tracing::local(), &x).unwrap();
                    assert!(global.covers(&local), "{x:?}");
                    let h = hessian($f::AD, NoPrep, &AutoDual::new(), &x).unwrap();
                    for (entry, value) in h.indexed_iter() {
                        assert!(*value == 0.0 || global.contains(entry.0, entry.1), "{x:?}");
                    }
                    let sparse = hessian($f::AD, &prep, &backend, &x).unwrap();
                    close(&dense(&sparse), &h);
                }
            }
        )*
    };
}

/// A value, a place, a place of an outer array, one arm alone.
#[differentiable]
fn arms(x: &[f64], y: &mut [f64]) {
    y[0] = if x[0] > x[1] { x[0] } else { x[3] };
    let mut t = x[2];
    if x[1] < 0.0 {
        t *= x[3];
        y[1] = x[0];
    } else {
        y[2] = t;
    }
    y[3] = t;
}

/// Constants that an arm decides carry no input; their products are not constant.
#[differentiable]
fn weights(x: &[f64]) -> f64 {
    let mut w = 1.0;
    if x[0] > 0.0 {
        w = 2.0;
    }
    w * x[1] * x[1] + x[2]
}

#[differentiable]
fn huber(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        sum += if d.abs() < 0.5 { d * d } else { d.abs() - 0.25 };
    }
    sum
}

/// Conditions joined by `&&` and `||`, nested branches, `match` on a bool.
#[differentiable]
fn nested(x: &[f64], y: &mut [f64]) {
    let big = x[0] > 0.5 && x[1] > 0.5;
    if big || x[2] < 0.0 {
        if x[3] > 0.0 {
            y[0] = x[0];
        } else {
            y[0] = x[1] * x[1];
        }
    } else {
        y[0] = x[2];
    }
    y[1] = match !big {
        true => x[3],
        false => 0.0,
    };
}

/// Passive control runs for real, also beside an open branch.
#[differentiable]
fn mixed(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        let k = if i % 2 == 0 { i } else { x.len() - 1 };
        if i == 1 {
            continue;
        }
        if x[i] > 0.0 {
            y[i] = x[k];
        }
    }
}

/// Early returns.
#[differentiable]
fn early(x: &[f64]) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    if x[0] < 0.0 {
        return x[1] * x[1];
    }
    for i in 0..x.len() {
        if x[i] > 0.9 {
            return x[i].sin();
        }
    }
    x[0] * x[2]
}

/// Newton's method with a test: as many trips as it says, or fewer.
#[differentiable]
fn newton(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() - 1 {
        let mut r = 1.0;
        for _ in 0..30 {
            let d = (r * r - x[i] * x[i] - 1.0) / (2.0 * r);
            r -= d;
            if d.abs() < 1e-14 {
                break;
            }
        }
        y[i] = r;
    }
}

/// A loop whose condition is of inputs, without a bound.
#[differentiable]
fn shrink(x: &[f64], y: &mut [f64]) {
    let mut a = x[0];
    let mut b = x[1];
    let mut trips = 0;
    while a * a + b * b > 1e-2 {
        let c = a;
        a = 0.5 * b;
        b = 0.5 * c + 1e-3 * x[2];
        trips += 1;
        if trips > 100 {
            break;
        }
    }
    y[0] = a;
    y[1] = x[3];
}

/// A loop with so many trips that nobody waits for all of them, and one that ends at its bound.
#[differentiable]
fn patient(x: &[f64], y: &mut [f64]) {
    let (mut a, mut b) = (x[0], x[1]);
    for _ in 0..1_000_000_000_usize {
        let c = a;
        a = 0.5 * b;
        b = 0.25 * c;
        if a.abs() < 1e-9 {
            break;
        }
    }
    y[0] = a + x[2];
    let mut s = 0.0;
    for i in 0..3 {
        if x[3] > 0.9 * i as f64 {
            break;
        }
        s += x[i];
    }
    y[1] = s;
}

/// Spreads to one neighbor more in each trip: a fixed point needs as many.
#[differentiable]
fn spread(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i];
    }
    while y[n - 1].abs() > 1e-3 {
        for i in (1..n).rev() {
            y[i] = 0.4 * (y[i] + y[i - 1]);
        }
        y[0] = 0.5 * y[0];
    }
}

/// A search: the index is known on each way, and ends where the array does.
#[differentiable]
fn search(x: &[f64]) -> f64 {
    let mut i = 0;
    while i + 1 < x.len() && x[i] < 0.2 {
        i += 1;
    }
    let mut sum = 0.0;
    if x[0] > 10.0 {
        sum += x[1];
    }
    sum + x[2] * x[2]
}

/// Panics in one arm add nothing.
#[differentiable]
fn checked(x: &[f64], y: &mut [f64]) {
    if x[0] > 1e6 {
        panic!("too large");
    }
    assert!(x[1] < 1e6);
    y[0] = if x[2] > -1e9 {
        x[2]
    } else {
        unreachable!("never")
    };
}

#[differentiable]
fn leaky(x: f64, slope: f64) -> f64 {
    if x > 0.0 { x } else { slope * x }
}

/// Branches in callees.
#[differentiable]
fn layer(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = leaky(x[i], x[3]);
    }
}

/// Bubble sort: contents change places.
#[differentiable]
fn sorted(x: &[f64], y: &mut [f64]) {
    let mut v = [x[0], x[1], x[2]];
    for i in 0..3 {
        for j in 0..2 - i {
            if v[j] > v[j + 1] {
                v.swap(j, j + 1);
            }
        }
    }
    y[0] = v[0];
    y[1] = x[3];
    y[2] = v[2];
}

/// A vector that is made in one arm and handed on.
#[differentiable]
fn vectors(x: &[f64], y: &mut [f64]) {
    let mut v = vec![0.0; 3];
    if x[0] > 0.0 {
        let w: Vec<f64> = x.iter().map(|a| a * a).collect();
        v[0] = w[1];
        v[1] = w[2];
    } else {
        v[2] = x[3];
    }
    let s = &v[1..];
    y[0] = v[0];
    y[1] = s[0];
    y[2] = s[1];
}

jacobians! {
    branches_join_both_arms arms(4, 4)
        [(0, 0), (0, 3), (1, 0), (2, 2), (3, 2), (3, 3)];
    nested_branches_join nested(4, 2) [(0, 0), (0, 1), (0, 2), (1, 3)];
    passive_control_runs_for_real mixed(4, 4) [(0, 0), (2, 2), (3, 3)];
    loops_that_may_stop newton(4, 3) [(0, 0), (1, 1), (2, 2)];
    loops_without_a_bound shrink(4, 2) [(0, 0), (0, 1), (0, 2), (1, 3)];
    loops_that_nobody_waits_for patient(4, 2)
        [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];
    fixed_points_take_several_trips spread(5, 5)
        [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3),
         (4, 0), (4, 1), (4, 2), (4, 3), (4, 4)];
    panics_add_nothing checked(4, 1) [(0, 2)];
    callees_have_branches layer(4, 3) [(0, 0), (0, 3), (1, 1), (1, 3), (2, 2), (2, 3)];
    contents_change_places sorted(4, 3)
        [(0, 0), (0, 1), (0, 2), (1, 3), (2, 0), (2, 1), (2, 2)];
    callees_answer asks(4, 2) [(0, 2), (1, 0), (1, 3)];
    vectors_of_an_arm vectors(4, 3) [(0, 1), (1, 2), (2, 3)];
}

hessians! {
    decided_constants weights(3) [(1, 1)];
    pieces_of_a_sum huber(5)
        [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3), (4, 4)];
    early_returns early(4) [(0, 0), (1, 1), (2, 0), (2, 2), (3, 3)];
    searches search(4) [(2, 2)];
}

/// An index that inputs decide: refused, not guessed.
#[differentiable]
fn table(x: &[f64], y: &mut [f64]) {
    let k = if x[0] > 0.0 { 1 } else { 2 };
    y[0] = x[k];
}

#[differentiable]
fn rounded_index(x: &[f64], y: &mut [f64]) {
    let k = (x[0] * 2.0) as usize;
    y[0] = x[k];
}

/// The integer is not an index: what it is counts for nothing.
#[differentiable]
fn truncated(x: &[f64], y: &mut [f64]) {
    let whole = (x[0] * 2.0) as i64 as f64;
    y[0] = (x[0] - whole) * x[1];
}

#[test]
fn indices_that_inputs_decide_are_refused() {
    let mut y = [0.0];
    let f = table::AD.output(&mut y);
    let error = jacobian_pattern(f, &Tracing::global(), &[0.5; 3]).unwrap_err();
    assert!(matches!(error, di::Error::MissingPrimal(_)));
    let text = error.to_string();
    assert!(
        text.contains("branch on inputs decides") && text.contains("`Tracing::local()`"),
        "{text}"
    );
    let f = rounded_index::AD.output(&mut y);
    assert!(jacobian_pattern(f, &Tracing::global(), &[0.5; 3]).is_err());
    let f = truncated::AD.output(&mut y);
    let pattern = jacobian_pattern(f, &Tracing::global(), &[0.5; 3]).unwrap();
    assert_eq!(
        pattern,
        Pattern::from_entries((1, 3), [(0, 0), (0, 1)]).unwrap()
    );
}

/// Answers of callees: bools and integers beside floats.
#[differentiable]
fn is_inside(a: f64, b: f64) -> bool {
    a * a + b * b < 1.0
}

#[differentiable]
fn clipped(a: f64) -> (f64, bool, usize) {
    if a > 0.5 {
        (0.5 * a, true, 3)
    } else {
        (a, false, 3)
    }
}

#[differentiable]
fn asks(x: &[f64], y: &mut [f64]) {
    y[0] = if is_inside(x[0], x[1]) { x[2] } else { 1.0 };
    let (a, cut, k) = clipped(x[0]);
    y[1] = if cut { a } else { x[k] };
}

/// Branches and a loop on inputs, between far more inputs than there are bits.
#[differentiable]
fn far_apart(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let mut t = x[0];
    for i in 0..n {
        if x[i] > x[n - 1 - i] {
            y[i] = x[(i + 127) % n];
        } else {
            y[i] = t;
        }
        if i % 50 == 0 {
            t = x[i] * x[n - 1 - i];
        }
    }
    let mut k = 0;
    while k < 3 && t < 10.0 {
        t += y[k * 100];
        k += 1;
    }
    y[0] = t;
}

#[test]
fn bits_find_what_sets_find_over_several_runs() {
    for n in [201, 254, 255, 256, 381, 400] {
        let mut y = vec![0.0; n];
        let x = vec![0.5; n];
        let mut find = |notation| {
            let detector = Tracing::global().notation(notation);
            jacobian_pattern(far_apart::AD.output(&mut y), &detector, &x)
        };
        let (sets, bits) = (find(Notation::Sets), find(Notation::Bits));
        assert!(sets.is_ok(), "{sets:?}");
        assert_eq!(sets, bits, "n = {n}");
    }
}

/// As many inputs as a run of bits has, and one more or less.
#[differentiable]
fn shifted(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[(i + 1) % x.len()];
    }
}

#[test]
fn no_input_is_lost_between_runs_of_bits() {
    for n in [1, 63, 64, 127, 128, 129, 254, 255, 256, 381, 382] {
        let mut y = vec![0.0; n];
        let detector = Tracing::global().notation(Notation::Bits);
        let f = shifted::AD.output(&mut y);
        let found = jacobian_pattern(f, &detector, &vec![0.5; n]).unwrap();
        let expected = (0..n).flat_map(|i| [(i, i), (i, (i + 1) % n)]);
        assert_eq!(found, Pattern::from_entries((n, n), expected).unwrap());
    }
}
