#![allow(warnings)]

use di::Differentiable;

// a tree
#[derive(Differentiable)]
enum Node {
    Leaf(f64),
    Sum(Box<Node>, Box<Node>),
}

#[derive(Differentiable)]
enum Signal {
    Constant(f64),
    Computed(#[constant] fn(f64) -> f64),
}

fn main() {}
