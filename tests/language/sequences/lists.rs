//! Lists in variables whose elements hold vectors: structs, tuples and structs that borrow.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [
    &[0.4, 1.1, 0.3, 0.2, 0.8, 0.45],
    &[1.3, 0.7, 0.42, 0.6, -0.5, 0.9],
];

// ---- structs ----

#[derive(Differentiable)]
struct Layer {
    w: Vec<f64>,
    b: Vec<f64>,
    gain: f64,
}

#[differentiable]
impl Layer {
    fn read(p: &[f64]) -> Layer {
        Layer {
            w: p.to_vec(),
            b: vec![p[0] * p[1]; 2],
            gain: p[1],
        }
    }

    fn forward(&self, h: &[f64]) -> Vec<f64> {
        h.iter()
            .enumerate()
            .map(|(i, v)| (v * self.w[i % 2] + self.b[i % 2]).tanh() * self.gain)
            .collect()
    }

    fn bump(&mut self, k: f64) {
        self.w[0] *= k;
        self.gain += k * self.w[0];
    }

    fn size(&self) -> f64 {
        self.gain * self.w[0] + self.b[1] * self.b[1] + self.w.iter().sum::<f64>()
    }
}

#[differentiable]
fn network(x: &[f64]) -> f64 {
    let mut layers: Vec<Layer> = Vec::new();
    layers.push(Layer {
        w: vec![x[0], x[1] * x[2]],
        b: vec![x[3]; 2],
        gain: x[4],
    });
    layers.push(Layer::read(&x[2..4]));
    layers[1].w[0] *= x[3];
    let mut h = x[..3].to_vec();
    for layer in &layers {
        h = layer.forward(&h);
    }
    let sizes: f64 = layers.iter().map(|l| l.size()).sum();
    h.iter().sum::<f64>() * sizes + layers.last().unwrap().w[0] + layers[0].w[1]
}

#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let layers: Vec<Layer> = x.windows(2).map(|s| Layer::read(s)).collect();
    let literal = vec![Layer::read(&x[..2]), Layer::read(&x[1..3])];
    let picked = layers.iter().filter(|l| l.w[0] > 0.35).count();
    let best = layers.iter().map(|l| l.size()).fold(0.0, f64::max);
    let total = |k: usize| literal[k].size() * layers[k].gain;
    let (mut h, mut n) = (x.to_vec(), 0.0);
    for (layer, one) in layers.iter().zip(&literal).rev() {
        h = layer.forward(&h);
        n += one.w[1] * h[0];
    }
    best * total(0) + total(1) + n + picked as f64 * x[0]
}

/// Each step of the loop has lists of its own, and one that lives on.
#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let mut kept: Vec<Layer> = Vec::with_capacity(4);
    let mut t = x[0];
    for k in 0..3 {
        let mut layers: Vec<Layer> = Vec::new();
        let mut j = 0;
        while j <= k {
            layers.push(Layer::read(&[x[j] * t, x[k]]));
            if t > 1.0 {
                layers.last_mut().unwrap().bump(x[4]);
            } else {
                layers.push(Layer::read(&[t, x[5]]));
            }
            j += 1;
        }
        layers[0].w.push(x[k] * t);
        let mut h = vec![x[0], x[1] * t];
        for layer in &layers {
            h = layer.forward(&h);
            if h[0] > 0.9 {
                break;
            }
        }
        for layer in &mut layers {
            layer.w[1] *= x[3];
            layer.gain *= layer.w[1];
        }
        for layer in layers.iter().rev() {
            h = layer.forward(&h);
            t += h[0] * layer.w[1];
        }
        t += layers[0].w[2];
        kept.push(layers.swap_remove(0));
    }
    kept.iter().map(|l| l.size() * t).sum()
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut v: Vec<Layer> = x.windows(2).map(|s| Layer::read(s)).collect();
    let last = v.pop().unwrap();
    v.insert(1, last);
    let taken = v.remove(2);
    v.push(taken);
    v.swap(0, 3);
    v[..3].reverse();
    v.rotate_left(1);
    v.sort_by(|a, b| b.w[0].total_cmp(&a.w[0]));
    let mut sum = 0.0;
    for (i, l) in v.iter().enumerate() {
        sum += (i + 1) as f64 * l.size() * l.size();
    }
    let old = std::mem::replace(&mut v[0], Layer::read(&x[3..5]));
    let mut rest = v.split_off(3);
    rest.append(&mut v);
    std::mem::swap(&mut v, &mut rest);
    v.truncate(4);
    v[1] = Layer::read(&[sum, x[1]]);
    let chosen = if x[0] > 0.5 { v } else { rest };
    let taken = chosen.into_iter().map(|mut l| {
        l.w[0] *= x[2];
        l
    });
    let taken: Vec<Layer> = taken.collect();
    rest = taken;
    rest.push(old);
    let mut sizes = 0.0;
    while let Some(l) = rest.pop() {
        sizes += l.size() * (1.0 + sizes);
    }
    rest.clear();
    sum + sizes
}

#[test]
fn lists_of_structs_with_vectors() {
    scalar!(network).row(350).takes_memory().check(&POINTS);
    scalar!(collected).row(350).takes_memory().check(&POINTS);
}

#[test]
fn lists_of_structs_that_grow_in_loops() {
    scalar!(grown).row(350).takes_memory().check(&POINTS);
}

#[test]
fn structs_with_vectors_that_move() {
    scalar!(moved).row(350).takes_memory().check(&POINTS);
}

// ---- calls ----

#[differentiable]
mod deep {
    pub struct Layer {
        pub w: Vec<Vec<f64>>,
        pub gain: f64,
    }

    impl Layer {
        pub fn read(p: &[f64]) -> Layer {
            Layer {
                w: vec![p.to_vec(), vec![p[1]; 3]],
                gain: p[0] * p[1],
            }
        }

        pub fn size(&self) -> f64 {
            self.w
                .iter()
                .map(|r| r.iter().sum::<f64>())
                .product::<f64>()
                * self.gain
        }
    }

    pub fn built(x: &[f64]) -> Vec<Layer> {
        let mut layers = Vec::new();
        for p in x.windows(2) {
            if p[0] < -0.2 {
                return layers;
            }
            layers.push(Layer::read(p));
        }
        layers
    }

    pub fn deeper(mut layers: Vec<Layer>, k: f64) -> Vec<Layer> {
        layers[0].gain *= k;
        layers.push(Layer::read(&[k, layers[0].gain]));
        layers
    }

    pub fn all(layers: Vec<Layer>) -> f64 {
        layers.iter().map(|l| l.size() * l.w[0][1]).sum()
    }

    pub fn scaled(layers: &mut [Layer], k: f64) {
        for l in layers.iter_mut() {
            l.w[0][0] *= k;
            l.gain *= l.w[0][0];
        }
        layers.swap(0, 1);
        layers.reverse();
    }

    pub fn some(x: &[f64]) -> Option<Vec<Layer>> {
        match x[0] > 5.0 {
            true => None,
            false => Some(vec![Layer::read(&x[..2]), Layer::read(&x[1..4])]),
        }
    }

    pub fn sum(layers: &[Layer]) -> f64 {
        layers.iter().map(|l| l.size()).sum()
    }

    pub fn passed(x: &[f64]) -> f64 {
        let mut layers = some(x).unwrap();
        layers.extend(built(&x[1..]));
        scaled(&mut layers, x[2]);
        let before = sum(&layers) + sum(&layers[1..]);
        scaled(&mut layers[1..3], x[3]);
        let layers = deeper(layers, x[4]);
        let kept = layers[1].gain;
        before * kept + sum(&layers) + all(layers)
    }

    pub fn blocks(x: &[f64]) -> f64 {
        let mut blocks: Vec<Vec<Layer>> = Vec::new();
        for k in 0..2 {
            let mut block = built(&x[k..k + 3]);
            block.push(Layer::read(&x[k + 1..]));
            blocks.push(block);
        }
        blocks[1][0].w[1][2] *= x[5];
        blocks[0].push(Layer::read(&x[2..4]));
        let last = blocks[1].pop().unwrap();
        let mut total = last.size();
        for block in &blocks {
            for layer in block {
                total += layer.size() * total;
            }
        }
        total + blocks[0].len() as f64 * x[0]
    }
}

#[differentiable]
fn cubes(x: &[f64]) -> f64 {
    let mut v: Vec<Vec<Vec<f64>>> = Vec::new();
    for k in 0..2 {
        v.push(vec![vec![x[k], x[k + 1]], vec![x[k] * x[2]; 3]]);
    }
    v[1][0][1] *= x[3];
    v[0][1].push(x[4]);
    v[0].push(vec![x[5]]);
    let squares = |r: &Vec<f64>| r.iter().map(|t| t * t).sum::<f64>();
    let sum: f64 = v
        .iter()
        .map(|m| m.iter().map(|r| squares(r)).sum::<f64>())
        .sum();
    sum * v[1][0][1]
}

#[test]
fn lists_of_structs_that_are_passed_and_returned() {
    scalar!(deep::passed::AD, deep::passed)
        .row(351)
        .takes_memory()
        .check(&POINTS);
}

#[test]
fn lists_of_lists() {
    scalar!(deep::blocks::AD, deep::blocks)
        .row(354)
        .takes_memory()
        .check(&POINTS);
    scalar!(cubes).row(354).takes_memory().check(&POINTS);
}

// ---- tuples ----

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn scale(w: &mut [f64], k: f64) {
    for v in w.iter_mut() {
        *v *= k;
    }
}

#[differentiable]
fn pairs(x: &[f64]) -> Vec<(f64, Vec<f64>)> {
    let mut v = Vec::new();
    for k in 0..3 {
        if x[k] > 0.35 {
            v.push((x[k], x[k..].to_vec()));
        } else {
            v.push((x[k] * x[k], vec![x[0]; k + 2]));
        }
    }
    v
}

#[differentiable]
fn weighed(v: &[(f64, Vec<f64>)]) -> f64 {
    let mut sum = 0.0;
    for (a, w) in v {
        sum += a * w[0] * w[1];
    }
    sum
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let mut v: Vec<(f64, Vec<f64>)> = pairs(x);
    v[1].1[0] *= x[3];
    v[0].0 += v[1].1[1];
    v[2].1.push(x[5]);
    for (a, w) in &mut v {
        *a *= w[0];
        w[1] += *a;
        scale(w, x[4]);
    }
    let (p, q) = v.pop().unwrap();
    let mut sum = p * q.iter().sum::<f64>();
    for (a, w) in v.iter().rev() {
        sum += a * dot(w, &x[..2]);
    }
    let (a, w) = &v[0];
    sum += a * w[1] + weighed(&v);
    v.push((p, q));
    v.swap(0, 2);
    let (b, u) = v.remove(1);
    v.insert(0, (u[0] * b, u.clone()));
    v.sort_by(|a, b| a.0.total_cmp(&b.0));
    sum + weighed(&v) + u[1] + v.last().unwrap().1[1]
}

#[differentiable]
fn numbered(x: &[f64]) -> f64 {
    let each = x.iter().enumerate();
    let v: Vec<(usize, f64, Vec<[f64; 2]>)> = each
        .map(|(i, v)| (i, v * v, vec![[*v, x[0]]; i + 1]))
        .collect();
    let mut sum = 0.0;
    for (i, a, w) in &v {
        if i % 2 == 0 {
            sum += a * w[i / 2][1];
        } else {
            sum -= w.iter().map(|r| r[0] * r[1]).sum::<f64>();
        }
    }
    let late = v.iter().filter(|t| t.0 > 2);
    let late: Vec<_> = late.map(|t| (t.1, t.2.clone())).collect();
    let same = vec![(x[1], vec![x[2]; 2]); 3];
    sum + late[1].1[2][0] * late[0].0 + same[0].1[0] * same[2].1[1] * same[1].0
}

#[differentiable]
fn mixed(x: &[f64]) -> f64 {
    let mut v: Vec<(f64, Layer)> = Vec::new();
    for k in 0..3 {
        v.push((x[k], Layer::read(&x[k..k + 2])));
    }
    for (a, l) in &mut v {
        l.bump(*a);
        *a += l.w[0];
    }
    v[1].1 = Layer::read(&[x[5], v[0].0]);
    let twins = vec![(Layer::read(&x[..2]), Layer::read(&x[2..4]))];
    let sum: f64 = v.iter().map(|(a, l)| a * l.size()).sum();
    sum + twins[0].0.size() * twins[0].1.w[1]
}

#[test]
fn lists_of_tuples_with_vectors() {
    scalar!(tuples).row(352).takes_memory().check(&POINTS);
    scalar!(numbered).row(352).takes_memory().check(&POINTS);
    scalar!(mixed).row(352).takes_memory().check(&POINTS);
}

// ---- structs that borrow ----

#[differentiable]
mod mixture {
    pub const D: usize = 2;

    pub struct Component<'a> {
        pub logit: f64,
        pub mean: &'a [f64],
        pub chol: &'a [f64],
    }

    impl<'a> Component<'a> {
        pub fn parse(chunk: &'a [f64]) -> Component<'a> {
            let (head, rest) = chunk.split_first().unwrap();
            let (mean, chol) = rest.split_at(D);
            Component {
                logit: *head,
                mean,
                chol,
            }
        }

        pub fn log_density(&self, x: &[f64; D]) -> f64 {
            let d0 = x[0] - self.mean[0];
            let d1 = x[1] - self.mean[1];
            let z0 = self.chol[0].exp() * d0;
            let z1 = self.chol[2] * d0 + self.chol[1].exp() * d1;
            self.chol[0] + self.chol[1] - 0.5 * (z0 * z0 + z1 * z1)
        }
    }

    pub fn loss(theta: &[f64], #[constant] data: &[[f64; D]]) -> f64 {
        let comps: Vec<Component> = theta.chunks(1 + D + 3).map(Component::parse).collect();
        let norm = comps.iter().map(|c| c.logit.exp()).sum::<f64>().ln();
        let each = data.iter().map(|x| {
            let of = |c: &Component| (c.logit - norm + c.log_density(x)).exp();
            comps.iter().map(|c| of(c)).sum::<f64>().ln()
        });
        each.sum::<f64>() + comps[0].mean[1] * comps[comps.len() - 1].chol[0]
    }
}

const DATA: [[f64; 2]; 3] = [[0.1, 0.5], [-0.3, 0.8], [0.9, -0.2]];
const THETAS: [&[f64]; 2] = [
    &[
        0.1, 0.5, -0.3, 0.2, 0.1, 0.3, -0.2, -1.0, 0.4, -0.1, 0.3, -0.2,
    ],
    &[-0.4, 0.2, 0.3, -0.2, 0.4, 0.6],
];

#[test]
fn lists_of_structs_that_borrow() {
    scalar!(
        mixture::loss::AD.with(&DATA[..]),
        |x: &[f64]| mixture::loss(x, &DATA)
    )
    .row(353)
    .takes_memory()
    .check(&THETAS);
}
