//! Complementary filter for an inertial unit; tuning of its gain and of the sensor's bias.
use di::prelude::*;

#[derive(Clone, Copy, Debug)]
struct Sample {
    dt: f64,
    gyro: f64,
    ax: f64,
    az: f64,
    truth: f64,
}

fn recording() -> Vec<Sample> {
    let mut v = Vec::new();
    let mut t: f64 = 0.0;
    while t < 2.0 {
        let truth = 0.5 * (2.0 * t).sin();
        v.push(Sample {
            dt: 0.05,
            gyro: (2.0 * t).cos() + 0.03,
            ax: -truth.sin() + 0.05 * (31.0 * t).sin(),
            az: truth.cos() + 0.05 * (17.0 * t).cos(),
            truth,
        });
        t += 0.05;
    }
    v
}

#[derive(Clone, Differentiable)]
struct Filter {
    gain: f64,
    bias: f64,
    angle: f64,
}

#[differentiable]
impl Filter {
    fn new(gain: f64, bias: f64) -> Self {
        Self { gain, bias, angle: 0.0 }
    }

    fn update(&mut self, #[constant] s: &Sample) -> f64 {
        let from_accel = (-s.ax).atan2(s.az);
        let predicted = self.angle + (s.gyro - self.bias) * s.dt;
        self.angle = self.gain * predicted + (1.0 - self.gain) * from_accel;
        self.angle
    }
}

#[differentiable]
fn rms(gain: f64, bias: f64, #[constant] samples: &[Sample]) -> f64 {
    let mut f = Filter::new(gain, bias);
    let sq: f64 = samples.iter().map(|s| (f.update(s) - s.truth).powi(2)).sum();
    (sq / samples.len() as f64).sqrt()
}

pub(super) fn main() -> Result<(), di::Error> {
    let rec = recording();
    let g = gradient(rms::AD.with(&rec), NoPrep, &AutoSource::new(), &(0.95, 0.01))?;
    super::check_of("gyro", &[g.0, g.1], &[0.95, 0.01], |x| rms(x[0], x[1], &rec));
    let h = hessian(rms::AD.with(&rec), NoPrep, &AutoSource::new(), &(0.95, 0.01))?;
    let gr = |x: &[f64]| gradient(rms::AD.with(&rec), NoPrep, &AutoSource::new(), &(x[0], x[1])).unwrap();
    super::check_jac("gyro h", |i, j| h[(i, j)], &[0.95, 0.01], |x| vec![gr(x).0, gr(x).1]);
    Ok(())
}
