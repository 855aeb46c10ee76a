//! Gaussian process: programs of a third collection.

/// Gaussian process: negative log marginal likelihood with a squared exponential kernel.
mod squared_exponential {
    use di::prelude::*;

    #[differentiable]
    fn kernel(a: f64, b: f64, theta: &[f64]) -> f64 {
        let d = (a - b) / theta[0].exp();
        theta[1].exp() * (-0.5 * d * d).exp()
    }

    #[differentiable]
    fn cholesky(a: &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let n = a.len();
        let mut l = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let s: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
                if i == j {
                    l[i][j] = (a[i][i] - s).sqrt();
                } else {
                    l[i][j] = (a[i][j] - s) / l[j][j];
                }
            }
        }
        l
    }

    #[differentiable]
    fn solve_lower(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..b.len() {
            for j in 0..i {
                x[i] -= l[i][j] * x[j];
            }
            x[i] /= l[i][i];
        }
        x
    }

    #[differentiable]
    fn gp_nll(theta: &[f64], #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
        let n = xs.len();
        let noise = theta[2].exp();
        let mut k = Vec::new();
        for i in 0..n {
            let mut row = Vec::new();
            for j in 0..n {
                row.push(kernel(xs[i], xs[j], theta) + if i == j { noise } else { 0.0 });
            }
            k.push(row);
        }
        let l = cholesky(&k);
        let z = solve_lower(&l, ys);
        let fit: f64 = z.iter().map(|z| z * z).sum();
        let logdet = 2.0
            * l.iter()
                .enumerate()
                .map(|(i, row)| row[i].ln())
                .sum::<f64>();
        0.5 * (fit + logdet + n as f64 * (2.0 * std::f64::consts::PI).ln())
    }

    #[test]
    fn squared_exponential() {
        let xs = [0.0, 0.4, 1.1, 1.9, 2.5];
        let ys = [0.1, 0.5, 0.9, 0.8, 0.3];
        crate::check::scalar!(gp_nll, (&xs, &ys), &vec![-0.1, 0.3, -2.0]);
    }
}
