//! First year: Monte Carlo integral over an ellipsoid shell with my own random generator.

use di::prelude::*;

struct Rng {
    state: u64,
}

impl Rng {
    fn new(seed: u64) -> Self {
        Rng { state: seed }
    }
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 11) as f64 / (1u64 << 53) as f64
    }
    fn gauss(&mut self) -> f64 {
        let u = self.next();
        let v = self.next();
        (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
    }
}

#[differentiable]
fn expected_pay(mu: f64, sigma: f64) -> f64 {
    let mut rng = Rng::new(42);
    let mut sum = 0.0;
    let n = 500;
    for _ in 0..n {
        let x = mu + sigma * rng.gauss();
        if x > 0.0 {
            sum += x * x;
        } else {
            sum += 0.1 * x;
        }
    }
    sum / n as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let g = gradient(expected_pay::AD, NoPrep, &AutoSource::new(), &(0.3, 1.2))?;
    super::check_of("lcg", &[g.0, g.1], &[0.3, 1.2], |x| expected_pay(x[0], x[1]));
    Ok(())
}
