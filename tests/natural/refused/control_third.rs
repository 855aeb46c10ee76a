//! Control: programs of a third collection. Refused: each with what the compiler says, and the cure.

// E0277 the generic arguments of `mat_vec` cannot be inferred here
// Write `[[f64; 3]; 3]` for `Mat<3>`: an alias outside of an annotated module is not seen, and an alias with parameters cannot be annotated.
/// Cost of a linear feedback over a horizon, with small generic matrix helpers.
mod linear_feedback {
    use di::prelude::*;

    type Mat<const N: usize> = [[f64; N]; N];

    #[differentiable]
    fn mat_vec<const N: usize>(a: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
        let mut y = [0.0; N];
        for i in 0..N {
            for j in 0..N {
                y[i] += a[i][j] * x[j];
            }
        }
        y
    }

    #[differentiable]
    fn quad<const N: usize>(q: &[[f64; N]; N], x: &[f64; N]) -> f64 {
        mat_vec(q, x).iter().zip(x).map(|(a, b)| a * b).sum()
    }

    #[differentiable]
    fn lqr_cost(
        gain: &[f64; 3],
        #[constant] a: &Mat<3>,
        #[constant] b: &[f64; 3],
        #[constant] horizon: usize,
    ) -> f64 {
        let q = [[1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.1]];
        let mut x = [1.0, 0.0, -0.5];
        let mut cost = 0.0;
        for _ in 0..horizon {
            let u: f64 = -gain.iter().zip(&x).map(|(k, x)| k * x).sum::<f64>();
            cost += quad(&q, &x) + 0.01 * u * u;
            let mut next = mat_vec(a, &x);
            for (n, bi) in next.iter_mut().zip(b) {
                *n += bi * u;
            }
            x = next;
        }
        cost + 10.0 * quad(&q, &x)
    }

    #[test]
    fn linear_feedback() {
        let a = [[1.0, 0.1, 0.0], [0.0, 1.0, 0.1], [-0.1, 0.0, 0.9]];
        let b = [0.0, 0.05, 0.2];
        crate::check::scalar!(lqr_cost, (&a, &b, 8), &[1.2, 0.7, 0.3]);
    }
}
