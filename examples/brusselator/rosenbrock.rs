//! A Rosenbrock method: a sparse LU factorisation for a few linearly implicit steps.
//!
//! Reference: J. Verwer, E. Spee, J. Blom, W. Hundsdorfer: A second-order Rosenbrock method applied to
//! photochemical dispersion problems (1999): ROS2, here with its first-order companion for the error.

use std::fmt;
use std::time::{Duration, Instant};

use rsparse::data::{Nmrc, Sprs, Symb};

/// Both stages damp stiff parts at once.
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Steps that one factorisation serves at most: the method has its order with any matrix in place of the Jacobian.
const SERVES: usize = 5;

/// Where the time went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    /// In LU factorisations.
    pub(crate) factorise: Duration,
    /// In triangular solves.
    pub(crate) solve: Duration,
    /// Steps taken.
    pub(crate) steps: usize,
}

/// The solver met a singular matrix, or its step became too small.
#[derive(Debug)]
pub(crate) struct Failed(&'static str);

impl fmt::Display for Failed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

impl std::error::Error for Failed {}

/// The solver for one pattern.
pub(crate) struct Rosenbrock {
    matrix: Sprs<f64>,
    /// Place of each diagonal entry.
    diagonal: Vec<usize>,
    /// The ordering, which the pattern alone determines.
    symbolic: Symb,
    room: Vec<f64>,
    times: Times,
}

impl Rosenbrock {
    /// For Jacobians with these columns; the diagonal must be there.
    pub(crate) fn new(starts: &[u32], rows: &[u32]) -> Self {
        let n = starts.len() - 1;
        let matrix = Sprs {
            nzmax: rows.len(),
            m: n,
            n,
            p: starts.iter().map(|at| *at as isize).collect(),
            i: rows.iter().map(|row| *row as usize).collect(),
            x: vec![0.0; rows.len()],
        };
        let place = |j: usize| {
            let column = starts[j] as usize..starts[j + 1] as usize;
            let at = rows[column.clone()].binary_search(&(j as u32));
            column.start + at.expect("the diagonal is in the pattern")
        };
        Rosenbrock {
            diagonal: (0..n).map(place).collect(),
            // the pattern is symmetric: minimum degree of A + A^T
            symbolic: rsparse::sqr(&matrix, 0, false),
            matrix,
            room: vec![0.0; n],
            times: Times::default(),
        }
    }

    pub(crate) fn times(&self) -> Times {
        self.times
    }

    /// From `y0` at time 0 to time `end`; `tolerance` is for the error of the first-order companion, which is larger
    /// than that of the method, in each step.
    pub(crate) fn solve(
        &mut self,
        mut f: impl FnMut(&[f64], &mut [f64]),
        mut jacobian: impl FnMut(&[f64], &mut [f64]) -> Result<(), di::Error>,
        y0: &[f64],
        end: f64,
        tolerance: f64,
    ) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
        let n = y0.len();
        let (mut y, mut t, mut h) = (y0.to_vec(), 0.0, 1e-3f64);
        let mut values = vec![0.0; self.matrix.x.len()];
        let (mut k1, mut k2, mut next) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let mut factors: Option<(Nmrc<f64>, usize)> = None;
        while t < end {
            if end - t < h {
                (h, factors) = (end - t, None);
            }
            if h < 1e-12 {
                return Err(Failed("the step has become too small").into());
            }
            if factors.as_ref().is_none_or(|(_, served)| *served == SERVES) {
                jacobian(&y, &mut values)?;
                factors = Some((self.factorise(h, &values)?, 0));
            }
            let Some((lu, served)) = &mut factors else {
                continue;
            };
            *served += 1;
            // (I - gamma h J) k1 = f(y), (I - gamma h J) k2 = f(y + h k1) - 2 k1
            f(&y, &mut k1);
            self.back_substitute(lu, &mut k1);
            for i in 0..n {
                next[i] = y[i] + h * k1[i];
            }
            f(&next, &mut k2);
            for i in 0..n {
                k2[i] -= 2.0 * k1[i];
            }
            self.back_substitute(lu, &mut k2);
            let mut error = 0.0f64;
            for i in 0..n {
                next[i] = y[i] + h * (1.5 * k1[i] + 0.5 * k2[i]);
                let scale = tolerance * (1.0 + y[i].abs());
                error = error.max((0.5 * h * (k1[i] + k2[i]) / scale).abs());
            }
            if error <= 1.0 {
                t += h;
                std::mem::swap(&mut y, &mut next);
                self.times.steps += 1;
            }
            // small changes of the step are not worth a factorisation
            let change = (0.9 / error.sqrt()).clamp(0.2, 5.0);
            if error > 1.0 || change > 1.5 {
                (h, factors) = (h * change, None);
            }
        }
        Ok(y)
    }

    /// Of `I - gamma h J`.
    fn factorise(&mut self, h: f64, jacobian: &[f64]) -> Result<Nmrc<f64>, Failed> {
        let start = Instant::now();
        for (to, v) in self.matrix.x.iter_mut().zip(jacobian) {
            *to = -GAMMA * h * v;
        }
        for at in &self.diagonal {
            self.matrix.x[*at] += 1.0;
        }
        let factors = rsparse::lu(&self.matrix, &mut self.symbolic, 1e-3);
        self.times.factorise += start.elapsed();
        factors.map_err(|_| Failed("the matrix is singular"))
    }

    /// Replaces the right-hand side by the solution.
    fn back_substitute(&mut self, factors: &Nmrc<f64>, b: &mut [f64]) {
        let start = Instant::now();
        permute(&factors.pinv, b, &mut self.room);
        rsparse::lsolve(&factors.l, &mut self.room);
        rsparse::usolve(&factors.u, &mut self.room);
        permute(&self.symbolic.q, &self.room, b);
        self.times.solve += start.elapsed();
    }
}

/// `to[p[k]] = from[k]`
fn permute(p: &Option<Vec<isize>>, from: &[f64], to: &mut [f64]) {
    match p {
        Some(p) => p.iter().zip(from).for_each(|(at, v)| to[*at as usize] = *v),
        None => to.copy_from_slice(from),
    }
}
