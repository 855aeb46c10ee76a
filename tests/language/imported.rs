//! Methods and operators of a type of another file.

mod space;

use crate::imported::space::Point;
use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

#[derive(Clone, Debug, Differentiable)]
struct Planet {
    at: Point,
    speed: Point,
    mass: f64,
}

/// The type of the fields is not named here.
#[differentiable]
fn energy(planets: &[Planet]) -> f64 {
    let mut sum = 0.0;
    for (k, p) in planets.iter().enumerate() {
        sum += 0.5 * p.mass * p.speed.dot(p.speed);
        for q in &planets[..k] {
            let r = (p.at - q.at) * 2.0;
            sum -= p.mass * q.mass / (r.dot(r) + 0.1).sqrt();
        }
    }
    sum
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let (a, b) = (Point { x: x[0], y: x[1] }, Point { x: x[2], y: 0.3 });
    let mid = 0.5 * (a + b) - -a.turned() * x[2];
    let [u, v] = mid.parts();
    let planets = [
        Planet {
            at: a,
            speed: mid,
            mass: x[1],
        },
        Planet {
            at: b,
            speed: b - a,
            mass: 1.5,
        },
    ];
    energy(&planets) + u * v + a.dot(b) * x[0]
}

#[test]
fn methods_and_operators_of_another_file() {
    scalar!(moved).row(296).check(&POINTS);
}
