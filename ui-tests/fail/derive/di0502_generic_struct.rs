#![allow(warnings)]

#[derive(di::Differentiable)]
struct Params<T> {
    a: T,
}

fn main() {}
