//! Central differences with Richardson extrapolation: slow, for tests.

use crate::forms::{direction, unit};

/// How often the step is halved.
const HALVINGS: usize = 8;

/// Derivative of `f` at 0, for a vector-valued function of one number.
///
/// `step` is the largest step taken: choose it within the smooth neighbourhood of 0, as large as that allows.
/// Cost: 18 evaluations. About ten digits are right where the scale of `f` is about 1 over a length of `step` to 1.
///
/// Reference: C. J. F. Ridders, Accurate computation of F'(x) and F'(x) F''(x), 1982.
///
/// # Examples
/// ```
/// let slope = di_test::differences::derivative(|t| vec![t.exp(), (3.0 * t).sin()], 0.1);
/// assert!((slope[0] - 1.0).abs() < 1e-10 && (slope[1] - 3.0).abs() < 1e-10);
/// ```
pub fn derivative(mut f: impl FnMut(f64) -> Vec<f64>, step: f64) -> Vec<f64> {
    derivative_of(&mut f, step)
}

fn derivative_of(f: &mut dyn FnMut(f64) -> Vec<f64>, step: f64) -> Vec<f64> {
    let mut central = |h: f64| -> Vec<f64> {
        let (above, below) = (f(h), f(-h));
        above
            .iter()
            .zip(&below)
            .map(|(a, b)| (a - b) / (2.0 * h))
            .collect()
    };
    let quotients: Vec<Vec<f64>> = (0..=HALVINGS)
        .map(|k| central(step / f64::powi(2.0, k as i32)))
        .collect();
    (0..quotients[0].len())
        .map(|i| extrapolate(quotients.iter().map(|quotient| quotient[i])))
        .collect()
}

/// Derivative of `f` at `x` in direction `dx`, for a vector-valued function of a vector.
pub fn directional(
    mut f: impl FnMut(&[f64]) -> Vec<f64>,
    x: &[f64],
    dx: &[f64],
    step: f64,
) -> Vec<f64> {
    directional_of(&mut f, x, dx, step)
}

fn directional_of(
    f: &mut dyn FnMut(&[f64]) -> Vec<f64>,
    x: &[f64],
    dx: &[f64],
    step: f64,
) -> Vec<f64> {
    derivative_of(
        &mut |t| {
            let moved: Vec<f64> = x.iter().zip(dx).map(|(x, dx)| x + t * dx).collect();
            f(&moved)
        },
        step,
    )
}

/// Jacobian of `f` at `x`, by columns: entry `[j][i]` is the derivative of `f_i` by `x_j`.
pub fn columns(mut f: impl FnMut(&[f64]) -> Vec<f64>, x: &[f64], step: f64) -> Vec<Vec<f64>> {
    columns_of(&mut f, x, step)
}

fn columns_of(f: &mut dyn FnMut(&[f64]) -> Vec<f64>, x: &[f64], step: f64) -> Vec<Vec<f64>> {
    let mut dx = vec![0.0; x.len()];
    (0..x.len())
        .map(|j| {
            dx[j] = 1.0;
            let column = directional_of(f, x, &dx, step);
            dx[j] = 0.0;
            column
        })
        .collect()
}

/// Whether a function is smooth around `x` as far as `step`, along each coordinate and along some direction:
/// differences from two steps agree. Where it is not, differences are no reference.
pub fn is_smooth(mut f: impl FnMut(&[f64]) -> Vec<f64>, x: &[f64], step: f64) -> bool {
    is_smooth_of(&mut f, x, step)
}

fn is_smooth_of(f: &mut dyn FnMut(&[f64]) -> Vec<f64>, x: &[f64], step: f64) -> bool {
    let mut directions: Vec<Vec<f64>> = (0..x.len()).map(|k| unit(x.len(), k)).collect();
    directions.push(direction(x.len(), 5));
    let mut slope = |dx: &[f64], step: f64| directional_of(f, x, dx, step);
    directions.iter().all(|dx| {
        let (far, near) = (slope(dx, step), slope(dx, 0.3 * step));
        let pairs = far.iter().zip(&near);
        pairs
            .into_iter()
            .all(|(a, b)| (a - b).abs() <= 2e-9 * (1.0 + a.abs()))
    })
}

/// The entry of Neville's table, over steps halved each time, that changed least when it was computed.
fn extrapolate(quotients: impl Iterator<Item = f64>) -> f64 {
    let mut row: Vec<f64> = Vec::new();
    let mut best = (f64::INFINITY, f64::NAN);
    for quotient in quotients {
        let mut next = vec![quotient];
        let mut factor = 4.0;
        for (k, coarse) in row.iter().enumerate() {
            let fine = next[k];
            let better = fine + (fine - coarse) / (factor - 1.0);
            let change = (better - fine).abs().max((better - coarse).abs());
            if change < best.0 {
                best = (change, better);
            }
            next.push(better);
            factor *= 4.0;
        }
        row = next;
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::{columns, derivative, directional};
    use crate::compare::{DIFFERENCES, Tolerance, assert_close};

    #[test]
    fn ten_digits_are_right_on_smooth_functions() {
        let f = |t: f64| {
            let x = 0.7 + t;
            vec![x.sin(), x.exp(), x.sqrt(), x.ln(), 1.0 / x, x.tan(), 5.0, x]
        };
        let x = 0.7_f64;
        let cos = x.cos();
        let expected = [
            cos,
            x.exp(),
            0.5 / x.sqrt(),
            1.0 / x,
            -1.0 / (x * x),
            1.0 / (cos * cos),
            0.0,
            1.0,
        ];
        let tolerance = Tolerance {
            relative: 1e-10,
            absolute: 1e-11,
        };
        assert_close("derivative", &derivative(f, 0.05), &expected, tolerance);
    }

    #[test]
    fn columns_are_directional_derivatives() {
        let f = |x: &[f64]| vec![x[0] * x[1], x[1].powi(3), x[0].exp()];
        let x = [0.5, -1.5];
        let j = columns(f, &x, 0.1);
        assert_close("column 0", &j[0], &[-1.5, 0.0, x[0].exp()], DIFFERENCES);
        assert_close("column 1", &j[1], &[0.5, 6.75, 0.0], DIFFERENCES);
        let along = directional(f, &x, &[2.0, -1.0], 0.1);
        assert_close(
            "directional",
            &along,
            &[-3.5, -6.75, 2.0 * x[0].exp()],
            DIFFERENCES,
        );
    }

    #[test]
    fn function_without_results_has_no_derivatives() {
        assert!(derivative(|_| Vec::new(), 0.1).is_empty());
    }
}
