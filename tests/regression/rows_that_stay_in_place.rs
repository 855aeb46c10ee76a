//! `rows.swap(i, i)` of a vector of vectors in a struct left row `i` empty: elimination with pivoting panicked wherever
//! the pivot was on the diagonal already.

use di::prelude::*;

#[differentiable]
mod elimination {
    struct System {
        matrix: Vec<Vec<f64>>,
        rhs: Vec<f64>,
    }

    impl System {
        fn solve(mut self) -> Vec<f64> {
            let n = self.rhs.len();
            for c in 0..n {
                let mut pivot = c;
                for r in c + 1..n {
                    if self.matrix[r][c].abs() > self.matrix[pivot][c].abs() {
                        pivot = r;
                    }
                }
                self.matrix.swap(c, pivot);
                self.rhs.swap(c, pivot);
                for r in c + 1..n {
                    let factor = self.matrix[r][c] / self.matrix[c][c];
                    for k in c..n {
                        let above = self.matrix[c][k];
                        self.matrix[r][k] -= factor * above;
                    }
                    self.rhs[r] -= factor * self.rhs[c];
                }
            }
            for r in (0..n).rev() {
                let known: f64 = (r + 1..n).map(|k| self.matrix[r][k] * self.rhs[k]).sum();
                self.rhs[r] = (self.rhs[r] - known) / self.matrix[r][r];
            }
            self.rhs
        }
    }

    /// The solution of a system of two equations, `x[0] u + x[1] v = x[4]` and `x[2] u + x[3] v = x[5]`.
    pub(super) fn solution(x: &[f64]) -> Vec<f64> {
        let matrix = vec![vec![x[0], x[1]], vec![x[2], x[3]]];
        let system = System {
            matrix,
            rhs: vec![x[4], x[5]],
        };
        system.solve()
    }
}

/// `A du = db - dA u`, by Cramer's rule.
fn by_hand(x: &[f64; 6]) -> [[f64; 6]; 2] {
    let [a, b, c, d, e, f] = *x;
    let det = a * d - b * c;
    let (u, v) = ((e * d - b * f) / det, (a * f - e * c) / det);
    let inverse = [[d / det, -b / det], [-c / det, a / det]];
    inverse.map(|[p, q]| [-p * u, -p * v, -q * u, -q * v, p, q])
}

#[test]
fn a_pivot_on_the_diagonal_stays() {
    // without an exchange, and with one
    for x in [
        [3.0, 1.0, -1.0, 2.0, 0.7, 1.9],
        [0.5, 1.0, -2.0, 2.0, 0.7, 1.9],
    ] {
        let f = elimination::solution::AD;
        for backend in [AutoSource::new(), AutoSource::new().forward()] {
            let found = jacobian(f, NoPrep, &backend, &x[..]).unwrap();
            for (i, row) in by_hand(&x).iter().enumerate() {
                for (j, expected) in row.iter().enumerate() {
                    let error = (found[(i, j)] - expected).abs();
                    assert!(error < 1e-12, "{backend:?} {i} {j}: {}", found[(i, j)]);
                }
            }
        }
    }
}
