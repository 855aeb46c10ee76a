//! Constants that are made step by step, and the forms that go with constants: ranges with a name, operators by name,
//! functions of floats on constants.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::scalar;
use std::collections::HashMap;
use std::ops::{Add, Neg};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4, 1.3], &[1.2, 0.4, 0.9, 0.8]];
const DATA: [(f64, f64); 4] = [(0.3, 1.0), (0.9, 0.2), (1.4, 0.7), (0.1, 0.4)];

struct Assay {
    dose: f64,
    scale: (f64, f64),
}

#[differentiable]
fn powers(x: &[f64], #[constant] data: &[(f64, f64)], #[constant] assay: &Assay) -> f64 {
    let each = data
        .iter()
        .map(|&(t, y)| (t.powf(x[0]) - y).powi(2) + t.hypot(x[1]).max(y));
    each.sum::<f64>() + assay.dose.powf(x[2]) + assay.scale.0.mul_add(x[3], assay.scale.1)
}

#[test]
fn functions_of_floats_on_constants() {
    let assay = Assay {
        dose: 0.8,
        scale: (1.5, -0.2),
    };
    scalar!(powers::AD.with(&DATA[..], &assay), |x: &[f64]| powers(
        x, &DATA, &assay
    ))
    .row(240)
    .check(&POINTS);
}

#[differentiable]
fn ranges(x: &[f64]) -> f64 {
    let n = x.len();
    let inner = 1..n - 1;
    let whole = 0..=n;
    let unit = 0.0..1.0;
    let mut s = x[inner.start] * x[inner.clone()].iter().map(|v| v.sin()).sum::<f64>();
    for i in inner.clone() {
        s += match unit.contains(&x[i]) {
            true => x[i] * x[i],
            false => x[i - 1] * x[i + 1],
        };
    }
    assert!(whole.contains(&inner.len()) && !inner.is_empty());
    if (0.5..=1.0).contains(&x[0]) {
        s *= x[0];
    }
    s * x[inner.end] + inner.zip(x).map(|(i, v)| v * x[i].exp()).sum::<f64>()
}

#[test]
fn ranges_with_a_name() {
    scalar!(ranges).row(241).check(&POINTS);
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let negated = [x[0], x[1]].map(f64::neg);
    let sum = x.iter().map(Neg::neg).fold(0.0, Add::add);
    let product = x.iter().copied().fold(1.0, std::ops::Mul::mul);
    (negated[0] * sum + negated[1]) * product + x[2].neg().add(x[3] * x[3])
}

#[test]
fn operators_by_name() {
    scalar!(named).row(242).check(&POINTS);
}

#[differentiable]
mod network {
    #[derive(Clone, Copy, PartialEq)]
    pub(super) enum Shape {
        Bent,
        Straight,
    }

    impl Shape {
        fn apply(self, z: f64) -> f64 {
            match self {
                Shape::Bent => z.tanh(),
                Shape::Straight => z,
            }
        }
    }

    pub(super) struct Layer {
        pub(super) weights: [f64; 4],
        pub(super) shape: Shape,
    }

    impl Layer {
        fn forward(&self, x: &[f64]) -> f64 {
            let each = self.weights.iter().zip(x);
            each.map(|(w, x)| self.shape.apply(w * x)).sum()
        }
    }

    pub(super) fn evaluated(layer: &Layer) -> f64 {
        let y = layer.forward(&[0.3, 0.7, -0.4, 1.2]);
        y * y + layer.shape.apply(layer.weights[0])
    }
}

#[test]
fn methods_of_constants_in_structs() {
    use network::{Layer, Shape, evaluated};
    let _row = di_test::rows::row(243);
    for shape in [Shape::Bent, Shape::Straight] {
        let at = |x: &[f64]| Layer {
            weights: x.try_into().expect("four weights"),
            shape,
        };
        let backend = AutoSource::new().reverse();
        let slope = |x: &[f64]| {
            gradient(evaluated::AD, NoPrep, &backend, &at(x))
                .expect("a gradient")
                .weights
        };
        let found = slope(POINTS[0]);
        let second = hessian(evaluated::AD, NoPrep, &AutoSource::new(), &at(POINTS[0]));
        let second = second.expect("a Hessian").into_vec();
        for i in 0..4 {
            let moved = |by: f64| {
                let mut x = POINTS[0].to_vec();
                x[i] += by;
                x
            };
            let (right, left) = (moved(1e-5), moved(-1e-5));
            let expected = (evaluated(&at(&right)) - evaluated(&at(&left))) / 2e-5;
            let (right, left) = (slope(&right), slope(&left));
            let row: Vec<f64> = (0..4).map(|j| (right[j] - left[j]) / 2e-5).collect();
            assert_close("gradient", &[found[i]], &[expected], DIFFERENCES);
            assert_close("Hessian", &second[4 * i..4 * i + 4], &row, DIFFERENCES);
        }
    }
}

#[differentiable]
fn sorted(
    x: &[f64],
    #[constant] data: &[(f64, f64)],
    #[constant] assays: &[Assay],
    #[constant] from: f64,
) -> f64 {
    let mut late = data.to_vec();
    late.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap());
    let mut pairs: Vec<(f64, f64)> = data.iter().copied().filter(|p| p.0 > from).collect();
    pairs.sort_by(|p, q| q.1.total_cmp(&p.1));
    pairs.truncate(2);
    let near: Vec<&Assay> = assays.iter().filter(|a| a.dose < 0.5).collect();
    let (mut risk, mut s) = (0.0, 0.0);
    for (t, y) in &late {
        risk += (x[0] * t).exp();
        s += (x[1] * t - y).powi(2) * risk;
    }
    for (k, (t, y)) in pairs.iter().enumerate() {
        s += (x[2] * t - y).powi(2) * (k as f64 + x[3]);
    }
    s + near.iter().map(|a| a.scale.0 * x[3].sin()).sum::<f64>()
}

#[differentiable]
fn counted(x: &[f64], #[constant] groups: &[usize], #[constant] names: &[&str]) -> f64 {
    let mut table = HashMap::new();
    for (k, name) in names.iter().enumerate() {
        table.insert(*name, k);
    }
    let mut counts: HashMap<usize, f64> = HashMap::new();
    for g in groups {
        *counts.entry(*g).or_insert(0.0) += 1.0;
    }
    let labels: Vec<String> = groups.iter().map(|g| format!("{g}.")).collect();
    let mut title = String::new();
    for label in &labels {
        title.push_str(label);
    }
    let mut s = title.len() as f64 * x[3];
    for (k, g) in groups.iter().enumerate() {
        s += x[k % x.len()].exp() / counts[g];
    }
    for name in names {
        if let Some(k) = table.get(name) {
            s += x[*k].powi(2);
        }
        s += x[table[name]].sin() * table.get("b").copied().unwrap_or(1) as f64;
    }
    s
}

#[test]
fn constants_that_are_made_step_by_step() {
    let assays = [0.3, 0.7, 0.1].map(|dose| Assay {
        dose,
        scale: (2.0 * dose, 1.0),
    });
    scalar!(
        sorted::AD.with(&DATA[..], &assays[..], 0.2),
        |x: &[f64]| sorted(x, &DATA, &assays, 0.2)
    )
    .row(244)
    .takes_memory()
    .check(&POINTS);
    let (groups, names) = ([0, 2, 2, 1, 0], ["a", "b", "c"]);
    scalar!(counted::AD.with(&groups[..], &names[..]), |x: &[f64]| {
        counted(x, &groups, &names)
    })
    .row(244)
    .takes_memory()
    .check(&POINTS);
}

/// A grid whose indices may be negative.
struct Image {
    width: isize,
    pixels: Vec<f64>,
}

impl Image {
    fn get(&self, i: isize, j: isize) -> f64 {
        let k = (i.rem_euclid(self.width) + j * self.width).unsigned_abs();
        self.pixels[k % self.pixels.len()]
    }
}

#[differentiable]
fn seen(x: &[f64], #[constant] image: &Image) -> f64 {
    let i = (3.0 * x[0]).floor() as isize;
    let row = [-1, 0, 1].map(|d| image.get(i + d, 1));
    let mut s = row[0] * x[1] + row[1] * x[2] * x[1] + row[2] * x[3].sin();
    for d in [0, 2, 3] {
        s += image.get(d - 1, i) * x[d as usize];
    }
    s + (1..3).map(|d| image.get(i, d) * x[1].powi(2)).sum::<f64>()
}

#[test]
fn integers_of_other_types() {
    let image = Image {
        width: 4,
        pixels: (0..13).map(|k| 1.0 / (1.0 + f64::from(k))).collect(),
    };
    scalar!(seen::AD.with(&image), |x: &[f64]| seen(x, &image))
        .row(299)
        .check(&POINTS);
}

struct Bar {
    nodes: (usize, usize),
    stiffness: f64,
}

struct Mesh {
    points: Vec<f64>,
    bars: Vec<Bar>,
    counts: Vec<(usize, usize, f64)>,
}

#[differentiable]
fn place(x: &[f64], k: usize) -> f64 {
    x[k] * x[k]
}

#[differentiable]
fn strained(x: &[f64], #[constant] mesh: &Mesh) -> f64 {
    let mut e = 0.0;
    for Bar {
        nodes: (i, j),
        stiffness,
    } in &mesh.bars
    {
        let rest = mesh.points[*i] - mesh.points[*j];
        e += stiffness * (place(x, *i) - place(x, *j) - rest).powi(2);
    }
    let seen = mesh.counts.iter().filter(|(s, ..)| *s > 0);
    e + seen.map(|(_, k, q)| (x[*k] - q).powi(2)).sum::<f64>()
}

#[test]
fn parts_of_constants_behind_references() {
    let bar = |i, j, stiffness| Bar {
        nodes: (i, j),
        stiffness,
    };
    let mesh = Mesh {
        points: vec![0.1, 0.7, 1.2, 0.4],
        bars: vec![bar(0, 1, 2.0), bar(2, 1, 0.5), bar(3, 0, 1.5)],
        counts: vec![(0, 1, 0.3), (2, 3, 0.8), (1, 0, 0.2)],
    };
    scalar!(strained::AD.with(&mesh), |x: &[f64]| strained(x, &mesh))
        .row(301)
        .check(&POINTS);
}

/// Laws without parameters of their own.
#[differentiable]
mod laws {
    pub(super) trait Potential {
        fn potential(&self, x: f64) -> f64;
    }

    pub(super) struct Graphite;

    impl Potential for Graphite {
        fn potential(&self, x: f64) -> f64 {
            0.1 + 0.7 * (-6.0 * x).exp()
        }
    }

    pub(super) fn volts(x: &[f64]) -> f64 {
        let above = Graphite.potential(x[0] * x[1]);
        above * x[2] + Graphite.potential(x[3])
    }
}

#[test]
fn methods_of_structs_without_fields() {
    use laws::volts;
    scalar!(volts).row(302).check(&POINTS);
}
