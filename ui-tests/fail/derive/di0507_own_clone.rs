use di::{Differentiable, differentiable};

#[derive(Differentiable)]
struct Counted {
    z: f64,
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted { z: self.z * 2.0 }
    }
}

#[derive(Differentiable)]
struct Copied {
    z: f64,
}

#[differentiable]
impl Clone for Copied {
    fn clone(&self) -> Copied {
        Copied { z: self.z }
    }
}

#[differentiable]
mod within {
    struct Cached {
        z: f64,
        last: Vec<f64>,
    }

    impl Clone for Cached {
        fn clone(&self) -> Cached {
            Cached {
                z: self.z,
                last: Vec::new(),
            }
        }
    }

    fn f(x: f64) -> f64 {
        let c = Cached {
            z: x,
            last: vec![x],
        };
        c.clone().last[0]
    }
}

fn main() {}
