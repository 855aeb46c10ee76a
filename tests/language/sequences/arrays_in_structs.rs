//! Arrays of `ndarray` in fields of structs that are differentiated.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::scalar;
use ndarray::{Array1, Array2};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, -0.4], &[1.4, 0.6, 0.9], &[-0.3, 0.2, 1.1]];

#[differentiable]
mod model {
    use di::Differentiable;
    use ndarray::{Array1, Array2, Axis, s};

    #[derive(Clone, Debug)]
    pub struct Layer {
        pub w: Array2<f64>,
        pub b: Array1<f64>,
    }

    #[derive(Clone, Debug)]
    pub struct Net {
        pub layers: Vec<Layer>,
        pub out: Array1<f64>,
        pub bias: f64,
    }

    #[derive(Clone, Debug)]
    pub struct Mlp {
        pub weights: Vec<Array2<f64>>,
        pub biases: Vec<Array1<f64>>,
        pub ends: [Array1<f64>; 2],
    }

    #[derive(Clone, Debug)]
    pub struct Affine(pub Array2<f64>, pub Array1<f64>);

    impl Layer {
        pub fn apply(&self, x: &Array1<f64>) -> Array1<f64> {
            (self.w.dot(x) + &self.b).mapv(f64::tanh)
        }

        pub fn norm(&self) -> f64 {
            self.w.iter().map(|v| v * v).sum::<f64>() + self.b.dot(&self.b)
        }

        pub fn stepped(&self, g: &Array2<f64>, eta: f64) -> Layer {
            Layer {
                w: &self.w - &(g * eta),
                b: self.b.clone(),
            }
        }

        pub fn scale(&mut self, c: f64) {
            self.w *= c;
            self.b.mapv_inplace(|v| v * c);
        }
    }

    pub fn loss(net: &Net, #[constant] xs: &Array2<f64>, #[constant] y: &[f64]) -> f64 {
        let mut s = 0.0;
        for (row, y) in xs.outer_iter().zip(y) {
            let mut h = row.to_owned();
            for l in &net.layers {
                h = l.apply(&h);
            }
            s += (net.out.dot(&h) + net.bias - y).powi(2);
        }
        s
    }

    pub fn rectified(net: &Mlp, #[constant] x: &Array1<f64>) -> f64 {
        let mut h = x.clone();
        for (w, b) in net.weights.iter().zip(&net.biases) {
            h = (w.dot(&h) + b).mapv(|v| v.max(0.1 * v));
        }
        for k in 0..net.weights.len() {
            h = h * net.weights[k].sum() + &net.biases[k];
        }
        h.sum() + net.ends[0].dot(&net.ends[1])
    }

    pub fn entries(l: &Layer) -> f64 {
        let mut s = 0.0;
        for i in 0..l.w.nrows() {
            for j in 0..l.w.ncols() {
                s += l.w[[i, j]].sin() * l.b[i];
            }
        }
        s + l.w.sum_axis(Axis(0)).dot(&l.w.row(0)) + l.w.slice(s![.., 1..]).sum()
    }

    pub fn taken_apart(l: &Layer, #[constant] k: usize) -> f64 {
        let Layer { w, b } = l;
        let (own, bias) = (&l.w, &l.b);
        let r = own.row(k);
        w.t().dot(b).sum() + b.len() as f64 * b.sum() + r.dot(&r) * bias[k]
    }

    pub fn jacobian_of(l: &Layer, #[constant] x: &Array1<f64>) -> Array1<f64> {
        l.apply(x)
    }

    // ---- structs that are made, changed and returned ----

    pub fn layer(x: &[f64], m: usize) -> Layer {
        let n = x.len();
        Layer {
            w: Array2::from_shape_fn((m, n), |(i, j)| x[j] * (0.3 + i as f64) - 0.1 * x[i % n]),
            b: Array1::from_shape_fn(m, |i| x[i % n] * x[0]),
        }
    }

    pub fn through_net(x: &[f64]) -> f64 {
        let net = Net {
            layers: vec![layer(x, 2), layer(&x[1..], 3)],
            out: Array1::from(vec![x[0], x[1] * x[2], 0.5]),
            bias: x[2],
        };
        let xs = Array2::from_shape_fn((2, 3), |(i, j)| 0.2 * (1 + i + j) as f64);
        let y = [0.1, 0.4];
        let mut s = 0.0;
        for (row, y) in xs.outer_iter().zip(y) {
            let mut h = row.to_owned();
            for l in &net.layers {
                h = l.apply(&h);
            }
            s += (net.out.dot(&h) + net.bias - y).powi(2);
        }
        s + entries(&net.layers[0])
    }

    pub fn made(x: &[f64]) -> f64 {
        let l = layer(x, 3);
        let stepped = l.stepped(&l.w.t().to_owned(), x[1]);
        let a = Affine(stepped.w.dot(&l.w), l.b.clone());
        let Affine(m, c) = &a;
        m.dot(c).sum() + a.0[[0, 1]] + stepped.norm()
    }

    pub fn pushed(x: &[f64]) -> f64 {
        let mut ls: Vec<Layer> = Vec::new();
        for i in 0..x.len() {
            ls.push(layer(&x[i..], 2));
        }
        let mut net = Mlp {
            weights: vec![Array2::eye(3) * x[0]],
            biases: Vec::new(),
            ends: [Array1::from_vec(vec![x[1]]), Array1::from_vec(vec![x[2]])],
        };
        net.weights.push(ls[0].w.t().dot(&ls[1].w));
        net.biases.push(ls[1].b.clone());
        net.biases.push(&ls[0].b * x[1]);
        ls.iter().map(|l| l.norm()).sum::<f64>()
            + net.weights[1].sum() * net.biases[0].sum()
            + net.weights[0].sum() * net.biases[1].dot(&net.biases[0])
            + net.ends[0].dot(&net.ends[1])
    }

    pub fn changed(x: &[f64]) -> f64 {
        let l = layer(x, 3);
        let mut n = l.clone();
        n.w[[0, 0]] = 3.0 * l.b[0];
        n.b += &l.b;
        n.b[1] *= x[1];
        n.scale(x[0]);
        n.w = n.w.slice(s![1.., ..]).to_owned();
        n.b = l.w.dot(&n.w.row(0));
        for _ in 0..2 {
            let r = n.w.dot(&n.b);
            for i in 0..n.w.nrows() {
                for j in 0..n.w.ncols() {
                    n.w[[i, j]] -= 0.1 * r[i] * n.b[j];
                }
            }
        }
        n.norm() + n.w[[1, 0]]
    }

    fn descend(l: &mut Layer, g: &Layer, eta: f64) {
        l.w.scaled_add(-eta, &g.w);
        l.b = &l.b - &(&g.b * eta);
    }

    fn decay(ls: &mut [Layer], c: f64) {
        for l in ls.iter_mut() {
            l.w = &l.w * c;
        }
    }

    fn mean(a: &Layer, b: &Layer) -> Layer {
        Layer {
            w: (&a.w + &b.w) / 2.0,
            b: (&a.b + &b.b) * 0.5,
        }
    }

    pub fn trained(x: &[f64]) -> f64 {
        let mut ls = vec![layer(x, 3), layer(x, 3)];
        let g = layer(&[x[2], x[0], 0.5], 3);
        descend(&mut ls[0], &g, 0.2);
        descend(&mut ls[1], &g, x[1]);
        decay(&mut ls, x[0]);
        mean(&ls[0], &ls[1]).norm() + ls[1].b[0]
    }

    pub fn chosen(x: &[f64]) -> f64 {
        let l = layer(x, 2);
        let n = if l.b[0] > 0.2 {
            Layer {
                w: &l.w * x[0],
                ..l.clone()
            }
        } else {
            l.clone()
        };
        let c = Layer {
            w: if x[1] > 0.5 { &n.w * 2.0 } else { n.w.clone() },
            b: n.b.mapv(f64::exp),
        };
        c.norm() * n.norm()
    }

    // ---- variants ----

    #[derive(Clone, Debug, Differentiable)]
    pub enum Step {
        Dense { w: Array2<f64>, b: Array1<f64> },
        Scale(Array1<f64>),
        Tanh,
    }

    pub fn stepwise(steps: &[Step], #[constant] x: &Array1<f64>) -> f64 {
        let mut h = x.clone();
        for step in steps {
            h = match step {
                Step::Dense { w, b } => w.dot(&h) + b,
                Step::Scale(by) => &h * by,
                Step::Tanh => h.mapv(f64::tanh),
            };
        }
        h.dot(&h)
    }

    // ---- constants ----

    pub fn of_constant(x: &[f64], #[constant] net: &Net) -> f64 {
        let x = Array1::from(x.to_vec());
        let mut n = net.clone();
        n.layers[0].b += &x;
        n.layers[0].w[[0, 0]] = x[0];
        let mut h = n.layers[0].apply(&net.layers[0].apply(&x));
        for l in &net.layers {
            h = l.apply(&h) * net.out.sum();
        }
        h.sum()
            + n.layers[0].norm() * net.layers[0].norm()
            + net.layers[0].w.dot(&x).sum()
            + net.layers[0].stepped(&n.layers[0].w, x[1]).norm()
    }
}

use model::*;

fn matrix(m: usize, n: usize, by: f64) -> Array2<f64> {
    Array2::from_shape_fn((m, n), |(i, j)| by * ((i * n + j) as f64 * 0.7 + 0.2).sin())
}

fn vector(n: usize, by: f64) -> Array1<f64> {
    Array1::from_shape_fn(n, |i| by * (i as f64 * 0.3).cos())
}

fn square(m: usize, n: usize) -> Layer {
    Layer {
        w: matrix(m, n, 0.5),
        b: vector(m, 0.6),
    }
}

const fn within(far: f64) -> Tolerance {
    Tolerance {
        relative: far,
        absolute: far,
    }
}

/// The numbers of a struct, in their order.
trait Numbers: Clone {
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64));

    fn numbers(&self) -> Vec<f64> {
        let mut all = Vec::new();
        self.clone().each(&mut |v| all.push(*v));
        all
    }

    fn with(&self, k: usize, step: f64) -> Self {
        let (mut new, mut at) = (self.clone(), 0);
        new.each(&mut |v| {
            if at == k {
                *v += step;
            }
            at += 1;
        });
        new
    }
}

impl Numbers for Layer {
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.w.iter_mut().chain(&mut self.b).for_each(visit);
    }
}

impl Numbers for Net {
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.layers.iter_mut().for_each(|l| l.each(visit));
        self.out.iter_mut().for_each(&mut *visit);
        visit(&mut self.bias);
    }
}

impl Numbers for Mlp {
    fn each(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        let weights = self.weights.iter_mut().flatten();
        let biases = self.biases.iter_mut().flatten();
        let ends = self.ends.iter_mut().flatten();
        weights.chain(biases).chain(ends).for_each(visit);
    }
}

/// Derivatives by a struct: first ones against differences of the function, second ones against differences of those.
macro_rules! by_struct {
    ($f:expr, $x:expr, $value:expr) => {{
        let (f, x, value) = ($f, $x, $value);
        let n = x.numbers().len();
        let slope = |k: usize| (value(&x.with(k, 1e-5)) - value(&x.with(k, -1e-5))) / 2e-5;
        let expected: Vec<f64> = (0..n).map(slope).collect();
        let source = AutoSource::new();
        macro_rules! first {
            ($name:literal, $backend:expr, $tolerance:expr) => {
                let g = gradient(f, NoPrep, &$backend, &x).unwrap();
                assert_close($name, &g.numbers(), &expected, within($tolerance));
            };
        }
        first!("reverse", AutoSource::new().reverse(), 1e-8);
        first!("forward", AutoSource::new().forward(), 1e-8);
        first!("dual numbers", AutoDual::new(), 1e-8);
        first!("tape", AutoTape::new(), 1e-8);
        first!("expressions", AutoSymbolic::new(), 1e-8);
        first!("differences", AutoFiniteDiff::new(), 1e-5);
        let prep = prepare_hessian(f, &source, &x).unwrap();
        let h = hessian(f, &prep, &source, &x).unwrap();
        for k in 0..n {
            let at = |step| {
                gradient(f, NoPrep, &source, &x.with(k, step))
                    .unwrap()
                    .numbers()
            };
            let (up, down) = (at(1e-5), at(-1e-5));
            let expected: Vec<f64> = up.iter().zip(down).map(|(a, b)| (a - b) / 2e-5).collect();
            let column: Vec<f64> = (0..n).map(|i| h[(i, k)]).collect();
            assert_close("hessian", &column, &expected, within(1e-7));
        }
        let along = x.with(0, 0.3);
        let product = hvp(f, NoPrep, &source, &x, &along).unwrap().numbers();
        let d = along.numbers();
        let row = |i: usize| (0..n).map(|k| h[(i, k)] * d[k]).sum::<f64>();
        let expected: Vec<f64> = (0..n).map(row).collect();
        assert_close("hvp", &product, &expected, within(1e-10));
    }};
}

#[test]
fn a_network() {
    let _row = di_test::rows::row(750);
    let net = Net {
        layers: vec![square(4, 3), square(2, 4)],
        out: vector(2, 1.0),
        bias: 0.3,
    };
    let (xs, y) = (matrix(5, 3, 1.0), [0.1, 0.2, -0.3, 0.4, 0.0]);
    by_struct!(loss::AD.with(&xs, &y[..]), net, |net: &Net| loss(
        net, &xs, &y
    ));
}

#[test]
fn lists_of_arrays() {
    let _row = di_test::rows::row(751);
    let net = Mlp {
        weights: vec![matrix(4, 3, 0.5), matrix(4, 4, 0.8)],
        biases: vec![vector(4, 0.2), vector(4, 0.1)],
        ends: [vector(2, 0.7), vector(2, -0.4)],
    };
    let x = vector(3, 0.9);
    by_struct!(rectified::AD.with(&x), net, |net: &Mlp| rectified(net, &x));
}

#[test]
fn elements_and_parts() {
    let _row = di_test::rows::row(752);
    by_struct!(entries::AD, square(3, 3), entries);
    by_struct!(taken_apart::AD.with(1), square(3, 2), |l: &Layer| {
        taken_apart(l, 1)
    });
}

#[test]
fn jacobians_by_a_struct() {
    let _row = di_test::rows::row(750);
    let (l, x) = (square(3, 2), vector(2, 0.9));
    let f = jacobian_of::AD.with(&x);
    let found = jacobian(f, NoPrep, &AutoSource::new(), &l).unwrap();
    for k in 0..9 {
        let (up, down) = (l.with(k, 1e-5), l.with(k, -1e-5));
        let expected = (jacobian_of(&up, &x) - jacobian_of(&down, &x)) / 2e-5;
        let column: Vec<f64> = (0..3).map(|i| found[(i, k)]).collect();
        assert_close("jacobian", &column, &expected.to_vec(), within(1e-8));
    }
}

#[test]
fn structs_are_made() {
    scalar!(through_net).row(753).takes_memory().check(&POINTS);
    scalar!(made).row(753).takes_memory().check(&POINTS);
    scalar!(chosen).row(753).takes_memory().check(&POINTS);
    scalar!(pushed).row(753).takes_memory().check(&POINTS);
}

#[test]
fn structs_are_changed() {
    scalar!(changed).row(754).takes_memory().check(&POINTS);
    scalar!(trained).row(755).takes_memory().check(&POINTS);
}

#[test]
fn variants() {
    let _row = di_test::rows::row(758);
    let x = vector(2, 0.9);
    let steps = |v: &[f64]| {
        let w = Array2::from_shape_vec((2, 2), v[..4].to_vec()).unwrap();
        vec![
            Step::Dense {
                w,
                b: Array1::from(v[4..6].to_vec()),
            },
            Step::Tanh,
            Step::Scale(Array1::from(v[6..].to_vec())),
        ]
    };
    let v = [0.3, -0.2, 0.5, 0.1, 0.7, 0.4, 1.2, -0.8];
    for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
        let g = gradient(stepwise::AD.with(&x), NoPrep, &backend, &steps(&v)).unwrap();
        let found = g.iter().flat_map(|step| match step {
            Step::Dense { w, b } => w.iter().chain(b.iter()).copied().collect::<Vec<f64>>(),
            Step::Scale(by) => by.to_vec(),
            Step::Tanh => Vec::new(),
        });
        let one = |k: usize| {
            let at = |step: f64| {
                let mut v = v;
                v[k] += step;
                stepwise(&steps(&v), &x)
            };
            (at(1e-5) - at(-1e-5)) / 2e-5
        };
        let expected: Vec<f64> = (0..v.len()).map(one).collect();
        assert_close(
            "steps",
            &found.collect::<Vec<f64>>(),
            &expected,
            within(1e-8),
        );
    }
}

#[test]
fn structs_that_are_constant() {
    let net = Net {
        layers: vec![square(3, 3), square(3, 3)],
        out: vector(2, 1.0),
        bias: 0.3,
    };
    scalar!(of_constant::AD.with(&net), |x| of_constant(x, &net))
        .row(756)
        .takes_memory()
        .check(&POINTS);
}

// ---- derived, with other fields, and of the other float ----

#[derive(Clone, Debug, Differentiable)]
struct Filter {
    taps: Array1<f64>,
    #[constant]
    window: Array1<f64>,
    delay: usize,
}

#[differentiable]
fn filtered(f: &Filter, x: &[f64]) -> f64 {
    let taps = &f.taps * &f.window;
    let mut sum = 0.0;
    for i in f.delay..x.len() {
        sum += taps[i - f.delay] * x[i] * f.taps.sum();
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct Small {
    w: Array2<f32>,
    b: Array1<f32>,
    c: f32,
}

#[differentiable]
fn small(s: &Small) -> f32 {
    s.w.dot(&s.b).sum() * s.c
}

#[test]
fn derived_structs() {
    let f = Filter {
        taps: vector(3, 0.5),
        window: vector(3, 1.0),
        delay: 1,
    };
    scalar!(filtered::AD.fix_f(&f), |x| filtered(&f, x))
        .row(757)
        .check(&POINTS);
    let x = [0.3, 0.8, -0.2];
    let found = gradient(filtered::AD.fix_x(&x[..]), NoPrep, &AutoSource::new(), &f).unwrap();
    let one = |k: usize| {
        let mut at = f.clone();
        at.taps[k] += 1e-5;
        let up = filtered(&at, &x);
        at.taps[k] -= 2e-5;
        (up - filtered(&at, &x)) / 2e-5
    };
    let expected: Vec<f64> = (0..3).map(one).collect();
    assert_close("taps", &found.taps.to_vec(), &expected, within(1e-8));
}

#[test]
fn the_other_float() {
    let _row = di_test::rows::row(757);
    let s = Small {
        w: Array2::from_elem((2, 2), 0.5),
        b: Array1::from_vec(vec![2.0, 3.0]),
        c: 4.0,
    };
    let g = gradient(small::AD, NoPrep, &AutoSource::new(), &s).unwrap();
    let of = |v: &f32| f64::from(*v);
    let found: Vec<f64> = g.w.iter().chain(&g.b).chain([&g.c]).map(of).collect();
    assert_close(
        "f32",
        &found,
        &[8.0, 12.0, 8.0, 12.0, 4.0, 4.0, 5.0],
        within(1e-6),
    );
}

/// Columns first in memory: no row of it can be borrowed.
#[test]
fn arrays_in_another_order() {
    let _row = di_test::rows::row(757);
    let l = Layer {
        w: matrix(2, 3, 1.0).reversed_axes(),
        b: vector(3, 1.0),
    };
    di_test::compare::assert_panics("transposed", "standard layout", || {
        let _ = gradient(entries::AD, NoPrep, &AutoSource::new(), &l);
    });
}

/// As many elements, but other rows.
#[test]
fn directions_of_another_shape() {
    let _row = di_test::rows::row(757);
    let backend = AutoSource::new();
    let (l, other) = (square(3, 2), square(2, 3));
    let other = Layer {
        b: l.b.clone(),
        ..other
    };
    let found = hvp(entries::AD, NoPrep, &backend, &l, &other);
    assert!(matches!(found, Err(di::Error::Shape(_))), "{found:?}");
    let prep = prepare_gradient(entries::AD, &backend, &l).unwrap();
    let found = gradient(entries::AD, &prep, &backend, &other);
    di_test::compare::assert_same("is refused", found.is_err(), true);
}
