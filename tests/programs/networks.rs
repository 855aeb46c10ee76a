//! Networks in the language of arrays: a perceptron on a batch and logistic regression, with gradients by hand.

use di::SecondOrder;
use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// A hidden layer of `tanh` and a linear one; the mean over the batch of half of the squared distance.
#[differentiable]
fn perceptron(
    w1: &Array2<f64>,
    b1: &Array1<f64>,
    w2: &Array2<f64>,
    b2: &Array1<f64>,
    #[constant] x: &Array2<f64>,
    #[constant] y: &Array2<f64>,
) -> f64 {
    let hidden: Array2<f64> = layer(x, w1, b1);
    let out = hidden.dot(w2) + b2;
    let rest = &out - y;
    0.5 * (&rest * &rest).sum() / x.nrows() as f64
}

#[differentiable]
fn layer(x: &Array2<f64>, w: &Array2<f64>, b: &Array1<f64>) -> Array2<f64> {
    let mut z = x.dot(w);
    z += b;
    z.mapv_inplace(f64::tanh);
    z
}

type Weights = (Array2<f64>, Array1<f64>, Array2<f64>, Array1<f64>);

fn perceptron_by_hand(
    (w1, b1, w2, b2): &Weights,
    x: &Array2<f64>,
    y: &Array2<f64>,
) -> (f64, Weights) {
    let n = x.nrows() as f64;
    let hidden = (x.dot(w1) + b1).mapv(f64::tanh);
    let rest = hidden.dot(w2) + b2 - y;
    let out = &rest / n;
    let inner = out.dot(&w2.t()) * hidden.mapv(|h| 1.0 - h * h);
    let gradient = (
        x.t().dot(&inner),
        inner.sum_axis(Axis(0)),
        hidden.t().dot(&out),
        out.sum_axis(Axis(0)),
    );
    (0.5 * rest.mapv(|r| r * r).sum() / n, gradient)
}

fn filled(m: usize, n: usize, shift: f64) -> Array2<f64> {
    Array2::from_shape_fn((m, n), |(i, j)| 0.6 * ((i * n + j) as f64 + shift).sin())
}

fn flat((a, b, c, d): &Weights) -> Vec<f64> {
    a.iter().chain(b).chain(c).chain(d).copied().collect()
}

#[test]
fn perceptron_on_a_batch() {
    let weights = (
        filled(3, 5, 0.0),
        filled(1, 5, 0.3).remove_axis(Axis(0)),
        filled(5, 2, 0.7),
        filled(1, 2, 0.1).remove_axis(Axis(0)),
    );
    let (x, y) = (filled(7, 3, 0.2), filled(7, 2, 0.9));
    let (value, expected) = perceptron_by_hand(&weights, &x, &y);
    let at = (&weights.0, &weights.1, &weights.2, &weights.3);
    let f = perceptron::AD.with(&x, &y);
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let (found, g) = value_and_gradient(f, NoPrep, &backend, &at).expect("fits");
        assert_close("value", &[found], &[value], ROUNDING);
        assert_close("gradient", &flat(&g), &flat(&expected), ROUNDING);
    }
    let (_, g) = value_and_gradient(f, NoPrep, &AutoDual::new(), &at).expect("fits");
    assert_close("by duals", &flat(&g), &flat(&expected), ROUNDING);
    // one part alone, at the values of the others
    let f = f
        .fix_w2(weights.2.view())
        .fix_b1(weights.1.as_slice().expect("contiguous"));
    let (g1, h2) =
        gradient(f, NoPrep, &AutoSource::new(), &(&weights.0, &weights.3)).expect("fits");
    let found: Vec<f64> = g1.iter().chain(&h2).copied().collect();
    let wanted: Vec<f64> = expected.0.iter().chain(&expected.3).copied().collect();
    assert_close("two of four", &found, &wanted, ROUNDING);
}

/// Minus the log likelihood of labels 0 and 1, with a penalty: `ln(1 + exp(-|z|))` does not overflow.
#[differentiable]
fn logistic(
    w: &Array1<f64>,
    #[constant] x: &Array2<f64>,
    #[constant] labels: ArrayView1<'_, f64>,
    #[constant] penalty: f64,
) -> f64 {
    let z = x.dot(w);
    let mut sum = 0.0;
    for (z, label) in z.iter().zip(labels.iter()) {
        sum += (-z.abs()).exp().ln_1p() + z.max(0.0) - label * z;
    }
    sum / x.nrows() as f64 + 0.5 * penalty * w.dot(w)
}

#[test]
fn logistic_regression() {
    let (x, w) = (filled(9, 4, 0.4), filled(1, 4, 0.8).remove_axis(Axis(0)));
    let labels = Array1::from_shape_fn(9, |i| f64::from(u8::from(i % 3 == 0)));
    let (n, penalty) = (9.0, 0.1);
    let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
    let p = x.dot(&w).mapv(sigmoid);
    let expected = x.t().dot(&(&p - &labels)) / n + &w * penalty;
    let f = logistic::AD.with(&x, labels.view(), penalty);
    for backend in [AutoSource::new(), AutoSource::new().forward()] {
        let g = gradient(f, NoPrep, &backend, &w).expect("fits");
        assert_close(
            "gradient",
            g.as_slice().expect("contiguous"),
            expected.as_slice().expect("contiguous"),
            ROUNDING,
        );
    }
    // X^T diag(p (1 - p)) X / n + penalty
    let weight = p.mapv(|p| p * (1.0 - p)).insert_axis(Axis(1));
    let expected = x.t().dot(&(&x * &weight)) / n + Array2::<f64>::eye(4) * penalty;
    let backend = SecondOrder::new(AutoDual::new(), AutoSource::new());
    let h = hessian(f, NoPrep, &backend, &w).expect("fits");
    let expected = di::Matrix::from(expected);
    assert_close("hessian", h.as_slice(), expected.as_slice(), ROUNDING);
}
