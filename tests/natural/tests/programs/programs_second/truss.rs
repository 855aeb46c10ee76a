//! A pin-jointed truss: potential energy of its bars.
use di::prelude::*;
use truss::energy;

#[differentiable]
pub mod truss {
    pub struct Truss {
        pub bars: Vec<(usize, usize)>,
        pub rest: Vec<f64>,
        pub stiffness: f64,
    }

    type Point = (f64, f64);

    impl Truss {
        /// A strip of squares with diagonals.
        pub fn strip(cells: usize, size: f64, stiffness: f64) -> Truss {
            let mut bars = Vec::new();
            for i in 0..cells {
                bars.push((2 * i, 2 * i + 1));
                bars.push((2 * i, 2 * i + 2));
                bars.push((2 * i + 1, 2 * i + 3));
                bars.push((2 * i, 2 * i + 3));
            }
            bars.push((2 * cells, 2 * cells + 1));
            let rest = bars.iter().map(|&(a, b)| if b - a == 3 { size * 2f64.sqrt() } else { size }).collect();
            Truss { bars, rest, stiffness }
        }

        pub fn joints(&self) -> usize {
            self.bars.iter().map(|&(a, b)| a.max(b)).max().unwrap_or(0) + 1
        }
    }

    fn distance(a: Point, b: Point) -> f64 {
        (a.0 - b.0).hypot(a.1 - b.1)
    }

    pub fn energy(x: &[f64], cells: usize, gravity: f64) -> f64 {
        let truss = Truss::strip(cells, 1.0, 50.0);
        assert_eq!(x.len(), 2 * truss.joints());
        let points: Vec<Point> = x.chunks(2).map(|c| (c[0], c[1])).collect();
        let elastic: f64 = truss
            .bars
            .iter()
            .zip(&truss.rest)
            .map(|(&(a, b), l0)| 0.5 * truss.stiffness * (distance(points[a], points[b]) - l0).powi(2))
            .sum();
        elastic + gravity * points.iter().map(|p| p.1).sum::<f64>()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = vec![0.0, 0.0, 0.02, 1.0, 1.01, 0.03, 0.97, 1.1, 2.0, 0.05, 2.02, 0.9];
    let f = energy::AD.with(2).fix_gravity(0.3);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("truss", &g, &x, |x| energy(x, 2, 0.3));
    Ok(())
}
