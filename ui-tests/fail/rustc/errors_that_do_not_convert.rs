//! Of what `?` cannot return rustc says something else in a closure.

use di::differentiable;

#[differentiable]
fn root(x: f64) -> Result<f64, i32> {
    if x > 0.0 { Ok(x.sqrt()) } else { Err(1) }
}

#[differentiable]
fn bound(x: f64) -> Result<f64, String> {
    let y = root(x)?;
    Ok(y * 2.0)
}

#[differentiable]
fn in_the_tail(x: f64) -> Result<f64, String> {
    Ok(root(x)? * 2.0)
}

#[differentiable]
fn boxed(x: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let y = root(x)?;
    Ok(y)
}

#[differentiable]
fn result_in_option(x: f64) -> Option<f64> {
    let y = root(x)?;
    Some(y)
}

fn main() {}
