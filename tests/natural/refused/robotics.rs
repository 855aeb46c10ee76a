//! Robotics. Refused: each with what the compiler says.

// E0080 [DI0304] this is indexed or iterated, but its type cannot be inferred
/// Inverse dynamics of a two-link arm, Mat2 and torque vector.
mod two_link_inverse_dynamics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct ArmParams {
        m: [f64; 2],
        l: [f64; 2],
    }

    #[differentiable]
    impl ArmParams {
        fn mass_matrix(&self, q: &[f64]) -> [[f64; 2]; 2] {
            let c2 = q[1].cos();
            let [m1, m2] = self.m;
            let [l1, l2] = self.l;
            let off = m2 * (l2 * l2 + l1 * l2 * c2);
            [[m1 * l1 * l1 + m2 * (l1 * l1 + 2.0 * l1 * l2 * c2 + l2 * l2), off], [off, m2 * l2 * l2]]
        }

        fn coriolis(&self, q: &[f64], qd: &[f64]) -> [f64; 2] {
            let h = -self.m[1] * self.l[0] * self.l[1] * q[1].sin();
            [h * (2.0 * qd[0] * qd[1] + qd[1] * qd[1]), -h * qd[0] * qd[0]]
        }

        fn gravity(&self, q: &[f64]) -> [f64; 2] {
            let g = 0.98;
            let far = self.m[1] * self.l[1] * g * (q[0] + q[1]).cos();
            [(self.m[0] + self.m[1]) * self.l[0] * g * q[0].cos() + far, far]
        }
    }

    #[differentiable]
    pub fn torque(x: &[f64]) -> Vec<f64> {
        let arm = ArmParams { m: [x[6], x[7]], l: [1.0, 0.8] };
        let (q, qd, qdd) = (&x[0..2], &x[2..4], &x[4..6]);
        let m = arm.mass_matrix(q);
        let c = arm.coriolis(q, qd);
        let g = arm.gravity(q);
        (0..2).map(|i| m[i][0] * qdd[0] + m[i][1] * qdd[1] + c[i] + g[i]).collect()
    }

    #[test]
    fn two_link_inverse_dynamics() {
        vector!(torque, (), &[0.4, 0.9, 0.2, -0.3, 0.5, 0.1, 1.2, 0.7]);
    }
}

// E0277 `[[f64; 3]; 3]` is not a differentiable type
/// Hand-eye style residual: rotation by Euler angles, matrices compared.
mod hand_eye {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type R = [[f64; 3]; 3];

    #[differentiable]
    fn rx(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
    }

    #[differentiable]
    fn ry(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
    }

    #[differentiable]
    fn rz(a: f64) -> R {
        let (s, c) = a.sin_cos();
        [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    }

    #[differentiable]
    fn matmul(a: &R, b: &R) -> R {
        let mut out = [[0.0; 3]; 3];
        for (i, row) in out.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                for k in 0..3 {
                    *v += a[i][k] * b[k][j];
                }
            }
        }
        out
    }

    #[differentiable]
    fn euler(angles: &[f64]) -> R {
        matmul(&rz(angles[2]), &matmul(&ry(angles[1]), &rx(angles[0])))
    }

    #[differentiable]
    pub fn residual(x: &[f64], #[constant] pairs: &[([f64; 3], [f64; 3])]) -> Vec<f64> {
        let unknown = euler(x);
        let mut r = Vec::new();
        for (a, b) in pairs {
            let left = matmul(&euler(a), &unknown);
            let right = matmul(&unknown, &euler(b));
            for i in 0..3 {
                r.push(left[i][(i + 1) % 3] - right[i][(i + 1) % 3]);
            }
        }
        r
    }

    #[test]
    fn hand_eye() {
        let pairs = [([0.1, 0.2, 0.3], [0.2, 0.1, 0.35]), ([-0.3, 0.4, 0.1], [-0.2, 0.5, 0.0])];
        vector!(residual, (&pairs), &[0.2, -0.3, 0.5]);
    }
}
