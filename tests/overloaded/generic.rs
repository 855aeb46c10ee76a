//! Functions that are generic over the traits of `num-traits`.

use di::prelude::*;

use crate::agrees;

#[overloaded]
mod model {
    use num_traits::{Float, FloatConst, FromPrimitive, NumAssign, One, Signed, Zero};

    fn wave<T: Float + FloatConst + FromPrimitive>(x: T) -> T {
        let two = T::from_i32(2).unwrap();
        (T::PI() * x).sin().powi(2)
            + x.max(T::zero()) * two.sqrt()
            + T::from(0.5).unwrap() / (x * x + T::one())
    }

    fn horner<T: NumAssign + Copy>(coefficients: &[T], x: T) -> T {
        let mut sum = T::zero();
        for c in coefficients.iter().rev() {
            sum *= x;
            sum += *c;
        }
        sum
    }

    fn size<T: Signed>(x: T) -> T {
        if x.is_negative() { -x } else { x.abs() }
    }

    struct Filter<T, const N: usize> {
        taps: [T; N],
    }

    impl<T: Float, const N: usize> Filter<T, N> {
        fn new(decay: T) -> Self {
            let mut taps = [T::one(); N];
            for k in 1..N {
                taps[k] = taps[k - 1] * decay;
            }
            Filter { taps }
        }

        fn apply(&self, x: &[T]) -> Vec<T> {
            x.windows(N)
                .map(|w| {
                    w.iter()
                        .zip(&self.taps)
                        .fold(T::zero(), |s, (a, b)| s + *a * *b)
                })
                .collect()
        }
    }

    pub fn all(x: &[f64]) -> f64 {
        let one: f64 = One::one();
        wave(x[0])
            + horner(&[one, x[0], 2.0], x[1])
            + size(x[1]) * f64::zero().exp()
            + horner(&[1_i64, 2, 3], 2) as f64 * x[0]
    }

    pub fn filtered(x: &[f64]) -> f64 {
        Filter::<f64, 3>::new(x[0])
            .apply(x)
            .into_iter()
            .map(|v| v * v)
            .sum()
    }

    /// A float is not made of a number, since its derivative would be lost.
    pub fn lossy(x: &[f64]) -> f64 {
        let single: Option<f32> = num_traits::cast(x[0]);
        single.map_or(x[0] * 2.0, f64::from)
    }
}

#[test]
fn generic_functions_take_numbers() {
    agrees!(model::all::AD, model::all, [[0.4, 0.9], [-0.7, -1.4]]);
    agrees!(
        model::filtered::AD,
        model::filtered,
        [[0.4, 0.9, -0.3, 0.2, 1.1]]
    );
}

#[test]
fn floats_are_not_made_of_numbers() {
    let lossy = || gradient(model::lossy::AD, NoPrep, &AutoDual::new(), &[0.5]);
    assert!(std::panic::catch_unwind(lossy).is_err());
    assert_eq!(model::lossy(&[0.5]), 0.5);
}
