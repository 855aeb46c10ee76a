//! A small language model of stacked LSTM cells, the third objective of ADBench.

mod hand;

use di::prelude::*;

use super::data::Numbers;

pub use hand::{Workspace, value_and_gradient};

/// The logistic function.
#[differentiable]
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `ln(2 + sum of exp(x[i]))`
#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut sum = 2.0;
    for v in x {
        sum += v.exp();
    }
    sum.ln()
}

/// One cell: gates, cell and hidden state in a loop each.
#[differentiable]
fn cell_step(weight: &[f64], bias: &[f64], hidden: &mut [f64], cell: &mut [f64], input: &[f64]) {
    let h = hidden.len();
    let mut forget = vec![0.0; h];
    let mut ingate = vec![0.0; h];
    let mut outgate = vec![0.0; h];
    let mut change = vec![0.0; h];
    for i in 0..h {
        forget[i] = sigmoid(input[i] * weight[i] + bias[i]);
        ingate[i] = sigmoid(hidden[i] * weight[h + i] + bias[h + i]);
        outgate[i] = sigmoid(input[i] * weight[2 * h + i] + bias[2 * h + i]);
        change[i] = (hidden[i] * weight[3 * h + i] + bias[3 * h + i]).tanh();
    }
    for i in 0..h {
        cell[i] = cell[i] * forget[i] + ingate[i] * change[i];
    }
    for i in 0..h {
        hidden[i] = outgate[i] * cell[i].tanh();
    }
}

/// Prediction of what follows `input`; the state moves on.
#[differentiable]
fn predict(
    main: &[f64],
    extra: &[f64],
    hidden: &mut [f64],
    cell: &mut [f64],
    #[constant] input: &[f64],
    prediction: &mut [f64],
) {
    let b = input.len();
    let layers = main.len() / (8 * b);
    for i in 0..b {
        prediction[i] = input[i] * extra[i];
    }
    for layer in 0..layers {
        let at = 8 * b * layer;
        cell_step(
            &main[at..at + 4 * b],
            &main[at + 4 * b..at + 8 * b],
            &mut hidden[b * layer..b * (layer + 1)],
            &mut cell[b * layer..b * (layer + 1)],
            &prediction[..],
        );
        prediction.copy_from_slice(&hidden[b * layer..b * (layer + 1)]);
    }
    for i in 0..b {
        prediction[i] = prediction[i] * extra[b + i] + extra[2 * b + i];
    }
}

/// The annotated function: mean loss over the sequence. `main`: for each layer the weights and biases
/// of the four gates; `extra`: input weights, output weights, output biases.
#[differentiable]
pub fn lstm(
    main: &[f64],
    extra: &[f64],
    #[constant] hidden_start: &[f64],
    #[constant] cell_start: &[f64],
    #[constant] sequence: &[f64],
) -> f64 {
    let b = extra.len() / 3;
    let steps = sequence.len() / b - 1;
    let mut hidden = hidden_start.to_vec();
    let mut cell = cell_start.to_vec();
    let mut prediction = vec![0.0; b];
    let mut total = 0.0;
    for t in 0..steps {
        predict(
            main,
            extra,
            &mut hidden,
            &mut cell,
            &sequence[t * b..(t + 1) * b],
            &mut prediction,
        );
        let norm: f64 = log_sum_exp(&prediction);
        for i in 0..b {
            total += sequence[(t + 1) * b + i] * (prediction[i] - norm);
        }
    }
    -total / (steps * b) as f64
}

/// An instance.
pub struct Instance {
    /// Weights and biases of the cells.
    pub main: Vec<f64>,
    /// Weights of input and output.
    pub extra: Vec<f64>,
    /// Hidden state at the start, layer by layer.
    pub hidden: Vec<f64>,
    /// Cell state at the start, layer by layer.
    pub cell: Vec<f64>,
    /// What is to be predicted.
    pub sequence: Vec<f64>,
}

impl Instance {
    /// The instance with 2 layers of 14 cells and 1024 steps.
    pub fn l2_c1024() -> Self {
        Instance::read(include_str!("../../data/adbench/lstm_l2_c1024.txt"))
    }

    /// An instance in the format of ADBench.
    ///
    /// # Panics
    /// If `text` is none.
    pub fn read(text: &str) -> Self {
        let mut numbers = Numbers::of(text);
        let [l, c, b] = [(); 3].map(|()| numbers.size());
        let main = numbers.floats(8 * l * b);
        let extra = numbers.floats(3 * b);
        let (mut hidden, mut cell) = (Vec::new(), Vec::new());
        for _ in 0..l {
            hidden.extend(numbers.floats(b));
            cell.extend(numbers.floats(b));
        }
        Instance {
            main,
            extra,
            hidden,
            cell,
            sequence: numbers.floats(c * b),
        }
    }
}

/// The annotated function on an instance, as one outlined function: what derivatives are timed against.
#[inline(never)]
pub fn primal(i: &Instance) -> f64 {
    lstm(&i.main, &i.extra, &i.hidden, &i.cell, &i.sequence)
}

#[cfg(test)]
mod tests {
    use super::{Instance, Workspace, primal, value_and_gradient};
    use crate::cases::{checksums, close};

    #[test]
    fn reference_values() {
        let instance = Instance::l2_c1024();
        let objective = 6.666_651_795_588_522e-1;
        assert!(close(primal(&instance), objective, 1e-12));
        let mut g = [
            vec![0.0; instance.main.len()],
            vec![0.0; instance.extra.len()],
        ];
        let mut work = Workspace::default();
        assert!(close(
            value_and_gradient(&instance, &mut work, &mut g),
            objective,
            1e-12
        ));
        let (s, q) = checksums(g.iter().flatten());
        assert!(close(s, 9.631_733_762_259_4e-2, 1e-11), "{s}");
        assert!(close(q, 8.975_929_105_992_7e-3, 1e-11), "{q}");
    }
}
