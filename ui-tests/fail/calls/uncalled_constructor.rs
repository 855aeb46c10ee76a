//! A constructor that its module does not call, and that cannot be read, is left out: who needs it calls it there.

use di::prelude::*;

#[differentiable]
mod shapes {
    #[derive(Clone, Copy)]
    pub struct Circle {
        pub r: f64,
    }

    impl Circle {
        pub fn rounded(r: f64) -> Circle {
            let text = format!("{r:.3}");
            Circle {
                r: text.parse().unwrap_or(r),
            }
        }

        pub fn area(&self) -> f64 {
            3.0 * self.r * self.r
        }
    }
}

use shapes::Circle;

#[differentiable]
fn area(r: f64) -> f64 {
    let circle = Circle::rounded(r);
    circle.area()
}

fn main() {
    let _ = derivative(Circle::rounded_ad, NoPrep, &AutoSource::new(), &1.0);
}
