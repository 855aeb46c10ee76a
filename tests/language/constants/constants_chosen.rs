//! Constants that branches choose beside what is differentiated, that options are filtered by, and that functions
//! without an attribute make of stretches of lists.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, 0.6]];

#[differentiable]
mod arm {
    #[derive(Clone, Copy)]
    pub enum Joint {
        Revolute { d: f64, alpha: f64 },
        Prismatic { theta: f64, alpha: f64 },
    }

    pub fn reach(q: &[f64], #[constant] joints: &[Joint]) -> f64 {
        let mut s = 1.0;
        for (j, q) in joints.iter().zip(q) {
            let (theta, d, alpha) = match j {
                Joint::Revolute { d, alpha } => (*q, *d, *alpha),
                Joint::Prismatic { theta, alpha } => (*theta, *q, *alpha),
            };
            let (sa, ca) = alpha.sin_cos();
            s += theta * sa + d * ca * s + alpha.abs().powi(2) * q;
            let angle = match j {
                Joint::Revolute { alpha, .. } | Joint::Prismatic { alpha, .. } => alpha,
            };
            s *= q + angle.exp().max(1.0);
        }
        s
    }
}

#[differentiable]
mod survival {
    pub struct Subject {
        pub time: f64,
        pub cov: f64,
        pub visits: usize,
    }

    pub fn risk(x: &[f64], #[constant] subjects: &[Subject]) -> f64 {
        let (mut i, mut s, t) = (0, 0.0, subjects[0].time);
        while let Some(of) = subjects.get(i).filter(|of| of.time == t) {
            s += (x[0] * of.cov).exp();
            i += 1;
        }
        let late = subjects.last().filter(|of| of.time > t);
        s += late.map_or(x[1], |of| of.cov * x[0] * x[1]);
        let often = subjects.iter().find(|of| of.visits > 1);
        let often = often.filter(|of| of.cov < t).map(|of| of.cov * x[1].sin());
        s + often.unwrap_or(x[1].cos())
    }
}

fn odd(of: &[usize]) -> Vec<usize> {
    of.iter().copied().filter(|k| k % 2 == 1).collect()
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let order = vec![1, 2, 3];
    let mut s = odd(&order[..2]).len() as f64 * x[0];
    for k in odd(&order[1..]) {
        s += x[1].powi(k as i32);
    }
    if !odd(&order[1..2]).is_empty() {
        s = 0.0;
    }
    let own = odd(&order[..]);
    s += own.iter().map(|k| x[0] * *k as f64).sum::<f64>();
    s * odd(&order[..3]).iter().sum::<usize>() as f64 * x[1] + odd(&own[1..])[0] as f64
}

#[test]
fn constants_that_branches_choose() {
    let joints = [
        arm::Joint::Revolute { d: 0.3, alpha: 0.7 },
        arm::Joint::Prismatic {
            theta: 0.4,
            alpha: -0.2,
        },
    ];
    scalar!(arm::reach::AD.with(&joints), |x: &[f64]| arm::reach(
        x, &joints
    ))
    .row(821)
    .check(&POINTS);
}

#[test]
fn options_filtered_by_constants() {
    let of = |time, cov, visits| survival::Subject { time, cov, visits };
    let all = [of(1.0, 0.3, 0), of(1.0, 0.7, 2), of(3.0, 0.5, 1)];
    for some in [&all[..], &all[..2], &all[..1]] {
        scalar!(survival::risk::AD.with(some), |x: &[f64]| survival::risk(
            x, some
        ))
        .row(822)
        .check(&POINTS);
    }
}

#[test]
fn methods_of_what_functions_make_of_stretches() {
    scalar!(counted).row(823).takes_memory().check(&POINTS);
}
