//! Light pollution: a sum over boxed sources with different emission laws.
use di::prelude::*;

#[differentiable]
mod sky {
    pub trait Source {
        fn brightness(&self, dx: f64, dy: f64) -> f64;
        fn name(&self) -> &'static str {
            "source"
        }
    }

    pub struct Lamp {
        pub lumen: f64,
        pub height: f64,
    }
    pub struct City {
        pub population: f64,
    }

    impl Source for Lamp {
        fn brightness(&self, dx: f64, dy: f64) -> f64 {
            let d2 = dx * dx + dy * dy + self.height * self.height;
            self.lumen / d2
        }
        fn name(&self) -> &'static str {
            "lamp"
        }
    }

    impl Source for City {
        fn brightness(&self, dx: f64, dy: f64) -> f64 {
            // Walker's law
            0.01 * self.population * (dx * dx + dy * dy + 1.0).powf(-1.25)
        }
    }

    pub fn glow(p: &[f64]) -> f64 {
        let sources: Vec<(Box<dyn Source>, f64, f64)> = vec![
            (Box::new(Lamp { lumen: p[0], height: p[1] }), 0.3, 0.1),
            (Box::new(City { population: p[2] }), 12.0, -5.0),
            (Box::new(City { population: 2.0 * p[2] }), -20.0, 8.0),
        ];
        let total: f64 = sources.iter().map(|(s, x, y)| s.brightness(x - p[3], y - p[4])).sum();
        let lamps = sources.iter().filter(|(s, _, _)| s.name() == "lamp").count();
        total.ln() * -2.5 + lamps as f64
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [3.0, 0.5, 5000.0, 0.2, -0.1];
    let g = gradient(sky::glow::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("sky", &g, &x, |x| sky::glow(x));
    Ok(())
}
