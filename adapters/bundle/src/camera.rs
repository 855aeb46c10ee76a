//! The camera of *Bundle Adjustment in the Large*: nine parameters, and the error of one observation.

use di::prelude::*;

/// Rotation as an axis times an angle, centre, focal length, two coefficients of radial distortion.
pub(crate) type Camera = [f64; 9];
/// A place in space.
pub(crate) type Point = [f64; 3];
/// A place in a picture, in pixels.
pub(crate) type Pixel = [f64; 2];

/// `x` turned about the axis `r` by the angle `|r|`.
#[differentiable]
pub(crate) fn turned(r: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    let cross = [
        r[1] * x[2] - r[2] * x[1],
        r[2] * x[0] - r[0] * x[2],
        r[0] * x[1] - r[1] * x[0],
    ];
    let mut y = [0.0; 3];
    if square > 1e-16 {
        let angle = square.sqrt();
        let (sin, cos) = (angle.sin() / angle, angle.cos());
        let along = (r[0] * x[0] + r[1] * x[1] + r[2] * x[2]) * (1.0 - cos) / square;
        for i in 0..3 {
            y[i] = cos * x[i] + sin * cross[i] + along * r[i];
        }
    } else {
        for i in 0..3 {
            y[i] = x[i] + cross[i];
        }
    }
    y
}

/// Where the camera sees the point, from the middle of its picture.
#[differentiable]
pub(crate) fn projected(camera: &[f64; 9], point: &[f64; 3]) -> [f64; 2] {
    let axis = [camera[0], camera[1], camera[2]];
    let from = [
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    ];
    let seen = turned(&axis, &from);
    let (u, v) = (seen[0] / seen[2], seen[1] / seen[2]);
    let square = u * u + v * v;
    let scale = camera[6] * (1.0 + square * (camera[7] + square * camera[8]));
    [scale * u, scale * v]
}

/// The error of one observation: the residual block that is differentiated.
#[differentiable]
pub(crate) fn error(
    camera: &[f64; 9],
    point: &[f64; 3],
    #[constant] measured: &[f64; 2],
) -> [f64; 2] {
    let seen = projected(camera, point);
    [seen[0] - measured[0], seen[1] - measured[1]]
}
