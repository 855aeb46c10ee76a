//! Bundle adjustment, the second objective of ADBench: reprojection errors and their 2 x 15 Jacobians.

mod hand;

use di::prelude::*;

use super::data::Numbers;

pub use hand::jacobian;

/// Length of a camera: rotation, centre, focal length, principal point, distortion.
pub const CAMERA: usize = 11;
/// Inputs of one residual: camera, point, weight.
pub const INPUTS: usize = CAMERA + 3 + 1;

/// `a x b`
#[differentiable]
fn cross(a: &[f64; 3], b: &[f64; 3], out: &mut [f64; 3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// `x` turned about the axis `r` by the angle `|r|` (Rodrigues).
#[differentiable]
fn rotate(r: &[f64; 3], x: &[f64; 3], out: &mut [f64; 3]) {
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    let mut turned = [0.0; 3];
    if square != 0.0 {
        let theta = square.sqrt();
        let cos = theta.cos();
        let sin = theta.sin();
        let inverse = 1.0 / theta;
        let axis = [r[0] * inverse, r[1] * inverse, r[2] * inverse];
        cross(&axis, x, &mut turned);
        let along = (axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]) * (1.0 - cos);
        for i in 0..3 {
            out[i] = x[i] * cos + turned[i] * sin + axis[i] * along;
        }
    } else {
        cross(r, x, &mut turned);
        for i in 0..3 {
            out[i] = x[i] + turned[i];
        }
    }
}

/// Where the camera sees the point.
#[differentiable]
fn project(camera: &[f64; 11], point: &[f64; 3], out: &mut [f64; 2]) {
    let rotation = [camera[0], camera[1], camera[2]];
    let centered = [
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    ];
    let mut seen = [0.0; 3];
    rotate(&rotation, &centered, &mut seen);
    let x = seen[0] / seen[2];
    let y = seen[1] / seen[2];
    let square = x * x + y * y;
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    out[0] = x * distortion * camera[6] + camera[7];
    out[1] = y * distortion * camera[6] + camera[8];
}

/// The annotated function: weighted reprojection error of one observation.
#[differentiable]
pub fn residual(
    camera: &[f64; 11],
    point: &[f64; 3],
    weight: f64,
    #[constant] feature: &[f64; 2],
    error: &mut [f64; 2],
) {
    let mut projected = [0.0; 2];
    project(camera, point, &mut projected);
    error[0] = weight * (projected[0] - feature[0]);
    error[1] = weight * (projected[1] - feature[1]);
}

/// An instance: observation `k` sees camera `k % cameras` and point `k % points`.
pub struct Instance {
    /// Cameras.
    pub cameras: Vec<[f64; CAMERA]>,
    /// Points.
    pub points: Vec<[f64; 3]>,
    /// Weights of the observations.
    pub weights: Vec<f64>,
    /// Where the points were seen.
    pub features: Vec<[f64; 2]>,
}

impl Instance {
    /// The first instance of ADBench: 49 cameras, 7776 points, 31843 observations.
    pub fn ba1() -> Self {
        Instance::read(include_str!("../../data/adbench/ba1.txt"))
    }

    /// An instance in the format of ADBench: one of each, repeated.
    ///
    /// # Panics
    /// If `text` is none.
    pub fn read(text: &str) -> Self {
        let mut numbers = Numbers::of(text);
        let [n, m, p] = [(); 3].map(|()| numbers.size());
        Instance {
            cameras: vec![std::array::from_fn(|_| numbers.float()); n],
            points: vec![std::array::from_fn(|_| numbers.float()); m],
            weights: vec![numbers.float(); p],
            features: vec![std::array::from_fn(|_| numbers.float()); p],
        }
    }

    /// Camera, point, weight and feature of an observation.
    #[inline]
    pub fn observation(&self, k: usize) -> (&[f64; CAMERA], &[f64; 3], f64, &[f64; 2]) {
        (
            &self.cameras[k % self.cameras.len()],
            &self.points[k % self.points.len()],
            self.weights[k],
            &self.features[k],
        )
    }
}

/// All errors, as one outlined function: what Jacobians are timed against.
#[inline(never)]
pub fn primal(instance: &Instance, errors: &mut [[f64; 2]]) {
    for (k, error) in errors.iter_mut().enumerate() {
        let (camera, point, weight, feature) = instance.observation(k);
        residual(camera, point, weight, feature, error);
    }
}

/// Rows of the Jacobian of the instance's observation, as published with ADBench's data.
pub const REFERENCE: [[f64; INPUTS]; 2] = [
    [
        -4.61446321e2,
        1.78867928e2,
        -1.94239165e1,
        -3.06159834,
        6.39245756,
        -3.34028228,
        2.64760249e-1,
        0.417022,
        0.0,
        2.43628246e2,
        6.76486778e2,
        3.06159834,
        -6.39245756,
        3.34028228,
        2.42998782e-1,
    ],
    [
        -8.03743623e2,
        -3.09595418e2,
        6.04780285e2,
        -1.50496282e1,
        6.24848631,
        3.21947995,
        8.38196086e-1,
        0.0,
        0.417022,
        7.71294945e2,
        2.14166806e3,
        1.50496282e1,
        -6.24848631,
        -3.21947995,
        -1.65381601e-1,
    ],
];

#[cfg(test)]
mod tests {
    use super::{INPUTS, Instance, REFERENCE, jacobian, residual};
    use crate::cases::close;

    #[test]
    fn reference_values() {
        let instance = Instance::ba1();
        let (camera, point, weight, feature) = instance.observation(0);
        let mut rows = [[0.0; INPUTS]; 2];
        jacobian(camera, point, weight, feature, &mut rows);
        for (row, expected) in rows.iter().zip(&REFERENCE) {
            for (a, b) in row.iter().zip(expected) {
                assert!(close(*a, *b, 1e-8), "{a}, {b}");
            }
        }
    }

    #[test]
    fn without_rotation() {
        let instance = Instance::ba1();
        let (camera, point, weight, feature) = instance.observation(0);
        let mut camera = *camera;
        camera[..3].fill(0.0);
        let mut rows = [[0.0; INPUTS]; 2];
        jacobian(&camera, point, weight, feature, &mut rows);
        for k in 3..14 {
            let h = 1e-6;
            let at = |t: f64| {
                let (mut camera, mut point) = (camera, *point);
                if k < 11 {
                    camera[k] += t;
                } else {
                    point[k - 11] += t;
                }
                let mut error = [0.0; 2];
                residual(&camera, &point, weight, feature, &mut error);
                error
            };
            let (right, left) = (at(h), at(-h));
            for r in 0..2 {
                let fd = (right[r] - left[r]) / (2.0 * h);
                assert!(close(fd, rows[r][k], 1e-6), "{k}: {fd}, {}", rows[r][k]);
            }
        }
    }
}
