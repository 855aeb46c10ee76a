use di::differentiable;

#[differentiable]
mod model {
    pub trait Law {
        fn at(&self, x: f64) -> f64;
    }

    pub struct Linear(pub f64);

    impl Law for Linear {
        fn at(&self, x: f64) -> f64 {
            self.0 * x
        }
    }

    pub fn g(x: f64, law: &dyn Law) -> f64 {
        law.at(x)
    }
}

struct Square;

impl model::Law for Square {
    fn at(&self, x: f64) -> f64 {
        x * x
    }
}

fn main() {}
