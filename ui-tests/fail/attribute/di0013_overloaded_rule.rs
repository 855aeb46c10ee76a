#![allow(warnings)]

use di::overloaded;

#[overloaded]
mod model {
    fn slope(x: f64) -> f64 {
        2.0 * x
    }

    #[di::custom_rule(partials(slope))]
    fn square(x: f64) -> f64 {
        x * x
    }

    pub fn f(x: f64) -> f64 {
        square(x) + x
    }
}

fn main() {}
