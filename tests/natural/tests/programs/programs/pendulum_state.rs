//! Student: double pendulum, update method, history vector, prints; degrees of mass.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod pendulum {
    const G: f64 = 9.81;

    #[derive(Clone, Debug)]
    pub struct DoublePendulum {
        m: [f64; 2],
        l: [f64; 2],
        theta: [f64; 2],
        omega: [f64; 2],
        history: Vec<[f64; 2]>,
    }

    impl DoublePendulum {
        pub fn new(m1: f64, m2: f64, l1: f64, l2: f64) -> Self {
            DoublePendulum { m: [m1, m2], l: [l1, l2], theta: [1.0, 0.5], omega: [0.0; 2], history: vec![] }
        }
        fn accel(&self) -> (f64, f64) {
            let [m1, m2] = self.m;
            let [l1, l2] = self.l;
            let [a, b] = self.theta;
            let [wa, wb] = self.omega;
            let d = a - b;
            let den = 2.0 * m1 + m2 - m2 * (2.0 * d).cos();
            let aa = (-G * (2.0 * m1 + m2) * a.sin() - m2 * G * (a - 2.0 * b).sin()
                - 2.0 * d.sin() * m2 * (wb * wb * l2 + wa * wa * l1 * d.cos())) / (l1 * den);
            let ab = (2.0 * d.sin() * (wa * wa * l1 * (m1 + m2) + G * (m1 + m2) * a.cos() + wb * wb * l2 * m2 * d.cos())) / (l2 * den);
            (aa, ab)
        }
        pub fn step(&mut self, dt: f64) -> &mut Self {
            let acc = self.accel();
            self.omega[0] += acc.0 * dt;
            self.omega[1] += acc.1 * dt;
            for i in 0..2 {
                self.theta[i] += self.omega[i] * dt;
            }
            self.history.push(self.theta);
            self
        }
        pub fn energy(&self) -> f64 {
            let y1 = -self.l[0] * self.theta[0].cos();
            let y2 = y1 - self.l[1] * self.theta[1].cos();
            G * (self.m[0] * y1 + self.m[1] * y2)
        }
    }

    pub fn path_length(m1: f64, m2: f64, l1: f64, l2: f64) -> f64 {
        let mut p = DoublePendulum::new(m1, m2, l1, l2);
        for _ in 0..50 {
            p.step(0.01).step(0.005);
        }
        let mut len = 0.0;
        for i in 1..p.history.len() {
            let [a0, b0] = p.history[i - 1];
            let [a1, b1] = p.history[i];
            len += ((a1 - a0).powi(2) + (b1 - b0).powi(2)).sqrt();
        }
        println!("{:?}", p.history.last());
        len + 0.01 * p.energy()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [1.0, 2.0, 0.7, 0.5];
    let (a, b, c, d) = gradient(pendulum::path_length::AD, NoPrep, &AutoSource::new(), &(1.0, 2.0, 0.7, 0.5))?;
    check("65", &[a, b, c, d], &fd(|x| pendulum::path_length(x[0], x[1], x[2], x[3]), &x));
    Ok(())
}
