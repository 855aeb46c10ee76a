//! Handles: functions that return structs of the module.

use di::prelude::*;

use crate::close;

#[overloaded]
mod orbit {
    use std::collections::BTreeMap;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Vec2 {
        pub x: f64,
        pub y: f64,
    }

    impl std::ops::Add for Vec2 {
        type Output = Vec2;
        fn add(self, o: Vec2) -> Vec2 {
            Vec2 {
                x: self.x + o.x,
                y: self.y + o.y,
            }
        }
    }

    #[derive(Clone, Debug)]
    pub struct State {
        pub at: Vec2,
        pub past: Vec<Vec2>,
        pub energies: Vec<f64>,
        pub last: [f64; 2],
    }

    pub struct Pair(pub f64, pub f64);

    /// Which has no handle: a label has no derivative.
    pub struct Labelled {
        pub label: String,
        pub value: f64,
    }

    pub fn turned(x: &[f64]) -> Vec2 {
        let mut known: BTreeMap<&str, f64> = BTreeMap::new();
        known.insert("sin", x[0].sin());
        known.insert("cos", x[0].cos());
        Vec2 {
            x: known["cos"] * x[1],
            y: known["sin"] * x[1],
        }
    }

    pub fn moved(s: Vec2, step: f64) -> State {
        let mut past = Vec::new();
        let mut at = s;
        while past.len() < 2 {
            past.push(at);
            at = at
                + Vec2 {
                    x: step * at.y,
                    y: step * step,
                };
        }
        let energies = past.iter().map(|p| p.x * p.y).collect();
        State {
            at,
            past,
            energies,
            last: [at.x * at.x, 1.0],
        }
    }

    pub fn pair(x: f64) -> Pair {
        Pair(x * x, 1.0 / x)
    }

    pub fn all(x: &[f64]) -> Vec<Vec2> {
        x.iter().map(|v| Vec2 { x: *v, y: v * v }).collect()
    }

    pub fn both(x: f64) -> (Pair, [Vec2; 2], f64) {
        let of = |k: f64| Vec2 { x: k * x, y: k };
        (Pair(x, 2.0 * x), [of(1.0), of(x)], x.exp())
    }

    pub fn checked(x: f64) -> Result<Vec2, String> {
        let root = x.sqrt();
        if root.is_nan() {
            return Err(format!("{x} is negative"));
        }
        Ok(Vec2 { x: root, y: x })
    }

    pub fn labelled(x: f64) -> Labelled {
        Labelled {
            label: "x".to_owned(),
            value: x,
        }
    }

    pub fn of_labelled(x: f64) -> f64 {
        let l = labelled(x);
        l.value * l.label.len() as f64
    }
}

use orbit::Vec2;

/// Rows of the Jacobian by tape and by dual numbers.
macro_rules! jacobians {
    ($f:ident, $x:expr, $expected:expr) => {{
        let (x, expected): (_, &[f64]) = ($x, &$expected);
        let tape = AutoTape::new();
        let prep = prepare_jacobian(orbit::$f::AD, &tape, &x).unwrap();
        for _ in 0..2 {
            let j = jacobian(orbit::$f::AD, &prep, &tape, &x).unwrap();
            close(stringify!($f), j.as_slice(), expected);
            let j = jacobian(orbit::$f::AD, NoPrep, &AutoDual::new(), &x).unwrap();
            close(stringify!($f), j.as_slice(), expected);
        }
    }};
}

#[test]
fn jacobians_have_a_row_for_each_float() {
    let (s, c) = 0.5_f64.sin_cos();
    jacobians!(turned, [0.5, 2.0], [-2.0 * s, c, 2.0 * c, s]);
    jacobians!(pair, 2.0, [4.0, -0.25]);
    jacobians!(all, [3.0, 4.0], [1.0, 0.0, 6.0, 0.0, 0.0, 1.0, 0.0, 8.0]);
    let e = 3.0_f64.exp();
    jacobians!(both, 3.0, [1.0, 2.0, 1.0, 0.0, 6.0, 1.0, e]);
    jacobians!(checked, 4.0, [0.25, 1.0]);
}

#[test]
fn structs_hold_structs_and_lists() {
    // x, y and step
    let (x, y, h) = (1.0, 2.0, 0.5);
    let expected = [
        // x + 2 h y + h^3, y + 2 h^2
        [1.0, 2.0 * h, 2.0 * y + 3.0 * h * h],
        [0.0, 1.0, 4.0 * h],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        // x + h y, y + h^2
        [1.0, h, y],
        [0.0, 1.0, 2.0 * h],
        // their products
        [y, x, 0.0],
        [
            y + h * h,
            h * (y + h * h) + x + h * y,
            y * (y + h * h) + 2.0 * h * (x + h * y),
        ],
        // (x + 2 h y + h^3)^2 and a constant
        {
            let v = 2.0 * (x + 2.0 * h * y + h * h * h);
            [v, v * 2.0 * h, v * (2.0 * y + 3.0 * h * h)]
        },
        [0.0; 3],
    ];
    jacobians!(moved, (Vec2 { x, y }, h), expected.as_flattened());
}

#[test]
fn derivatives_are_structs() {
    let dy: Vec2 = pushforward(
        orbit::turned::AD,
        NoPrep,
        &AutoTape::new(),
        &[0.0, 2.0],
        &[1.0, 3.0],
    )
    .unwrap();
    assert_eq!(dy, Vec2 { x: 3.0, y: 2.0 });
    let seed = Vec2 { x: 2.0, y: 1.0 };
    for _ in 0..2 {
        let dx = pullback(
            orbit::turned::AD,
            NoPrep,
            &AutoTape::new(),
            &[0.0, 2.0],
            &seed,
        );
        assert_eq!(dx.unwrap(), [2.0, 2.0]);
        let dx = pullback(
            orbit::turned::AD,
            NoPrep,
            &AutoDual::new(),
            &[0.0, 2.0],
            &seed,
        );
        assert_eq!(dx.unwrap(), [2.0, 2.0]);
    }
    let (y, d) = value_and_derivative(orbit::pair::AD, NoPrep, &AutoTape::new(), &2.0).unwrap();
    assert_eq!((y.0, y.1, d.0, d.1), (4.0, 0.5, 4.0, -0.25));
}

#[test]
fn failures_are_errors() {
    let error = jacobian(orbit::checked::AD, NoPrep, &AutoTape::new(), &-1.0).unwrap_err();
    assert!(error.to_string().contains("-1 is negative"), "{error}");
}

#[test]
fn structs_with_texts_are_for_calls() {
    let d = derivative(orbit::of_labelled::AD, NoPrep, &AutoTape::new(), &2.0).unwrap();
    assert_eq!(d, 1.0);
}

/// Structs with options are no results, but parameters.
#[overloaded]
mod parameters {
    #[derive(Clone)]
    pub struct Law {
        pub rate: f64,
        pub limit: Option<f64>,
    }

    pub struct Unit<const N: usize> {
        pub of: [f64; N],
    }

    /// An array of vectors: for calls.
    pub struct Rows {
        pub of: [Vec<f64>; 2],
    }

    pub fn doubled(law: &Law) -> Law {
        let limit = law.limit.map(|limit| 2.0 * limit);
        Law {
            rate: 2.0 * law.rate,
            limit,
        }
    }

    pub fn unit(x: &[f64]) -> Unit<2> {
        let norm = x[0].hypot(x[1]);
        Unit {
            of: [x[0] / norm, x[1] / norm],
        }
    }

    pub fn sum(rows: &Rows) -> f64 {
        rows.of.iter().flatten().sum()
    }

    pub fn total(law: &Law) -> f64 {
        let law = doubled(law);
        let limit = law.limit.unwrap_or(1.0);
        let rows = Rows {
            of: [vec![law.rate], vec![limit; 2]],
        };
        unit(&[law.rate, limit]).of[0] * sum(&rows)
    }
}

#[test]
fn other_structs_are_parameters() {
    let law = parameters::Law {
        rate: 1.5,
        limit: Some(2.0),
    };
    let g = gradient(parameters::total::AD, NoPrep, &AutoTape::new(), &law).unwrap();
    // of r / |(r, l)| (r + 2 l) with r = 3 and l = 4, each of which is twice a field
    let dr = 2.0 * (16.0 / 125.0 * 11.0 + 3.0 / 5.0);
    let dl = 2.0 * (-12.0 / 125.0 * 11.0 + 6.0 / 5.0);
    close("law", &[g.rate, g.limit.unwrap()], &[dr, dl]);
}
