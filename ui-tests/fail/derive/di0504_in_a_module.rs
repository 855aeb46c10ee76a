#![allow(warnings)]

use di::differentiable;

#[differentiable]
mod model {
    // holds itself, so that it cannot be derived: without a mark, the derivative by it would be lost
    #[derive(Clone)]
    pub enum Tree {
        Leaf(f64),
        Node(Box<Tree>),
    }

    #[derive(Clone)]
    pub struct Plant {
        pub height: f64,
        pub tree: Tree,
    }

    pub fn f(plant: &Plant) -> f64 {
        plant.height * plant.height
    }
}

fn main() {}
