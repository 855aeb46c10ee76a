//! `#[differentiable] mod m { .. }`: functions, methods, operators, structs, aliases, enums and constants of an inline
//! module, none of which has an attribute of its own.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[differentiable]
mod mechanics {
    use std::ops::{Add, Mul};

    pub(super) type State = [f64; 2];
    type Rows = Vec<Vec<f64>>;

    const STEP: f64 = 0.1;
    const WEIGHTS: [f64; 3] = [0.5, 1.5, -0.25];

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) enum Force {
        Spring,
        Pendulum,
    }

    impl Force {
        fn at(self, x: f64, k: f64) -> f64 {
            match self {
                Force::Spring => -k * x,
                Force::Pendulum => -k * x.sin(),
            }
        }
    }

    /// Settings: it has no float that is differentiated.
    pub(super) struct Settings {
        pub(super) steps: usize,
        pub(super) force: Force,
        pub(super) name: String,
    }

    #[derive(Clone, Copy, Debug, Default)]
    struct Pair {
        a: f64,
        b: f64,
    }

    impl Pair {
        const UNIT: Pair = Pair { a: 1.0, b: 1.0 };

        fn dot(&self, other: Pair) -> f64 {
            self.a * other.a + self.b * other.b
        }
    }

    impl Add for Pair {
        type Output = Pair;
        fn add(self, other: Pair) -> Pair {
            Pair {
                a: self.a + other.a,
                b: self.b + other.b,
            }
        }
    }

    impl Mul<f64> for Pair {
        type Output = Pair;
        fn mul(self, k: f64) -> Pair {
            Pair {
                a: self.a * k,
                b: self.b * k,
            }
        }
    }

    /// An index: nothing in it is differentiated.
    fn wrapped(i: usize, n: usize) -> usize {
        (i + 1) % n
    }

    fn rhs(s: State, k: f64, force: Force) -> State {
        [s[1], force.at(s[0], k)]
    }

    fn step(s: State, k: f64, force: Force) -> State {
        let k1 = rhs(s, k, force);
        let k2 = rhs([s[0] + STEP * k1[0], s[1] + STEP * k1[1]], k, force);
        let mut next = s;
        for i in 0..2 {
            next[i] += 0.5 * STEP * (k1[i] + k2[i]);
        }
        next
    }

    pub(super) fn travelled(x: &[f64], settings: &Settings) -> f64 {
        let mut s = [x[0], x[1]];
        for _ in 0..settings.steps {
            s = step(s, x[2], settings.force);
        }
        let [position, velocity] = s;
        position * position + velocity + settings.name.len() as f64
    }

    fn outer(x: &[f64]) -> Rows {
        let mut rows = Vec::new();
        for a in x {
            rows.push(x.iter().map(|b| a * b).collect());
        }
        rows
    }

    fn trace(rows: &Rows) -> f64 {
        (0..rows.len()).map(|i| rows[i][i].sin()).sum()
    }

    pub(super) fn of_rows(x: &[f64]) -> f64 {
        trace(&outer(x)) + outer(x)[wrapped(1, 3)][1]
    }

    pub(super) fn of_pairs(x: &[f64]) -> f64 {
        let p = Pair { a: x[0], b: x[1] };
        let mut sum = Pair::default();
        for w in WEIGHTS {
            sum = sum + p * (w * x[2]);
        }
        let shifted = sum + Pair::UNIT;
        shifted.dot(p) + WEIGHTS[1] * x[1].exp()
    }

    pub(super) fn circled(x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] * x[wrapped(i, x.len())].cos();
        }
    }
}

#[test]
fn aliases_enums_and_settings_of_a_module() {
    for force in [mechanics::Force::Spring, mechanics::Force::Pendulum] {
        let settings = mechanics::Settings {
            steps: 4,
            force,
            name: "swing".to_owned(),
        };
        let f = mechanics::travelled::AD.with(&settings);
        let _: mechanics::State = [0.0; 2];
        scalar!(f, |x: &[f64]| mechanics::travelled(x, &settings)).check(&POINTS);
    }
}

#[test]
fn nested_vectors_by_an_alias() {
    use mechanics::of_rows;
    scalar!(of_rows).check(&POINTS);
}

#[test]
fn structs_operators_and_constants_of_a_module() {
    use mechanics::of_pairs;
    scalar!(of_pairs).check(&POINTS);
}

#[test]
fn functions_of_a_module_that_write() {
    use mechanics::circled;
    inplace!(circled, 3).check(&POINTS);
}
