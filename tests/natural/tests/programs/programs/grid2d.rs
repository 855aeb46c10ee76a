//! Experienced: generic 2D grid `Grid<T>` of plain data, active field in Vec; reaction-diffusion with stencil const.

use di::prelude::*;
use super::{check, fd};

#[derive(Clone)]
struct Grid<T> {
    w: usize,
    cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    fn at(&self, x: usize, y: usize) -> T {
        self.cells[y * self.w + x]
    }
    fn height(&self) -> usize {
        self.cells.len() / self.w
    }
}

const STENCIL: [(isize, isize, f64); 5] = [(0, 0, -1.0), (1, 0, 0.25), (-1, 0, 0.25), (0, 1, 0.25), (0, -1, 0.25)];

#[differentiable]
fn laplacian(u: &[f64], #[constant] mask: &Grid<bool>) -> Vec<f64> {
    let (w, h) = (mask.w as isize, mask.height() as isize);
    let mut out = vec![0.0; u.len()];
    for y in 0..h {
        for x in 0..w {
            if !mask.at(x as usize, y as usize) {
                continue;
            }
            let me = (y * w + x) as usize;
            for &(dx, dy, c) in &STENCIL {
                let (xx, yy) = ((x + dx).rem_euclid(w), (y + dy).clamp(0, h - 1));
                out[me] += c * u[(yy * w + xx) as usize];
            }
        }
    }
    out
}

#[differentiable]
fn gray_scott(feed: f64, kill: f64, #[constant] mask: &Grid<bool>, steps: usize) -> f64 {
    let n = mask.cells.len();
    let mut u = vec![1.0; n];
    let mut v: Vec<f64> = (0..n).map(|i| if i % 5 == 2 { 0.5 } else { 0.0 }).collect();
    for _ in 0..steps {
        let (lu, lv) = (laplacian(&u, mask), laplacian(&v, mask));
        for (((u, v), lu), lv) in u.iter_mut().zip(v.iter_mut()).zip(lu).zip(&lv) {
            let r = *u * *v * *v;
            *u += 0.8 * lu - r + feed * (1.0 - *u);
            *v += 0.4 * lv + r - (feed + kill) * *v;
        }
    }
    v.iter().zip(&mask.cells).filter(|(_, m)| **m).map(|(v, _)| v).sum()
}

pub(super) fn main() -> Result<(), di::Error> {
    let mask = Grid { w: 5, cells: (0..20).map(|i| i % 7 != 3).collect() };
    let (a, b) = gradient(gray_scott::AD.with(&mask, 12), NoPrep, &AutoSource::new(), &(0.04, 0.06))?;
    check("88", &[a, b], &fd(|x| gray_scott(x[0], x[1], &mask, 12), &[0.04, 0.06]));
    Ok(())
}
