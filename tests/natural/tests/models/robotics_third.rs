//! Robotics: programs of a third collection.

/// Forward kinematics with homogeneous transforms of DH parameters.
mod denavit_hartenberg {
    use di::prelude::*;

    type Mat4 = [[f64; 4]; 4];

    #[differentiable]
    fn identity() -> Mat4 {
        let mut m = [[0.0; 4]; 4];
        for i in 0..4 {
            m[i][i] = 1.0;
        }
        m
    }

    #[differentiable]
    fn matmul(a: Mat4, b: Mat4) -> Mat4 {
        let mut c = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                for k in 0..4 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }

    #[differentiable]
    fn dh(theta: f64, d: f64, a: f64, alpha: f64) -> Mat4 {
        let (st, ct) = theta.sin_cos();
        let (sa, ca) = alpha.sin_cos();
        [
            [ct, -st * ca, st * sa, a * ct],
            [st, ct * ca, -ct * sa, a * st],
            [0.0, sa, ca, d],
            [0.0, 0.0, 0.0, 1.0],
        ]
    }

    #[differentiable]
    fn reach_error(
        q: &[f64],
        #[constant] links: &[(f64, f64, f64)],
        #[constant] target: [f64; 3],
    ) -> f64 {
        let mut t = identity();
        for (angle, &(d, a, alpha)) in q.iter().zip(links) {
            t = matmul(t, dh(*angle, d, a, alpha));
        }
        let mut err = 0.0;
        for i in 0..3 {
            err += (t[i][3] - target[i]).powi(2);
        }
        let limits: f64 = q
            .iter()
            .map(|&v| {
                if v.abs() > 1.0 {
                    (v.abs() - 1.0).powi(2)
                } else {
                    0.0
                }
            })
            .sum();
        err + 5.0 * limits
    }

    #[test]
    fn denavit_hartenberg() {
        let links = [(0.3, 0.0, 1.57), (0.0, 0.5, 0.0), (0.0, 0.4, -0.4)];
        crate::check::scalar!(
            reach_error,
            (&links, [0.4, 0.2, 0.6]),
            &vec![0.3, -0.6, 1.2]
        );
    }
}
