//! Derivatives by central differences with Richardson extrapolation. Slow, for tests.

use crate::samples::Sample;

/// Widest step: inside all domains' margins.
const STEP: f64 = 0.005;

/// The function itself, by std for methods.
pub(crate) fn value(sample: &Sample, x: &[f64]) -> f64 {
    let name = sample.row.name;
    let value = match name {
        "neg" => Some(-x[0]),
        "add" => Some(x[0] + x[1]),
        "sub" => Some(x[0] - x[1]),
        "mul" => Some(x[0] * x[1]),
        "div" => Some(x[0] / x[1]),
        "rem" => Some(x[0] % x[1]),
        _ => di_elementary::evaluate(name, x, sample.n),
    };
    value.unwrap_or_else(|| panic!("`{name}` is in the table"))
}

fn moved(x: &[f64], steps: &[(usize, f64)]) -> Vec<f64> {
    let mut x = x.to_vec();
    for &(i, h) in steps {
        x[i] += h;
    }
    x
}

/// Extrapolates a difference whose error is even in the step, from three halvings.
fn richardson(difference: impl Fn(f64) -> f64) -> f64 {
    let [a, b, c] = [
        difference(STEP),
        difference(STEP / 2.0),
        difference(STEP / 4.0),
    ];
    let (ab, bc) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
    (16.0 * bc - ab) / 15.0
}

/// First derivative by argument `i`.
pub(crate) fn first(sample: &Sample, i: usize) -> f64 {
    let f = |steps: &[(usize, f64)]| value(sample, &moved(&sample.x, steps));
    richardson(|h| (f(&[(i, h)]) - f(&[(i, -h)])) / (2.0 * h))
}

/// Second derivative by arguments `i` and `j`.
pub(crate) fn second(sample: &Sample, i: usize, j: usize) -> f64 {
    let f = |steps: &[(usize, f64)]| value(sample, &moved(&sample.x, steps));
    if i == j {
        richardson(|h| (f(&[(i, h)]) - 2.0 * f(&[]) + f(&[(i, -h)])) / (h * h))
    } else {
        richardson(|h| {
            let (same, other) = (
                f(&[(i, h), (j, h)]) + f(&[(i, -h), (j, -h)]),
                f(&[(i, h), (j, -h)]) + f(&[(i, -h), (j, h)]),
            );
            (same - other) / (4.0 * h * h)
        })
    }
}
