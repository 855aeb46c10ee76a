//! First year: throwing a ball with air drag, Euler steps, until it hits the ground.

use di::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Ball {
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
}

#[differentiable]
impl Ball {
    fn new(speed: f64, angle: f64) -> Ball {
        Ball { x: 0.0, y: 1.8, vx: speed * angle.cos(), vy: speed * angle.sin() }
    }

    fn step(&mut self, dt: f64, drag: f64) {
        let v = (self.vx * self.vx + self.vy * self.vy).sqrt();
        self.x += self.vx * dt;
        self.y += self.vy * dt;
        self.vx -= drag * v * self.vx * dt;
        self.vy -= (9.81 + drag * v * self.vy) * dt;
    }

    fn is_flying(&self) -> bool {
        self.y > 0.0
    }
}

#[differentiable]
fn distance(speed: f64, angle: f64, drag: f64) -> f64 {
    let mut ball = Ball::new(speed, angle);
    let mut old = ball;
    while ball.is_flying() {
        old = ball;
        ball.step(0.01, drag);
    }
    // interpolate the landing point
    let f = old.y / (old.y - ball.y);
    old.x + f * (ball.x - old.x)
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = (12.0, 0.8, 0.02);
    let g = gradient(distance::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("throw", &[g.0, g.1, g.2], &[12.0, 0.8, 0.02], |x| distance(x[0], x[1], x[2]));
    Ok(())
}
