//! Functions with sparse Jacobians and Hessians.

#![allow(clippy::needless_range_loop, reason = "as in the original")]

use std::sync::LazyLock;

use di::differentiable;
use di_runtime::bound::{Bound, Open, WithOutput};
use di_runtime::operators::{Hessian, Jacobian};

use super::classes::{Binding, InPlace};
use super::default::{rows, steps};
use crate::scenario::Scenario;
use crate::subject::{Returns, Writes, returns, writes};

type Vector = Vec<f64>;
type Wide = Vec<[f64; 3]>;
type Tall = Vec<[f64; 2]>;

/// Squares of differences of neighbours.
#[differentiable]
pub fn diff_square(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len() - 1];
    for i in 0..y.len() {
        y[i] = (x[i + 1] - x[i]).powi(2);
    }
    y
}

/// Squares of differences of neighbours.
#[differentiable]
pub fn diff_square_into(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = (x[i + 1] - x[i]).powi(2);
    }
}

/// Columns of squares and cubes of differences.
#[differentiable]
pub fn diff_square_cube(x: &[f64]) -> Vec<[f64; 2]> {
    let mut y = vec![[0.0; 2]; x.len() - 1];
    for i in 0..y.len() {
        let d = x[i + 1] - x[i];
        y[i] = [d.powi(2), d.powi(3)];
    }
    y
}

/// Columns of squares and cubes of differences.
#[differentiable]
pub fn diff_square_cube_into(x: &[f64], y: &mut [[f64; 2]]) {
    for i in 0..y.len() {
        let d = x[i + 1] - x[i];
        y[i][0] = d.powi(2);
        y[i][1] = d.powi(3);
    }
}

/// Squares, then cubes, of differences of all entries.
#[differentiable]
pub fn mat_diff_square_cube(x: &[[f64; 3]]) -> Vec<f64> {
    let n = 3 * x.len() - 1;
    let mut y = vec![0.0; 2 * n];
    for i in 0..n {
        let d = x[(i + 1) / 3][(i + 1) % 3] - x[i / 3][i % 3];
        y[i] = d.powi(2);
        y[n + i] = d.powi(3);
    }
    y
}

/// Squares, then cubes, of differences of all entries.
#[differentiable]
pub fn mat_diff_square_cube_into(x: &[[f64; 3]], y: &mut [f64]) {
    let n = 3 * x.len() - 1;
    for i in 0..n {
        let d = x[(i + 1) / 3][(i + 1) % 3] - x[i / 3][i % 3];
        y[i] = d.powi(2);
        y[n + i] = d.powi(3);
    }
}

/// Columns of squares and cubes of differences of all entries.
#[differentiable]
pub fn mat_diff_columns(x: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let n = 3 * x.len() - 1;
    let mut y = vec![[0.0; 2]; n];
    for i in 0..n {
        let d = x[(i + 1) / 3][(i + 1) % 3] - x[i / 3][i % 3];
        y[i] = [d.powi(2), d.powi(3)];
    }
    y
}

/// Columns of squares and cubes of differences of all entries.
#[differentiable]
pub fn mat_diff_columns_into(x: &[[f64; 3]], y: &mut [[f64; 2]]) {
    let n = 3 * x.len() - 1;
    for i in 0..n {
        let d = x[(i + 1) / 3][(i + 1) % 3] - x[i / 3][i % 3];
        y[i][0] = d.powi(2);
        y[i][1] = d.powi(3);
    }
}

/// Sum of cubes of differences: its Hessian is tridiagonal.
#[differentiable]
pub fn sum_diff_cube(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += (x[i] - x[i - 1]).powi(3);
    }
    sum
}

/// The same of all entries.
#[differentiable]
pub fn mat_sum_diff_cube(x: &[[f64; 3]]) -> f64 {
    let mut sum = 0.0;
    for i in 1..3 * x.len() {
        sum += (x[i / 3][i % 3] - x[(i - 1) / 3][(i - 1) % 3]).powi(3);
    }
    sum
}

/// A banded matrix times the squares of `x`: `a` is a square matrix, row by row, with `band` diagonals on
/// each side.
#[differentiable]
pub fn square_map(x: &[f64], #[constant] a: &[f64], #[constant] band: usize) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        for j in i.saturating_sub(band)..(i + band + 1).min(n) {
            y[i] += a[n * i + j] * x[j] * x[j];
        }
    }
    y
}

/// The same, in place.
#[differentiable]
pub fn square_map_into(x: &[f64], #[constant] a: &[f64], #[constant] band: usize, y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in i.saturating_sub(band)..(i + band + 1).min(n) {
            y[i] += a[n * i + j] * x[j] * x[j];
        }
    }
}

/// `v^T A v` for the squares `v` of `x`.
#[differentiable]
pub fn square_form(x: &[f64], #[constant] a: &[f64], #[constant] band: usize) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        for j in i.saturating_sub(band)..(i + band + 1).min(n) {
            sum += a[n * i + j] * x[i] * x[i] * x[j] * x[j];
        }
    }
    sum
}

/// A function with its constants.
pub type WithData<H> = Returns<Bound<'static, H, (Open, ())>>;
/// Jacobians and Hessians of differences, and of a banded map with so many diagonals on each side.
pub type SparseScenarios = (
    Vec<Scenario<Jacobian, Returns<diff_square>, Vector, Vector>>,
    Vec<Scenario<Jacobian, InPlace<diff_square_into, Vector>, Vector, Vector>>,
    Vec<Scenario<Jacobian, Returns<diff_square_cube>, Vector, Tall>>,
    Vec<Scenario<Jacobian, InPlace<diff_square_cube_into, Tall>, Vector, Tall>>,
    Vec<Scenario<Jacobian, Returns<mat_diff_square_cube>, Wide, Vector>>,
    Vec<Scenario<Jacobian, InPlace<mat_diff_square_cube_into, Vector>, Wide, Vector>>,
    Vec<Scenario<Jacobian, Returns<mat_diff_columns>, Wide, Tall>>,
    Vec<Scenario<Jacobian, InPlace<mat_diff_columns_into, Tall>, Wide, Tall>>,
    Vec<Scenario<Hessian, Returns<sum_diff_cube>, Vector, f64>>,
    Vec<Scenario<Hessian, Returns<mat_sum_diff_cube>, Wide, f64>>,
    Vec<Scenario<Jacobian, WithData<square_map>, Vector, Vector>>,
    Vec<Scenario<Jacobian, IntoWithData, Vector, Vector>>,
    Vec<Scenario<Hessian, WithData<square_form>, Vector, f64>>,
);

/// How wide the bands are.
const BANDS: [usize; 3] = [5, 10, 20];
/// Size of the banded maps.
const SIZE: usize = 22;

/// The banded matrices, row by row; they live as long as the program, so that scenarios can hold them.
static MATRICES: [LazyLock<Vector>; 3] = [
    LazyLock::new(|| banded(BANDS[0])),
    LazyLock::new(|| banded(BANDS[1])),
    LazyLock::new(|| banded(BANDS[2])),
];

fn banded(band: usize) -> Vector {
    let entry = |i: usize, j: usize| {
        let inside = i.abs_diff(j) <= band;
        if inside {
            0.1 + ((7 * i + 3 * j) % 11) as f64 / 50.0
        } else {
            0.0
        }
    };
    (0..SIZE * SIZE)
        .map(|k| entry(k / SIZE, k % SIZE))
        .collect()
}

/// What binds one of the banded maps to its output.
pub type BindBanded =
    for<'o> fn(&'o mut Vector) -> WithOutput<'o, 'static, square_map_into, (Open, ()), Vector>;
/// A banded map that writes.
pub type IntoWithData = Writes<'static, BindBanded, square_map_into, (Open, ())>;

/// 20 scenarios of differences of neighbours, and 18 of banded maps; each says how many entries a sparse result
/// stores.
pub fn sparse_scenarios() -> SparseScenarios {
    let x = [1.0, 3.0, 2.0, 4.5, 5.0, 7.0];
    let d: Vector = x.windows(2).map(|w| w[1] - w[0]).collect();
    let (squares, cubes): (Vector, Vector) = d.iter().map(|d| (d * d, d * d * d)).unzip();
    let (slopes, bends): (Vector, Vector) = d.iter().map(|d| (2.0 * d, 3.0 * d * d)).unzip();
    let beside =
        |a: &[f64], b: &[f64]| -> Vector { a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect() };
    let over = |a: &[f64], b: &[f64]| [a, b].concat();
    let square = differences(&slopes, |row| row);
    let columns = differences(&beside(&slopes, &bends), |row| row / 2);
    let stacked = differences(&over(&slopes, &bends), |row| row % 5);
    // The sum of cubes has a tridiagonal Hessian.
    let mut hessian = vec![0.0; 36];
    for (i, d) in d.iter().enumerate() {
        for (a, b, sign) in [
            (i, i, 1.0),
            (i + 1, i + 1, 1.0),
            (i, i + 1, -1.0),
            (i + 1, i, -1.0),
        ] {
            hessian[6 * a + b] += 6.0 * d * sign;
        }
    }
    let mut gradient = vec![0.0; 6];
    for (i, bend) in bends.iter().enumerate() {
        gradient[i] -= bend;
        gradient[i + 1] += bend;
    }
    let total: f64 = cubes.iter().sum();
    let (vector, matrix) = (|| x.to_vec(), || rows::<3>(&x));
    let (tall, flat) = (rows::<2>(&beside(&squares, &cubes)), over(&squares, &cubes));
    /// A function that writes, as a pointer: the type has a name.
    macro_rules! into {
        ($function:ident, $y:ty) => {
            writes((|y| $function::AD.output(y)) as Binding<$function, $y>)
        };
    }
    let name = "diff_square";
    let both = "diff_square_cube";
    let cube = "sum_diff_cube";
    let wide = matrix();
    (
        places(
            Scenario::jacobian(
                name,
                returns(diff_square::AD),
                vector(),
                squares.clone(),
                &square,
            ),
            10,
        ),
        places(
            Scenario::jacobian(
                name,
                into!(diff_square_into, Vector),
                vector(),
                squares,
                &square,
            ),
            10,
        ),
        places(
            Scenario::jacobian(
                both,
                returns(diff_square_cube::AD),
                vector(),
                tall.clone(),
                &columns,
            ),
            20,
        ),
        places(
            Scenario::jacobian(
                both,
                into!(diff_square_cube_into, Tall),
                vector(),
                tall.clone(),
                &columns,
            ),
            20,
        ),
        places(
            Scenario::jacobian(
                both,
                returns(mat_diff_square_cube::AD),
                wide.clone(),
                flat.clone(),
                &stacked,
            ),
            20,
        ),
        places(
            Scenario::jacobian(
                both,
                into!(mat_diff_square_cube_into, Vector),
                wide.clone(),
                flat,
                &stacked,
            ),
            20,
        ),
        places(
            Scenario::jacobian(
                both,
                returns(mat_diff_columns::AD),
                wide.clone(),
                tall.clone(),
                &columns,
            ),
            20,
        ),
        places(
            Scenario::jacobian(
                both,
                into!(mat_diff_columns_into, Tall),
                wide,
                tall,
                &columns,
            ),
            20,
        ),
        places(
            Scenario::hessian(cube, returns(sum_diff_cube::AD), vector(), total, &hessian)
                .expect_first(&gradient),
            16,
        ),
        places(
            Scenario::hessian(
                cube,
                returns(mat_sum_diff_cube::AD),
                matrix(),
                total,
                &hessian,
            )
            .expect_first(&gradient),
            16,
        ),
        bands(|name, k| {
            let (x, y, jacobian, stored) = banded_map(k);
            let f = returns(square_map::AD.with(&MATRICES[k], BANDS[k]));
            (Scenario::jacobian(name, f, x, y, &jacobian), stored)
        }),
        bands(|name, k| {
            let (x, y, jacobian, stored) = banded_map(k);
            let binding: [BindBanded; 3] = [
                |y| square_map_into::AD.with(&MATRICES[0], BANDS[0]).output(y),
                |y| square_map_into::AD.with(&MATRICES[1], BANDS[1]).output(y),
                |y| square_map_into::AD.with(&MATRICES[2], BANDS[2]).output(y),
            ];
            (
                Scenario::jacobian(name, writes(binding[k]), x, y, &jacobian),
                stored,
            )
        }),
        bands(|name, k| {
            let (x, y, gradient, hessian, stored) = banded_form(k);
            let f = returns(square_form::AD.with(&MATRICES[k], BANDS[k]));
            (
                Scenario::hessian(name, f, x, y, &hessian).expect_first(&gradient),
                stored,
            )
        }),
    )
}

/// A matrix of six columns; in each row the slope of a difference and its negative before.
fn differences(slopes: &[f64], first: impl Fn(usize) -> usize) -> Vector {
    let mut matrix = vec![0.0; 6 * slopes.len()];
    for (row, slope) in slopes.iter().enumerate() {
        matrix[6 * row + first(row)] = -slope;
        matrix[6 * row + first(row) + 1] = *slope;
    }
    matrix
}

/// Returned and into a buffer, with so many stored entries.
fn places<O, S, X, Y>(scenario: Scenario<O, S, X, Y>, stored: usize) -> Vec<Scenario<O, S, X, Y>>
where
    Scenario<O, S, X, Y>: Clone,
{
    let scenario = scenario.expect_stored(stored);
    vec![scenario.clone(), scenario.into_buffer()]
}

/// For each width.
fn bands<O, S, X, Y>(
    make: impl Fn(&str, usize) -> (Scenario<O, S, X, Y>, usize),
) -> Vec<Scenario<O, S, X, Y>>
where
    Scenario<O, S, X, Y>: Clone,
{
    let each = BANDS.iter().enumerate().flat_map(|(k, band)| {
        let (scenario, stored) = make(&format!("square_banded_{band}"), k);
        places(scenario, stored)
    });
    each.collect()
}

/// Where the banded maps are differentiated: no entry is near zero.
fn band_point() -> Vector {
    let sizes = steps(0.5, 0.03, SIZE);
    let signs = [1.0, -1.0].into_iter().cycle();
    sizes
        .iter()
        .zip(signs)
        .map(|(size, sign)| size * sign)
        .collect()
}

/// Point, value, Jacobian and number of entries of `A x^2`.
fn banded_map(k: usize) -> (Vector, Vector, Vector, usize) {
    let (x, a) = (band_point(), &MATRICES[k]);
    let row = |row: &[f64]| row.iter().zip(&x).map(|(a, x)| a * x * x).sum();
    let value = a.chunks(SIZE).map(row).collect();
    let jacobian = a.iter().enumerate().map(|(at, a)| 2.0 * a * x[at % SIZE]);
    let jacobian: Vector = jacobian.collect();
    let stored = a.iter().filter(|a| **a != 0.0).count();
    (x, value, jacobian, stored)
}

/// Point, value, gradient, Hessian and number of entries of `v^T A v` with `v = x^2`.
fn banded_form(k: usize) -> (Vector, f64, Vector, Vector, usize) {
    let (x, a) = (band_point(), &MATRICES[k]);
    let square: Vector = x.iter().map(|x| x * x).collect();
    let both = |i: usize, j: usize| a[SIZE * i + j] + a[SIZE * j + i];
    // A v + A^T v
    let sums: Vector = (0..SIZE)
        .map(|i| (0..SIZE).map(|j| both(i, j) * square[j]).sum())
        .collect();
    let value = 0.5 * sums.iter().zip(&square).map(|(s, v)| s * v).sum::<f64>();
    let gradient = sums.iter().zip(&x).map(|(s, x)| 2.0 * x * s).collect();
    let mut hessian = Vec::new();
    for i in 0..SIZE {
        for j in 0..SIZE {
            let own = if i == j { 2.0 * sums[i] } else { 0.0 };
            hessian.push(own + 4.0 * x[i] * x[j] * both(i, j));
        }
    }
    let stored = a.iter().filter(|a| **a != 0.0).count();
    (x, value, gradient, hessian, stored)
}
