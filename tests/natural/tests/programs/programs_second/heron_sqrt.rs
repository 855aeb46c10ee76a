//! First year: cube roots and square roots by Newton's method, until it does not change any more.

use di::prelude::*;

#[differentiable]
fn my_sqrt(a: f64) -> f64 {
    let mut x = a;
    let mut count = 0;
    loop {
        let new_x = 0.5 * (x + a / x);
        let diff = (new_x - x).abs();
        x = new_x;
        count += 1;
        if diff < 1e-14 || count > 100 {
            break;
        }
    }
    x
}

#[differentiable]
fn my_cbrt(a: f64) -> f64 {
    let mut x: f64 = 1.0;
    let mut old = 0.0;
    let mut n = 0;
    while (x - old).abs() > 1e-13 && n < 60 {
        old = x;
        x -= (x * x * x - a) / (3.0 * x * x);
        n += 1;
    }
    return x;
}

#[differentiable]
fn diagonal(sides: [f64; 3]) -> f64 {
    let [a, b, c] = sides;
    let d = my_sqrt(a * a + b * b + c * c);
    let v = my_cbrt(a * b * c);
    println!("diagonal {d}, edge of a cube of the same volume {v}");
    d / v
}

pub(super) fn main() -> Result<(), di::Error> {
    let s = [1.0, 2.0, 2.5];
    let g = gradient(diagonal::AD, NoPrep, &AutoSource::new(), &s)?;
    super::check_of("heron", &g, &s, |x| diagonal([x[0], x[1], x[2]]));
    Ok(())
}
