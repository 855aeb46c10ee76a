use di::{Differentiable, differentiable};

const W: [f64; 3] = [0.5, -1.0, 2.0];

#[derive(Clone, Copy, Differentiable)]
struct Cell {
    scale: f64,
}

// a block that the compiler does not look into
const _: () = {
    #[differentiable]
    impl Cell {
        fn weigh(&self, w: &[f64]) -> f64 {
            w[0] * self.scale
        }
    }
};

#[differentiable]
fn f(cell: &Cell) -> f64 {
    cell.weigh(&W)
}

fn main() {}
