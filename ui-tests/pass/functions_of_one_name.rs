//! Functions of one name in several modules, as visible as they are written, on types that are no more visible.
#![deny(warnings)]

use di::prelude::*;

mod first {
    use di::prelude::*;

    #[differentiable]
    pub fn power(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    pub fn sum<const N: usize>(x: &[f64; N]) -> f64 {
        x.iter().sum()
    }

    #[differentiable]
    pub fn weighted<M: Fn(usize) -> f64, const N: usize>(x: &[f64; N], #[constant] m: &M) -> f64 {
        x[0] * m(1)
    }

    #[derive(Clone, Copy, Differentiable)]
    pub struct Point {
        pub a: f64,
    }

    #[differentiable]
    impl Point {
        pub fn energy(&self) -> f64 {
            self.a * power(1.0 * self.a)
        }
    }
}

mod second {
    use di::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Point {
        pub a: f64,
    }

    #[derive(Clone, Copy, Differentiable)]
    struct Private {
        a: f64,
    }

    #[derive(Clone, Copy)]
    struct Settings {
        n: usize,
    }

    #[differentiable]
    pub(crate) fn power(x: f64) -> f64 {
        x * super::first::power(x)
    }

    #[differentiable]
    fn sum<const N: usize>(x: &[f64; N], p: &Private, #[constant] c: Settings) -> f64 {
        x[c.n] * p.a
    }

    #[differentiable]
    impl Point {
        pub fn energy(&self) -> f64 {
            self.a * power(1.0 * self.a)
        }
    }

    pub(super) mod inner {
        use super::{Private, Settings};
        use di::prelude::*;

        #[differentiable]
        pub(super) fn power(p: &Private, #[constant] c: &Settings) -> f64 {
            p.a * c.n as f64
        }

        #[differentiable]
        pub(in super::super) fn sum<const N: usize>(x: &[f64; N]) -> f64 {
            x[0]
        }

        #[differentiable]
        pub(in crate::second) fn weighted<M: Fn(usize) -> f64, const N: usize>(
            x: &[f64; N],
            #[constant] m: &M,
        ) -> f64 {
            x[0] * x[0] * m(1)
        }

        #[differentiable]
        pub(self) fn energy(p: &Private) -> f64 {
            p.a
        }

        pub(in crate::second) fn used() -> f64 {
            energy(&Private { a: 1.0 })
        }
    }

    pub(crate) fn used() -> f64 {
        let (p, c) = (Private { a: 2.0 }, Settings { n: 1 });
        let m = |k: usize| k as f64;
        inner::power(&p, &c) + inner::weighted(&[1.0], &m) + sum(&[1.0, 2.0], &p, c) + inner::used()
    }
}

#[differentiable]
fn energy(x: f64) -> f64 {
    second::power(x) * second::inner::sum(&[x])
}

fn main() {
    let backend = AutoSource::new();
    assert_eq!(second::used(), 8.0);
    let d = |x: f64| {
        #[differentiable]
        fn power(x: f64) -> f64 {
            5.0 * x
        }
        derivative(power::AD, NoPrep, &backend, &x)
    };
    assert_eq!(d(1.0), Ok(5.0));
    assert_eq!(derivative(first::power::AD, NoPrep, &backend, &3.0), Ok(6.0));
    assert_eq!(derivative(second::power::AD, NoPrep, &backend, &3.0), Ok(27.0));
    assert_eq!(derivative(energy::AD, NoPrep, &backend, &1.0), Ok(4.0));
    let p = second::Point { a: 3.0 };
    let g = gradient(second::Point::energy_ad, NoPrep, &backend, &p);
    assert_eq!(g.map(|g| g.a), Ok(108.0));
    let p = first::Point { a: 3.0 };
    let g = gradient(first::Point::energy_ad, NoPrep, &backend, &p);
    assert_eq!(g.map(|g| g.a), Ok(27.0));
    let x = [1.0, 2.0];
    assert_eq!(gradient(first::sum::AD, NoPrep, &backend, &x), Ok([1.0; 2]));
    let m = |k: usize| k as f64;
    let g = gradient(first::weighted::AD.with(&m), NoPrep, &backend, &x);
    assert_eq!(g, Ok([1.0, 0.0]));
}
