//! First year: three stars, leapfrog, Vec of structs.

use di::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    mass: f64,
    pos: [f64; 2],
    vel: [f64; 2],
}

#[differentiable]
fn accelerations(bodies: &Vec<Body>) -> Vec<[f64; 2]> {
    let mut acc = vec![[0.0, 0.0]; bodies.len()];
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i == j {
                continue;
            }
            let dx = bodies[j].pos[0] - bodies[i].pos[0];
            let dy = bodies[j].pos[1] - bodies[i].pos[1];
            let r3 = (dx * dx + dy * dy + 0.01).powf(1.5);
            acc[i][0] += bodies[j].mass * dx / r3;
            acc[i][1] += bodies[j].mass * dy / r3;
        }
    }
    acc
}

#[differentiable]
fn simulate(bodies: &mut Vec<Body>, dt: f64, steps: usize) {
    for _ in 0..steps {
        let acc = accelerations(bodies);
        for (b, a) in bodies.iter_mut().zip(acc.iter()) {
            for k in 0..2 {
                b.vel[k] += a[k] * dt;
                b.pos[k] += b.vel[k] * dt;
            }
        }
    }
}

#[differentiable]
fn miss(masses: &[f64]) -> f64 {
    let mut bodies = vec![];
    bodies.push(Body { mass: masses[0], pos: [0.0, 0.0], vel: [0.0, 0.0] });
    bodies.push(Body { mass: masses[1], pos: [1.0, 0.0], vel: [0.0, 1.0] });
    bodies.push(Body { mass: masses[2], pos: [-1.5, 0.2], vel: [0.1, -0.8] });
    simulate(&mut bodies, 0.02, 60);
    let last = bodies.last().unwrap();
    (last.pos[0] - bodies[1].pos[0]).powi(2) + (last.pos[1] - bodies[1].pos[1]).powi(2)
}

pub(super) fn main() -> Result<(), di::Error> {
    let m = [1.0, 0.3, 0.2];
    let g = gradient(miss::AD, NoPrep, &AutoSource::new(), &m)?;
    super::check_of("stars", &g, &m, |m| miss(m));
    Ok(())
}
