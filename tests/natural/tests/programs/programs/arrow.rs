//! Student: arrow flight with drag, struct with methods that mutate.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod archery {
    #[derive(Debug, Clone)]
    pub struct Arrow {
        pub x: f64,
        pub y: f64,
        pub vx: f64,
        pub vy: f64,
        pub mass: f64,
        pub drag: f64,
    }

    impl Arrow {
        pub fn shoot(speed: f64, angle_deg: f64, mass: f64, drag: f64) -> Arrow {
            let a = angle_deg.to_radians();
            Arrow { x: 0.0, y: 1.5, vx: speed * a.cos(), vy: speed * a.sin(), mass, drag }
        }
        pub fn speed(&self) -> f64 {
            (self.vx * self.vx + self.vy * self.vy).sqrt()
        }
        pub fn update(&mut self, dt: f64) {
            let v = self.speed();
            let k = self.drag * v / self.mass;
            self.vx -= k * self.vx * dt;
            self.vy -= (9.81 + k * self.vy) * dt;
            self.x += self.vx * dt;
            self.y += self.vy * dt;
        }
    }

    /// Height at the target, 50 m away.
    pub fn height_at_target(speed: f64, angle: f64, mass: f64) -> f64 {
        let mut arrow = Arrow::shoot(speed, angle, mass, 0.00002);
        let mut last = arrow.clone();
        while arrow.x < 50.0 {
            last = arrow.clone();
            arrow.update(0.01);
        }
        let t = (50.0 - last.x) / (arrow.x - last.x);
        last.y + t * (arrow.y - last.y)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b, c) = gradient(archery::height_at_target::AD, NoPrep, &AutoSource::new(), &(55.0, 5.0, 0.02))?;
    check("23", &[a, b, c], &fd(|x| archery::height_at_target(x[0], x[1], x[2]), &[55.0, 5.0, 0.02]));
    Ok(())
}
