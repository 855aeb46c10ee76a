//! A body that stands in the place of a call in another module: `self::K`, `super::K`, `inner::K` and a constant in a
//! pattern were looked up in the module of the call.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4], &[-0.3, 0.8, 1.1]];

const OUTER: f64 = 100.0;

#[differentiable]
fn bent(x: f64) -> f64 {
    x.sin()
}

mod home {
    use di::prelude::*;

    pub(crate) const OUTER: f64 = 2.0;

    #[differentiable]
    pub(crate) fn bent(x: f64) -> f64 {
        x * x
    }

    pub(crate) mod own {
        use di::prelude::*;

        pub(crate) const K: f64 = 3.0;
        pub(crate) const MANY: usize = 1;

        pub(crate) mod inner {
            use di::prelude::*;

            pub(crate) const K: f64 = 5.0;

            #[differentiable]
            pub(crate) fn bent(x: f64) -> f64 {
                x * x * x
            }
        }

        #[derive(Clone, Differentiable)]
        pub(crate) struct Log {
            pub(crate) v: Vec<f64>,
            pub(crate) n: usize,
        }

        #[differentiable]
        impl Log {
            pub(crate) fn counted(&mut self, x: f64) {
                match self.n {
                    MANY => self.v.push(x),
                    _ => self.v.push(3.0 * x),
                }
            }

            pub(crate) fn outer(&mut self, x: f64) {
                self.v.push(super::bent(x) * super::OUTER);
            }

            pub(crate) fn own(&mut self, x: f64) {
                assert!(x < self::K + super::OUTER);
                self.v.push(x * self::K + inner::bent(x) * inner::K);
            }
        }

        #[differentiable]
        pub(crate) fn with(f: impl Fn(f64) -> f64, x: f64) -> f64 {
            f(x) * self::K * inner::K + super::bent(x)
        }

        #[differentiable]
        pub(crate) fn lent(v: &mut Vec<f64>, x: f64) {
            v.push(x * self::K + inner::bent(x));
        }
    }
}

mod calls {
    use super::home::own::{Log, lent, with};
    use di::prelude::*;

    pub(crate) const K: f64 = 40.0;
    pub(crate) const MANY: usize = 2;
    pub(crate) const OUTER: f64 = 7.0;

    pub(crate) mod inner {
        pub(crate) const K: f64 = 400.0;
    }

    #[differentiable]
    pub(crate) fn methods(x: &[f64]) -> f64 {
        let mut log = Log {
            v: vec![],
            n: MANY - 1,
        };
        log.counted(x[0]);
        log.outer(x[1]);
        log.own(x[2]);
        log.v[0] * log.v[1] * log.v[2] * K / OUTER * inner::K
    }

    #[differentiable]
    pub(crate) fn functions(x: &[f64]) -> f64 {
        let mut v = vec![];
        lent(&mut v, x[0]);
        with(|t| t * x[1], x[2]) * v[0] * K
    }
}

#[test]
fn paths_lead_where_they_are_written() {
    scalar!(calls::methods::AD, calls::methods)
        .takes_memory()
        .check(&POINTS);
    scalar!(calls::functions::AD, calls::functions).check(&POINTS);
    assert_eq!(calls::K * home::OUTER * OUTER * bent(0.0), 0.0);
}
