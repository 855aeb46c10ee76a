//! Rows in fields of structs that calls return, whose types are not written, and lists of lists of structs in fields.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, 0.4], &[-0.3, 0.6, 1.1]];

#[derive(Clone, Differentiable)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}

#[derive(Clone, Differentiable)]
struct Net {
    layers: Vec<Layer>,
    pair: [Vec<f64>; 2],
    scale: f64,
}

#[differentiable]
fn unpack(x: &[f64]) -> Layer {
    Layer {
        w: vec![vec![x[0], x[1]], vec![x[2], x[0] * x[1]]],
        b: vec![x[1], x[2]],
    }
}

#[differentiable]
fn net(x: &[f64]) -> Net {
    Net {
        layers: vec![unpack(x), unpack(&x[..])],
        pair: [vec![x[0]; 2], vec![x[1], x[2]]],
        scale: x[2],
    }
}

#[differentiable]
fn indexed(x: &[f64]) -> f64 {
    let layer = unpack(x);
    let mut sum = layer.w[0][1] * layer.b[1];
    let v = [0.3, x[0]];
    for i in 0..layer.w.len() {
        for j in 0..layer.w[i].len() {
            sum += layer.w[i][j] * v[j];
        }
    }
    sum
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let layer = unpack(x);
    let v = vec![0.3, x[0]];
    let mut sum = 0.0;
    for (row, b) in layer.w.iter().zip(&layer.b) {
        sum += (row.iter().zip(&v).map(|(w, v)| w * v).sum::<f64>() + b).tanh();
    }
    for row in &layer.w {
        for w in row {
            sum += w * w;
        }
        sum += row[0];
    }
    sum
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let layer = unpack(x);
    let v = [0.3, x[0]];
    let mut sum = 0.0;
    for i in 0..2 {
        sum += (dot(&layer.w[i], &v) + layer.b[i]).tanh();
    }
    sum + dot(&layer.b, &layer.w[1])
}

#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let mut n = net(x);
    n.layers[0].w[1][0] *= x[1];
    n.pair[0][1] = x[2] * x[2];
    n.pair[1][0] += x[0];
    n.layers[0].w[1][0] * n.pair[0][1] + n.pair[1][0] * n.scale + n.layers[1].w[0][1]
}

#[test]
fn rows_of_results_whose_type_is_not_written() {
    scalar!(indexed::AD, indexed)
        .row(384)
        .takes_memory()
        .check(&POINTS);
    scalar!(walked::AD, walked)
        .row(384)
        .takes_memory()
        .check(&POINTS);
    scalar!(borrowed::AD, borrowed)
        .row(384)
        .takes_memory()
        .check(&POINTS);
    scalar!(changed::AD, changed)
        .row(384)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Clone, Differentiable)]
struct Neuron {
    w: Vec<f64>,
    b: f64,
}

#[derive(Clone, Differentiable)]
struct Brain {
    layers: Vec<Vec<Neuron>>,
    scale: f64,
}

#[differentiable]
fn forward(brain: &Brain, input: &[f64]) -> f64 {
    let mut h = input.to_vec();
    for layer in &brain.layers {
        let mut next = Vec::new();
        for n in layer {
            let mut z = n.b;
            for (w, v) in n.w.iter().zip(&h) {
                z += w * v;
            }
            next.push(z.tanh());
        }
        h = next;
    }
    h.iter().sum::<f64>() * brain.scale
}

#[differentiable]
fn grown(x: &[f64]) -> Brain {
    let mut layers = Vec::new();
    layers.push(vec![
        Neuron {
            w: vec![x[0], x[1]],
            b: x[2],
        },
        Neuron {
            w: vec![x[1] * x[2], 0.3],
            b: x[0],
        },
    ]);
    layers.push(vec![Neuron {
        w: vec![x[2], x[0] * x[0]],
        b: 0.1,
    }]);
    Brain {
        layers,
        scale: x[1],
    }
}

#[differentiable]
fn damp(brain: &mut Brain, k: f64) {
    for row in brain.layers.iter_mut() {
        for neuron in row.iter_mut() {
            neuron.b *= k;
        }
    }
    brain.layers[0][1].w[0] += k;
}

#[differentiable]
fn thought(x: &[f64]) -> f64 {
    let mut brain: Brain = grown(x);
    damp(&mut brain, x[0]);
    let sum = brain.layers.iter().flatten().map(|n| n.b).sum::<f64>();
    forward(&brain, &[0.3, x[1]]) + brain.layers[1][0].b * brain.layers[0].len() as f64 + sum
}

#[test]
fn lists_of_lists_of_structs_in_fields() {
    scalar!(thought::AD, thought)
        .row(385)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn gradient_by_lists_of_lists_of_structs() {
    let brain = grown(&[0.7, 1.3, 0.4]);
    let backend = AutoSource::new();
    let input = [0.3, -0.8];
    let at = |brain: &Brain| forward(brain, &input);
    let f = forward::AD.fix_input(&input);
    let (y, g) = value_and_gradient(f, NoPrep, &backend, &brain).unwrap();
    assert_eq!(y, at(&brain));
    for k in 0..2 {
        let moved = |h: f64| {
            let mut brain = brain.clone();
            brain.layers[0][k].w[1] += h;
            at(&brain)
        };
        let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((g.layers[0][k].w[1] - expected).abs() < 1e-8);
    }
}
