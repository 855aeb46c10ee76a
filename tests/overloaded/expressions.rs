//! Casts, patterns, ties, assignments, the order of evaluation.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    use std::cell::Cell;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    enum Order {
        First = 1,
        Second = 2,
    }

    pub fn casts(x: &[f64]) -> f64 {
        let n = x.len();
        let at = (x[0] * 10.0) as usize % n;
        let signed = x[1] as i64 as f64;
        let byte = (x[1] * 3.0) as u8;
        let flag = (x[0] > 0.0) as i32 as f64;
        let letter = 'b' as u32 as f64 - 97u8 as f64;
        let order = Order::Second as i32 as f64 + (Order::First as u8) as f64;
        let shifted = ((n as u64) << 3 ^ 5) as f64 / (1usize << 2) as f64;
        let wide = n as f64 * x[1] + (n - 1) as f64 / n as f64;
        let last = b'a' + byte % 3;
        let text = last as char;
        x[at] * signed
            + flag * x[1]
            + letter * x[0]
            + order * shifted * x[0]
            + wide
            + if text == 'a' { 1.0 } else { x[0] }
            + 3 as f64 * x[0] * (2.5 as f64)
            + x[0] as f64
    }

    pub fn patterns(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            sum += match *v {
                0.0 => 100.0,
                1.0 | 2.0 => v * 3.0,
                -0.5 => v * v,
                0.1..=0.4 => v.sin(),
                v if v < -1.0 => v.exp(),
                5.0.. => v.sqrt(),
                _ => v * 0.5,
            };
            if matches!(*v, 0.25..=0.75 if v * 2.0 < 1.2) {
                sum += v * v * v;
            }
        }
        let (a, b) = match x {
            [] => (0.0, 0.0),
            [one] => (*one, 0.0),
            [first, .., last] => (*first, *last),
        };
        match (a, x.len()) {
            (0.0, 2) => sum + b,
            (_, 3) => sum + a * b,
            (v, _) => sum - v,
        }
    }

    pub fn ranges(x: &[f64]) -> f64 {
        let within = (0.0..1.0).contains(&x[0]) as u8 as f64;
        let beyond = (..=-1.0).contains(&x[1]);
        let clamped = x[0].clamp(-0.75, 0.75);
        within * x[1] + if beyond { x[1] * x[1] } else { clamped * x[1] }
    }

    /// Elimination without pivots, in a vector of rows.
    pub fn determinant(x: &[f64]) -> f64 {
        let n = x.len().isqrt();
        let mut a: Vec<Vec<f64>> = x.chunks(n).map(<[f64]>::to_vec).collect();
        let mut product = 1.0;
        for k in 0..n {
            product *= a[k][k];
            for i in k + 1..n {
                let factor = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= a[k][j] * factor;
                }
            }
        }
        product
    }

    pub fn assigned(x: &[f64]) -> f64 {
        let mut a = x.to_vec();
        let n = a.len();
        a[0] += a[n - 1];
        a[n - 1] *= a[0] - a[n - 1];
        a[1] -= a[0] * a[1];
        a[1] /= 2.0 + a[0] * a[0];
        a[0] %= 10.0;
        let mut field = (a[0], [a[1]; 2]);
        field.1[1] *= field.1[0] + field.0;
        field.0 += field.1.iter().sum::<f64>();
        let r = &mut field.0;
        *r *= *r;
        a.swap(0, 1);
        a[1] + a[0] * field.0 + field.1[1]
    }

    /// On floats the right side comes first.
    pub fn ordered(x: &[f64]) -> f64 {
        let calls = Cell::new(0);
        let next = || {
            calls.set(calls.get() + 1);
            calls.get()
        };
        let mut a = vec![x[0], x[1], x[0] * x[1], x[0] + x[1], 1.0];
        a[next()] += next() as f64 * x[0];
        a[next()] *= {
            let k = next();
            x[k % 2] + k as f64
        };
        a.iter()
            .enumerate()
            .map(|(k, v)| (k + 1) as f64 * v * v)
            .sum()
    }

    pub fn tied(x: &[f64]) -> f64 {
        x[0].max(x[1]) + x[0].min(x[1]) * 3.0 + (x[0] - x[1]).abs() + x[0].signum() * x[1]
    }

    pub fn methods(x: &[f64]) -> f64 {
        let (s, c) = x[0].sin_cos();
        let [a, b] = [x[0], x[1]];
        s.mul_add(b, c)
            + a.hypot(b)
            + b.atan2(a)
            + a.exp_m1() * b.ln_1p()
            + a.recip().cbrt()
            + a.powf(b)
            + f64::powi(b, 3)
            + b.log(3.0)
            + a.rem_euclid(0.35)
            + b.fract() * a.trunc()
            + a.copysign(-b)
            + (a * 0.5).asin().tanh()
            + f64::from(2u8) * a
            + f64::max(a, 0.1)
            + a.to_radians() * b.to_degrees()
            + a.sqrt().log10()
            + a.exp2() * b.ln().log2()
    }

    pub fn control(x: &[f64]) -> f64 {
        let mut total = 0.0;
        'outer: for (i, a) in x.iter().enumerate() {
            for b in x.iter().skip(i + 1) {
                if a * b < 0.0 {
                    continue 'outer;
                }
                if total > 3.0 {
                    break 'outer;
                }
                total += a * b;
            }
            let Some(next) = x.get(i + 1) else { break };
            total += next;
        }
        let best = loop {
            total *= 0.5;
            if total.abs() < 0.2 {
                break total * total;
            }
        };
        let block = 'b: {
            if best > 0.01 {
                break 'b x[0];
            }
            x[1]
        };
        let total = block + best;
        let mut sorted = x.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup_by(|a, b| *a == *b);
        let at = sorted.partition_point(|v| *v < 0.3);
        let median = *sorted
            .select_nth_unstable_by(1, |a, b| a.partial_cmp(b).unwrap())
            .1;
        total + median * median + at as f64 * x[2]
    }
}

#[test]
fn casts_are_of_values() {
    agrees!(
        model::casts::AD,
        model::casts,
        [[0.34, 2.3], [1.73, -1.4], [-0.2, 4.1]]
    );
}

#[test]
fn patterns_compare_numbers() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    let prep = prepare_gradient(model::patterns::AD, &tape, &[0.7; 3][..]).unwrap();
    let cases: [(&[f64], [f64; 3]); 6] = [
        (&[0.0, 1.0, 2.0], [2.0, 3.0, 3.0]),
        (&[0.0, -0.5, 0.7], [0.7, -1.0, 0.5]),
        (
            &[2.0, 0.3, 9.0],
            [12.0, 0.3_f64.cos() + 0.27, 2.0 + 1.0 / 6.0],
        ),
        (
            &[0.4, -2.0, 0.55],
            [
                0.4_f64.cos() + 0.48 + 0.55,
                (-2.0_f64).exp(),
                0.5 + 0.9075 + 0.4,
            ],
        ),
        (
            &[0.75, 0.1, 0.2],
            [0.5 + 0.2, 0.1_f64.cos(), 0.2_f64.cos() + 0.75],
        ),
        (&[1.0, 0.7, 1.0], [4.0, 0.5, 4.0]),
    ];
    for (x, expected) in &cases {
        let found = value_and_gradient(model::patterns::AD, &prep, &tape, *x).unwrap();
        let by_duals = value_and_gradient(model::patterns::AD, NoPrep, &dual, *x).unwrap();
        close("value", &[found.0, by_duals.0], &[model::patterns(x); 2]);
        close("gradient", &found.1, &by_duals.1);
        close("gradient", &found.1, expected);
    }
    let pair = gradient(model::patterns::AD, NoPrep, &tape, &[0.0, 5.0][..]).unwrap();
    close("gradient", &pair, &[0.0, 0.5 / 5.0_f64.sqrt() + 1.0]);
}

#[test]
fn ranges_contain_numbers() {
    agrees!(
        model::ranges::AD,
        model::ranges,
        [[0.4, 0.9], [0.4, -1.9], [1.7, -0.4], [-0.9, 0.3]]
    );
}

#[test]
fn assignments_read_what_they_change() {
    let points = [
        [1.4, 0.9, -0.3, 0.2, 2.1, 0.7, 0.3, -0.6, 1.2],
        [0.9, 0.4, 0.1, -0.7, 1.8, 0.2, 0.3, 0.5, -1.1],
    ];
    agrees!(model::determinant::AD, model::determinant, points);
    agrees!(
        model::assigned::AD,
        model::assigned,
        [[0.4, 0.9, -0.3], [1.7, -1.4, 0.2]]
    );
}

#[test]
fn right_sides_come_first() {
    // a[2] += 1 x0, then a[4] *= x1 + 3
    let y = |x: &[f64]| {
        let a = [x[0], x[1], x[0] * x[1] + x[0], x[0] + x[1], x[1] + 3.0];
        a.iter()
            .enumerate()
            .map(|(k, v)| (k + 1) as f64 * v * v)
            .sum::<f64>()
    };
    close("value", &[model::ordered(&[0.4, 0.9])], &[y(&[0.4, 0.9])]);
    agrees!(model::ordered::AD, y, [[0.4, 0.9], [1.7, -1.4]]);
}

#[generic]
fn tied<S: di::Scalar<Real = f64>>(x: &[S]) -> S {
    x[0].max(x[1]) + x[0].min(x[1]).mul_real(3.0) + (x[0] - x[1]).abs() + x[0].signum() * x[1]
}

#[test]
fn ties_are_those_of_generic_functions() {
    for x in [
        [1.0, 1.0],
        [0.0, 0.0],
        [-0.0, 0.0],
        [-2.0, -2.0],
        [0.5, 0.25],
    ] {
        let expected = gradient(tied::AD, NoPrep, &AutoDual::new(), &x).unwrap();
        for _ in 0..2 {
            let duals = gradient(model::tied::AD, NoPrep, &AutoDual::new(), &x).unwrap();
            assert_eq!(duals, expected, "{x:?}");
            let tape = gradient(model::tied::AD, NoPrep, &AutoTape::new(), &x).unwrap();
            assert_eq!(tape, expected, "{x:?}");
        }
    }
}

#[test]
fn methods_are_those_of_floats() {
    agrees!(
        model::methods::AD,
        model::methods,
        [[0.4, 1.9], [1.23, 2.4]]
    );
}

#[test]
fn control_flow_follows_numbers() {
    agrees!(
        model::control::AD,
        model::control,
        [[0.4, 0.9, 0.6], [1.7, -1.4, 0.2], [2.1, 2.2, 2.4]]
    );
}
