//! Student: everything generic over Float with own trait.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
fn hypotenuse(a: f64, b: f64) -> f64 {
    return (a.powf(2.) + b.powf(2.)).powf(0.5);
}

#[differentiable]
fn heron(a: f64, b: f64, c: f64) -> Result<f64, &'static str> {
    if a + b < c || a + c < b || b + c < a {
        return Err("not a triangle");
    }
    let s: f64 = (a + b + c) / 2.;
    Ok(f64::sqrt(s * (s - a) * (s - b) * (s - c)))
}

#[differentiable]
fn angle(a: f64, b: f64, c: f64) -> f64 {
    let cos = (a.powi(2) + b.powi(2) - c.powi(2)) / (2. * a * b);
    let radians = cos.acos();
    radians * 180. / std::f64::consts::PI
}

#[differentiable]
fn tent_cost(width: f64, depth: f64, height: f64) -> f64 {
    let slope = hypotenuse(width / 2., height);
    let front = heron(width, slope, slope);
    let front = match front {
        Ok(value) => value,
        Err(message) => {
            println!("Error: {}", message);
            return -1.;
        }
    };
    let roof = 2. * slope * depth;
    let mut price = 0.;
    price += 12.5 * roof;
    price += 9.9 * front * 2.;
    let top = angle(slope, slope, width);
    if top < 60. {
        price *= 1.1;
    } else if top > 100. {
        price *= 1.05;
    } else {
        price += top;
    }
    let volume = front * depth;
    price / volume
}

pub(super) fn main() -> Result<(), di::Error> {
    for (w, d, h) in [(2.0, 2.2, 1.3), (2.0, 2.2, 2.3), (3.0, 2.0, 0.9)] {
        let (a, b, c) = gradient(tent_cost::AD, NoPrep, &AutoSource::new(), &(w, d, h))?;
        check("73", &[a, b, c], &fd(|x| tent_cost(x[0], x[1], x[2]), &[w, d, h]));
    }
    Ok(())
}
