//! Of a closure rustc says something else than of a function.

use di::differentiable;

#[differentiable]
fn root(x: f64) -> Option<f64> {
    Some(x.sqrt())
}

#[differentiable]
fn f(x: f64) -> Result<f64, i32> {
    let y = root(x)?;
    Ok(y)
}

fn main() {}
