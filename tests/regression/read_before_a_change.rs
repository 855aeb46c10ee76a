//! What was written in front of a call that changes a value without floats, or is its argument, was read behind the change:
//! `c.bump(c.r)`, `Pair { a: c.r, b: c.bump(1) }`.

#![allow(unreachable_pub, reason = "a module as it is written for others")]

use di::prelude::*;
use di_test::scalar;

#[differentiable]
mod model {
    #[derive(Clone, Copy)]
    pub struct Counter {
        pub r: u8,
    }

    #[derive(Clone, Copy)]
    pub struct Pair {
        pub a: u8,
        pub b: u8,
    }

    #[derive(Clone, Copy)]
    pub struct Both(pub u8, pub u8);

    impl Counter {
        pub fn bump(&mut self, n: u8) -> u8 {
            self.r = (self.r + n) % 6;
            self.r
        }
    }

    fn of_two(a: u8, b: u8) -> usize {
        (a as usize * 2 + b as usize) % 6
    }

    pub fn argument(x: &[f64]) -> f64 {
        let mut c = Counter { r: 2 };
        let r = c.bump(c.r);
        let again = c.bump(c.r + 1) as usize;
        x[r as usize] * x[again].sin()
    }

    pub fn fields(x: &[f64]) -> f64 {
        let mut c = Counter { r: 2 };
        let p = Pair {
            a: c.r,
            b: c.bump(1),
        };
        let q = Both(c.r, c.bump(2));
        x[p.a as usize] * x[p.b as usize].exp() + x[q.0 as usize] * x[q.1 as usize]
    }

    pub fn arguments(x: &[f64]) -> f64 {
        let mut c = Counter { r: 2 };
        let mut sum = x[of_two(c.r, c.bump(1))];
        let m = c.r.max(c.bump(5));
        sum += x[m as usize].sin();
        let m = c.r.min(5).wrapping_add(c.bump(3));
        sum * x[m as usize % 6]
    }
}

const POINTS: [&[f64]; 2] = [
    &[0.4, 1.3, -0.7, 0.8, 0.3, -1.1],
    &[-0.6, 0.2, 0.9, -0.4, 1.6, 0.7],
];

#[test]
fn what_is_written_first_is_read_first() {
    scalar!(model::argument::AD, model::argument).check(&POINTS);
    scalar!(model::fields::AD, model::fields).check(&POINTS);
    scalar!(model::arguments::AD, model::arguments).check(&POINTS);
}
