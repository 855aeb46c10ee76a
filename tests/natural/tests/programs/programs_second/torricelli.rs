//! First year: how long does a tank need to drain.

use di::prelude::*;

#[differentiable]
mod tank {
    pub const G: f64 = 9.81;

    #[derive(Clone, Copy)]
    pub enum Shape {
        Cylinder(f64),
        Cone { angle: f64 },
    }

    impl Shape {
        pub fn area(&self, h: f64) -> f64 {
            match self {
                Shape::Cylinder(r) => std::f64::consts::PI * r * r,
                Shape::Cone { angle } => {
                    let r = h * angle.tan();
                    std::f64::consts::PI * r.powi(2)
                }
            }
        }
    }

    pub fn drain_time(h0: f64, hole: f64, shape: &Shape) -> f64 {
        let n = 400;
        let h_end = 0.05;
        let dh = (h0 - h_end) / n as f64;
        let mut time = 0.0;
        let mut h = h0;
        for _ in 0..n {
            let mid = h - dh / 2.0;
            let v = (2.0 * G * mid).sqrt();
            time += shape.area(mid) * dh / (hole * v);
            h -= dh;
        }
        time
    }
}

use tank::Shape;

pub(super) fn main() -> Result<(), di::Error> {
    let g = gradient(tank::drain_time::AD.fix_shape(&Shape::Cylinder(0.7)), NoPrep, &AutoSource::new(), &(2.0, 0.001))?;
    super::check_of("cyl", &[g.0, g.1], &[2.0, 0.001], |x| tank::drain_time(x[0], x[1], &Shape::Cylinder(0.7)));
    let s = Shape::Cone { angle: 0.4 };
    let g = gradient(tank::drain_time::AD.fix_shape(&s), NoPrep, &AutoSource::new(), &(2.0, 0.001))?;
    super::check_of("cone", &[g.0, g.1], &[2.0, 0.001], |x| tank::drain_time(x[0], x[1], &s));
    Ok(())
}
