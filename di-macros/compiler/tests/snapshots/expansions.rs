//! Ten small functions, one for each main form of code. What is generated for them is in `expansions/`.

use di::{Differentiable, differentiable};

/// A straight line.
#[differentiable]
fn wave(x: f64, speed: f64) -> f64 {
    let phase = speed * x;
    let height = phase.sin();
    height * phase
}

/// A loop over a slice.
#[differentiable]
fn elastic(position: &[f64]) -> f64 {
    let mut energy = 0.0;
    for i in 1..position.len() {
        let stretch = position[i] - position[i - 1];
        energy += 0.5 * stretch * stretch;
    }
    energy
}

/// A branch.
#[differentiable]
fn huber(residual: f64, width: f64) -> f64 {
    let size = residual.abs();
    if size < width {
        0.5 * size * size
    } else {
        let excess = size - 0.5 * width;
        width * excess
    }
}

/// Calls of another annotated function.
#[differentiable]
fn misfit(slope: f64, offset: f64) -> f64 {
    let near = huber(offset - 1.0, 0.5);
    let far = huber(slope + offset - 3.0, 0.5);
    near + far
}

#[derive(Clone, Copy, Differentiable)]
struct Body {
    mass: f64,
    velocity: [f64; 2],
}

/// A struct.
#[differentiable]
fn kinetic(body: &Body) -> f64 {
    let [vx, vy] = body.velocity;
    let squared = vx * vx + vy * vy;
    0.5 * body.mass * squared
}

/// A tuple as the result.
#[differentiable]
fn polar(x: f64, y: f64) -> (f64, f64) {
    let radius = x.hypot(y);
    let angle = y.atan2(x);
    (radius, angle)
}

/// A chain of iterators.
#[differentiable]
fn distance(x: &[f64], y: &[f64]) -> f64 {
    let squared: f64 = x.iter().zip(y).map(|(a, b)| (a - b).powi(2)).sum();
    squared.sqrt()
}

/// An early exit.
#[differentiable]
fn growth(factors: &[f64], limit: f64) -> f64 {
    let mut size = 1.0;
    for factor in factors {
        size *= factor;
        if size > limit {
            return size.ln();
        }
    }
    size
}

/// A loop of unknown length.
#[differentiable]
fn root(square: f64) -> f64 {
    let mut guess = square;
    while (guess * guess - square).abs() > 1e-12 {
        let better = 0.5 * (guess + square / guess);
        guess = better;
    }
    guess
}

/// A matrix, and an output that is written in place.
#[differentiable]
fn apply(matrix: &[[f64; 3]; 3], x: &[f64; 3], y: &mut [f64]) {
    for i in 0..3 {
        let mut sum = 0.0;
        for j in 0..3 {
            sum += matrix[i][j] * x[j];
        }
        y[i] = sum;
    }
}
