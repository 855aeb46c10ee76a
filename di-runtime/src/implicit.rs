//! Linear systems behind derivatives of solutions: `#[implicit(..)]` writes calls of these.

use crate::scalar::partials::one;
use crate::scalar::{Lanes, Scalar};

/// Solves the linear systems of the implicit function theorem.
///
/// The matrix is square and stored by columns. It is factorised once, for tangents, adjoints and any number of seeds.
/// The methods are generic over the scalar, for second order.
pub trait Solver {
    /// Factorises the `n` by `n` matrix in place; `n` integers are kept with it, for a permutation.
    fn factor<S: Scalar>(matrix: &mut [S], pivots: &mut [usize]);

    /// `b = A^-1 b`
    fn solve<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]);

    /// `b = A^-T b`
    fn solve_transposed<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]);
}

/// Gaussian elimination with partial pivoting (Golub, Van Loan 2013, section 3.4): `2 n^3 / 3` operations for the
/// factors, `2 n^2` for each solution. With a singular matrix the result is infinite or NaN.
#[derive(Clone, Copy, Debug)]
pub struct Dense;

impl Solver for Dense {
    fn factor<S: Scalar>(matrix: &mut [S], pivots: &mut [usize]) {
        let n = pivots.len();
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if matrix[k * n + i].abs().gt(matrix[k * n + best].abs()) {
                    best = i;
                }
            }
            pivots[k] = best;
            if best != k {
                for j in 0..n {
                    matrix.swap(j * n + k, j * n + best);
                }
            }
            for i in k + 1..n {
                matrix[k * n + i] = matrix[k * n + i] / matrix[k * n + k];
            }
            for j in k + 1..n {
                let above = matrix[j * n + k];
                for i in k + 1..n {
                    matrix[j * n + i] = matrix[j * n + i] - matrix[k * n + i] * above;
                }
            }
        }
    }

    fn solve<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]) {
        let n = pivots.len();
        for (k, pivot) in pivots.iter().enumerate() {
            b.swap(k, *pivot);
        }
        for k in 0..n {
            for i in k + 1..n {
                let part = b[k].scale(factors[k * n + i]);
                b[i].dec(part);
            }
        }
        for k in (0..n).rev() {
            b[k] = b[k].scale(one::<S>() / factors[k * n + k]);
            for i in 0..k {
                let part = b[k].scale(factors[k * n + i]);
                b[i].dec(part);
            }
        }
    }

    fn solve_transposed<S: Scalar, T: Lanes<S>>(factors: &[S], pivots: &[usize], b: &mut [T]) {
        let n = pivots.len();
        for k in 0..n {
            for i in 0..k {
                let part = b[i].scale(factors[k * n + i]);
                b[k].dec(part);
            }
            b[k] = b[k].scale(one::<S>() / factors[k * n + k]);
        }
        for k in (0..n).rev() {
            for i in k + 1..n {
                let part = b[i].scale(factors[k * n + i]);
                b[k].dec(part);
            }
        }
        for (k, pivot) in pivots.iter().enumerate().rev() {
            b.swap(k, *pivot);
        }
    }
}

/// The factors of `r_y`, or of `I - g_y` for a map; `column` computes the derivative in a
/// direction, for which `unit`, zeros, is the buffer.
pub fn factor<S: Scalar, L: Solver>(
    is_map: bool,
    matrix: &mut [S],
    pivots: &mut [usize],
    unit: &mut [S],
    mut column: impl FnMut(&[S], &mut [S]),
) {
    let n = pivots.len();
    for j in 0..n {
        let into = &mut matrix[j * n..(j + 1) * n];
        into.fill(S::default());
        unit[j] = one();
        column(unit, into);
        unit[j] = S::default();
        if is_map {
            for x in into.iter_mut() {
                *x = -*x;
            }
            into[j] = into[j] + one();
        }
    }
    L::factor(matrix, pivots);
}

/// From the tangents of the equation to those of the solution.
pub fn solve<S: Scalar, T: Lanes<S>, L: Solver>(
    is_map: bool,
    factors: &[S],
    pivots: &[usize],
    b: &mut [T],
) {
    L::solve(factors, pivots, b);
    sign::<S, T>(is_map, b);
}

/// From the adjoints of the solution to those of the equation.
pub fn solve_transposed<S: Scalar, T: Lanes<S>, L: Solver>(
    is_map: bool,
    factors: &[S],
    pivots: &[usize],
    b: &mut [T],
) {
    L::solve_transposed(factors, pivots, b);
    sign::<S, T>(is_map, b);
}

fn sign<S: Scalar, T: Lanes<S>>(is_map: bool, b: &mut [T]) {
    if !is_map {
        for x in b {
            *x = x.neg();
        }
    }
}
