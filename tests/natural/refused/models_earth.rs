//! Climate, seismology, heat, traffic and images: models as structs. Refused: each with what the compiler says.

// E0599 no method named `len` found for opaque type `impl Iterator<Item = (f64, f64)> + '_` in the current scope
/// Line integrals through a grid of pixels, with a prior of total variation.
mod tomography {
    use crate::check::scalar;
    use di::prelude::*;

    pub struct Geometry {
        pub size: usize,
        pub angles: Vec<f64>,
        pub detectors: usize,
    }

    impl Geometry {
        fn rays(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
            self.angles.iter().flat_map(move |&a| {
                (0..self.detectors).map(move |d| (a, d as f64 - (self.detectors as f64 - 1.0) / 2.0))
            })
        }
    }

    #[differentiable]
    fn sample(image: &[f64], #[constant] n: usize, #[constant] x: f64, #[constant] y: f64) -> f64 {
        let (i, j) = (x.floor(), y.floor());
        if i < 0.0 || j < 0.0 || i as usize + 1 >= n || j as usize + 1 >= n {
            return 0.0;
        }
        let (u, v) = (x - i, y - j);
        let k = j as usize * n + i as usize;
        (1.0 - v) * ((1.0 - u) * image[k] + u * image[k + 1]) + v * ((1.0 - u) * image[k + n] + u * image[k + n + 1])
    }

    #[differentiable]
    fn project(image: &[f64], #[constant] g: &Geometry) -> Vec<f64> {
        let half = (g.size as f64 - 1.0) / 2.0;
        let mut sinogram = Vec::new();
        for (angle, s) in g.rays() {
            let (sin, cos) = angle.sin_cos();
            let mut sum = 0.0;
            for step in 0..2 * g.size {
                let t = step as f64 * 0.5 - half;
                sum += 0.5 * sample(image, g.size, half + s * cos - t * sin, half + s * sin + t * cos);
            }
            sinogram.push(sum);
        }
        sinogram
    }

    #[differentiable]
    fn total_variation(image: &[f64], #[constant] n: usize, #[constant] eps: f64) -> f64 {
        let at = |i: usize, j: usize| image[j * n + i];
        let mut tv = 0.0;
        for j in 0..n - 1 {
            for i in 0..n - 1 {
                let gx = at(i + 1, j) - at(i, j);
                let gy = at(i, j + 1) - at(i, j);
                tv += (gx * gx + gy * gy + eps * eps).sqrt();
            }
        }
        tv
    }

    #[differentiable]
    pub fn objective(image: &[f64], #[constant] g: &Geometry, #[constant] measured: &[f64], #[constant] weight: f64) -> f64 {
        let residual: f64 = project(image, g).iter().zip(measured).map(|(p, m)| (p - m).powi(2)).sum();
        0.5 * residual + weight * total_variation(image, g.size, 1e-3)
    }

    #[test]
    fn tomography() {
        let g = Geometry { size: 3, angles: vec![0.2, 1.1], detectors: 3 };
        let measured = [0.5, 0.9, 0.4, 0.6, 1.0, 0.3];
        scalar!(objective, (&g, &measured, 0.1), &[0.1, 0.6, 0.2, 0.9, 0.5, 0.3, 0.4, 0.8, 0.7]);
    }
}
