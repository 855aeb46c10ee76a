//! Locals: shadowing, tuples, arrays, vectors, assignment.

use di::prelude::*;
use di_test::scalar;

#[differentiable]
fn shadowing(x: &[f64]) -> f64 {
    let y = x[0] * x[0];
    let y = y.sin() + x[1];
    let y = {
        let x = y * 2.0;
        x * x
    };
    y + x[0]
}

#[test]
fn shadowed_names() {
    scalar!(shadowing)
        .rows(&[1, 3, 10])
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn late_values(x: &[f64]) -> f64 {
    let y;
    let z: f64;
    if x[0] > 0.0 {
        y = x[0] * x[1];
        z = 1.0;
    } else {
        y = x[1].exp();
        z = x[0];
    }
    y * y + z
}

#[test]
fn locals_that_get_their_value_later() {
    scalar!(late_values)
        .row(2)
        .step(0.05)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn compound_assignment(x: &[f64]) -> f64 {
    let mut y = x[0];
    y += x[1] * x[0];
    y *= x[1];
    y -= x[0].sin();
    y /= 2.0 + x[1] * x[1];
    y %= 1.0;
    y = y * y;
    y
}

#[test]
fn assignment_and_compound_assignment_to_scalars() {
    scalar!(compound_assignment)
        .rows(&[11, 14, 15, 16])
        .step(0.01)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let (a, mut b) = (x[0] * x[1], x[0] + x[1]);
    let pair = (a.exp(), 2.0 * b);
    b *= pair.0;
    let nested = ((a, b), pair.1);
    let ((c, _), d) = nested;
    c * d + b
}

#[test]
fn tuples_and_their_fields() {
    scalar!(tuples)
        .rows(&[5, 19])
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn swapped(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    for _ in 0..3 {
        let held = a;
        a = b * 2.0;
        b = held * held;
    }
    a * b.sin()
}

#[test]
fn values_that_change_places() {
    scalar!(swapped)
        .rows(&[18, 79])
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn arrays(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1] * x[1], 3.0];
    a[0] *= a[1];
    a[2] += a[0].sin();
    let b = [0.5; 3];
    let mut s = 0.0;
    for i in 0..3 {
        s += a[i] * a[i] * b[i];
    }
    s
}

#[test]
fn local_arrays() {
    scalar!(arrays).row(21).check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn nested_arrays(x: &[f64]) -> f64 {
    let mut a = [[0.0; 2]; 2];
    a[0][0] = x[0];
    a[0][1] = x[1];
    a[1][0] = x[0] * x[1];
    a[1][1] = a[0][1] * a[0][1];
    a[0][0] * a[1][1] - a[0][1] * a[1][0] + a[1][0]
}

#[test]
fn arrays_of_arrays() {
    scalar!(nested_arrays)
        .row(22)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4]]);
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let n = x.len();
    let mut squares = vec![0.0; n];
    for i in 0..n {
        squares[i] = x[i] * x[i];
    }
    let filled = vec![x[0]; 2];
    let listed = vec![squares[0], x[1], 2.0];
    let mut s = filled[0] * filled[1];
    for i in 0..n {
        s += squares[i] * listed[i % 3];
    }
    s
}

#[test]
fn local_vectors() {
    scalar!(vectors)
        .row(36)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4, 2.0, 0.3]]);
}

#[differentiable]
fn passive_locals(x: &[f64]) -> f64 {
    let weights = [0.25, 0.5, 0.25];
    let total: f64 = weights.iter().sum();
    let longest: usize = passive(
        ["left", "middle"]
            .map(str::len)
            .into_iter()
            .max()
            .unwrap_or(0),
    );
    let mut s = 0.0;
    for i in 0..x.len() {
        s += weights[i % 3] * x[i] * x[i] * longest as f64;
    }
    s / total
}

#[test]
fn passive_code_is_any_rust() {
    scalar!(passive_locals)
        .row(111)
        .check(&[&[0.7, 1.1], &[-1.2, 0.4, 2.0, 0.3]]);
}

#[differentiable]
fn unused(x: &[f64]) -> f64 {
    let _nothing = x[0].exp();
    let y = x[1];
    y
}

#[test]
fn values_that_reach_no_result() {
    scalar!(unused).rows(&[13, 111]).check(&[&[0.7, 1.1]]);
}

#[differentiable]
fn constant_result(x: &[f64]) -> f64 {
    let _length = x.len();
    4.0
}

#[test]
fn result_that_depends_on_nothing() {
    scalar!(constant_result).row(13).check(&[&[0.7, 1.1]]);
}
