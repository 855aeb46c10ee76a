//! A seeded scene: cameras on a ring around a cloud of points, and what they see, with noise and outliers.

use crate::camera::{Camera, Pixel, Point, projected};

/// Standard deviation of an observation, in pixels.
pub(crate) const NOISE: f64 = 0.5;
/// Share of observations that are wrong by up to two hundred pixels.
pub(crate) const OUTLIERS: f64 = 0.05;

/// Random numbers, the same in each run.
pub(crate) struct Random(u64);

impl Random {
    /// Uniform between -1 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Standard normal, by the method of Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let [u, v] = [(); 2].map(|()| 0.5 * (self.uniform() + 1.0));
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

/// One camera sees one point.
pub(crate) struct Observation {
    /// Index of the camera.
    pub(crate) camera: usize,
    /// Index of the point.
    pub(crate) point: usize,
    /// Where.
    pub(crate) measured: Pixel,
    /// Is it wrong? Known to the check at the end alone.
    pub(crate) is_outlier: bool,
}

/// Cameras and points.
#[derive(Clone)]
pub(crate) struct Scene {
    /// All cameras.
    pub(crate) cameras: Vec<Camera>,
    /// All points.
    pub(crate) points: Vec<Point>,
}

/// The true scene, what its cameras see, and a rough guess to begin with.
pub(crate) fn make(cameras: usize, points: usize) -> (Scene, Vec<Observation>, Scene) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let truth = Scene {
        cameras: (0..cameras)
            .map(|k| on_ring(k as f64 / cameras as f64, &mut random))
            .collect(),
        points: (0..points)
            .map(|_| std::array::from_fn(|_| 3.0 * random.uniform()))
            .collect(),
    };
    let mut observations = Vec::new();
    for (p, point) in truth.points.iter().enumerate() {
        for (c, camera) in truth.cameras.iter().enumerate() {
            // a point is seen from its side of the cloud: within 30 degrees
            let (a, b) = (point[2].atan2(point[0]), camera[5].atan2(camera[3]));
            if (a - b).cos() < 0.866 {
                continue;
            }
            let is_outlier = random.uniform().abs() < OUTLIERS;
            let measured = projected(camera, point).map(|z| {
                let wrong = if is_outlier {
                    200.0 * random.uniform()
                } else {
                    0.0
                };
                z + NOISE * random.normal() + wrong
            });
            observations.push(Observation {
                camera: c,
                point: p,
                measured,
                is_outlier,
            });
        }
    }
    let guess = Scene {
        cameras: truth.cameras.iter().map(|c| near(c, &mut random)).collect(),
        points: truth
            .points
            .iter()
            .map(|p| p.map(|x| x + 0.1 * random.uniform()))
            .collect(),
    };
    (truth, observations, guess)
}

/// A camera at this part of the ring, ten from the middle, which it looks at.
fn on_ring(part: f64, random: &mut Random) -> Camera {
    let angle = std::f64::consts::TAU * part;
    let height = 1.5 * random.uniform();
    let centre = [10.0 * angle.cos(), height, 10.0 * angle.sin()];
    let length = centre.iter().map(|x| x * x).sum::<f64>().sqrt();
    // rows of the rotation: right, down, forward
    let forward = centre.map(|x| -x / length);
    let level = forward[0].hypot(forward[2]);
    let right = [forward[2] / level, 0.0, -forward[0] / level];
    let down = [
        forward[1] * right[2] - forward[2] * right[1],
        forward[2] * right[0] - forward[0] * right[2],
        forward[0] * right[1] - forward[1] * right[0],
    ];
    let axis = axis_of([right, down, forward]);
    [
        axis[0],
        axis[1],
        axis[2],
        centre[0],
        centre[1],
        centre[2],
        800.0 + 50.0 * random.uniform(),
        -0.05 + 0.02 * random.uniform(),
        0.01 * random.uniform(),
    ]
}

/// Axis times angle of a rotation, by way of the quaternion, whose largest part is found first.
fn axis_of(m: [[f64; 3]; 3]) -> [f64; 3] {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let squares = [
        1.0 + trace,
        1.0 + 2.0 * m[0][0] - trace,
        1.0 + 2.0 * m[1][1] - trace,
        1.0 + 2.0 * m[2][2] - trace,
    ];
    let largest = (0..4).fold(
        0,
        |most, k| if squares[k] > squares[most] { k } else { most },
    );
    let (skew, sum) = (
        |i: usize, j: usize| m[j][i] - m[i][j],
        |i: usize, j: usize| m[i][j] + m[j][i],
    );
    let mut q = match largest {
        0 => [squares[0], skew(1, 2), skew(2, 0), skew(0, 1)],
        1 => [skew(1, 2), squares[1], sum(0, 1), sum(0, 2)],
        2 => [skew(2, 0), sum(0, 1), squares[2], sum(1, 2)],
        _ => [skew(0, 1), sum(0, 2), sum(1, 2), squares[3]],
    };
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q = q.map(|x| x / length);
    let sine = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    let scale = if sine > 1e-12 {
        2.0 * sine.atan2(q[0]) / sine
    } else {
        2.0
    };
    [scale * q[1], scale * q[2], scale * q[3]]
}

/// A camera that is off by about a degree, a tenth of a unit and three percent of its focal length.
fn near(camera: &Camera, random: &mut Random) -> Camera {
    let off = [0.02, 0.02, 0.02, 0.1, 0.1, 0.1, 25.0, 0.02, 0.01];
    std::array::from_fn(|k| camera[k] + off[k] * random.uniform())
}
