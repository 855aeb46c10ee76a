//! Structs that vary, made by functions of texts and other values without floats alone.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.73, 0.31], &[1.33, 0.64]];

#[differentiable]
mod walls {
    #[derive(Clone, Debug, Default)]
    pub(super) struct Wall {
        layers: Vec<f64>,
        label: String,
        shape: (usize, usize),
    }
    impl Wall {
        fn new(label: &str) -> Wall {
            Wall {
                label: label.to_owned(),
                ..Default::default()
            }
        }
        fn shaped(shape: (usize, usize), label: &str) -> Self {
            Wall {
                shape,
                label: label.to_string(),
                layers: vec![1.0; shape.0],
            }
        }
        fn parsed(text: &str) -> Option<Wall> {
            let mut parts = text.split(';');
            let label = parts.next()?.trim().to_string();
            let layers = parts
                .map(|p| p.parse().ok())
                .collect::<Option<Vec<f64>>>()?;
            Some(Wall {
                layers,
                label,
                shape: (1, 1),
            })
        }
        pub(super) fn preset() -> Wall {
            Wall::parsed("brick;1.0;2.5").expect("a wall")
        }
        fn with(mut self, layer: f64) -> Self {
            self.layers.push(layer);
            self
        }
        fn total(&self) -> f64 {
            self.layers.iter().sum::<f64>() * (self.shape.1 + self.label.len()) as f64
        }
    }
    pub(super) fn against(x: &[f64], #[constant] w: &Wall) -> f64 {
        w.total() * x[0] * x[1]
    }
    pub(super) fn f(x: &[f64]) -> f64 {
        let north = Wall::new("north").with(x[0]).with(x[1] * x[0]);
        let south = Wall::shaped((2, 3), "south").with(x[1].sin());
        north.total() * south.total()
    }
}

#[test]
fn structs_made_of_texts() {
    scalar!(walls::f::AD, walls::f)
        .takes_memory()
        .row(944)
        .check(&POINTS);
    let w = walls::Wall::preset();
    scalar!(walls::against::AD.with(&w), |x: &[f64]| walls::against(
        x, &w
    ))
    .check(&POINTS);
}
