//! What `map` and `from_fn` of an array made was collected in a vector and copied; lengths of arrays that their types
//! tell were recorded.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[1.1, 0.7, 1.3, 0.4], &[-0.6, 1.9, 2.2, 0.8]];

#[differentiable]
mod small {
    #[derive(Clone, Copy, Debug)]
    pub struct Vector(pub [f64; 3]);

    impl std::ops::Add for Vector {
        type Output = Vector;
        fn add(self, o: Vector) -> Vector {
            Vector(std::array::from_fn(|i| self.0[i] + o.0[i]))
        }
    }

    impl Vector {
        fn scale(self, by: f64) -> Vector {
            Vector(self.0.map(|v| v * by))
        }
        fn dot(&self, o: &Vector) -> f64 {
            self.0.iter().zip(&o.0).map(|(a, b)| a * b).sum()
        }
    }

    pub struct Table<const N: usize> {
        rows: [[f64; 2]; N],
    }

    fn shortest<const N: usize, const M: usize>(a: &[f64; N], b: &[f64; M]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// The lengths in the types of the fields have one name, and are two.
    fn of_fields(a: &Table<3>, b: &Table<2>) -> f64 {
        a.rows.iter().zip(&b.rows).map(|(a, b)| a[0] * b[1]).sum()
    }

    /// The array that is made reads the one that it replaces.
    pub(super) fn replaced(x: &[f64]) -> f64 {
        let mut a = [x[0], x[1], x[2]];
        for k in 0..3 {
            a = a.map(|v| v * a[k] + x[3]);
            a = std::array::from_fn(|i| a[2 - i] + 0.1 * a[i] * a[i]);
        }
        a[0] * a[1] + a[2]
    }

    pub(super) fn of_structs(x: &[f64]) -> f64 {
        let corners: [Vector; 2] = std::array::from_fn(|i| Vector([x[i], x[i + 1], x[i + 2]]));
        let mut at = Vector([0.0; 3]);
        for _ in 0..3 {
            let scaled = corners.map(|c| c.scale(x[3]) + at);
            at = scaled[0] + scaled[1].scale(0.5);
        }
        at.dot(&corners[0]) + at.dot(&at)
    }

    pub(super) fn of_lengths(x: &[f64]) -> f64 {
        let a: [f64; 3] = [x[0] * x[1], x[1], x[2]];
        let b = [x[3], x[0]];
        let table = Table::<3> {
            rows: a.map(|v| [v, v * v]),
        };
        let other = Table::<2> {
            rows: b.map(|v| [v * v, v]),
        };
        shortest(&a, &b) * shortest(&b, &a) + of_fields(&table, &other)
    }
}

#[test]
fn arrays_are_made_where_they_stay() {
    scalar!(small::replaced::AD, small::replaced).check(&POINTS);
    scalar!(small::of_structs::AD, small::of_structs).check(&POINTS);
    scalar!(small::of_lengths::AD, small::of_lengths).check(&POINTS);
}
