//! A body that stands in the place of a call took constants and functions of the caller's module for its own.

use di::prelude::*;

mod solver {
    use self::weights::half as part;
    use di::prelude::*;
    use std::f64::consts::PI as TURN;

    pub(super) trait System {
        fn rhs(&self, y: f64) -> f64;
    }

    mod weights {
        pub(super) fn half() -> f64 {
            0.5
        }
    }

    const SCALE: f64 = 3.0;

    #[differentiable]
    fn shape(y: f64) -> f64 {
        SCALE * y * y
    }

    #[differentiable]
    pub(super) fn scaled<S: System>(s: &S, y: f64) -> f64 {
        SCALE * s.rhs(y)
    }

    #[differentiable]
    pub(super) fn shaped<S: System>(s: &S, y: f64) -> f64 {
        shape(s.rhs(y))
    }

    #[differentiable]
    pub(super) fn turned<S: System>(s: &S, y: f64) -> f64 {
        TURN * s.rhs(y)
    }

    #[differentiable]
    pub(super) fn parted<S: System>(s: &S, y: f64) -> f64 {
        part() * s.rhs(y)
    }
}

// other things by the same names
const SCALE: f64 = 7.0;
const TURN: f64 = 360.0;

#[differentiable]
fn shape(y: f64) -> f64 {
    y.exp()
}

fn part() -> f64 {
    SCALE + TURN
}

#[derive(Differentiable)]
struct Decay {
    rate: f64,
}

#[differentiable]
impl solver::System for Decay {
    fn rhs(&self, y: f64) -> f64 {
        -self.rate * y
    }
}

#[differentiable]
fn scaled(r: f64) -> f64 {
    solver::scaled(&Decay { rate: r }, 2.0)
}

#[differentiable]
fn shaped(r: f64) -> f64 {
    solver::shaped(&Decay { rate: r }, 2.0)
}

#[differentiable]
fn turned(r: f64) -> f64 {
    solver::turned(&Decay { rate: r }, 2.0)
}

#[differentiable]
fn parted(r: f64) -> f64 {
    solver::parted(&Decay { rate: r }, 2.0)
}

#[test]
fn names_mean_what_they_mean_in_their_module() {
    let backend = AutoSource::new();
    let r = 1.5;
    assert!(shape(part()) > 0.0);
    let (y, dy) = value_and_derivative(scaled::AD, NoPrep, &backend, &r).unwrap();
    assert_eq!((y, dy), (scaled(r), -6.0));
    // 3 (2 r)^2
    let (y, dy) = value_and_derivative(shaped::AD, NoPrep, &backend, &r).unwrap();
    assert_eq!((y, dy), (shaped(r), 24.0 * r));
    let (y, dy) = value_and_derivative(turned::AD, NoPrep, &backend, &r).unwrap();
    assert_eq!((y, dy), (turned(r), -2.0 * std::f64::consts::PI));
    let (y, dy) = value_and_derivative(parted::AD, NoPrep, &backend, &r).unwrap();
    assert_eq!((y, dy), (parted(r), -1.0));
}
