#![allow(warnings)]

#[derive(di::Differentiable)]
enum Shape {
    Circle,
}

fn main() {}
