//! Functions on any scalar, with their derivatives by hand.

use di_runtime::closure::OnScalars;
use di_runtime::context::{Constant, Snapshot};
use di_runtime::scalar::Scalar;
use di_runtime::value::{Number, Slice};
use std::cell::Cell;

thread_local! {
    /// How often one of the functions ran on a scalar that is not the float.
    pub(crate) static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// Runs since the last look.
pub(crate) fn runs() -> usize {
    RUNS.with(|runs| runs.replace(0))
}

fn count() {
    RUNS.with(|runs| runs.set(runs.get() + 1));
}

/// `|x0| x1`, with a branch.
#[derive(Clone, Copy)]
pub(crate) struct Branch;

impl OnScalars for Branch {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        count();
        if x[0].lt(S::from_real(0.0)) {
            -x[0] * x[1]
        } else {
            x[0] * x[1]
        }
    }
}

/// The entry whose index is the integer part of the first, squared.
#[derive(Clone, Copy)]
pub(crate) struct Lookup;

impl OnScalars for Lookup {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        count();
        let i = x[0].integer() as usize;
        x[i] * x[i]
    }
}

/// `sum c x_i^p`, constants of several kinds.
#[derive(Clone, Copy)]
pub(crate) struct Powers {
    pub(crate) c: f64,
    pub(crate) p: i32,
    pub(crate) seen: bool,
}

impl OnScalars for Powers {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn constants(&self, snapshot: &mut Snapshot) {
        if self.seen {
            self.c.snapshot(snapshot);
            self.p.snapshot(snapshot);
        } else {
            snapshot.opaque();
        }
    }
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        count();
        let mut sum = S::from_real(0.0);
        for x in x {
            sum = sum + x.powi(self.p).mul_real(self.c);
        }
        sum
    }
}

/// `(x0 x1, sin x0, x0 / x1, 3, x1)`
#[derive(Clone, Copy)]
pub(crate) struct Several;

impl OnScalars for Several {
    type Real = f64;
    type X = Slice;
    type Y = Slice;
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> Vec<S> {
        count();
        vec![
            x[0] * x[1],
            x[0].sin(),
            x[0] / x[1],
            S::from_real(3.0),
            x[1],
        ]
    }
}

/// Jacobian of [`Several`].
pub(crate) fn several_jacobian(x: &[f64]) -> [[f64; 2]; 5] {
    [
        [x[1], x[0]],
        [x[0].cos(), 0.0],
        [1.0 / x[1], -x[0] / (x[1] * x[1])],
        [0.0, 0.0],
        [0.0, 1.0],
    ]
}

/// `steps` of explicit Euler for `u' = -x0 u^2 + x1`, from 1.
#[derive(Clone, Copy)]
pub(crate) struct Euler {
    pub(crate) steps: usize,
}

impl OnScalars for Euler {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn constants(&self, snapshot: &mut Snapshot) {
        self.steps.snapshot(snapshot);
    }
    fn run<S: Scalar<Real = f64>>(&self, x: &[S]) -> S {
        count();
        let mut u = S::from_real(1.0);
        for _ in 0..self.steps {
            u = u + (x[1] - x[0] * u * u).mul_real(0.01);
        }
        u
    }
}

/// Gradient of [`Euler`], by the variation of the recursion.
pub(crate) fn euler_gradient(x: &[f64], steps: usize) -> [f64; 2] {
    let (mut u, mut du) = (1.0, [0.0; 2]);
    for _ in 0..steps {
        let slope = 1.0 - 0.02 * x[0] * u;
        du = [slope * du[0] - 0.01 * u * u, slope * du[1] + 0.01];
        u += (x[1] - x[0] * u * u) * 0.01;
    }
    du
}

/// A layer of a network: `sum_i tanh(sum_j w_ij u_j)`, with `w` of `m` rows and `u_j = cos j`.
#[derive(Clone, Copy)]
pub(crate) struct Layer {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

impl OnScalars for Layer {
    type Real = f64;
    type X = Slice;
    type Y = Number;
    fn constants(&self, snapshot: &mut Snapshot) {
        (self.rows, self.columns).snapshot(snapshot);
    }
    fn run<S: Scalar<Real = f64>>(&self, w: &[S]) -> S {
        count();
        let mut sum = S::from_real(0.0);
        for i in 0..self.rows {
            let mut z = S::from_real(0.0);
            for j in 0..self.columns {
                z = z + w[i * self.columns + j].mul_real((j as f64).cos());
            }
            sum = sum + z.tanh();
        }
        sum
    }
}

/// Gradient of [`Layer`].
pub(crate) fn layer_gradient(w: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    let mut g = Vec::new();
    for i in 0..rows {
        let row = &w[i * columns..(i + 1) * columns];
        let z: f64 = (row.iter().enumerate())
            .map(|(j, w)| w * (j as f64).cos())
            .sum();
        g.extend((0..columns).map(|j| (1.0 - z.tanh().powi(2)) * (j as f64).cos()));
    }
    g
}
