//! Arrays of `ndarray` that constants hold: in fields, in lists of structs, in variants, and as plain functions return them.

use di::prelude::*;
use di_test::scalar;
use ndarray::{Array1, Array2, Array3, ArrayView1, Axis, array, s};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, -0.4], &[1.4, 0.6, 0.9], &[-0.3, 0.2, 1.1]];

// ---- functions beside structs that are not derived ----

struct Scene {
    spectra: Array2<f64>,
    y: Array1<f64>,
    parts: Vec<Part>,
    inner: Inner,
    noise: f64,
}

struct Inner {
    weights: Array1<f64>,
    mask: Vec<bool>,
}

struct Part {
    name: String,
    gains: Array1<f64>,
    rank: usize,
}

impl Scene {
    fn column_sums(&self) -> Array1<f64> {
        self.spectra.sum_axis(Axis(0))
    }

    fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|p| p.name == name)
    }
}

fn scaled(a: &Array1<f64>, by: f64) -> Array1<f64> {
    a * by
}

fn scene() -> Scene {
    let part = |name: &str, rank: usize, gains: Array1<f64>| Part {
        name: name.to_string(),
        gains,
        rank,
    };
    Scene {
        // column by column in memory
        spectra: array![[0.3, -1.2], [0.8, 0.5], [1.1, 0.4]].reversed_axes(),
        y: array![0.4, -0.9, 1.3],
        parts: vec![
            part("red", 1, array![0.2, 0.9, -0.4]),
            part("blue", 2, array![1.2, -0.3, 0.6]),
        ],
        inner: Inner {
            weights: array![1.5, 0.5, 2.0],
            mask: vec![true, false],
        },
        noise: 0.3,
    }
}

#[differentiable]
fn made(x: &[f64]) -> Array1<f64> {
    Array1::from(x.to_vec())
}

#[differentiable]
fn angle(a: &Array1<f64>, b: ArrayView1<f64>) -> f64 {
    a.dot(&b) / (1.0 + b.dot(&b).sqrt())
}

#[differentiable]
fn elements(x: &[f64], #[constant] d: &Scene) -> f64 {
    let mut sum = d.noise * d.y[0] * x[0];
    for i in 0..d.spectra.nrows() {
        for j in 0..d.spectra.ncols() {
            sum += d.spectra[[i, j]] * x[j] * x[(i + j) % 3];
        }
        if d.inner.mask[i] && d.y.len() == 3 {
            sum *= d.y[i] + x[i];
        }
    }
    sum + d.y.iter().zip(x).map(|(y, x)| y * x * x).sum::<f64>()
}

#[differentiable]
fn whole(x: &[f64], #[constant] d: &Scene) -> f64 {
    let e = made(x);
    let r = &e - &d.y;
    let fitted = d.spectra.dot(&e) - d.spectra.row(1).sum();
    let weighted = &r * &d.inner.weights;
    d.noise * weighted.dot(&r) + fitted.dot(&fitted) + e.dot(&d.y) * d.y.dot(&e)
}

#[differentiable]
fn by_rows(x: &[f64], #[constant] d: &Scene) -> f64 {
    let e = made(x);
    let mut total = 0.0;
    for (i, row) in d.spectra.outer_iter().enumerate() {
        if !d.inner.mask[i] {
            total += angle(&e, row);
            continue;
        }
        let model = &e * 2.0;
        let r = &model - &row;
        total += r.dot(&r) + angle(&model, row);
    }
    for column in d.spectra.axis_iter(Axis(1)) {
        total += column.dot(&column) * x[1];
    }
    for i in 0..2 {
        let r = &e - &d.spectra.row(i);
        total += r.mapv(|v| v * v * v).sum() + angle(&e, d.spectra.slice(s![i, ..]));
    }
    total
}

#[differentiable]
fn of_parts(x: &[f64], #[constant] d: &Scene) -> f64 {
    let e = made(x);
    let mut total = 0.0;
    for part in &d.parts {
        total += part.gains.dot(&e) * part.rank as f64;
    }
    for (k, part) in d.parts.iter().enumerate() {
        let gains = &part.gains;
        total += (&e * gains).sum() * (&d.parts[k].gains - &e).mapv(f64::sin).sum();
    }
    total += d.parts.iter().map(|p| p.gains.dot(&e).powi(2)).sum::<f64>();
    if let Some(part) = d.part("blue") {
        total *= (&part.gains + &e).sum();
    }
    total + d.part("red").unwrap().gains[1] * x[2]
}

#[differentiable]
fn typed(x: &[f64], #[constant] d: &Scene) -> f64 {
    let e = made(x);
    let spectra: &Array2<f64> = &d.spectra;
    let first: ArrayView1<f64> = d.spectra.row(0);
    let sums = d.column_sums();
    let twice = scaled(&d.inner.weights, 2.0);
    spectra.dot(&e).sum() * first.dot(&e)
        + (&sums - &e).mapv(|v| v.powi(2)).sum()
        + twice.dot(&e).exp()
}

#[test]
fn arrays_in_fields_of_constants() {
    let d = scene();
    scalar!(elements::AD.with(&d), |x| elements(x, &d))
        .row(660)
        .check(&POINTS);
    scalar!(whole::AD.with(&d), |x| whole(x, &d))
        .row(660)
        .takes_memory()
        .check(&POINTS);
    scalar!(by_rows::AD.with(&d), |x| by_rows(x, &d))
        .row(660)
        .takes_memory()
        .check(&POINTS);
    scalar!(of_parts::AD.with(&d), |x| of_parts(x, &d))
        .row(661)
        .check(&POINTS);
    scalar!(typed::AD.with(&d), |x| typed(x, &d))
        .row(662)
        .takes_memory()
        .check(&POINTS);
}

// ---- methods of derived structs ----

#[derive(Differentiable)]
struct Tilt {
    w: f64,
}

#[differentiable]
impl Tilt {
    fn bias(&self) -> Array1<f64> {
        Array1::from_elem(3, self.w)
    }

    fn spread(&self, m: &Array2<f64>, v: &Array1<f64>) -> f64 {
        m.dot(v).sum() * self.w
    }

    fn both(&self, d: &Array2<f64>) -> f64 {
        let b = self.bias();
        self.spread(d, &b) + b.sum()
    }
}

#[differentiable]
fn tilted(x: &[f64], #[constant] d: &Scene) -> f64 {
    let (tilt, e) = (Tilt { w: x[0] }, made(x));
    let h = tilt.bias();
    h.dot(&e) * tilt.spread(&d.spectra, &(&h * &e)) + tilt.both(&d.spectra)
}

#[test]
fn methods_return_arrays() {
    let d = scene();
    scalar!(tilted::AD.with(&d), |x| tilted(x, &d))
        .row(662)
        .takes_memory()
        .check(&POINTS);
}

// ---- an annotated module ----

#[differentiable]
mod network {
    use ndarray::{Array1, Array2, ArrayView1};

    pub enum Layer {
        Dense { w: Array2<f64>, b: Array1<f64> },
        Scale(Array1<f64>),
        Tanh,
    }

    pub struct Net {
        pub layers: Vec<Layer>,
        pub head: Array2<f64>,
        pub shift: Option<Array1<f64>>,
    }

    impl Net {
        fn layer(&self, k: usize, h: &Array1<f64>) -> Array1<f64> {
            match &self.layers[k] {
                Layer::Dense { w, b } => w.dot(h) + b,
                Layer::Scale(by) => h * by,
                Layer::Tanh => h.mapv(f64::tanh),
            }
        }

        fn project(&self, h: &Array1<f64>) -> f64 {
            let out = self.head.dot(h);
            out.dot(&out) + mixed(&self.head, h)
        }

        fn column(&self, k: usize) -> Array1<f64> {
            self.head.column(k).to_owned()
        }
    }

    fn mixed(m: &Array2<f64>, h: &Array1<f64>) -> f64 {
        m.row(0).dot(h) * m[[0, 1]]
    }

    fn distance(a: &Array1<f64>, b: ArrayView1<f64>) -> f64 {
        let d = a - &b;
        d.dot(&d)
    }

    pub fn loss(x: &[f64], net: &Net) -> f64 {
        let mut h = Array1::from(x.to_vec());
        for k in 0..net.layers.len() {
            h = net.layer(k, &h);
        }
        if let Some(shift) = &net.shift {
            h = &h + shift;
        }
        let next = net.layer(0, &h);
        net.project(&h) + distance(&h, net.head.row(0)) + next.sum() * net.column(1).sum()
    }
}

#[test]
fn arrays_in_constants_of_modules() {
    use network::{Layer, Net, loss};
    for shift in [None, Some(array![0.3, -0.2, 0.5])] {
        let net = Net {
            layers: vec![
                Layer::Dense {
                    w: array![[0.2, 0.5, -0.3], [0.9, -0.4, 0.1], [0.3, 0.3, 0.6]],
                    b: array![0.1, -0.2, 0.4],
                },
                Layer::Tanh,
                Layer::Scale(array![1.5, 0.5, -1.0]),
            ],
            head: array![[0.3, 0.7, -0.2], [0.6, -0.1, 0.4]],
            shift,
        };
        scalar!(loss::AD.with(&net), |x| loss(x, &net))
            .rows(&[661, 662])
            .takes_memory()
            .check(&POINTS);
    }
}

#[differentiable]
mod lists {
    use ndarray::{Array1, Array2, Array3, ArrayView1, Axis};
    use std::collections::BTreeMap;

    pub struct Data {
        pub a: Array2<f64>,
        pub labels: Array1<usize>,
        pub cube: Array3<f64>,
        pub rows: Vec<Array1<f64>>,
        pub pairs: Vec<(Array1<f64>, f64)>,
        pub names: BTreeMap<String, Array1<f64>>,
    }

    /// Of no array, with a method that arrays have.
    pub struct Arrow {
        pub x: f64,
        pub y: f64,
    }

    impl Arrow {
        fn dot(&self, other: &Arrow) -> f64 {
            self.x * other.x + self.y * other.y
        }
    }

    impl Data {
        fn first(&self) -> ArrayView1<'_, f64> {
            self.a.row(0)
        }

        fn table(&self) -> &Array2<f64> {
            &self.a
        }

        fn weights(&self) -> Array1<f64> {
            self.a.sum_axis(Axis(0))
        }

        fn score(&self, e: &Array1<f64>, m: &Array2<f64>) -> f64 {
            self.a.dot(e).sum() + m.dot(e).sum()
        }

        fn outer(&self, e: &Array1<f64>) -> Array2<f64> {
            let mut o = Array2::zeros((3, 3));
            for i in 0..3 {
                for j in 0..3 {
                    o[[i, j]] = e[i] * e[j] * self.a[[0, i]];
                }
            }
            o
        }
    }

    pub fn numbers(x: &[f64], d: &Data) -> f64 {
        let (v, w) = (Arrow { x: x[0], y: x[1] }, Arrow { x: x[1], y: x[2] });
        let mut sum = v.dot(&w);
        for (i, &label) in d.labels.iter().enumerate() {
            sum += d.a[[i, label]] * x[label] * (1.0 + d.labels[i] as f64);
        }
        let (m, n) = d.a.dim();
        for i in 0..m {
            for j in 0..n {
                sum += d.a[(i, j)] * x[j].sin() * d.cube[[0, i, j]];
            }
        }
        sum
    }

    pub fn listed(x: &[f64], d: &Data) -> f64 {
        let e = Array1::from(x.to_vec());
        let mut sum = 0.0;
        for row in &d.rows {
            sum += (&e - row).mapv(|v| v * v).sum();
        }
        for (row, weight) in &d.pairs {
            sum += row.dot(&e) * weight;
        }
        for (name, row) in &d.names {
            sum += row.dot(&e) * name.len() as f64;
        }
        if let Some(row) = d.names.get("one") {
            sum += row.dot(&e) * sum;
        }
        sum += (d.rows.iter().zip(x))
            .map(|(row, v)| row.dot(&e) * v)
            .sum::<f64>();
        sum + d.rows.last().unwrap().dot(&e)
    }

    pub fn called(x: &[f64], d: &Data) -> f64 {
        let e = Array1::from(x.to_vec());
        let outer = d.outer(&e);
        let twice = d.outer(&(&e * 2.0)).row(0).sum();
        let scores = d.score(&e, &outer) + d.score(&e, &d.a);
        d.first().dot(&e) + d.table().dot(&e).sum() + scores + twice * d.weights().dot(&e)
    }
}

#[test]
fn arrays_in_lists_and_through_methods() {
    let d = lists::Data {
        a: array![[0.3, -0.7, 0.2], [1.1, 0.4, -0.6]],
        labels: array![2, 0],
        cube: Array3::from_shape_fn((2, 2, 3), |(i, j, k)| (i + 3 * j) as f64 - 0.2 * k as f64),
        rows: vec![array![0.1, 0.2, 0.3], array![-0.5, 0.4, 0.9]],
        pairs: vec![(array![0.3, 0.1, 0.2], 1.5), (array![0.7, -0.1, 0.2], -0.5)],
        names: [
            ("one".to_string(), array![1.0, 2.0, 0.5]),
            ("two".to_string(), array![0.2, -0.4, 0.5]),
        ]
        .into(),
    };
    scalar!(lists::numbers::AD.with(&d), |x| lists::numbers(x, &d))
        .row(660)
        .check(&POINTS);
    scalar!(lists::listed::AD.with(&d), |x| lists::listed(x, &d))
        .row(661)
        .takes_memory()
        .check(&POINTS);
    scalar!(lists::called::AD.with(&d), |x| lists::called(x, &d))
        .row(662)
        .takes_memory()
        .check(&POINTS);
}

// ---- lists of arrays as parameters ----

#[differentiable]
fn all_of(
    x: &[f64],
    #[constant] tables: &[Array2<f64>],
    #[constant] tilt: &(Array1<f64>, f64),
) -> f64 {
    let e = made(x);
    let mut sum = tilt.1 * tilt.0.dot(&e);
    for table in tables {
        sum += table.dot(&e).sum() * sum;
    }
    sum + tables[0].row(1).dot(&e)
}

#[test]
fn lists_of_arrays_are_parameters() {
    let tables = [
        array![[0.3, -0.7, 0.2], [1.1, 0.4, -0.6]],
        array![[0.3, 0.1, 0.2]],
    ];
    let tilt = (array![0.3, 0.5, 0.9], 2.0);
    scalar!(all_of::AD.with(&tables, &tilt), |x| all_of(
        x, &tables, &tilt
    ))
    .row(661)
    .check(&POINTS);
}
