//! Random programs under rustc: all generated forms, `gradient`, `hvp` and `hessian` by source code and by
//! duals, two lanes, first and second order, against each other and against differences.

#![allow(warnings, clippy::all, reason = "the programs are random")]

use di::prelude::*;
use di_test::differences::is_smooth;

/// Checks a function of 14 numbers at the first point that is smooth.
macro_rules! check {
    ($f:ident, $seed:literal) => {{
        let mut random = crate::Random($seed);
        let point = (0..20).find_map(|_| {
            let z: Vec<f64> = (0..14).map(|_| 1.2 * random.next() + 0.4).collect();
            is_smooth(|z| vec![$f(z)], &z, STEP).then_some(z)
        });
        match point {
            Some(z) => di_test::scalar!($f).step(STEP).check(&[&z]),
            None => panic!("smooth nowhere"),
        }
    }};
}

const STEP: f64 = 1e-3;

/// Numbers between -1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        for _ in 0..3 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
        }
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));
