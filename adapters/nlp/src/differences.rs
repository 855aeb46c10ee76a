//! Compares the derivatives of a program with differences, once, and counts what they allocate.

use di_test::allocations::count;

use crate::program::{Entries, Program};

/// The largest gap between derivatives and differences, relative to derivatives that are larger than 1, and how often
/// prepared calls take memory.
pub(crate) struct Checked {
    /// Of gradient and Jacobian, with differences of objective and constraints.
    pub(crate) first: f64,
    /// Of the Hessian, with differences of the Lagrangian's gradient, which is made of both.
    pub(crate) second: f64,
    /// Allocations of all five calls.
    pub(crate) allocations: usize,
}

/// A point beside the first one, and multipliers, that no symmetry makes zero.
fn somewhere(program: &impl Program) -> (Vec<f64>, Vec<f64>) {
    let start = program.frame().start.iter().enumerate();
    let x = start.map(|(k, x)| x + 0.1 + 0.05 * (k as f64).sin());
    let multipliers = (0..program.frame().g.0.len()).map(|k| (2.0 + k as f64).cos());
    (x.collect(), multipliers.collect())
}

const FACTOR: f64 = 0.7;

/// All entries of a matrix, by rows.
fn dense(entries: &Entries, values: &[f64], columns: usize, out: &mut [f64]) {
    let places = entries.rows.iter().zip(&entries.columns);
    for ((i, j), value) in places.zip(values) {
        out[i * columns + j] = *value;
    }
}

fn apart(a: f64, b: f64) -> f64 {
    let gap = (a - b).abs() / b.abs().max(1.0);
    // a NaN would be lost among the largest
    if gap.is_nan() { f64::INFINITY } else { gap }
}

/// Objective and constraints in one.
fn values(program: &impl Program, x: &[f64]) -> Result<Vec<f64>, di::Error> {
    let mut values = vec![0.0; 1 + program.frame().g.0.len()];
    values[0] = program.objective(x)?;
    program.constraints(x, &mut values[1..])?;
    Ok(values)
}

/// Their derivatives, by rows.
fn slopes(program: &impl Program, x: &[f64]) -> Result<Vec<f64>, di::Error> {
    let n = x.len();
    let mut all = vec![0.0; n * (1 + program.frame().g.0.len())];
    program.gradient(x, &mut all[..n])?;
    let mut stored = vec![0.0; program.jacobian().count()];
    program.jacobian_values(x, &mut stored)?;
    dense(program.jacobian(), &stored, n, &mut all[n..]);
    Ok(all)
}

/// Differences of a function in the direction of each variable: the largest gap between them and the columns of `matrix`.
fn gap(
    matrix: &[f64],
    x: &[f64],
    f: impl Fn(&[f64]) -> Result<Vec<f64>, di::Error>,
) -> Result<f64, di::Error> {
    let (n, mut x) = (x.len(), x.to_vec());
    let mut worst = 0.0_f64;
    for j in 0..n {
        let (at, step) = (x[j], f64::EPSILON.cbrt() * x[j].abs().max(1.0));
        x[j] = at + step;
        let above = f(&x)?;
        x[j] = at - step;
        let below = f(&x)?;
        x[j] = at;
        for (i, (above, below)) in above.iter().zip(&below).enumerate() {
            worst = worst.max(apart(matrix[i * n + j], (above - below) / (2.0 * step)));
        }
    }
    Ok(worst)
}

/// Checks all derivatives, also the entries that are not stored.
pub(crate) fn check(program: &impl Program) -> Result<Checked, di::Error> {
    let (x, multipliers) = somewhere(program);
    let n = x.len();
    let first = gap(&slopes(program, &x)?, &x, |x| values(program, x))?;

    let mut stored = vec![0.0; program.hessian().count()];
    program.hessian_values(&x, FACTOR, &multipliers, &mut stored)?;
    let mut hessian = vec![0.0; n * n];
    dense(program.hessian(), &stored, n, &mut hessian);
    for i in 0..n {
        for j in 0..i {
            hessian[j * n + i] = hessian[i * n + j];
        }
    }
    let second = gap(&hessian, &x, |x| {
        let slopes = slopes(program, x)?;
        let weights = std::iter::once(&FACTOR).chain(&multipliers);
        let mut gradient = vec![0.0; n];
        for (weight, row) in weights.zip(slopes.chunks(n)) {
            let sums = gradient.iter_mut().zip(row);
            sums.for_each(|(sum, slope)| *sum += weight * slope);
        }
        Ok(gradient)
    })?;

    let mut gradient = vec![0.0; n];
    let mut g = vec![0.0; multipliers.len()];
    let mut jacobian = vec![0.0; program.jacobian().count()];
    let (result, allocations) = count(|| {
        program.objective(&x)?;
        program.constraints(&x, &mut g)?;
        program.gradient(&x, &mut gradient)?;
        program.jacobian_values(&x, &mut jacobian)?;
        program.hessian_values(&x, FACTOR, &multipliers, &mut stored)
    });
    result?;
    Ok(Checked {
        first,
        second,
        allocations,
    })
}
