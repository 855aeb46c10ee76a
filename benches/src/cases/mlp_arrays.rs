//! A perceptron with one hidden layer on a batch, in the language of arrays: the mean over the batch of
//! `|tanh(X W1 + b1) W2 + b2 - Y|^2`.

use di::prelude::*;
use ndarray::{Array1, Array2, Axis, Zip, linalg::general_mat_mul};

/// Rows of the batch.
pub const BATCH: usize = 64;
/// Inputs and hidden units.
pub const WIDTH: usize = 64;
/// Outputs.
pub const OUTPUTS: usize = 16;

/// The annotated function, in its natural form.
#[differentiable]
pub fn mlp(
    w1: &Array2<f64>,
    b1: &Array1<f64>,
    w2: &Array2<f64>,
    b2: &Array1<f64>,
    #[constant] x: &Array2<f64>,
    #[constant] y: &Array2<f64>,
) -> f64 {
    let hidden = (x.dot(w1) + b1).mapv(f64::tanh);
    let out = hidden.dot(w2) + b2;
    let rest = &out - y;
    (&rest * &rest).sum() / x.nrows() as f64
}

/// Parameters or a gradient of them.
pub type Weights = (Array2<f64>, Array1<f64>, Array2<f64>, Array1<f64>);

/// An instance: parameters, inputs and outputs.
pub fn example() -> (Weights, Array2<f64>, Array2<f64>) {
    let fill = |m: usize, n: usize, scale: f64, shift: f64| {
        Array2::from_shape_fn((m, n), |(i, j)| scale * ((i * n + j) as f64 + shift).sin())
    };
    let row = |n: usize, shift: f64| fill(1, n, 0.1, shift).remove_axis(Axis(0));
    let weights = (
        fill(WIDTH, WIDTH, 0.1, 0.0),
        row(WIDTH, 0.5),
        fill(WIDTH, OUTPUTS, 0.1, 0.25),
        row(OUTPUTS, 0.75),
    );
    let (x, y) = (fill(BATCH, WIDTH, 1.0, 0.1), fill(BATCH, OUTPUTS, 1.0, 0.2));
    (weights, x, y)
}

/// The same, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal((w1, b1, w2, b2): &Weights, x: &Array2<f64>, y: &Array2<f64>) -> f64 {
    mlp(w1, b1, w2, b2, x, y)
}

/// What the adjoint by hand works in.
pub struct Workspace {
    hidden: Array2<f64>,
    hidden_adjoint: Array2<f64>,
    rest: Array2<f64>,
}

impl Default for Workspace {
    fn default() -> Self {
        Workspace {
            hidden: Array2::zeros((BATCH, WIDTH)),
            hidden_adjoint: Array2::zeros((BATCH, WIDTH)),
            rest: Array2::zeros((BATCH, OUTPUTS)),
        }
    }
}

/// Value and gradient by hand, with the same products.
#[inline(never)]
pub fn value_and_gradient(
    (w1, b1, w2, b2): &Weights,
    x: &Array2<f64>,
    y: &Array2<f64>,
    work: &mut Workspace,
    (g1, h1, g2, h2): &mut Weights,
) -> f64 {
    let Workspace {
        hidden,
        hidden_adjoint,
        rest,
    } = work;
    general_mat_mul(1.0, x, w1, 0.0, hidden);
    Zip::from(hidden.rows_mut()).for_each(|mut row| {
        Zip::from(&mut row)
            .and(b1)
            .for_each(|z, b| *z = (*z + b).tanh());
    });
    general_mat_mul(1.0, &*hidden, w2, 0.0, rest);
    let mut value = 0.0;
    let scale = 2.0 / x.nrows() as f64;
    h2.fill(0.0);
    Zip::from(rest.rows_mut())
        .and(y.rows())
        .for_each(|mut row, y| {
            Zip::from(&mut row)
                .and(b2)
                .and(&y)
                .and(&mut *h2)
                .for_each(|r, b, y, h| {
                    *r += b - y;
                    value += *r * *r;
                    *r *= scale;
                    *h += *r;
                });
        });
    general_mat_mul(1.0, &hidden.t(), &*rest, 0.0, g2);
    general_mat_mul(1.0, &*rest, &w2.t(), 0.0, hidden_adjoint);
    h1.fill(0.0);
    Zip::from(hidden_adjoint.rows_mut())
        .and(hidden.rows())
        .for_each(|mut row, hidden| {
            Zip::from(&mut row)
                .and(&hidden)
                .and(&mut *h1)
                .for_each(|a, z, h| {
                    *a *= 1.0 - z * z;
                    *h += *a;
                });
        });
    general_mat_mul(1.0, &x.t(), &*hidden_adjoint, 0.0, g1);
    value / x.nrows() as f64
}
