//! `array::from_fn` in the closure of another one, which ignores its index, made an array of the outer length.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.3, 0.7, 2.1, -0.4], &[-0.4, 0.9, 0.3, 1.7]];

#[differentiable]
mod nested {
    use std::array::from_fn;

    pub struct Table<const N: usize, const M: usize> {
        start: [f64; N],
        rows: [[f64; M]; N],
    }
    fn twice<const K: usize>(of: [f64; K]) -> [f64; K] {
        of.map(|v| 2.0 * v)
    }
    impl<const N: usize, const M: usize> Table<N, M> {
        fn new(raw: &[f64]) -> Self {
            Table {
                start: twice(from_fn(|i| raw[i] * raw[1])),
                rows: from_fn(|_| twice(from_fn(|j| raw[j] * raw[0]))),
            }
        }
    }
    fn squares<const N: usize, const M: usize>(raw: &[f64]) -> f64 {
        let b: [[f64; M]; N] = from_fn(|_| from_fn(|j| raw[j]));
        let c: [(f64, [f64; M]); N] = from_fn(|_| (raw[0], from_fn(|j| raw[j + 1])));
        let of_c = c.iter().map(|(k, row)| k * row[M - 1]).sum::<f64>();
        b.iter().flatten().map(|v| v * v).sum::<f64>() * of_c
    }
    pub(super) fn parameters(x: &[f64]) -> f64 {
        squares::<2, 3>(x) + squares::<3, 2>(x) * x[3]
    }
    pub(super) fn known(x: &[f64]) -> f64 {
        let b: [[f64; 3]; 2] = from_fn(|_| from_fn(|j| x[j] * x[j]));
        let cube: [[[f64; 4]; 3]; 2] = from_fn(|_| from_fn(|_| from_fn(|k| x[k] * x[0])));
        let mut k = 0;
        let counted: [[f64; 3]; 2] = from_fn(|_| {
            from_fn(|_| {
                k += 1;
                x[k % 4]
            })
        });
        b[1][2] * cube[1][2][3] + counted[1][0] * counted[1][2]
    }
    pub(super) fn held(x: &[f64]) -> f64 {
        let t = Table::<2, 3>::new(x);
        t.start[1] * t.rows[1][2] + t.rows[0][1]
    }
}

#[test]
fn each_array_has_its_own_length() {
    scalar!(nested::parameters::AD, nested::parameters).check(&POINTS);
    scalar!(nested::known::AD, nested::known).check(&POINTS);
    scalar!(nested::held::AD, nested::held).check(&POINTS);
}
