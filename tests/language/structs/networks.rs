//! Vectors of vectors in the fields of structs: the network everybody writes.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, assert_close};
use di_test::scalar;

const FOUR: [&[f64]; 2] = [&[0.4, 1.1, -0.3, 0.8], &[0.9, 0.2, 0.7, -0.6]];
const SIX: [&[f64]; 2] = [
    &[0.4, 1.1, -0.3, 0.8, 0.3, 0.7],
    &[0.9, 0.2, 0.7, -0.6, 1.2, 0.5],
];

#[differentiable]
pub(crate) mod network {
    #[derive(Clone, Debug)]
    pub(crate) struct Layer {
        pub w: Vec<Vec<f64>>,
        pub b: Vec<f64>,
    }
    impl Layer {
        fn new(p: &[f64], n: usize, m: usize) -> Layer {
            let w = (0..m).map(|i| p[i * n..(i + 1) * n].to_vec()).collect();
            Layer {
                w,
                b: p[n * m..n * m + m].to_vec(),
            }
        }
        fn forward(&self, x: &[f64]) -> Vec<f64> {
            (0..self.w.len())
                .map(|i| self.b[i] + self.w[i].iter().zip(x).map(|(a, b)| a * b).sum::<f64>())
                .collect()
        }
        fn damp(&mut self, by: f64) {
            for row in self.w.iter_mut() {
                for v in row.iter_mut() {
                    *v *= by;
                }
            }
            self.w[0][1] += by * self.b[0];
            self.b[1] = self.w[1][0].sin();
            self.w.swap(0, 1);
        }
        fn norm(&self) -> f64 {
            self.w
                .iter()
                .flat_map(|r| r.iter())
                .map(|v| v * v)
                .sum::<f64>()
                .sqrt()
        }
    }
    pub(crate) fn matvec(a: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        a.iter()
            .map(|r| r.iter().zip(x).map(|(p, q)| p * q).sum())
            .collect()
    }
    pub(crate) fn grown(l: Layer, by: f64) -> Layer {
        let mut w = l.w.clone();
        w.push(vec![by, by * by]);
        let mut b = l.b;
        b.push(by);
        Layer { w, b }
    }
    pub(crate) fn used(x: &[f64]) -> f64 {
        let mut l = Layer::new(x, 2, 2);
        let y = l.forward(&[x[0], 0.5]);
        l.damp(x[5]);
        let m = l.clone();
        let z = m.forward(&y);
        let u = matvec(&l.w, &z);
        let g = grown(m, x[1]);
        let t = g.forward(&u);
        let Layer { w, b } = g;
        t.iter().sum::<f64>() + w[2][1] * b[2] + l.norm() * w[0].iter().sum::<f64>()
    }
    pub(crate) fn changed(x: &[f64]) -> f64 {
        let mut l = Layer {
            w: vec![vec![x[0], x[1]], vec![x[2]]],
            b: vec![x[3]],
        };
        l.w[1].push(x[0] * x[1]);
        l.w.push(vec![x[3], 1.0, x[2]]);
        if x[0] > 0.0 {
            l.w[0] = vec![x[1] * x[2], x[0], x[3]];
        }
        l.w.swap(0, 2);
        let top = l.w.pop().unwrap();
        l.w.push(l.b.clone());
        for _ in 0..2 {
            let v: Vec<Vec<f64>> =
                l.w.iter()
                    .map(|r| r.iter().map(|a| a * x[1] + 0.1).collect())
                    .collect();
            l.w = v;
        }
        let mut total = 0.0;
        for (i, row) in l.w.iter().enumerate() {
            for (j, v) in row.iter().enumerate() {
                total += v * v * (i + 2 * j + 1) as f64;
            }
        }
        let n = l.w.len();
        let k = l.clone();
        l.w.truncate(1);
        l.w.insert(0, top.clone());
        total * top[0] + l.w[0][1] * k.w[n - 1][0] + l.w[1].iter().sum::<f64>()
    }
    pub(crate) fn returned(x: &[f64], deep: bool) -> f64 {
        let l = made(x, deep);
        if l.w.is_empty() {
            return l.b[0];
        }
        let v = rows_of(&l);
        v[0][0] * v[1][1] + l.b.iter().sum::<f64>()
    }
    pub(crate) fn made(x: &[f64], deep: bool) -> Layer {
        let mut w = Vec::new();
        if !deep {
            return Layer {
                w,
                b: vec![x[0] * x[0]],
            };
        }
        for c in x.chunks(2) {
            w.push(c.iter().map(|v| v.exp()).collect::<Vec<f64>>());
        }
        let b = w.iter().map(|r: &Vec<f64>| r[0] * r[1]).collect();
        Layer { w, b }
    }
    pub(crate) fn rows_of(l: &Layer) -> Vec<Vec<f64>> {
        l.w.clone()
    }
    pub(crate) fn by_layers(ls: &[Layer], x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for l in ls {
            y = l.forward(&y).iter().map(|v| v.tanh()).collect();
        }
        y.iter().sum::<f64>() + ls[0].w[1][0] * ls[1].w[0][1]
    }
    #[derive(Clone, Debug)]
    pub(crate) struct Net {
        pub layers: Vec<Layer>,
        pub scale: f64,
        pub pts: Vec<(f64, f64)>,
    }
    pub(crate) fn by_net(n: &Net, x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for l in &n.layers {
            y = matvec(&l.w, &y)
                .iter()
                .zip(&l.b)
                .map(|(v, b)| (v + b).tanh())
                .collect();
        }
        let s = n.layers.iter().map(|l| l.norm()).sum::<f64>();
        n.scale * y[0] * s + n.pts.iter().map(|(a, b)| a * b * b).sum::<f64>()
    }
}

use network::{Layer, Net, by_layers, by_net, changed, returned, used};

#[differentiable]
fn deep(x: &[f64]) -> f64 {
    returned(x, true)
}

#[differentiable]
fn shallow(x: &[f64]) -> f64 {
    returned(x, false)
}

#[test]
fn made_changed_and_returned() {
    scalar!(used).row(175).takes_memory().check(&SIX);
    scalar!(changed).row(175).takes_memory().check(&FOUR);
    scalar!(deep).row(175).takes_memory().check(&FOUR);
    scalar!(shallow).row(175).takes_memory().check(&FOUR);
}

const PARAMETERS: [f64; 17] = [
    0.4, 1.1, -0.3, 0.8, 0.3, 0.7, 0.2, -0.5, 0.9, 0.1, 0.15, 0.6, 1.3, 0.5, 0.6, -0.7, 1.8,
];

fn layer(p: &[f64]) -> Layer {
    Layer {
        w: vec![p[..2].to_vec(), p[2..4].to_vec()],
        b: p[4..6].to_vec(),
    }
}

fn net(p: &[f64]) -> Net {
    Net {
        layers: vec![layer(&p[..6]), layer(&p[6..12])],
        scale: p[12],
        pts: vec![(p[13], p[14]), (p[15], p[16])],
    }
}

fn listed(layers: &[Layer]) -> Vec<f64> {
    layers
        .iter()
        .flat_map(|l| l.w.iter().flatten().chain(&l.b).copied())
        .collect()
}

fn flat(n: &Net) -> Vec<f64> {
    let mut all = listed(&n.layers);
    all.push(n.scale);
    all.extend(n.pts.iter().flat_map(|p| [p.0, p.1]));
    all
}

fn differences(f: &dyn Fn(&[f64]) -> f64, p: &[f64]) -> Vec<f64> {
    let slope = |i: usize| {
        let at = |h: f64| {
            let mut moved = p.to_vec();
            moved[i] += h;
            f(&moved)
        };
        (at(1e-5) - at(-1e-5)) / 2e-5
    };
    (0..p.len()).map(slope).collect()
}

#[test]
fn gradients_by_networks() {
    let _row = di_test::rows::row(175);
    let (p, x) = (PARAMETERS, [0.5, -0.8]);
    for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
        let found = gradient(
            by_layers::AD.fix_x(&x),
            NoPrep,
            &backend,
            &net(&p).layers[..],
        )
        .unwrap();
        let expected = differences(&|p| by_layers(&net(p).layers, &x), &p);
        assert_close("layers", &listed(&found), &expected[..12], DIFFERENCES);
        let found = gradient(by_net::AD.fix_x(&x), NoPrep, &backend, &net(&p)).unwrap();
        let expected = differences(&|p| by_net(&net(p), &x), &p);
        assert_close("a network", &flat(&found), &expected, DIFFERENCES);
    }
}

#[test]
fn second_order_by_a_network() {
    let _row = di_test::rows::row(175);
    let (p, x) = (PARAMETERS, [0.5, -0.8]);
    let backend = AutoSource::new();
    let slope =
        |p: &[f64]| flat(&gradient(by_net::AD.fix_x(&x), NoPrep, &backend, &net(p)).unwrap());
    let direction: Vec<f64> = (0..17).map(|k| 0.1 * k as f64 - 0.6).collect();
    let at = |h: f64| {
        let moved: Vec<f64> = p.iter().zip(&direction).map(|(p, d)| p + h * d).collect();
        slope(&moved)
    };
    let (above, below) = (at(1e-5), at(-1e-5));
    let expected: Vec<f64> = above
        .iter()
        .zip(&below)
        .map(|(a, b)| (a - b) / 2e-5)
        .collect();
    let found = hvp(
        by_net::AD.fix_x(&x),
        NoPrep,
        &backend,
        &net(&p),
        &[&net(&direction)],
    )
    .unwrap();
    assert_close("product", &flat(&found[0]), &expected, DIFFERENCES);
}
