//! Engineer: road alignment, elements as an enum, stations by an iterator with scan.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod road {
    #[derive(Clone, Copy, Debug)]
    pub enum Element {
        Straight { length: f64 },
        Arc { length: f64, radius: f64 },
        Clothoid { length: f64, k0: f64, k1: f64 },
    }

    impl Element {
        fn length(&self) -> f64 {
            match *self {
                Element::Straight { length } | Element::Arc { length, .. } | Element::Clothoid { length, .. } => length,
            }
        }
        fn curvature(&self, s: f64) -> f64 {
            match self {
                Element::Straight { .. } => 0.0,
                Element::Arc { radius, .. } => 1.0 / radius,
                Element::Clothoid { length, k0, k1 } => k0 + (k1 - k0) * s / length,
            }
        }
    }

    #[derive(Clone, Copy)]
    pub struct Pose {
        x: f64,
        y: f64,
        heading: f64,
    }

    fn drive(start: Pose, e: &Element, n: usize) -> Pose {
        let ds = e.length() / n as f64;
        let mut pose = start;
        for i in 0..n {
            let k = e.curvature((i as f64 + 0.5) * ds);
            let mid = pose.heading + 0.5 * k * ds;
            pose = Pose { x: pose.x + ds * mid.cos(), y: pose.y + ds * mid.sin(), heading: pose.heading + k * ds };
        }
        pose
    }

    pub fn miss(p: &[f64]) -> f64 {
        let k = 1.0 / p[1];
        let elements = vec![
            Element::Straight { length: p[0] },
            Element::Clothoid { length: p[2], k0: 0.0, k1: k },
            Element::Arc { length: p[3], radius: p[1] },
            Element::Clothoid { length: p[2], k0: k, k1: 0.0 },
        ];
        let end = elements.iter().fold(Pose { x: 0.0, y: 0.0, heading: 0.1 }, |pose, e| drive(pose, e, 20));
        (end.x - 300.0).powi(2) + (end.y - 150.0).powi(2) + 100.0 * (end.heading - 1.0).powi(2)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let p = [80.0, 220.0, 60.0, 120.0];
    let g = gradient(road::miss::AD, NoPrep, &AutoSource::new(), &p)?;
    check("27", &g, &fd(road::miss, &p));
    Ok(())
}
