//! `*place += value` by an operator of one's own is a call of a method of the place, which rustc finds first. At places
//! that a branch chooses the value was computed first, and the branch saw what that had changed.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.73, 1.31, 0.4], &[1.64, 0.83, -0.7]];

#[differentiable]
mod chosen {
    use std::ops::{AddAssign, MulAssign};
    #[derive(Clone, Copy)]
    pub(super) struct V {
        a: f64,
    }
    impl AddAssign for V {
        fn add_assign(&mut self, o: V) {
            self.a += o.a;
        }
    }
    impl MulAssign<f64> for V {
        fn mul_assign(&mut self, k: f64) {
            self.a *= k;
        }
    }
    struct Two {
        v: [V; 2],
        f: [f64; 2],
    }
    impl Two {
        fn at(&mut self, first: bool) -> &mut V {
            if first {
                &mut self.v[0]
            } else {
                &mut self.v[1]
            }
        }
        fn number(&mut self, first: bool) -> &mut f64 {
            if first {
                &mut self.f[0]
            } else {
                &mut self.f[1]
            }
        }
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut two = Two {
            v: [V { a: x[0] }, V { a: x[1] }],
            f: [x[1], x[0]],
        };
        let mut n = 0;
        *two.at(n == 0) += {
            n += 1;
            V { a: x[2].exp() }
        };
        *two.at(n == 1) *= {
            n += 1;
            x[2] * x[1]
        };
        // of numbers the value is first
        *two.number(n == 2) += {
            n += 1;
            x[2] * x[2]
        };
        let (mut p, mut q) = (V { a: x[0] }, V { a: x[1] });
        *(if n == 3 { &mut p } else { &mut q }) += {
            n += 1;
            V { a: x[2] * x[0] }
        };
        let [v, w] = two.v;
        v.a * w.a + two.f[0].sin() * two.f[1] + p.a.exp() * q.a + n as f64
    }
}

#[test]
fn places_are_found_before_values() {
    scalar!(chosen::f::AD, chosen::f)
        .takes_memory()
        .check(&POINTS);
}
