//! What a called function returns is known from its signature, wherever it stands: no type is written at the call.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

mod geometry {
    use di::prelude::*;

    #[differentiable]
    pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }

    pub(super) mod inner {
        use di::prelude::*;

        #[differentiable]
        pub(in super::super) fn scaled<const N: usize>(x: [f64; N], k: f64) -> [f64; N] {
            let mut y = x;
            for v in &mut y {
                *v *= k;
            }
            y
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Fit {
        pub(super) slope: f64,
        pub(super) parts: [f64; 2],
    }

    #[differentiable]
    pub(super) fn fitted(x: &[f64]) -> Fit {
        Fit {
            slope: x[0] * x[1],
            parts: [x[1].sin(), x[2]],
        }
    }
}

// ---- arrays, by a path, a renamed import and an import of all ----

#[differentiable]
fn by_path(x: &[f64]) -> f64 {
    let c = geometry::cross([x[0], x[1], x[2]], [x[1], x[2], 1.0]);
    let mut sum = 0.0;
    for i in 0..3 {
        sum += c[i] * c[i];
    }
    let d = geometry::inner::scaled(c, x[0]);
    sum + d[2]
}

mod renamed {
    use super::geometry::cross as product;
    use super::geometry::*;
    use di::prelude::*;

    #[differentiable]
    pub(super) fn by_other_names(x: &[f64]) -> f64 {
        let c = product([x[0], x[1], x[2]], [x[1], x[2], 1.0]);
        let [a, b, _] = inner::scaled(c, x[1]);
        let fit = fitted(x);
        a * b + fit.slope * fit.parts[1] + fit.parts[0]
    }
}

#[test]
fn arrays_and_structs_that_calls_return() {
    use renamed::by_other_names;
    scalar!(by_path).check(&POINTS);
    scalar!(by_other_names).check(&POINTS);
}

// ---- vectors and tuples ----

#[differentiable]
fn moments(x: &[f64]) -> (f64, (Vec<f64>, usize)) {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let centred = x.iter().map(|v| v - mean).collect();
    (mean, (centred, x.len()))
}

#[differentiable]
fn of_tuples(x: &[f64]) -> f64 {
    let (mean, (centred, n)) = moments(x);
    let spread: f64 = centred.iter().map(|c| c * c).sum();
    let again = moments(&centred).1;
    mean * centred[0] + spread / n as f64 + again.0[1]
}

#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v).collect()
}

#[differentiable]
fn passed_on(x: &[f64]) -> f64 {
    doubled(&doubled(x)).iter().sum::<f64>() + doubled(x)[1]
}

#[test]
fn vectors_and_tuples_that_calls_return() {
    scalar!(of_tuples).check(&POINTS);
    scalar!(passed_on).check(&POINTS);
}

// ---- a macro of the same name, and functions without the attribute ----

macro_rules! halved {
    ($a:expr) => {
        0.5 * $a
    };
}

/// Nobody calls it from an annotated function: then the macro would be asked in its place.
#[differentiable]
fn halved(x: f64) -> f64 {
    2.0 * halved_twice(x)
}

#[differentiable]
fn halved_twice(x: f64) -> f64 {
    x * 0.25
}

/// Computes an index: it needs no attribute.
fn at(i: usize, j: usize, n: usize) -> usize {
    i * n + j
}

/// Computes a weight of constants.
fn weight(k: usize, scale: f64) -> f64 {
    scale / (1.0 + k as f64)
}

#[differentiable]
fn with_helpers(x: &[f64], #[constant] scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..1 {
        for j in 0..x.len() {
            sum += weight(j + 1, scale) * x[at(i, j, x.len())].sin();
        }
    }
    sum * x[at(0, 1, 2)]
}

#[test]
fn functions_without_the_attribute_compute_indices_and_constants() {
    assert_eq!(halved!(3.0), halved(3.0));
    let f = with_helpers::AD.with(1.5);
    scalar!(f, |x: &[f64]| with_helpers(x, 1.5)).check(&POINTS);
}

// ---- everything inside of a function, as in tests and in examples of documentation ----

#[test]
fn functions_in_the_body_of_a_test() {
    #[differentiable]
    fn outer(x: &[f64]) -> f64 {
        let pair = below(x);
        pair[0] * pair[1]
    }
    #[differentiable]
    fn below(x: &[f64]) -> [f64; 2] {
        [x[0] * x[1], x[2].exp()]
    }
    scalar!(outer).check(&POINTS);
}

// ---- aliases, and enums as parameters ----

#[differentiable]
type Matrix = [[f64; 2]; 2];

#[differentiable]
fn turned(m: Matrix, angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let mut out = [[0.0; 2]; 2];
    for i in 0..2 {
        out[i][0] = c * m[i][0] - s * m[i][1];
        out[i][1] = s * m[i][0] + c * m[i][1];
    }
    out
}

#[derive(Clone, Copy)]
enum Norm {
    Sum,
    Largest,
}

#[differentiable]
fn measured(m: Matrix, norm: Norm) -> f64 {
    match norm {
        Norm::Sum => m[0][0] * m[1][1] + m[0][1],
        Norm::Largest => m[0][0].max(m[1][0]),
    }
}

#[differentiable]
fn of_matrices(x: &[f64]) -> f64 {
    let m = [[x[0], x[1]], [x[1], x[2]]];
    let t: Matrix = turned(turned(m, x[0]), 0.3);
    measured(t, Norm::Sum) + measured(t, Norm::Largest)
}

#[test]
fn aliases_that_are_annotated_and_enums_as_parameters() {
    scalar!(of_matrices).check(&POINTS);
}
