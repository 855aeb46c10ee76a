//! Derivatives as expressions: closed forms, other points, branches, constants that change, rules, sharing.

#![allow(clippy::unwrap_used, reason = "a panic is how tests fail")]

mod by_hand;

use by_hand::{
    Curve, Product, assert_close, points, rosenbrock, rosenbrock_gradient, rosenbrock_hvp, springs,
    springs_jacobian, weighted,
};
use di_runtime::backends::{AutoDual, AutoSource, AutoSymbolic, AutoTape, formulas};
use di_runtime::closure::{OnScalars, generic};
use di_runtime::error::fail;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;
use di_runtime::rules::{Rule, Unary, UnaryRule, by_name};
use di_runtime::scalar::{Lanes, Scalar};
use di_runtime::second_order::SecondOrder;
use di_runtime::value::{Number, Slice};
use std::panic::{AssertUnwindSafe, catch_unwind};

const BOTH: [fn() -> AutoSymbolic; 2] = [AutoSymbolic::new, || AutoSymbolic::new().factored()];

#[test]
fn operators_agree_with_closed_forms() {
    for b in BOTH.map(|b| b()) {
        for x in points(2, 6) {
            let n = x.len();
            let f = rosenbrock::AD;
            let origin = vec![0.0; n];
            let v: Vec<f64> = (0..n).map(|i| 0.5 - 0.3 * i as f64).collect();
            let expected = rosenbrock_gradient(&x);
            let along: f64 = expected.iter().zip(&v).map(|(g, v)| g * v).sum();

            let prep = prepare_gradient(f, &b, &origin).unwrap();
            for _ in 0..2 {
                let (y, g) = value_and_gradient(f, &prep, &b, &x).unwrap();
                assert_eq!(y.to_bits(), rosenbrock(&x).to_bits());
                assert_close("gradient", &g, &expected, 1e-14);
            }
            let prep = prepare_pushforward(f, &b, &origin, &[&v, &v]).unwrap();
            let (y, dy) = value_and_pushforward(f, &prep, &b, &x, &[&v, &origin]).unwrap();
            assert_eq!(y.to_bits(), rosenbrock(&x).to_bits());
            assert_close("pushforward", &dy, &[along, 0.0], 1e-14);
            let [dx, zero] = pullback(f, NoPrep, &b, &x, &[2.0, 0.0]).unwrap();
            let twice: Vec<f64> = expected.iter().map(|g| 2.0 * g).collect();
            assert_close("pullback", &dx, &twice, 1e-14);
            assert_eq!(zero, origin);

            let prep = prepare_hvp(f, &b, &origin, &[&v, &v]).unwrap();
            let (g, [hv, still]) = gradient_and_hvp(f, &prep, &b, &x, &[&v, &origin]).unwrap();
            assert_close("gradient beside hvp", &g, &expected, 1e-14);
            assert_close("hvp", &hv, &rosenbrock_hvp(&x, &v), 1e-14);
            assert_eq!(still, origin);
            let prep = prepare_hessian(f, &b, &origin).unwrap();
            let (y, g, h) = value_gradient_and_hessian(f, &prep, &b, &x).unwrap();
            assert_eq!(y.to_bits(), rosenbrock(&x).to_bits());
            assert_close("gradient beside hessian", &g, &expected, 1e-14);
            for i in 0..n {
                let unit: Vec<f64> = (0..n).map(|k| f64::from(u8::from(k == i))).collect();
                let row = rosenbrock_hvp(&x, &unit);
                assert_close("hessian", h.row(i), &row, 1e-14);
            }
        }
        let t = 0.4_f64;
        let prep = prepare_second_derivative(generic(Curve), &b, &0.0).unwrap();
        let (y, dy, ddy) =
            value_derivative_and_second_derivative(generic(Curve), &prep, &b, &t).unwrap();
        assert_eq!(y, [t.sin(), t * t, 1.0]);
        assert_eq!(dy, [t.cos(), 2.0 * t, 0.0]);
        assert_eq!(ddy, [-t.sin(), 2.0, 0.0]);
        let dy = derivative(generic(Curve), NoPrep, &b, &t).unwrap();
        assert_eq!(dy, [t.cos(), 2.0 * t, 0.0]);
        let g: Vec<f32> = gradient(generic(Product), NoPrep, &b, &vec![2.0, 3.0, 4.0]).unwrap();
        assert_eq!(g, [12.0, 8.0, 6.0]);
    }
}

#[test]
fn in_place_functions_with_constants_and_caches() {
    for b in BOTH.map(|b| b()) {
        for x in points(2, 6) {
            let (n, cache) = (x.len(), vec![f64::NAN; x.len()]);
            let mut y = vec![f64::NAN; n];
            let f = springs::AD;
            let prep =
                prepare_jacobian(f.with(0.5, &cache).output(&mut y), &b, &vec![0.1; n]).unwrap();
            // the constant is another one at each call
            for k in [0.5, 1.5, -2.0, 1.0, 0.0, 3.0] {
                let bound = f.with(k, &cache).output(&mut y);
                let (y, j) = value_and_jacobian(bound, &prep, &b, &x).unwrap();
                let mut plain = vec![0.0; n];
                springs(&x, k, &mut vec![0.0; n], &mut plain);
                assert_close("value", y, &plain, 1e-15);
                for (row, expected) in j.rows().zip(springs_jacobian(&x, k)) {
                    assert_close("jacobian", row, &expected, 1e-14);
                }
            }
        }
    }
}

#[test]
fn several_parameters_and_fixed_ones() {
    let b = AutoSymbolic::new();
    let x = [1.0, 2.0, -0.5];
    let whole = value_and_gradient(weighted::AD, NoPrep, &b, &(2.0, &x)).unwrap();
    let dual = di_runtime::backends::AutoFiniteDifferences::central(7);
    let (y, (da, db)) = value_and_gradient(weighted::AD, NoPrep, &dual, &(2.0, &x)).unwrap();
    assert_eq!(whole.0, y);
    assert!((whole.1.0 - da).abs() < 1e-10);
    assert_close("second parameter", &whole.1.1, &db, 1e-10);
}

/// One row of the table, as a function of its arguments.
struct Of(&'static str, i32);

impl OnScalars for Of {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        by_name::value(self.0, x, self.1).unwrap()
    }
}

/// Equal, both NaN, both the same infinity, or close.
fn agree(what: &str, found: f64, expected: f64) {
    let close = (found - expected).abs() <= 1e-13 * expected.abs().max(1.0);
    assert!(
        found == expected || close || (found.is_nan() && expected.is_nan()),
        "{what}: {found}, expected {expected}"
    );
}

#[test]
fn rows_of_the_table_at_their_points() {
    let mut points = 0;
    for row in di_elementary::TABLE.iter().chain(di_elementary::OPERATORS) {
        for point in row.points {
            let f = generic(Of(row.name, point.n.unwrap_or(0)));
            let x = point.x.to_vec();
            let what = format!("{} at {:?}; {:?}", row.name, point.x, point.n);
            for b in BOTH.map(|b| b()) {
                let g = gradient(&f, NoPrep, &b, &x).unwrap();
                for (found, expected) in g.iter().zip(point.first) {
                    agree(&format!("gradient of {what}"), *found, *expected);
                }
                let h = hessian(&f, NoPrep, &b, &x).unwrap();
                let n = x.len();
                let upper = (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
                for ((i, j), expected) in upper.zip(point.second) {
                    agree(&format!("hessian of {what}"), h[[i, j]], *expected);
                }
                points += 1;
            }
        }
    }
    assert!(points > 100, "{points}");
}

#[test]
fn rows_of_the_table_by_differences() {
    let differences = di_runtime::backends::AutoFiniteDifferences::central(7);
    for row in di_elementary::TABLE.iter().chain(di_elementary::OPERATORS) {
        for domain in row.domains {
            let f = generic(Of(row.name, 3));
            let at = |t: f64| -> Vec<f64> {
                domain
                    .iter()
                    .map(|(low, high)| low + (high - low) * t)
                    .collect()
            };
            let prep = prepare_hessian(&f, &AutoSymbolic::new(), &at(0.5)).unwrap();
            for t in [0.31, 0.62] {
                let x = at(t);
                let narrow = domain
                    .iter()
                    .map(|(low, high)| 0.25 * (high - low))
                    .fold(1.0, f64::min);
                let steps = differences.max_range(narrow);
                let (_, g, h) =
                    value_gradient_and_hessian(&f, &prep, &AutoSymbolic::new(), &x).unwrap();
                let (_, dg, dh) = value_gradient_and_hessian(&f, NoPrep, &steps, &x).unwrap();
                assert_close(&format!("gradient of {} at {x:?}", row.name), &g, &dg, 1e-8);
                let (h, dh) = (h.into_vec(), dh.into_vec());
                assert_close(&format!("hessian of {} at {x:?}", row.name), &h, &dh, 1e-5);
            }
        }
    }
}

/// Branches and a loop that depends on `x`.
#[derive(Clone)]
struct Branching {
    steps: usize,
    weights: Vec<f64>,
    squared: bool,
}

impl OnScalars for Branching {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        let mut sum = S::from_real(0.0);
        for (x, w) in x.iter().zip(&self.weights).take(self.steps) {
            if x.gt(S::from_real(0.0)) {
                sum = sum + x.mul_real(*w) * *x;
            } else {
                sum = sum - x.mul_real(*w).sin();
            }
        }
        let mut rounds = 0;
        while sum.gt(S::from_real(10.0)) && rounds < 20 {
            sum = sum.mul_real(0.5);
            rounds += 1;
        }
        if self.squared { sum * sum } else { sum }
    }
}

impl Branching {
    fn value_and_gradient(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let (mut sum, mut g) = (0.0, vec![0.0; x.len()]);
        for (i, (x, w)) in x.iter().zip(&self.weights).take(self.steps).enumerate() {
            if *x > 0.0 {
                sum += x * w * x;
                g[i] = 2.0 * w * x;
            } else {
                sum -= (x * w).sin();
                g[i] = -w * (w * x).cos();
            }
        }
        let (mut rounds, mut scale) = (0, 1.0);
        while sum > 10.0 && rounds < 20 {
            sum *= 0.5;
            scale *= 0.5;
            rounds += 1;
        }
        if self.squared {
            scale *= 2.0 * sum;
            sum *= sum;
        }
        g.iter_mut().for_each(|g| *g *= scale);
        (sum, g)
    }
}

// row 116, row 30
#[test]
fn branches_and_data_may_change_between_calls() {
    let b = AutoSymbolic::new();
    let mut f = Branching {
        steps: 3,
        weights: vec![1.0, 2.0, 3.0],
        squared: false,
    };
    let prep = prepare_gradient(&generic(f.clone()), &b, &vec![1.0, 1.0, 1.0]).unwrap();
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for round in 0..200 {
        let scale = if round % 5 == 0 { 40.0 } else { 2.0 };
        let x: Vec<f64> = (0..3).map(|_| scale * (random() - 0.5)).collect();
        if round % 3 == 0 {
            // now and then the same, or zero, so that chance agreements occur
            f.weights = (0..3).map(|_| (4.0 * random()).floor() - 1.0).collect();
        }
        if round % 7 == 0 {
            f.squared = !f.squared;
            f.steps = round % 4;
        }
        let (y, g) = value_and_gradient(&generic(f.clone()), &prep, &b, &x).unwrap();
        let (expected, slope) = f.value_and_gradient(&x);
        assert_eq!(y, expected, "round {round}");
        assert_close(&format!("round {round} at {x:?}"), &g, &slope, 1e-13);
    }
}

/// Without data: guards are in the program.
#[derive(Clone, Copy)]
struct Pieces;

impl OnScalars for Pieces {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        // an index from a value, and a comparison
        let at = x[0].primal().to_bits() as usize % 2;
        let y = x[at] * x[1 - at].exp();
        if x[1].lt(x[2]) { y } else { y * x[2] }
    }
}

#[test]
fn values_and_comparisons_are_checked_without_running_the_function() {
    let b = AutoSymbolic::new();
    let f = generic(Pieces);
    let prep = prepare_gradient(&f, &b, &vec![1.0, 0.0, 0.0]).unwrap();
    for round in 0..40 {
        let x: Vec<f64> = (0..3)
            .map(|i| ((round * 3 + i) as f64 * 0.7).sin())
            .collect();
        let at = x[0].to_bits() as usize % 2;
        let (a, e) = (x[at], x[1 - at].exp());
        let factor = if x[1] < x[2] { 1.0 } else { x[2] };
        let mut expected = vec![0.0; 3];
        expected[at] += e * factor;
        expected[1 - at] += a * e * factor;
        if x[1] >= x[2] {
            expected[2] += a * e;
        }
        let (y, g) = value_and_gradient(&f, &prep, &b, &x).unwrap();
        assert_eq!(y, if x[1] < x[2] { a * e } else { a * e * x[2] });
        assert_close(&format!("{x:?}"), &g, &expected, 1e-14);
    }
}

/// `x^3`, with its derivative.
struct Cube;

impl UnaryRule<f64> for Cube {
    fn primal(&self, x: f64) -> f64 {
        x * x * x
    }
    fn derivative<S: Scalar<Real = f64>>(&self, x: S, _: S) -> S {
        (x * x).mul_real(3.0)
    }
}

/// `(a, b) -> (a b^2, sum of all)`, element by element.
struct Pairs(f64);

impl Rule<f64, 2, 2> for Pairs {
    fn primal(&self, [a, b]: [&[f64]; 2], [y, s]: [&mut [f64]; 2]) {
        s[0] = 0.0;
        for i in 0..a.len() {
            y[i] = self.0 * a[i] * b[i] * b[i];
            s[0] += a[i] + b[i];
        }
    }
    fn pushforward<S: Scalar<Real = f64>, T: Lanes<S>>(
        &self,
        [a, b]: [&[S]; 2],
        _: [&[S]; 2],
        [da, db]: [&[T]; 2],
        [dy, ds]: [&mut [T]; 2],
    ) {
        ds[0] = T::zero();
        for i in 0..a.len() {
            dy[i] = da[i].scale((b[i] * b[i]).mul_real(self.0));
            dy[i].acc(db[i].scale((a[i] * b[i]).mul_real(2.0 * self.0)));
            ds[0].acc(da[i]);
            ds[0].acc(db[i]);
        }
    }
    fn pullback<S: Scalar<Real = f64>, A: Lanes<S>>(
        &self,
        [a, b]: [&[S]; 2],
        _: [&[S]; 2],
        [yb, sb]: [&[A]; 2],
        [ab, bb]: [&mut [A]; 2],
    ) {
        for i in 0..a.len() {
            ab[i].acc(yb[i].scale((b[i] * b[i]).mul_real(self.0)));
            bb[i].acc(yb[i].scale((a[i] * b[i]).mul_real(2.0 * self.0)));
            ab[i].acc(sb[0]);
            bb[i].acc(sb[0]);
        }
    }
}

struct Ruled(f64);

impl OnScalars for Ruled {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        let mut y = [S::default(); 2];
        let mut s = [S::default()];
        let a = [Unary(Cube).call(x[0]), S::from_real(2.0)];
        S::call_rule(&Pairs(self.0), [&a, &[x[1], x[2]]], [&mut y, &mut s]);
        y[0] * y[1] + s[0] * x[0]
    }
}

// row 97
#[test]
fn rules_are_seen_with_their_data() {
    for b in BOTH.map(|b| b()) {
        let prep = prepare_hessian(generic(Ruled(1.0)), &b, &vec![0.0; 3]).unwrap();
        for (k, [p, q, r]) in [(1.0, [0.5, 2.0, -1.0]), (0.25, [1.5, -0.3, 0.7])] {
            // y = k p^3 q^2 * 2 k r^2 + (p^3 + 2 + q + r) p
            let c = 2.0 * k * k;
            let expected = c * p * p * p * q * q * r * r + (p * p * p + 2.0 + q + r) * p;
            let g = [
                3.0 * c * p * p * q * q * r * r + 4.0 * p * p * p + 2.0 + q + r,
                2.0 * c * p * p * p * q * r * r + p,
                2.0 * c * p * p * p * q * q * r + p,
            ];
            let h = [
                [
                    6.0 * c * p * q * q * r * r + 12.0 * p * p,
                    6.0 * c * p * p * q * r * r + 1.0,
                    6.0 * c * p * p * q * q * r + 1.0,
                ],
                [
                    6.0 * c * p * p * q * r * r + 1.0,
                    2.0 * c * p * p * p * r * r,
                    4.0 * c * p * p * p * q * r,
                ],
                [
                    6.0 * c * p * p * q * q * r + 1.0,
                    4.0 * c * p * p * p * q * r,
                    2.0 * c * p * p * p * q * q,
                ],
            ];
            let f = generic(Ruled(k));
            let (y, slope, found) =
                value_gradient_and_hessian(&f, &prep, &b, &vec![p, q, r]).unwrap();
            assert!((y - expected).abs() < 1e-14 * expected.abs().max(1.0));
            assert_close("gradient", &slope, &g, 1e-14);
            for (row, expected) in found.rows().zip(&h) {
                assert_close("hessian", row, expected, 1e-14);
            }
        }
    }
}

/// Many inputs to one number and to many outputs again: what factoring is for.
struct Waist(usize);

impl OnScalars for Waist {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        let mut waist = S::from_real(1.0);
        for x in x {
            waist = waist + x.sin() * *x;
        }
        (0..self.0)
            .map(|i| (waist.mul_real(i as f64)).exp())
            .collect()
    }
}

#[test]
fn factoring_shares_what_entries_have_in_common() {
    let (n, m) = (12, 9);
    let f = generic(Waist(m));
    let x: Vec<f64> = (0..n).map(|i| 0.05 * i as f64 - 0.2).collect();
    let waist: f64 = 1.0 + x.iter().map(|x| x.sin() * x).sum::<f64>();
    let mut counts = Vec::new();
    for b in BOTH.map(|b| b()) {
        let prep = prepare_jacobian(&f, &b, &vec![0.0; n]).unwrap();
        let j = jacobian(&f, &prep, &b, &x).unwrap();
        for i in 0..m {
            let outer = i as f64 * (i as f64 * waist).exp();
            let row: Vec<f64> = x.iter().map(|x| outer * (x.cos() * x + x.sin())).collect();
            assert_close("jacobian", j.row(i), &row, 1e-13);
        }
        counts.push(prep.instructions().unwrap());
    }
    assert!(counts[1] <= counts[0], "{counts:?}");
}

#[test]
fn rows_of_any_length_agree_with_dual_numbers() {
    struct Rows;
    impl OnScalars for Rows {
        type Real = f64;
        type X = Slice;
        type Y = Number;
        fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
            let (mut left, mut right) = (S::from_real(3.0), x[0] / x[x.len() - 1]);
            for (i, v) in x.iter().enumerate() {
                let w = *v * x[(i + 1) % x.len()] - x[i / 2] / *v;
                left = left - w * w;
                right = right + (v.mul_real(0.5) + -w) * *v;
                right = right + *v * (w + S::real_sub(2.0, *v));
            }
            left * right - left
        }
    }
    let (f, b) = (generic(Rows), AutoSymbolic::new());
    for n in 1..=21 {
        let x: Vec<f64> = (0..n).map(|i| 0.4 + 0.07 * i as f64).collect();
        let v: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
        let (y, g) = value_and_gradient(&f, NoPrep, &AutoDual::new(), &x).unwrap();
        let h = hvp(&f, NoPrep, &AutoDual::new(), &x, &v).unwrap();
        let prep = prepare_gradient(&f, &b, &v).unwrap();
        let found = value_and_gradient(&f, &prep, &b, &x).unwrap();
        assert_close("value", &[found.0], &[y], 1e-13);
        assert_close("gradient", &found.1, &g, 1e-12);
        assert_close("hvp", &hvp(&f, NoPrep, &b, &x, &v).unwrap(), &h, 1e-12);
        let tape = gradient(&f, NoPrep, &AutoTape::new(), &x).unwrap();
        assert_close("tape", &tape, &g, 1e-12);
    }
}

#[test]
fn formulas_can_be_read() {
    struct F;
    impl OnScalars for F {
        type Real = f64;
        type X = Slice;
        type Y = Number;
        fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
            let y = x[0].powi(3) * x[1].exp() - S::real_div(1.0, x[0]);
            if x[1].gt(x[0]) { y } else { -y }
        }
    }
    let mut f = formulas(generic(F), &[1.0, 2.0]).unwrap();
    assert_eq!(f.value(0), "x0^3 * exp(x1) - 1 / x0");
    assert_eq!(f.conditions(), ["x1 > x0"]);
    assert_eq!(f.derivative(0, 1), "x0^3 * exp(x1)");
    assert_eq!(f.second_derivative(0, 1, 1), "x0^3 * exp(x1)");
    let f = f.with_names(&["a"]);
    assert_eq!(f.value(0), "a^3 * exp(x1) - 1 / a");
}

/// Fails where it is not defined, and panics where it must not be asked.
#[derive(Clone, Copy)]
struct Root;

impl OnScalars for Root {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        assert!(x[1].lt(S::from_real(100.0)), "too large");
        if x[0].lt(S::from_real(0.0)) {
            fail("a negative number".into());
            return S::default();
        }
        x[0].sqrt() * x[1]
    }
}

#[test]
fn functions_that_fail_or_panic_do_so_at_each_call() {
    let (f, b) = (generic(Root), AutoSymbolic::new());
    let prep = prepare_gradient(f, &b, &vec![1.0, 1.0]).unwrap();
    for _ in 0..3 {
        let g = gradient(f, &prep, &b, &vec![4.0, 3.0]).unwrap();
        assert_close("root", &g, &[0.75, 2.0], 1e-15);
        let failed = gradient(f, &prep, &b, &vec![-4.0, 3.0]).unwrap_err();
        assert!(failed.to_string().contains("a negative number"), "{failed}");
        let run = AssertUnwindSafe(|| gradient(f, &prep, &b, &vec![4.0, 300.0]));
        assert!(catch_unwind(run).is_err());
    }
    assert!(gradient(f, NoPrep, &b, &vec![-1.0, 1.0]).is_err());
}

#[test]
fn outside_of_other_engines() {
    for x in points(2, 5) {
        let n = x.len();
        let f = rosenbrock::AD;
        let v: Vec<f64> = (0..n).map(|i| 0.5 - 0.3 * i as f64).collect();
        macro_rules! over {
            ($inner:expr) => {
                for b in BOTH.map(|b| b()) {
                    let b = SecondOrder::new(b, $inner);
                    let prep = prepare_hvp(f, &b, &vec![0.0; n], &[&v]).unwrap();
                    let (g, [hv]) = gradient_and_hvp(f, &prep, &b, &x, &[&v]).unwrap();
                    assert_close("gradient", &g, &rosenbrock_gradient(&x), 1e-13);
                    assert_close("hvp", &hv, &rosenbrock_hvp(&x, &v), 1e-13);
                    let prep = prepare_hessian(f, &b, &vec![0.0; n]).unwrap();
                    let (y, _, h) = value_gradient_and_hessian(f, &prep, &b, &x).unwrap();
                    assert_eq!(y, rosenbrock(&x));
                    for i in 0..n {
                        let unit: Vec<f64> = (0..n).map(|k| f64::from(u8::from(k == i))).collect();
                        let row = rosenbrock_hvp(&x, &unit);
                        assert_close("hessian", h.row(i), &row, 1e-13);
                    }
                }
            };
        }
        over!(AutoSource::new());
        over!(AutoSource::new().forward());
        over!(AutoDual::new());
    }
    let b = SecondOrder::new(AutoSymbolic::new(), AutoDual::new());
    let prep = prepare_second_derivative(generic(Curve), &b, &0.1).unwrap();
    let t = 0.4_f64;
    let (y, dy, ddy) =
        value_derivative_and_second_derivative(generic(Curve), &prep, &b, &t).unwrap();
    assert_eq!(y, [t.sin(), t * t, 1.0]);
    assert_close("first", &dy, &[t.cos(), 2.0 * t, 0.0], 1e-15);
    assert_close("second", &ddy, &[-t.sin(), 2.0, 0.0], 1e-15);
}
