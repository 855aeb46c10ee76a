//! Climate, seismology, heat, traffic and images: models as structs.

/// Rigid registration of images by bilinear interpolation.
mod registration {
    use crate::check::scalar;
    use di::prelude::*;

    pub struct Image {
        pub width: usize,
        pub height: usize,
        pub pixels: Vec<f64>,
    }

    impl Image {
        pub fn at(&self, x: isize, y: isize) -> f64 {
            let x = x.clamp(0, self.width as isize - 1) as usize;
            let y = y.clamp(0, self.height as isize - 1) as usize;
            self.pixels[y * self.width + x]
        }
    }

    #[differentiable]
    fn bilinear(#[constant] img: &Image, x: f64, y: f64) -> f64 {
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let (ix, iy) = (x.floor() as isize, y.floor() as isize);
        let top = (1.0 - fx) * img.at(ix, iy) + fx * img.at(ix + 1, iy);
        let bottom = (1.0 - fx) * img.at(ix, iy + 1) + fx * img.at(ix + 1, iy + 1);
        (1.0 - fy) * top + fy * bottom
    }

    #[differentiable]
    fn warp(
        pose: &[f64; 3],
        #[constant] x: f64,
        #[constant] y: f64,
        #[constant] center: (f64, f64),
    ) -> (f64, f64) {
        let [angle, tx, ty] = *pose;
        let (s, c) = angle.sin_cos();
        let (dx, dy) = (x - center.0, y - center.1);
        (
            c * dx - s * dy + center.0 + tx,
            s * dx + c * dy + center.1 + ty,
        )
    }

    #[differentiable]
    pub fn ncc(pose: &[f64; 3], #[constant] fixed: &Image, #[constant] moving: &Image) -> f64 {
        let center = (fixed.width as f64 / 2.0, fixed.height as f64 / 2.0);
        let mut warped = Vec::new();
        for j in 0..fixed.height {
            for i in 0..fixed.width {
                let (x, y) = warp(pose, i as f64, j as f64, center);
                warped.push(bilinear(moving, x, y));
            }
        }
        let n = warped.len() as f64;
        let mean_w = warped.iter().sum::<f64>() / n;
        let mean_f = fixed.pixels.iter().sum::<f64>() / n;
        let mut num = 0.0;
        let mut var_w = 0.0;
        let mut var_f = 0.0;
        for (w, f) in warped.iter().zip(fixed.pixels.iter()) {
            num += (w - mean_w) * (f - mean_f);
            var_w += (w - mean_w).powi(2);
            var_f += (f - mean_f).powi(2);
        }
        1.0 - num / (var_w * var_f).sqrt()
    }

    #[test]
    fn registration() {
        let pixels = |shift: f64| {
            (0..30)
                .map(|k| ((k % 6) as f64 * 0.9 + shift).sin() + 0.1 * ((k / 6) as f64).powi(2))
                .collect()
        };
        let fixed = Image {
            width: 6,
            height: 5,
            pixels: pixels(0.0),
        };
        let moving = Image {
            width: 6,
            height: 5,
            pixels: pixels(0.4),
        };
        scalar!(ncc, (&fixed, &moving), &[0.05, 0.33, -0.27]);
    }
}
