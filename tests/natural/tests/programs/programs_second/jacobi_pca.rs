//! Principal components: covariance of points, Jacobi rotations, explained variance.
use di::prelude::*;

#[differentiable]
pub fn covariance<const D: usize>(points: &[[f64; D]]) -> [[f64; D]; D] {
    let n = points.len() as f64;
    let mut mean = [0.0; D];
    for p in points {
        for (m, v) in mean.iter_mut().zip(p) {
            *m += v / n;
        }
    }
    let mut c = [[0.0; D]; D];
    for p in points {
        for i in 0..D {
            for j in 0..D {
                c[i][j] += (p[i] - mean[i]) * (p[j] - mean[j]) / (n - 1.0);
            }
        }
    }
    c
}

#[differentiable]
pub fn eigenvalues<const D: usize>(mut a: [[f64; D]; D]) -> [f64; D] {
    'sweeps: for _ in 0..30 {
        let mut off = 0.0;
        for p in 0..D - 1 {
            for q in p + 1..D {
                off += a[p][q].powi(2);
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..D {
                    let (x, y) = (a[k][p], a[k][q]);
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for k in 0..D {
                    let (x, y) = (a[p][k], a[q][k]);
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
            }
        }
        if off < 1e-24 {
            break 'sweeps;
        }
    }
    let mut ev: [f64; D] = core::array::from_fn(|i| a[i][i]);
    ev.sort_unstable_by(|x, y| y.total_cmp(x));
    ev
}

#[differentiable]
pub fn explained(flat: &[f64]) -> f64 {
    let pts: Vec<[f64; 3]> = flat.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    let [first, rest @ ..] = eigenvalues(covariance(&pts));
    first / (first + rest.iter().sum::<f64>())
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [1.0, 0.2, 0.3, 2.0, 1.1, -0.5, -1.0, 0.4, 0.9, 0.1, -1.3, 0.6, 0.7, 0.8, -0.2];
    let g = gradient(explained::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("pca", &g, &x, |x| explained(x));
    Ok(())
}
