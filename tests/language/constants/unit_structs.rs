//! Functions of structs with lengths that are not differentiated, which return constants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 0.9], &[1.3, 0.4, 0.8, 1.6]];

#[differentiable]
mod grids {
    pub struct Grid<const W: usize, const H: usize>;

    impl<const W: usize, const H: usize> Grid<W, H> {
        pub fn springs() -> Vec<(usize, usize)> {
            (1..W * H).map(|i| (i - 1, i)).collect()
        }

        pub fn weights() -> Vec<f64> {
            (1..W * H).map(|i| i as f64).collect()
        }

        pub fn count() -> usize {
            W * H
        }
    }

    pub fn stretched<const W: usize, const H: usize>(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in Grid::<W, H>::springs() {
            sum += x[a] * x[b].sin();
        }
        let bound: Vec<(usize, usize)> = Grid::<W, H>::springs();
        for &(a, b) in &bound {
            sum *= x[a] + x[b];
        }
        for (w, v) in Grid::<W, H>::weights().iter().zip(x) {
            sum += w * v * v;
        }
        sum * x[Grid::<W, H>::count() - 1]
    }

    pub fn energy(x: &[f64]) -> f64 {
        stretched::<2, 2>(x) + stretched::<3, 1>(x)
    }
}

#[test]
fn functions_of_structs_with_lengths() {
    scalar!(grids::energy::AD, grids::energy)
        .takes_memory()
        .row(401)
        .check(&POINTS);
}
