//! Types of fields that do not exist.

#[derive(Clone, di::Differentiable)]
struct Layer {
    w: f64,
}

#[derive(Clone, di::Differentiable)]
struct Net {
    layers: Vec<Layerr>,
    last: Leyer,
    a: f64,
}

fn main() {}
