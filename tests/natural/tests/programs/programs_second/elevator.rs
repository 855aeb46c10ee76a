//! Elevator: trapezoidal speed profile sampled by an iterator, comfort cost.
use di::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Profile {
    accel: f64,
    vmax: f64,
    height: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Start,
    Cruise,
    Brake,
    Done,
}

#[differentiable]
impl Profile {
    fn peak_speed(&self) -> f64 {
        self.vmax.min((self.accel * self.height).sqrt())
    }

    fn times(&self) -> [f64; 3] {
        let v = self.peak_speed();
        let ta = v / self.accel;
        let cruise = (self.height - v * ta) / v;
        [ta, ta + cruise, 2.0 * ta + cruise]
    }

    fn phase(&self, t: f64) -> Phase {
        let [a, b, c] = self.times();
        if t < a {
            Phase::Start
        } else if t < b {
            Phase::Cruise
        } else if t < c {
            Phase::Brake
        } else {
            Phase::Done
        }
    }

    fn speed(&self, t: f64) -> f64 {
        let [_, b, c] = self.times();
        match self.phase(t) {
            Phase::Start => self.accel * t,
            Phase::Cruise => self.peak_speed(),
            Phase::Brake => self.peak_speed() - self.accel * (t - b),
            Phase::Done => 0.0 * c,
        }
    }

    fn cost(&self) -> f64 {
        let end = self.times()[2];
        let n = 50usize;
        let energy: f64 = (0..n)
            .map(|i| (i as f64 + 0.5) / n as f64 * end)
            .map(|t| self.speed(t))
            .map(|v| v * v * end / n as f64)
            .sum();
        end + 0.3 * energy + 2.0 * self.accel.powi(2)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [1.1, 2.5, 31.0];
    let f = |x: &[f64]| Profile { accel: x[0], vmax: x[1], height: x[2] };
    let g = gradient(Profile::cost_ad, NoPrep, &AutoSource::new(), &f(&x))?;
    super::check_of("elevator", &[g.accel, g.vmax, g.height], &x, |x| f(x).cost());
    Ok(())
}
