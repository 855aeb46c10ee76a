//! Residual blocks and Jacobian blocks of all observations, weighted by a robust loss.

use di::prelude::*;

use crate::camera::{Camera, Point, error};
use crate::scene::{Observation, Scene};

/// Where Cauchy's loss turns from square to logarithm, in pixels.
const SCALE: f64 = 2.0;

/// Cauchy's loss of a squared error, and its slope: the weight of the observation.
pub(crate) fn loss(square: f64) -> (f64, f64) {
    let ratio = square / (SCALE * SCALE);
    (0.5 * SCALE * SCALE * ratio.ln_1p(), 1.0 / (1.0 + ratio))
}

/// One observation: its weighted residuals, and their derivatives by its camera and by its point.
pub(crate) struct Block {
    /// Residuals.
    pub(crate) r: [f64; 2],
    /// Derivatives by the camera.
    pub(crate) by_camera: [[f64; 9]; 2],
    /// Derivatives by the point.
    pub(crate) by_point: [[f64; 3]; 2],
}

/// The observations, with one prep for all of their Jacobians.
pub(crate) struct Problem<'o> {
    observations: &'o [Observation],
    prep: JacobianPrep<error, AutoSource>,
    threads: usize,
}

impl<'o> Problem<'o> {
    /// Prepares for observations like these.
    pub(crate) fn new(observations: &'o [Observation], scene: &Scene) -> Result<Self, di::Error> {
        let x = (&scene.cameras[0], &scene.points[0]);
        let prep = prepare_jacobian(error::AD.with(&[0.0; 2]), &AutoSource::new(), &x)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Problem {
            observations,
            prep,
            threads,
        })
    }

    /// All observations.
    pub(crate) fn observations(&self) -> &'o [Observation] {
        self.observations
    }

    /// Squared errors in pixels.
    pub(crate) fn squares<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = f64> + 'a {
        self.observations.iter().map(|o| {
            let r = error(
                &scene.cameras[o.camera],
                &scene.points[o.point],
                &o.measured,
            );
            r[0] * r[0] + r[1] * r[1]
        })
    }

    /// The robust cost of all observations.
    pub(crate) fn cost(&self, scene: &Scene) -> f64 {
        self.squares(scene).map(|square| loss(square).0).sum()
    }

    /// All blocks, computed on all processors with a copy of the prep each.
    pub(crate) fn blocks(&self, scene: &Scene) -> Result<Vec<Block>, di::Error> {
        let backend = AutoSource::new();
        at_points(&self.prep, self.observations, self.threads, |prep, o| {
            let x: (&Camera, &Point) = (&scene.cameras[o.camera], &scene.points[o.point]);
            let f = error::AD.with(&o.measured);
            let (r, j) = value_and_jacobian(f, prep, &backend, &x)?;
            // the square root of the weight goes to residuals and derivatives alike
            let weight = loss(r[0] * r[0] + r[1] * r[1]).1.sqrt();
            Ok(Block {
                r: r.map(|r| weight * r),
                by_camera: [0, 1].map(|i| std::array::from_fn(|k| weight * j[[i, k]])),
                by_point: [0, 1].map(|i| std::array::from_fn(|k| weight * j[[i, 9 + k]])),
            })
        })
    }
}
