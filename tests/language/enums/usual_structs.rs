//! Structs as users compare them, tables in which an interval is looked up, and lists of floats in constant code.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [
    &[0.73, 0.31, 0.92, 1.21],
    &[0.33, 0.64, 1.41, 0.52],
    &[1.31, 0.83, 0.46, 2.13],
];

#[derive(Clone, Debug, PartialEq, PartialOrd, Differentiable)]
struct Grid {
    n: usize,
    a: Vec<f64>,
    w: [f64; 2],
}
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
struct Cost {
    cost: f64,
    gain: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
struct Pair {
    l: Cost,
    r: Cost,
}
/// Two of these are equal if they are near.
#[derive(Clone, Debug, Differentiable)]
struct Near {
    v: Vec<f64>,
    k: i32,
}
impl PartialEq for Near {
    fn eq(&self, o: &Near) -> bool {
        self.k == o.k && self.v.iter().zip(&o.v).all(|(a, b)| (a - b).abs() < 0.5)
    }
}

#[differentiable]
fn same(a: &Grid, b: &Grid) -> bool {
    a == b
}
#[differentiable]
fn equal(x: &[f64]) -> f64 {
    let mut m = Grid {
        n: 2,
        a: x.to_vec(),
        w: [x[0], 1.0],
    };
    let o = m.clone();
    let mut s = 1.0;
    for k in 0..x.len() {
        s += if m == o { x[k] * x[0] } else { x[k].sin() };
        if same(&m, &o) {
            s *= x[1];
        }
        if m > o {
            s += x[2];
        }
        m.a[k] += 1.0;
    }
    let t = Near {
        v: x.to_vec(),
        k: 3,
    };
    let u = Near {
        v: x.iter().map(|v| v + 0.1).collect(),
        k: 3,
    };
    if t == u {
        s += x[0] * x[2];
    }
    let (v, w) = (vec![t.clone(), u.clone()], vec![u, t]);
    if v == w {
        s *= x[0] * x[3];
    }
    if (m.n, o.w[1]) == (2, 1.0) {
        s *= x[3];
    }
    s
}

#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let c: Vec<Cost> = x
        .windows(2)
        .map(|w| Cost {
            cost: w[0] * w[1],
            gain: w[0] - w[1],
        })
        .collect();
    let w = *c.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let l = c.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let mut s = c.to_vec();
    s.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (q, p) = (Pair { l: s[0], r: s[1] }, Pair { l: s[0], r: w });
    let by_order = match q.partial_cmp(&p) {
        Some(std::cmp::Ordering::Less) => x[2] * x[2],
        Some(_) => x[1],
        None => 0.0,
    };
    let nothing = Cost {
        cost: f64::NAN,
        gain: 0.0,
    };
    let none = if nothing.partial_cmp(&w).is_none() {
        x[1] * x[2]
    } else {
        0.0
    };
    w.cost * w.gain + l.cost * l.gain + s[1].gain * s[0].cost + by_order + none
}

static TABLE: &[(f64, f64)] = &[(0.0, 1.0), (0.5, 0.6), (1.1, 0.9)];
const KNOTS: [f64; 4] = [0.0, 0.4, 0.9, 1.5];
const EMPTY: [f64; 0] = [];

#[differentiable]
fn interpolated(t: f64) -> f64 {
    TABLE
        .windows(2)
        .find(|w| t >= w[0].0 && t < w[1].0)
        .map(|w| w[0].1 + (w[1].1 - w[0].1) * (t - w[0].0) / (w[1].0 - w[0].0))
        .unwrap_or_else(|| TABLE.last().unwrap().1 * t)
}
#[differentiable]
fn within(t: f64) -> Option<f64> {
    let w = KNOTS.windows(2).find(|w| w[0] <= t && t < w[1])?;
    Some((t - w[0]) / (w[1] - w[0]))
}
#[differentiable]
fn numbered(t: f64, #[constant] xs: &[f64], #[constant] ys: &[f64]) -> f64 {
    if let Some((i, w)) = xs
        .windows(2)
        .enumerate()
        .find(|(_, w)| w[0] <= t && t < w[1])
    {
        let u = (t - w[0]) / (w[1] - w[0]);
        ys[i] * (1.0 - u) + ys[i + 1] * u
    } else if let Some(w) = EMPTY.windows(2).find(|w| w[0] < t) {
        w[0] * t
    } else {
        t * t
    }
}
#[differentiable]
fn looked_up(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += interpolated(*v * 1.3) * x[1] + within(*v).unwrap_or(v * v) * x[0];
        s += numbered(*v, &[0.0, 0.6, 1.3], &[1.0, 3.0, 2.0]) * v;
        let both = TABLE
            .windows(2)
            .zip(KNOTS.chunks(2))
            .find(|(a, b)| a[0].0 * b[1] < *v);
        s += both.map_or(0.0, |(a, b)| a[1].1 * b[1] * v * v);
    }
    s
}

fn sorted(x: &[f64]) -> bool {
    x.windows(2).all(|w| w[0] <= w[1])
}
fn length(x: Vec<f64>) -> usize {
    x.len()
}
fn large(x: &[f64; 3]) -> usize {
    x.iter().filter(|v| **v > 0.5).count()
}
#[differentiable]
fn asked(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let z = [x[0], x[1], 0.1];
    let g = Grid {
        n: 1,
        a: x.to_vec(),
        w: z[..2].try_into().unwrap(),
    };
    let mut s = 0.0;
    for _ in 0..3 {
        s += if passive(sorted(&y)) {
            x[0] * x[1]
        } else {
            x[2] * s
        };
        y.swap(0, 2);
    }
    let a = &g.a;
    if passive(sorted(&a[1..])) {
        s *= x[3];
    }
    let c: f64 = passive(z.iter().sum::<f64>());
    s * passive(length(y.clone())) as f64 + passive(large(&z)) as f64 * x[1] * x[2] * c.ceil()
}

#[differentiable]
fn filled(x: &[f64], y: &mut [f64]) {
    let mut v = x.to_vec();
    let mut w = vec![0.0; 2];
    w.clone_from(&v);
    v.splice(1..3, [x[3], x[2] * 2.0, w[0]]);
    let mut k = 0.5;
    w.fill_with(|| {
        k *= x[1];
        k
    });
    let out: Vec<f64> = v.splice(..2, w.iter().map(|a| a * a)).collect();
    let mut g = Grid {
        n: 0,
        a: vec![],
        w: [x[0]; 2],
    };
    for i in 0..3 {
        g.a.clone_from(&out);
        g.a.splice(0..0, vec![x[i]]);
        g.w[1] += g.a[i] * v[i + 1];
        g.w.fill_with(|| x[i] * out[1]);
    }
    let mut r: Vec<f64> = Vec::new();
    r.resize_with(3, || {
        k += x[0];
        k * k
    });
    r.resize_with(2, || 0.0);
    v.splice(2.., std::iter::once(x[2]));
    y.fill_with(|| x[0] * x[1]);
    y[0] += g.w[0] * g.w[1] + r[1] * r.len() as f64;
    y[1] += v.iter().product::<f64>() * w.iter().sum::<f64>();
}

#[differentiable]
fn boxed(kind: u8, k: f64) -> Box<dyn Fn(f64) -> f64> {
    match kind {
        0 => Box::new(move |t| t + k),
        1 => Box::new(move |t| t * k),
        _ => Box::new(move |t| t * t),
    }
}
#[differentiable]
fn made(k: f64) -> impl Fn(f64) -> f64 {
    let k2 = k * k;
    move |t| t * k2 + k
}
#[differentiable]
fn boxes(x: &[f64]) -> f64 {
    let b: Vec<Box<dyn Fn(f64) -> f64>> =
        vec![boxed(0, x[0]), boxed(1, x[1]), Box::new(made(x[2]))];
    let c = [boxed(2, x[0]), boxed(1, x[3])];
    let mut s = b[0](b[1](x[0]));
    for g in &b {
        s += g(s * 0.1);
    }
    for g in c.iter() {
        s = g(s * 0.3);
    }
    s + b.iter().map(|g| g(x[1])).sum::<f64>()
}

#[differentiable]
fn configured(x: &[f64]) -> f64 {
    let k = if cfg!(target_pointer_width = "16") {
        1.0
    } else {
        2.0
    };
    let mut s = x[0] * x[1] * k;
    if cfg!(debug_assertions) || !cfg!(debug_assertions) {
        s *= x[2];
    }
    s
}

#[differentiable]
fn hottest<'a>(a: &'a mut Vec<f64>, b: &'a mut Vec<f64>) -> &'a mut Vec<f64> {
    if a[0] > b[0] { a } else { b }
}
#[differentiable]
fn row(m: &mut [f64], i: usize, n: usize) -> &mut [f64] {
    &mut m[i * n..(i + 1) * n]
}
#[differentiable]
fn cell(m: &mut [f64], i: usize) -> &mut f64 {
    &mut m[i]
}
#[differentiable]
fn first_above(m: &mut Vec<f64>, t: f64) -> Option<&mut f64> {
    for v in m.iter_mut() {
        if *v > t {
            return Some(v);
        }
    }
    None
}
#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let (mut u, mut v) = (vec![x[0], x[1]], vec![x[1], x[2]]);
    for k in 0..3 {
        let h = hottest(&mut u, &mut v);
        h[0] *= 0.4 * x[2];
        h[1] += x[k];
    }
    hottest(&mut u, &mut v)[1] *= x[0];
    let mut w = x.to_vec();
    for t in row(&mut w, 1, 2) {
        *t *= x[2];
    }
    *cell(&mut w, 0) += x[1] * u[1];
    if let Some(a) = first_above(&mut w, 0.8) {
        *a *= x[3];
    }
    u[0] * v[0] + w[0] * w[1] * w[2] * w[3] + v[1]
}

#[test]
fn derivatives() {
    scalar!(equal::AD, equal)
        .row(935)
        .takes_memory()
        .check(&POINTS);
    scalar!(ordered::AD, ordered).row(936).check(&POINTS);
    scalar!(looked_up::AD, looked_up).row(937).check(&POINTS);
    scalar!(asked::AD, asked)
        .row(938)
        .takes_memory()
        .check(&POINTS);
    inplace!(filled::AD, filled, 2)
        .row(939)
        .takes_memory()
        .check(&POINTS);
    scalar!(boxes::AD, boxes).row(940).check(&POINTS);
    scalar!(configured::AD, configured).row(941).check(&POINTS);
    scalar!(chosen::AD, chosen).row(942).check(&POINTS);
}
