//! How far cameras and points are from the truth, after the one rotation, translation and scale that no camera sees.

use std::error::Error;

use di::prelude::*;
use faer::prelude::Solve;
use faer::{Col, Mat, Side};

use crate::camera::{Camera, turned};
use crate::scene::Scene;

/// Errors of cameras and points.
pub(crate) struct Errors {
    /// Root mean square of the centres' distances.
    pub(crate) centres: f64,
    /// Largest angle between an axis of a camera and where it is, in degrees.
    pub(crate) angle: f64,
    /// Root mean square of the points' distances.
    pub(crate) points: f64,
}

/// What is left between two places, after a similarity: rotation, translation, logarithm of the scale.
#[differentiable]
fn apart(s: &[f64; 7], #[constant] from: &[f64; 3], #[constant] to: &[f64; 3]) -> [f64; 3] {
    let axis = [s[0], s[1], s[2]];
    let scale = s[6].exp();
    let scaled = [scale * from[0], scale * from[1], scale * from[2]];
    let there = turned(&axis, &scaled);
    [
        there[0] + s[3] - to[0],
        there[1] + s[4] - to[1],
        there[2] + s[5] - to[2],
    ]
}

fn centre(camera: &Camera) -> [f64; 3] {
    [camera[3], camera[4], camera[5]]
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Direction in space of an axis of a camera.
fn axis(camera: &Camera, k: usize) -> [f64; 3] {
    let back = [-camera[0], -camera[1], -camera[2]];
    turned(&back, &std::array::from_fn(|i| f64::from(u8::from(i == k))))
}

fn mean_square<'a>(s: &[f64; 7], pairs: impl Iterator<Item = ([f64; 3], &'a [f64; 3])>) -> f64 {
    let squares = pairs.map(|(from, to)| length(apart(s, &from, to)).powi(2));
    let (sum, count) = squares.fold((0.0, 0), |(sum, n), square| (sum + square, n + 1));
    (sum / f64::from(count.max(1))).sqrt()
}

/// Aligns the centres by Gauss-Newton, and measures.
pub(crate) fn errors(found: &Scene, truth: &Scene) -> Result<Errors, Box<dyn Error>> {
    let centres: Vec<[f64; 3]> = truth.cameras.iter().map(centre).collect();
    let pairs = || found.cameras.iter().map(centre).zip(&centres);
    let (backend, mut s) = (AutoSource::new(), [0.0; 7]);
    let prep = prepare_jacobian(apart::AD.with(&[0.0; 3], &[0.0; 3]), &backend, &s)?;
    for _ in 0..10 {
        let (mut normal, mut right) = (Mat::<f64>::zeros(7, 7), Col::<f64>::zeros(7));
        for (from, to) in pairs() {
            let (r, j) = value_and_jacobian(apart::AD.with(&from, to), &prep, &backend, &s)?;
            for a in 0..7 {
                for i in 0..3 {
                    right[a] -= j[[i, a]] * r[i];
                    (0..7).for_each(|b| normal[(a, b)] += j[[i, a]] * j[[i, b]]);
                }
            }
        }
        let step = normal
            .llt(Side::Lower)
            .map_err(|e| format!("{e:?}"))?
            .solve(&right);
        (0..7).for_each(|k| s[k] += step[k]);
    }
    let turn = [s[0], s[1], s[2]];
    let angles = found.cameras.iter().zip(&truth.cameras).flat_map(|(a, b)| {
        (0..3).map(move |k| {
            let (a, b) = (turned(&turn, &axis(a, k)), axis(b, k));
            let gap = length(std::array::from_fn(|i| a[i] - b[i]));
            2.0 * (0.5 * gap).asin().to_degrees()
        })
    });
    Ok(Errors {
        centres: mean_square(&s, pairs()),
        angle: angles.fold(0.0, f64::max),
        points: mean_square(&s, found.points.iter().copied().zip(&truth.points)),
    })
}
