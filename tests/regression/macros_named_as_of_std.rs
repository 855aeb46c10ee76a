//! A macro of one's own may have the name of one of std, which was taken in its place.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.3, 0.7, 2.1], &[-0.4, 0.9, 0.3]];

macro_rules! vec {
    ($($e:expr),*) => {
        [$($e * 2.0),*].to_vec()
    };
}

macro_rules! matches {
    ($e:expr, $p:pat) => {
        match $e {
            $p => false,
            _ => true,
        }
    };
}

#[expect(unused_macros, reason = "the annotated module has what it stands for")]
macro_rules! concat {
    ($e:expr) => {
        $e * $e
    };
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let v = vec![x[0], x[1].sin()];
    v[0] * v[1] + x[2]
}

#[differentiable]
fn patterns(x: &[f64]) -> f64 {
    if matches!(x.len(), 3) {
        x[0] * x[1]
    } else {
        x[2].exp()
    }
}

#[differentiable]
mod model {
    pub(super) fn shown(x: &[f64]) -> f64 {
        concat!(x[0] * x[1]) + x[2]
    }

    pub(super) fn within(x: &[f64]) -> f64 {
        macro_rules! vec {
            ($e:expr; $n:expr) => {
                [$e; $n].map(|v| v * v)
            };
        }
        vec![x[0]; 3].iter().sum::<f64>() * x[2]
    }
}

#[test]
fn they_are_taken() {
    scalar!(lists::AD, lists).takes_memory().check(&POINTS);
    scalar!(patterns::AD, patterns).check(&POINTS);
    scalar!(model::shown::AD, model::shown).check(&POINTS);
    scalar!(model::within::AD, model::within).check(&POINTS);
}
