//! Frost on a window: grid struct with signed coordinates and Option neighbours, diffusion limited growth.
use di::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Grid {
    #[constant]
    width: usize,
    #[constant]
    height: usize,
    cells: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn get(&self, x: i32, y: i32) -> Option<f64> {
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
            None
        } else {
            Some(self.cells[y as usize * self.width + x as usize])
        }
    }

    fn neighbours(&self, x: i32, y: i32) -> impl Iterator<Item = f64> + '_ {
        [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter_map(move |(dx, dy)| self.get(x + dx, y + dy))
    }

    fn step(&self, rate: f64, melt: f64) -> Grid {
        let mut next = self.clone();
        for y in 0..self.height as i32 {
            for x in 0..self.width as i32 {
                let c = self.get(x, y).unwrap();
                let around: f64 = self.neighbours(x, y).map(|n| n - c).sum();
                let grow = if c > 0.5 { 0.02 * c * (1.0 - c) } else { 0.0 };
                next.cells[(y * self.width as i32 + x) as usize] = c + rate * around + grow - melt * c;
            }
        }
        next
    }
}

#[differentiable]
fn frost(rate: f64, melt: f64, seed: f64) -> f64 {
    let mut g = Grid { width: 5, height: 4, cells: vec![0.1; 20] };
    g.cells[7] = seed;
    for _ in 0..8 {
        g = g.step(rate, melt);
    }
    g.cells.iter().map(|c| c * c).sum::<f64>()
}

pub(super) fn main() -> Result<(), di::Error> {
    let g = gradient(frost::AD, NoPrep, &AutoSource::new(), &(0.1, 0.02, 3.0))?;
    super::check_of("frost", &[g.0, g.1, g.2], &[0.1, 0.02, 3.0], |x| frost(x[0], x[1], x[2]));
    Ok(())
}
