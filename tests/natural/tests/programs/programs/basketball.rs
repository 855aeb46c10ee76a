//! Student: free throw, returns Option if the ball misses; Vec of trajectory points, last/first/iter.

use di::prelude::*;
use super::{check, fd};

#[derive(Debug, Clone, Copy, Differentiable)]
struct Throw {
    speed: f64,
    angle: f64,
    height: f64,
}

#[differentiable]
fn trajectory(t: &Throw) -> Vec<(f64, f64)> {
    let mut list = Vec::new();
    let (mut x, mut y) = (0.0, t.height);
    let mut vx = t.speed * t.angle.cos();
    let mut vy = t.speed * t.angle.sin();
    while y > 0.0 && x < 10.0 {
        list.push((x, y));
        x += vx * 0.01;
        y += vy * 0.01;
        vx -= 0.02 * vx * 0.01;
        vy -= 9.81 * 0.01;
    }
    list
}

#[differentiable]
fn find_crossing(points: &Vec<(f64, f64)>, rim: f64) -> Option<f64> {
    for i in 1..points.len() {
        let (x0, y0) = points[i - 1];
        let (x1, y1) = points[i];
        if y0 >= rim && y1 < rim {
            return Some(x0 + (x1 - x0) * (y0 - rim) / (y0 - y1));
        }
    }
    None
}

#[differentiable]
fn miss(t: &Throw) -> f64 {
    let points = trajectory(t);
    let top = points.iter().map(|p| p.1).fold(0.0, f64::max);
    if let Some(x) = find_crossing(&points, 3.05) {
        (x - 4.19).powi(2) + 0.01 * top
    } else {
        100.0 - top
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    for (v, a) in [(7.3, 0.9), (3.0, 0.5)] {
        let t = Throw { speed: v, angle: a, height: 2.1 };
        let g = gradient(miss::AD, NoPrep, &AutoSource::new(), &t)?;
        check("45", &[g.speed, g.angle, g.height], &fd(|x| miss(&Throw { speed: x[0], angle: x[1], height: x[2] }), &[v, a, 2.1]));
    }
    Ok(())
}
