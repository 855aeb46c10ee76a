use di::differentiable;
use shapes::Weights;

mod shapes {
    macro_rules! declare {
        () => {
            pub type Weights = [f64; 3];
        };
    }
    declare!();
}

#[differentiable]
fn f(w: &Weights) -> f64 {
    w[0] * w[1]
}

fn main() {}

// row 159 refused: aliases of arrays that a macro declares
