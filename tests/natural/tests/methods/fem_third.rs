//! Fem: programs of a third collection.

/// Finite elements: a bar of areas `a` under a load, its compliance.
mod bar_compliance {
    use di::prelude::*;

    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for k in 0..n {
            for i in k + 1..n {
                let m = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= m * a[k][j];
                }
                b[i] -= m * b[k];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                b[i] -= a[i][j] * b[j];
            }
            b[i] /= a[i][i];
        }
        b
    }

    #[differentiable]
    fn compliance(areas: &[f64], #[constant] load: f64) -> f64 {
        let ne = areas.len();
        let nn = ne + 1;
        let (e, len) = (2.1, 1.0 / ne as f64);
        let mut k = vec![vec![0.0; nn]; nn];
        let mut f = vec![0.0; nn];
        for el in 0..ne {
            let stiff = e * areas[el] / len;
            let nodes = [el, el + 1];
            let ke = [[stiff, -stiff], [-stiff, stiff]];
            for (i, &gi) in nodes.iter().enumerate() {
                for (j, &gj) in nodes.iter().enumerate() {
                    k[gi][gj] += ke[i][j];
                }
                f[gi] += 0.5 * areas[el] * len;
            }
        }
        f[nn - 1] += load;
        // clamp the first node
        for j in 0..nn {
            k[0][j] = 0.0;
            k[j][0] = 0.0;
        }
        k[0][0] = 1.0;
        f[0] = 0.0;
        let u = solve(k, f.clone());
        u.iter().zip(&f).map(|(u, f)| u * f).sum()
    }

    #[test]
    fn bar_compliance() {
        crate::check::scalar!(compliance, (0.7), &vec![1.0, 0.8, 0.6, 0.5]);
    }
}
