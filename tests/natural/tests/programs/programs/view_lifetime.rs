//! Experienced: borrowed views with lifetimes, impl IntoIterator for &View, image entropy.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod img {
    #[derive(Clone, Copy)]
    pub struct View<'a> {
        data: &'a [f64],
        width: usize,
    }

    impl<'a> View<'a> {
        pub fn new(data: &'a [f64], width: usize) -> Option<Self> {
            (data.len() % width == 0).then_some(View { data, width })
        }
        pub fn rows(&self) -> impl Iterator<Item = &'a [f64]> {
            self.data.chunks(self.width)
        }
        pub fn get(&self, r: usize, c: usize) -> Option<f64> {
            self.data.get(r * self.width + c).copied()
        }
        pub fn col(self, c: usize) -> impl Iterator<Item = f64> + 'a {
            self.data.iter().skip(c).step_by(self.width).copied()
        }
    }

    pub fn sharpness(pixels: &[f64], width: usize) -> f64 {
        let Some(v) = View::new(pixels, width) else {
            return 0.0;
        };
        let mut s = 0.0;
        for row in v.rows() {
            for (a, b) in row.iter().zip(row.iter().skip(1)) {
                s += (b - a).powi(2);
            }
        }
        for c in 0..width {
            let col: Vec<f64> = v.col(c).collect();
            s += col.windows(2).map(|w| (w[1] - w[0]).abs().sqrt()).sum::<f64>();
        }
        s + v.get(1, 1).unwrap_or(0.0) * v.get(9, 9).unwrap_or(2.0)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let px: Vec<f64> = (0..12).map(|i| ((i * 5 % 12) as f64).sqrt()).collect();
    let g = gradient(img::sharpness::AD.with(4), NoPrep, &AutoSource::new(), &px)?;
    check("71", &g, &fd(|p| img::sharpness(p, 4), &px));
    Ok(())
}
