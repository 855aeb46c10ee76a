//! Difference formulas on any points, and the choice of their step.

use crate::error::Error;
use crate::scalar::Real;

/// A difference formula: `f^(q)(x) = sum_k w_k f(x + g_k h) / h^q`, up to truncation.
///
/// # Examples
/// ```
/// use di_runtime::backends::Stencil;
///
/// let second = Stencil::new(&[-1.0, 0.0, 1.0], 2)?;
/// assert_eq!(second.weights(), [1.0, -2.0, 1.0]);
/// let slope = Stencil::new(&[-2.0, -1.0, 1.0, 2.0], 1)?;
/// let at = |x: f64| slope.apply(x, 1e-3, f64::sin);
/// assert!((at(0.3) - 0.3_f64.cos()).abs() < 1e-12);
/// # Ok::<(), di_runtime::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    grid: Vec<f64>,
    weights: Vec<f64>,
    order: usize,
    /// Sum of the absolute weights: how much rounding is amplified.
    noise: f64,
    /// The first derivative that the formula does not cancel, and its factor.
    tail: (usize, f64),
}

impl Stencil {
    /// The formula for the derivative of this order on a grid, in units of the step.
    ///
    /// Weights are those of B. Fornberg, Generation of finite difference formulas on arbitrarily
    /// spaced grids (1988), in `O(n^2 order)` operations.
    ///
    /// # Errors
    /// [`Error::Stencil`] if there are not more different points than the order.
    pub fn new(grid: &[f64], order: usize) -> Result<Self, Error> {
        let mut different = grid.to_vec();
        different.sort_by(f64::total_cmp);
        different.dedup();
        let usable = different.len() == grid.len() && grid.iter().all(|g| g.is_finite());
        if !usable || grid.len() <= order {
            return Err(Error::Stencil {
                points: if usable {
                    grid.len()
                } else {
                    different.len().min(grid.len() - 1)
                },
                least: order + 1,
            });
        }
        let weights = fornberg(grid, order);
        let moment = |power: usize, size: fn(f64) -> f64| -> f64 {
            let terms = weights.iter().zip(grid);
            let exponent = i32::try_from(power).unwrap_or(i32::MAX);
            terms.map(|(w, g)| size(w * g.powi(exponent))).sum()
        };
        let mut power = grid.len();
        // formulas on symmetric points are of one order more than their number says
        while moment(power, |t| t).abs() < 1e-8 * moment(power, f64::abs) {
            power += 1;
        }
        let factorial: f64 = (1..=power).map(|k| k as f64).product();
        Ok(Stencil {
            noise: weights.iter().map(|w| w.abs()).sum(),
            tail: (power, moment(power, f64::abs) / factorial),
            grid: grid.to_vec(),
            weights,
            order,
        })
    }

    /// The points, in units of the step.
    pub fn grid(&self) -> &[f64] {
        &self.grid
    }

    /// One weight for each point.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The derivative that is approximated.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The power of the step that the truncation error goes with.
    pub fn accuracy(&self) -> usize {
        self.tail.0 - self.order
    }

    /// The formula at `x` with the step `h`.
    pub fn apply(&self, x: f64, h: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
        let terms = self.grid.iter().zip(&self.weights);
        let sum: f64 = terms
            .filter(|(_, w)| **w != 0.0)
            .map(|(g, w)| w * f(x + g * h))
            .sum();
        sum / h.powi(self.order as i32)
    }

    fn reach(&self) -> f64 {
        self.grid.iter().fold(0.0, |far, g| g.abs().max(far))
    }
}

/// Weights at zero for the derivative of one order: the recursion of Fornberg (1988), over all lower
/// orders and ever more points.
fn fornberg(grid: &[f64], order: usize) -> Vec<f64> {
    let mut c = vec![vec![0.0; order + 1]; grid.len()];
    c[0][0] = 1.0;
    let mut previous = 1.0;
    for i in 1..grid.len() {
        let highest = i.min(order);
        let mut product = 1.0;
        for j in 0..i {
            let distance = grid[i] - grid[j];
            product *= distance;
            if j == i - 1 {
                for k in (0..=highest).rev() {
                    let lower = if k > 0 {
                        k as f64 * c[i - 1][k - 1]
                    } else {
                        0.0
                    };
                    c[i][k] = previous * (lower - grid[i - 1] * c[i - 1][k]) / product;
                }
            }
            for k in (0..=highest).rev() {
                let lower = if k > 0 { k as f64 * c[j][k - 1] } else { 0.0 };
                c[j][k] = (grid[i] * c[j][k] - lower) / distance;
            }
        }
        previous = product;
    }
    c.into_iter().map(|row| row[order]).collect()
}

/// A formula with what its step is chosen by.
#[derive(Clone, Debug)]
pub(super) struct Method {
    stencil: Stencil,
    /// Estimates the derivative in the truncation error.
    bound: Option<Box<Method>>,
    condition: f64,
    factor: f64,
    max_range: f64,
}

/// Results of a function along a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers<R> {
    /// The derivative.
    pub(super) sum: Vec<R>,
    value: Vec<R>,
}

impl<R: Real> Buffers<R> {
    pub(super) fn new(m: usize) -> Self {
        Buffers {
            sum: vec![R::default(); m],
            value: vec![R::default(); m],
        }
    }
}

/// Attempts with ever smaller steps where a function is not finite on all points.
const ATTEMPTS: usize = 14;

impl Method {
    pub(super) fn new(
        stencil: Stencil,
        bound: Option<Method>,
        condition: f64,
        factor: f64,
        max_range: f64,
    ) -> Self {
        Method {
            stencil,
            bound: bound.map(Box::new),
            condition,
            factor,
            max_range,
        }
    }

    /// The order of the derivative that truncation depends on.
    pub(super) fn truncates_at(&self) -> usize {
        self.stencil.tail.0
    }

    /// The derivative of a function of a line at 0, to `buffers.sum`, and an estimate of its error.
    /// `scale` is a distance over which the function may change.
    pub(super) fn derivative<R: Real>(
        &self,
        scale: f64,
        buffers: &mut Buffers<R>,
        evaluate: &mut dyn FnMut(R, &mut [R]),
    ) -> f64 {
        let mut scale = scale;
        let mut error = f64::NAN;
        for _ in 0..ATTEMPTS {
            let (step, rounding, truncation) = self.step(scale, buffers, evaluate);
            self.run(step, buffers, evaluate);
            let (q, s) = (self.stencil.order as i32, self.stencil.tail.0 as i32);
            error = rounding / step.powi(q) + truncation * step.powi(s - q);
            if error.is_finite() && buffers.sum.iter().all(|v| v.to_f64().is_finite()) {
                break;
            }
            scale *= 0.1;
        }
        error
    }

    /// The step that balances both errors, and both: rounding over `h^q`, truncation times `h^(s - q)`.
    fn step<R: Real>(
        &self,
        scale: f64,
        buffers: &mut Buffers<R>,
        evaluate: &mut dyn FnMut(R, &mut [R]),
    ) -> (f64, f64, f64) {
        let (s, factor) = self.stencil.tail;
        let q = self.stencil.order;
        let (size, tail, seen) = match &self.bound {
            Some(bound) => {
                let (step, ..) = bound.step(scale, buffers, evaluate);
                let size = bound.run(step, buffers, evaluate);
                (size, largest(&buffers.sum), step * bound.stencil.reach())
            }
            None => {
                evaluate(R::default(), &mut buffers.value);
                let size = largest(&buffers.value);
                let guess = self.condition * size / scale.powi(s as i32);
                (size, guess, f64::INFINITY)
            }
        };
        let rounding = R::EPSILON.to_f64() * size.max(f64::MIN_POSITIVE) * self.stencil.noise;
        let rounding = rounding * self.factor;
        let truncation = tail * factor;
        let ratio = q as f64 / (s - q) as f64;
        let best = (ratio * rounding / truncation).powf(1.0 / s as f64);
        // no further than where the derivative behind the step was looked at: beyond it there may be a kink
        let widest = self.max_range.min(scale).min(seen) / self.stencil.reach();
        // a function that is a polynomial has no truncation error, and any step will do
        let step = if best.is_nan() {
            widest
        } else {
            best.min(widest)
        };
        (step, rounding, truncation)
    }

    /// Applies the formula; returns the largest value that was seen.
    fn run<R: Real>(
        &self,
        step: f64,
        buffers: &mut Buffers<R>,
        evaluate: &mut dyn FnMut(R, &mut [R]),
    ) -> f64 {
        let Buffers { sum, value } = buffers;
        sum.fill(R::default());
        let mut size = 0.0;
        for (g, w) in self.stencil.grid.iter().zip(&self.stencil.weights) {
            if *w == 0.0 {
                continue;
            }
            evaluate(R::from_f64(g * step), value);
            size = largest(value).max(size);
            for (sum, v) in sum.iter_mut().zip(value.iter()) {
                *sum = *sum + R::from_f64(*w) * *v;
            }
        }
        let power = R::from_f64(step).powi(self.stencil.order as i32);
        for sum in sum {
            *sum = *sum / power;
        }
        size
    }
}

/// Largest absolute value; NaN if there is one.
fn largest<R: Real>(values: &[R]) -> f64 {
    values.iter().fold(0.0, |a, v| {
        let v = v.to_f64().abs();
        if v.is_nan() || v > a { v } else { a }
    })
}

#[cfg(test)]
mod tests {
    use super::{Stencil, fornberg};

    #[test]
    fn weights_are_those_of_the_tables() {
        // Fornberg (1988), table 1: centered formulas
        let first = fornberg(&[-2.0, -1.0, 0.0, 1.0, 2.0], 1);
        for (w, e) in first
            .iter()
            .zip([1.0 / 12.0, -2.0 / 3.0, 0.0, 2.0 / 3.0, -1.0 / 12.0])
        {
            assert!((w - e).abs() < 1e-15, "{w} {e}");
        }
        let fourth = fornberg(&[-2.0, -1.0, 0.0, 1.0, 2.0], 4);
        for (w, e) in fourth.iter().zip([1.0, -4.0, 6.0, -4.0, 1.0]) {
            assert!((w - e).abs() < 1e-14, "{w} {e}");
        }
        let one_sided = fornberg(&[0.0, 1.0, 2.0], 1);
        assert_eq!(one_sided, [-1.5, 2.0, -0.5]);
    }

    #[test]
    fn formulas_are_exact_for_polynomials() {
        // any points: exact for all powers below their number
        let grid = [-1.7, -0.2, 0.9, 1.1, 3.0];
        for order in 0..5 {
            let stencil = Stencil::new(&grid, order).expect("five points");
            for power in 0..5 {
                let found = stencil.apply(0.0, 0.5, |x| x.powi(power as i32));
                let factorial: f64 = (1..=power).map(|k| k as f64).product();
                let expected = if power == order { factorial } else { 0.0 };
                assert!((found - expected).abs() < 1e-10, "{order} {power} {found}");
            }
        }
    }

    #[test]
    fn too_few_points_are_an_error() {
        assert!(Stencil::new(&[0.0, 1.0], 2).is_err());
        assert!(Stencil::new(&[0.0, 1.0, 1.0], 1).is_err());
        assert!(Stencil::new(&[], 0).is_err());
    }

    #[test]
    fn symmetry_raises_the_accuracy() {
        let accuracy = |grid: &[f64], order| Stencil::new(grid, order).map(|s| s.accuracy());
        assert_eq!(accuracy(&[-1.0, 0.0, 1.0], 1), Ok(2));
        assert_eq!(accuracy(&[-1.0, 0.0, 1.0], 2), Ok(2));
        assert_eq!(accuracy(&[0.0, 1.0, 2.0], 2), Ok(1));
        assert_eq!(accuracy(&[-2.0, -1.0, 0.0, 1.0, 2.0], 1), Ok(4));
    }
}
