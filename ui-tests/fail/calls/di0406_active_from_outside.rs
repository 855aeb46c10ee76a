//! A parameter that all calls of the module pass constants to is constant; code that the module does not see may not
//! pass it anything else.

use di::differentiable;

#[differentiable]
mod model {
    fn curve(x: &[f64], t: f64) -> f64 {
        x[0] * (x[1] * t).exp()
    }

    pub fn fit(x: &[f64], #[constant] times: &[f64]) -> f64 {
        times.iter().map(|&t| curve(x, t)).sum()
    }

    #[cfg(not(test))]
    mod checks {
        #[di::differentiable]
        fn shifted(x: &[f64]) -> f64 {
            super::curve(x, x[1])
        }
    }
}

fn main() {}
