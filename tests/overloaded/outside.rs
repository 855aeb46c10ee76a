//! Constants that are declared elsewhere: in std, and around the module.

use di::prelude::*;

use crate::{agrees, close};

pub const GRAVITY: f64 = 9.81;
pub const POLYNOMIAL: [f64; 3] = [1.0, -2.0, 0.5];
pub const ROUNDS: usize = 3;
pub const TITLE: &str = "title";
pub const SINGLE: f32 = 0.5;
static SHIFT: f64 = 0.25;

pub mod units {
    pub const GRAM: f64 = 1e-3;
    pub const TABLE: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
    pub const COUNT: i64 = 2;
    pub fn halves(n: usize) -> usize {
        n / 2
    }
}

#[overloaded]
mod imported {
    use super::units::{self, COUNT, GRAM, TABLE as ROWS, halves};
    use super::{GRAVITY, POLYNOMIAL, ROUNDS, SHIFT, SINGLE, TITLE};

    pub fn fall(x: &[f64]) -> f64 {
        let mut at = x[0] * GRAM;
        for _ in 0..ROUNDS {
            at += GRAVITY * x[1] * x[1] - SHIFT;
        }
        let p = POLYNOMIAL.iter().rev().fold(0.0, |s, c| s * x[0] + c);
        at * p
            + ROWS[1][0] * x[1]
            + COUNT as f64
            + TITLE.len() as f64
            + halves(8) as f64
            + units::halves(4) as f64
            + f64::from(SINGLE * 2.0_f32) * x[0] * SINGLE as f64
            + units::GRAM * super::units::TABLE[0][1] * x[0] * crate::outside::GRAVITY
    }
}

#[overloaded]
mod starred {
    use super::*;

    pub fn fall(x: &[f64]) -> f64 {
        GRAVITY * x[0] * x[0] + POLYNOMIAL[1] * x[0] + SHIFT + ROUNDS as f64
    }
}

#[overloaded]
mod of_std {
    use std::f64::consts::*;

    pub fn f(x: &[f64]) -> f64 {
        (PI * x[0]).sin() + E * x[0] + LN_2 * x[0] * FRAC_1_SQRT_2
    }
}

#[overloaded]
mod of_std_renamed {
    use core::f64::consts::{self, PI, SQRT_2 as ROOT, TAU};
    use std::f64;

    const TURN: f64 = 2.0 * PI;
    const QUARTER: [f64; 2] = [consts::FRAC_PI_2, -f64::consts::FRAC_PI_4];

    pub fn f(x: &[f64]) -> f64 {
        let turns = (TAU * x[0]).sin() + (TURN * x[0]).cos() + ROOT * x[0];
        turns + consts::LN_10 * x[0] * x[0] + f64::consts::E + QUARTER[1] * x[0]
    }
}

#[overloaded]
mod of_std_by_paths {
    use std::f64::consts as c;

    pub fn f(x: &[f64]) -> f64 {
        let small = f64::EPSILON + std::f64::EPSILON + core::f64::MIN_POSITIVE;
        let all = (std::f64::consts::PI * x[0]).sin() + ::std::f64::consts::E * x[0];
        if all < f64::INFINITY && all > std::f64::NEG_INFINITY {
            all * c::SQRT_2 + small
        } else {
            f64::NAN
        }
    }
}

#[test]
fn constants_around_the_module_are_imported() {
    agrees!(
        imported::fall::AD,
        imported::fall,
        [[0.4, 0.9], [1.7, -1.4]]
    );
    agrees!(starred::fall::AD, starred::fall, [[0.4], [1.7]]);
}

#[test]
fn constants_of_std_are_imported_in_every_way() {
    use std::f64::consts::{E, FRAC_1_SQRT_2, LN_2, PI, SQRT_2};
    agrees!(of_std::f::AD, of_std::f, [[0.4], [-1.7]]);
    agrees!(of_std_renamed::f::AD, of_std_renamed::f, [[0.4], [-1.7]]);
    agrees!(of_std_by_paths::f::AD, of_std_by_paths::f, [[0.4], [-1.7]]);
    let x = [0.4];
    let g = gradient(of_std::f::AD, NoPrep, &AutoTape::new(), &x).unwrap();
    close(
        "gradient",
        &g,
        &[PI * (PI * 0.4).cos() + E + LN_2 * FRAC_1_SQRT_2],
    );
    let g = gradient(of_std_by_paths::f::AD, NoPrep, &AutoTape::new(), &x).unwrap();
    close("gradient", &g, &[SQRT_2 * (PI * (PI * 0.4).cos() + E)]);
}

const OFFSET: f64 = 1.5;
static OFFSETS: [f64; 2] = [0.5, 2.5];

/// A function by itself sees the constants of its file.
#[overloaded]
fn lonely(x: &[f64]) -> f64 {
    use std::collections::BTreeMap;
    const OWN: f64 = 2.0 * 0.75;
    let mut map: BTreeMap<usize, f64> = BTreeMap::new();
    for (k, v) in x.iter().enumerate() {
        map.insert(k, v * OFFSET + OWN + OFFSETS[k]);
    }
    fn inner(v: &f64) -> f64 {
        v.sin() * GRAVITY
    }
    map.values().map(inner).sum()
}

#[test]
fn functions_by_themselves_see_constants_of_their_file() {
    agrees!(lonely::AD, lonely, [[0.4, 0.9], [1.7, -1.4]]);
    let g = gradient(lonely::AD, NoPrep, &AutoDual::new(), &[0.0, 0.0]).unwrap();
    let expected = [2.0_f64, 4.0].map(|at| at.cos() * 9.81 * 1.5);
    close("gradient", &g, &expected);
}

/// Constants of std that the file imports, not the module.
mod by_the_file {
    use di::prelude::*;
    use std::f64::consts::{self, LN_2, PI, TAU as TURN};

    #[overloaded]
    pub mod starred {
        use super::*;

        const WHOLE: f64 = 2.0 * PI;

        pub fn f(x: &[f64]) -> f64 {
            const HALF: f64 = PI / 2.0;
            (PI * x[0] + TURN).sin() + LN_2 * x[0] + WHOLE * HALF + consts::E * x[0]
        }
    }

    #[overloaded]
    pub fn lonely(x: &[f64]) -> f64 {
        const HALF: f64 = 0.5 * PI;
        (PI * x[0]).cos() * TURN + LN_2 * x[0] * x[0] + HALF
    }

    #[overloaded]
    pub mod in_constants {
        use std::f64::consts::{LN_10, PI as HALF_TURN, *};

        pub fn f(x: &[f64]) -> f64 {
            const TURN: f64 = 2.0 * HALF_TURN;
            const TABLE: [f64; 3] = [HALF_TURN, LN_10 / 2.0, -E];
            (TURN * x[0]).sin() + TABLE[1] * x[0] + TABLE[2] + SQRT_2 * x[0]
        }
    }
}

#[test]
fn constants_of_std_may_be_imported_by_the_file() {
    agrees!(
        by_the_file::starred::f::AD,
        by_the_file::starred::f,
        [[0.4], [-1.7]]
    );
    agrees!(
        by_the_file::lonely::AD,
        by_the_file::lonely,
        [[0.4], [-1.7]]
    );
    agrees!(
        by_the_file::in_constants::f::AD,
        by_the_file::in_constants::f,
        [[0.4], [-1.7]]
    );
}

/// A lone function may call itself.
#[overloaded]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[test]
fn lone_functions_call_themselves() {
    let f = power::AD.with(5);
    let slope = derivative(f, NoPrep, &AutoTape::new(), &2.0).unwrap();
    assert_eq!((power(2.0, 5), slope), (32.0, 80.0));
}
