//! Finite elements. Refused: each with what the compiler says.

// E0277 `[[f64; 2]; 2]` is not a differentiable type
// E0080 [DI0125] `Mat2` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0323] arrays of tuples are not supported
/// Neo-Hookean triangle: deformation gradient, energy density and total.
mod neo_hookean {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Mat2 = [[f64; 2]; 2];

    #[derive(Clone, Debug, Differentiable)]
    struct Material {
        mu: f64,
        lambda: f64,
    }

    #[differentiable]
    fn det(m: &Mat2) -> f64 {
        m[0][0] * m[1][1] - m[0][1] * m[1][0]
    }

    #[differentiable]
    fn deformation(x: &[f64], tri: [usize; 3], #[constant] dm_inv: &Mat2) -> Mat2 {
        let at = |n: usize, k: usize| x[2 * tri[n] + k];
        let mut f = [[0.0; 2]; 2];
        for i in 0..2 {
            let e = [at(1, i) - at(0, i), at(2, i) - at(0, i)];
            for j in 0..2 {
                f[i][j] = e[0] * dm_inv[0][j] + e[1] * dm_inv[1][j];
            }
        }
        f
    }

    #[differentiable]
    fn density(f: &Mat2, m: &Material) -> f64 {
        let i1: f64 = f.iter().flat_map(|r| r.iter()).map(|v| v * v).sum();
        let lj = det(f).ln();
        0.5 * m.mu * (i1 - 2.0) - m.mu * lj + 0.5 * m.lambda * lj * lj
    }

    #[differentiable]
    pub fn energy(x: &[f64]) -> f64 {
        let n = x.len();
        let mat = Material { mu: x[n - 2], lambda: x[n - 1] };
        let elements = [([0, 1, 2], [[1.0, 0.0], [0.0, 1.0]]), ([1, 3, 2], [[1.0, 1.0], [-1.0, 0.0]])];
        let mut total = 0.0;
        for (tri, inv) in elements.iter() {
            let f = deformation(x, *tri, inv);
            total += 0.5 * density(&f, &mat);
        }
        total
    }

    #[test]
    fn neo_hookean() {
        scalar!(energy, (), &[0.0, 0.1, 1.2, 0.0, 0.1, 1.1, 1.3, 1.2, 0.8, 1.5]);
    }
}
