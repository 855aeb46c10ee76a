//! Student: fuzzy c-means with 2D arrays, iter_mut, normalise rows, while error > tol.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn dist2(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let mut d = 0.0;
    for i in 0..2 {
        d += (a[i] - b[i]) * (a[i] - b[i]);
    }
    d
}

#[differentiable]
fn memberships(points: &Vec<[f64; 2]>, centers: &[[f64; 2]; 2]) -> Vec<[f64; 2]> {
    let mut u = vec![[0.0; 2]; points.len()];
    for (row, p) in u.iter_mut().zip(points) {
        for (value, c) in row.iter_mut().zip(centers) {
            *value = 1.0 / (dist2(p, c) + 0.001);
        }
        let sum: f64 = row.iter().sum();
        for v in row.iter_mut() {
            *v /= sum;
        }
    }
    u
}

#[differentiable]
fn cluster(points: &Vec<[f64; 2]>) -> f64 {
    let mut centers = [points[0], points[points.len() - 1]];
    let mut change = 1.0;
    let mut rounds = 0;
    while change > 1e-13 && rounds < 300 {
        let u = memberships(points, &centers);
        let mut new = [[0.0; 2]; 2];
        let mut weight = [0.0; 2];
        for (p, row) in points.iter().zip(u.iter()) {
            for c in 0..2 {
                let w = row[c].powi(2);
                weight[c] += w;
                new[c][0] += w * p[0];
                new[c][1] += w * p[1];
            }
        }
        change = 0.0;
        for c in 0..2 {
            new[c].iter_mut().for_each(|v| *v /= weight[c]);
            change += dist2(&new[c], &centers[c]).sqrt();
        }
        centers = new;
        rounds += 1;
    }
    dist2(&centers[0], &centers[1]).sqrt()
}

pub(super) fn main() -> Result<(), di::Error> {
    let pts = vec![[0.1, 0.2], [0.4, -0.1], [0.0, 0.5], [3.0, 2.8], [2.7, 3.3], [3.2, 3.0]];
    let g = gradient(cluster::AD, NoPrep, &AutoSource::new(), &pts)?;
    let got: Vec<f64> = g.concat();
    let want = fd(|x| cluster(&x.chunks(2).map(|c| [c[0], c[1]]).collect()), &pts.concat());
    check("68", &got, &want);
    Ok(())
}
