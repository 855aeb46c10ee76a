//! Log density of a multivariate normal by a const-generic Cholesky factor.
use di::prelude::*;

#[differentiable]
mod mvn {
    #[derive(Debug, Clone, Copy)]
    pub struct Mat<const N: usize>(pub [[f64; N]; N]);

    #[derive(Debug)]
    pub enum Error {
        NotPositive { row: usize, pivot: f64 },
    }

    impl std::fmt::Display for Error {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self {
                Error::NotPositive { row, pivot } => write!(f, "pivot {pivot} in row {row}"),
            }
        }
    }

    impl std::error::Error for Error {}

    impl<const N: usize> Mat<N> {
        pub fn cholesky(&self) -> Result<Mat<N>, Error> {
            let mut l = [[0.0; N]; N];
            for i in 0..N {
                for j in 0..=i {
                    let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                    let s = self.0[i][j] - dot;
                    if i == j {
                        if s <= 0.0 {
                            return Err(Error::NotPositive { row: i, pivot: s });
                        }
                        l[i][i] = s.sqrt();
                    } else {
                        l[i][j] = s / l[j][j];
                    }
                }
            }
            Ok(Mat(l))
        }

        pub fn solve_lower(&self, b: &[f64; N]) -> [f64; N] {
            let mut y = *b;
            for i in 0..N {
                for j in 0..i {
                    y[i] -= self.0[i][j] * y[j];
                }
                y[i] /= self.0[i][i];
            }
            y
        }
    }

    pub fn log_density<const N: usize>(x: &[f64; N], mean: &[f64; N], cov: &Mat<N>) -> Result<f64, Error> {
        let l = cov.cholesky()?;
        let r: [f64; N] = std::array::from_fn(|i| x[i] - mean[i]);
        let z = l.solve_lower(&r);
        let log_det: f64 = (0..N).map(|i| l.0[i][i].ln()).sum();
        Ok(-0.5 * z.iter().map(|v| v * v).sum::<f64>() - log_det - 0.5 * N as f64 * std::f64::consts::TAU.ln())
    }

    pub fn target(p: &[f64]) -> f64 {
        let x = [p[0], p[1], p[2]];
        let c = Mat([[p[3], p[4], p[5]], [p[4], p[6], p[7]], [p[5], p[7], p[8]]]);
        log_density(&x, &[0.1, -0.2, 0.3], &c).unwrap_or(f64::NEG_INFINITY)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.5, 0.1, -0.7, 2.0, 0.3, 0.1, 1.5, -0.4, 1.2];
    let g = gradient(mvn::target::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("mvn", &g, &x, |x| mvn::target(x));
    Ok(())
}
