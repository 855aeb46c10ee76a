//! AC power flow mismatch of a small grid.
use di::prelude::*;
use grid::{Bus, Grid, Line, mismatch};

#[differentiable]
pub mod grid {
    use std::collections::{BTreeMap, HashSet};

    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Bus {
        Slack { voltage: f64 },
        Generator { power: f64, voltage: f64 },
        Load { p: f64, q: f64 },
    }

    #[derive(Debug, Clone)]
    pub struct Line {
        pub from: usize,
        pub to: usize,
        pub r: f64,
        pub x: f64,
    }

    pub struct Grid {
        pub buses: Vec<Bus>,
        pub lines: Vec<Line>,
    }

    impl Grid {
        fn admittance(&self) -> BTreeMap<(usize, usize), (f64, f64)> {
            let mut y: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
            for line in &self.lines {
                let z2 = line.r.powi(2) + line.x.powi(2);
                let (g, b) = (line.r / z2, -line.x / z2);
                for (i, j) in [(line.from, line.to), (line.to, line.from)] {
                    let off = y.entry((i, j)).or_insert((0.0, 0.0));
                    off.0 -= g;
                    off.1 -= b;
                    let diag = y.entry((i, i)).or_default();
                    diag.0 += g;
                    diag.1 += b;
                }
            }
            y
        }

        pub fn is_connected(&self) -> bool {
            let mut seen = HashSet::from([0]);
            let mut stack = vec![0];
            while let Some(at) = stack.pop() {
                for line in &self.lines {
                    for (a, b) in [(line.from, line.to), (line.to, line.from)] {
                        if a == at && seen.insert(b) {
                            stack.push(b);
                        }
                    }
                }
            }
            seen.len() == self.buses.len()
        }
    }

    fn voltages(grid: &Grid, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let n = grid.buses.len();
        let mut v = vec![1.0; n];
        let mut theta = vec![0.0; n];
        let mut unknowns = x.iter();
        for (i, bus) in grid.buses.iter().enumerate() {
            match bus {
                Bus::Slack { voltage } => v[i] = *voltage,
                Bus::Generator { voltage, .. } => {
                    v[i] = *voltage;
                    theta[i] = *unknowns.next().unwrap();
                }
                Bus::Load { .. } => {
                    theta[i] = *unknowns.next().unwrap();
                    v[i] = *unknowns.next().unwrap();
                }
            }
        }
        (v, theta)
    }

    pub fn mismatch(x: &[f64], #[constant] grid: &Grid) -> Vec<f64> {
        assert!(grid.is_connected());
        let (v, theta) = voltages(grid, x);
        let n = v.len();
        let mut p = vec![0.0; n];
        let mut q = vec![0.0; n];
        for (&(i, j), &(g, b)) in &grid.admittance() {
            let d = theta[i] - theta[j];
            p[i] += v[i] * v[j] * (g * d.cos() + b * d.sin());
            q[i] += v[i] * v[j] * (g * d.sin() - b * d.cos());
        }
        let mut out = vec![];
        for (i, bus) in grid.buses.iter().enumerate() {
            match *bus {
                Bus::Slack { .. } => (),
                Bus::Generator { power, .. } => out.push(p[i] - power),
                Bus::Load { p: pl, q: ql } => {
                    out.push(p[i] + pl);
                    out.push(q[i] + ql);
                }
            }
        }
        out
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let grid = Grid {
        buses: vec![
            Bus::Slack { voltage: 1.05 },
            Bus::Generator { power: 0.5, voltage: 1.02 },
            Bus::Load { p: 0.6, q: 0.25 },
        ],
        lines: vec![
            Line { from: 0, to: 1, r: 0.02, x: 0.06 },
            Line { from: 1, to: 2, r: 0.05, x: 0.2 },
            Line { from: 0, to: 2, r: 0.03, x: 0.1 },
        ],
    };
    let x = vec![0.01, -0.05, 0.97];
    let j = jacobian(mismatch::AD.with(&grid), NoPrep, &AutoSource::new(), &x)?;
    super::check_jac("ac_grid", |k, i| j[(k, i)], &x, |x| mismatch(x, &grid));
    Ok(())
}
