#![allow(warnings)]

use di::differentiable;

mod poly {
    use std::iter::Rev;
    use std::ops::{Deref, Index, Mul};
    use std::slice::Iter;

    pub struct Poly(Vec<f64>);

    impl Poly {
        pub fn len(&self) -> usize {
            self.0.len()
        }

        pub fn iter(&self) -> Rev<Iter<'_, f64>> {
            self.0.iter().rev()
        }
    }

    impl Index<usize> for Poly {
        type Output = f64;

        fn index(&self, i: usize) -> &f64 {
            &self.0[i]
        }
    }

    #[derive(Clone, Copy)]
    pub struct Seconds(f64);

    impl Deref for Seconds {
        type Target = f64;

        fn deref(&self) -> &f64 {
            &self.0
        }
    }

    impl Mul<f64> for Seconds {
        type Output = f64;

        fn mul(self, of: f64) -> f64 {
            self.0 / 60.0 * of
        }
    }

    pub struct Data {
        pub poly: Poly,
        pub boxed: Box<Poly>,
        pub times: Vec<Seconds>,
    }
}

// by the places of its elements the order would be another one
#[differentiable]
fn horner(x: &[f64], #[constant] d: &poly::Data) -> f64 {
    let mut sum = 0.0;
    for c in d.poly.iter() {
        sum = sum * x[0] + c;
    }
    sum
}

#[differentiable]
fn boxed(x: &[f64], #[constant] d: &poly::Data) -> f64 {
    d.boxed.iter().fold(0.0, |sum, c| sum * x[0] + c)
}

// as a number it would have the operators of numbers
#[differentiable]
fn minutes(x: &[f64], #[constant] d: &poly::Data) -> f64 {
    let time = d.times.first().unwrap();
    *time * x[0]
}

fn main() {}
