//! The adjoint by hand: results of the transcendental functions are kept, one loop back for each cell.

use super::{Instance, sigmoid};

/// Values kept by the forward sweep, and adjoints of the state.
#[derive(Default)]
pub struct Workspace {
    /// For each step and layer `LANES` rows of `b`: see `Rows`.
    cells: Vec<f64>,
    /// For each step the last hidden state and the shares of the predicted components.
    ends: Vec<f64>,
    hidden: Vec<f64>,
    cell: Vec<f64>,
    prediction: Vec<f64>,
    hidden_adjoint: Vec<f64>,
    cell_adjoint: Vec<f64>,
    input_adjoint: Vec<f64>,
}

/// forget, ingate, outgate, change, hidden before, cell before, tanh of the cell, input
const LANES: usize = 8;

/// Value and gradient by hand: by `main`, by `extra`.
#[inline(never)]
pub fn value_and_gradient(instance: &Instance, w: &mut Workspace, g: &mut [Vec<f64>; 2]) -> f64 {
    let Instance {
        main,
        extra,
        hidden,
        cell,
        sequence,
    } = instance;
    let b = extra.len() / 3;
    let layers = main.len() / (8 * b);
    let steps = sequence.len() / b - 1;
    w.hidden.clone_from(hidden);
    w.cell.clone_from(cell);
    w.prediction.resize(b, 0.0);
    w.cells.resize(steps * layers * LANES * b, 0.0);
    w.ends.resize(steps * 2 * b, 0.0);
    let mut total = 0.0;
    for t in 0..steps {
        let input = &sequence[t * b..][..b];
        for i in 0..b {
            w.prediction[i] = input[i] * extra[i];
        }
        for layer in 0..layers {
            let at = (t * layers + layer) * LANES * b;
            let hidden = &mut w.hidden[layer * b..][..b];
            forward(
                &main[8 * b * layer..][..8 * b],
                hidden,
                &mut w.cell[layer * b..][..b],
                &w.prediction,
                &mut w.cells[at..][..LANES * b],
            );
            w.prediction.copy_from_slice(hidden);
        }
        let (last, share) = w.ends[2 * b * t..][..2 * b].split_at_mut(b);
        last.copy_from_slice(&w.prediction);
        let mut sum = 2.0;
        for i in 0..b {
            w.prediction[i] = last[i] * extra[b + i] + extra[2 * b + i];
            share[i] = w.prediction[i].exp();
            sum += share[i];
        }
        let norm = sum.ln();
        let gold = &sequence[(t + 1) * b..][..b];
        for i in 0..b {
            total += gold[i] * (w.prediction[i] - norm);
            share[i] /= sum;
        }
    }
    let count = (steps * b) as f64;
    let [g_main, g_extra] = g;
    g_main.fill(0.0);
    g_extra.fill(0.0);
    for adjoint in [&mut w.hidden_adjoint, &mut w.cell_adjoint] {
        adjoint.clear();
        adjoint.resize(layers * b, 0.0);
    }
    w.input_adjoint.resize(b, 0.0);
    let seed = -1.0 / count;
    for t in (0..steps).rev() {
        let gold = &sequence[(t + 1) * b..][..b];
        let (last, share) = w.ends[2 * b * t..][..2 * b].split_at(b);
        let weight: f64 = gold.iter().sum();
        for i in 0..b {
            let adjoint = seed * (gold[i] - weight * share[i]);
            g_extra[2 * b + i] += adjoint;
            g_extra[b + i] += adjoint * last[i];
            w.input_adjoint[i] = adjoint * extra[b + i];
        }
        for layer in (0..layers).rev() {
            let at = (t * layers + layer) * LANES * b;
            let parameters = 8 * b * layer..8 * b * (layer + 1);
            backward(
                &main[parameters.clone()],
                &mut g_main[parameters],
                &mut w.hidden_adjoint[layer * b..][..b],
                &mut w.cell_adjoint[layer * b..][..b],
                &mut w.input_adjoint,
                &w.cells[at..][..LANES * b],
            );
        }
        let input = &sequence[t * b..][..b];
        for i in 0..b {
            g_extra[i] += w.input_adjoint[i] * input[i];
        }
    }
    -total / count
}

/// Rows of `b`.
fn rows<const N: usize>(x: &[f64], b: usize) -> [&[f64]; N] {
    let mut rest = x;
    std::array::from_fn(|_| {
        let (row, after) = rest.split_at(b);
        rest = after;
        row
    })
}

fn rows_mut<const N: usize>(x: &mut [f64], b: usize) -> [&mut [f64]; N] {
    let mut rest = x;
    std::array::from_fn(|_| {
        let (row, after) = std::mem::take(&mut rest).split_at_mut(b);
        rest = after;
        row
    })
}

#[inline(never)]
fn forward(p: &[f64], hidden: &mut [f64], cell: &mut [f64], input: &[f64], kept: &mut [f64]) {
    let b = hidden.len();
    let [f, ig, og, ch, before, cell_before, tanh, kept_input] = rows_mut(kept, b);
    before.copy_from_slice(hidden);
    cell_before.copy_from_slice(cell);
    kept_input.copy_from_slice(input);
    for i in 0..b {
        f[i] = sigmoid(input[i] * p[i] + p[4 * b + i]);
        ig[i] = sigmoid(hidden[i] * p[b + i] + p[5 * b + i]);
        og[i] = sigmoid(input[i] * p[2 * b + i] + p[6 * b + i]);
        ch[i] = (hidden[i] * p[3 * b + i] + p[7 * b + i]).tanh();
    }
    for i in 0..b {
        cell[i] = cell[i] * f[i] + ig[i] * ch[i];
    }
    for i in 0..b {
        tanh[i] = cell[i].tanh();
        hidden[i] = og[i] * tanh[i];
    }
}

/// `input` holds what later layers give to the hidden state, and then the adjoint of the input.
#[inline(never)]
fn backward(
    p: &[f64],
    g: &mut [f64],
    hidden: &mut [f64],
    cell: &mut [f64],
    input: &mut [f64],
    kept: &[f64],
) {
    let b = hidden.len();
    let [wf, wi, wo, wc]: [&[f64]; 4] = rows(&p[..4 * b], b);
    let [gwf, gwi, gwo, gwc, gbf, gbi, gbo, gbc] = rows_mut(g, b);
    let [f, ig, og, ch, before, cell_before, tanh, old_input] = rows(kept, b);
    let (cell, input) = (&mut cell[..b], &mut input[..b]);
    for i in 0..b {
        let h = hidden[i] + input[i];
        let t = tanh[i];
        let c = cell[i] + h * og[i] * (1.0 - t * t);
        let of_change = c * ig[i] * (1.0 - ch[i] * ch[i]);
        let of_out = h * t * og[i] * (1.0 - og[i]);
        let of_in = c * ch[i] * ig[i] * (1.0 - ig[i]);
        let of_forget = c * cell_before[i] * f[i] * (1.0 - f[i]);
        cell[i] = c * f[i];
        gbc[i] += of_change;
        gwc[i] += of_change * before[i];
        gbi[i] += of_in;
        gwi[i] += of_in * before[i];
        hidden[i] = of_change * wc[i] + of_in * wi[i];
        gbo[i] += of_out;
        gwo[i] += of_out * old_input[i];
        gbf[i] += of_forget;
        gwf[i] += of_forget * old_input[i];
        input[i] = of_out * wo[i] + of_forget * wf[i];
    }
}
