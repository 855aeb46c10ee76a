//! Lists of tuples, options and vectors of `f32`, against formulas in `f64`.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};

const POINT: [f32; 4] = [0.75, 1.25, -0.5, 0.625];

/// What `f32` can hold of a derivative of these functions.
const SINGLE: Tolerance = Tolerance {
    relative: 3e-5,
    absolute: 3e-5,
};

fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| f64::from(*x)).collect()
}

/// Derivatives of a formula by central differences.
fn slopes(f: &dyn Fn(&[f64]) -> f64, x: &[f64], h: f64) -> Vec<f64> {
    let moved = |i: usize, h: f64| {
        let mut x = x.to_vec();
        x[i] += h;
        f(&x)
    };
    let each = (0..x.len()).map(|i| (moved(i, h) - moved(i, -h)) / (2.0 * h));
    each.collect()
}

macro_rules! single {
    ($row:literal, $f:expr, $value:expr, $formula:expr) => {{
        let _row = di_test::rows::row($row);
        let formula: &dyn Fn(&[f64]) -> f64 = &$formula;
        let (f, x) = ($f, wide(&POINT));
        let value = [f64::from($value(&POINT[..]))];
        assert_close("value", &value, &[formula(&x)], SINGLE);
        let expected = slopes(formula, &x, 1e-5);
        let g = gradient(f, NoPrep, &AutoSource::new(), &POINT[..]).unwrap();
        assert_close("reverse", &wide(&g), &expected, SINGLE);
        let g = gradient(f, NoPrep, &AutoDual::new(), &POINT[..]).unwrap();
        assert_close("dual", &wide(&g), &expected, SINGLE);
        let v = [1.0_f32, -0.5, 0.25, 2.0];
        let along: f64 = expected.iter().zip(wide(&v)).map(|(a, b)| a * b).sum();
        let t = pushforward(f, NoPrep, &AutoSource::new(), &POINT[..], &v[..]).unwrap();
        assert_close("forward", &[f64::from(t)], &[along], SINGLE);
        let along = |x: &[f64]| {
            slopes(formula, x, 1e-4)
                .iter()
                .zip(wide(&v))
                .map(|(a, b)| a * b)
                .sum()
        };
        let expected = slopes(&along, &x, 1e-4);
        let second = hvp(f, NoPrep, &AutoSource::new(), &POINT[..], &v[..]).unwrap();
        assert_close("second order", &wide(&second), &expected, SINGLE);
    }};
}

#[differentiable]
fn paired(x: &[f32]) -> f32 {
    let mut pairs: Vec<(f32, f32)> = x.windows(2).map(|w| (w[0] * w[1], w[1].sin())).collect();
    pairs.push((x[0], 2.0));
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs[1].0 *= x[3];
    pairs.iter().map(|&(a, b)| a * b).sum()
}

#[differentiable]
mod lists {
    const TABLE: [(f32, f32); 3] = [(0.25, 0.5), (0.75, -1.5), (1.5, 2.0)];

    fn weighted(pairs: &[(f32, f32)], k: f32) -> f32 {
        pairs.iter().map(|(a, b)| (a * k).sin() * b).sum()
    }

    fn scaled(pairs: &mut [(f32, f32)], by: f32) {
        for (a, b) in pairs.iter_mut() {
            *a *= by;
            *b += *a;
        }
    }

    fn made(x: &[f32]) -> Vec<(f32, f32)> {
        x.iter()
            .zip(&TABLE)
            .map(|(v, (t, y))| (v * t, v * v + y))
            .collect()
    }

    pub fn handed(x: &[f32]) -> f32 {
        let mut pairs = made(x);
        scaled(&mut pairs[1..], x[3]);
        weighted(&pairs, x[0]) + weighted(&TABLE, x[1])
    }

    pub fn counted(x: &[f32]) -> f32 {
        let mut found: Vec<(usize, f32, bool)> = Vec::new();
        for (k, v) in x.iter().enumerate() {
            found.push((k, v * v, *v > 0.0));
        }
        let mut edges: Vec<(usize, usize)> = vec![(0, 1), (2, 3)];
        edges.push((3, 0));
        let all = found.iter().filter(|f| f.2).map(|f| f.0 as f32 * f.1);
        all.sum::<f32>() + edges.iter().map(|&(a, b)| found[a].1 * x[b]).sum::<f32>()
    }

    pub fn fixed(x: &[f32]) -> f32 {
        let mut pairs = [(0.0f32, [1.0f32; 2]); 2];
        for k in 0..4 {
            let (sum, own) = &mut pairs[k % 2];
            *sum += x[k] * own[0];
            own[1] *= x[k];
        }
        pairs[0].0 * pairs[1].1[1] + pairs[1].0 * pairs[0].1[1]
    }
}

/// What [`lists::handed`] computes.
fn handed(x: &[f64]) -> f64 {
    let table = [(0.25, 0.5), (0.75, -1.5), (1.5, 2.0)];
    let weight = |a: f64, b: f64, k: f64| (a * k).sin() * b;
    let own = |k: usize| {
        let (a, b) = (x[k] * table[k].0, x[k] * x[k] + table[k].1);
        match k {
            0 => weight(a, b, x[0]),
            _ => weight(a * x[3], b + a * x[3], x[0]),
        }
    };
    (0..3)
        .map(|k| own(k) + weight(table[k].0, table[k].1, x[1]))
        .sum()
}

#[test]
fn lists_of_tuples() {
    single!(970, paired::AD, paired, |x: &[f64]| {
        // the pair of `x[1]` comes second
        x[0] * 2.0
            + x[0] * x[1] * x[1].sin() * x[3]
            + x[1] * x[2] * x[2].sin()
            + x[2] * x[3] * x[3].sin()
    });
    single!(970, lists::handed::AD, lists::handed, handed);
    single!(970, lists::counted::AD, lists::counted, |x: &[f64]| {
        let own = x[1] * x[1] + 3.0 * x[3] * x[3];
        own + x[0] * x[0] * x[1] + x[2] * x[2] * x[3] + x[3] * x[3] * x[0]
    });
    single!(970, lists::fixed::AD, lists::fixed, |x: &[f64]| {
        (x[0] + x[2]) * x[1] * x[3] + (x[1] + x[3]) * x[0] * x[2]
    });
}

#[differentiable]
fn remembered(x: f32, n: usize, memo: &mut Vec<Option<f32>>) -> f32 {
    if n < 2 {
        return x;
    }
    if let Some(v) = memo[n] {
        return v;
    }
    let v = remembered(x, n - 1, memo) * x + remembered(x, n - 2, memo);
    memo[n] = Some(v);
    v
}

#[differentiable]
fn table(x: &[f32]) -> f32 {
    let mut memo = vec![None; 5];
    let a = remembered(x[0] * x[1], 4, &mut memo);
    a * memo[3].unwrap_or(x[2]) + memo[0].unwrap_or(x[3]) * x[2]
}

#[derive(Clone, Debug, Differentiable)]
struct Filter {
    gain: f32,
    value: Option<f32>,
    seen: Option<usize>,
    past: Vec<(f32, f32)>,
}

#[differentiable]
impl Filter {
    fn process(&mut self, input: f32) -> f32 {
        self.seen = Some(self.seen.map_or(1, |n| n + 1));
        match self.value {
            None => {
                self.value = Some(input);
                input
            }
            Some(before) => {
                let next = before + self.gain * (input - before);
                self.past.push((before, next));
                self.value = Some(next);
                next
            }
        }
    }
}

#[differentiable]
fn filtered(x: &[f32]) -> f32 {
    let mut f = Filter {
        gain: x[0],
        value: None,
        seen: None,
        past: Vec::new(),
    };
    let sum: f32 = x[1..].iter().map(|v| f.process(*v)).sum();
    let (before, last) = f.past[1];
    sum * before + last * f.seen.unwrap_or(0) as f32
}

/// What [`filtered`] computes.
fn filter(x: &[f64]) -> f64 {
    let a = x[1];
    let b = a + x[0] * (x[2] - a);
    let c = b + x[0] * (x[3] - b);
    (a + b + c) * b + c * 3.0
}

#[differentiable]
mod states {
    #[derive(Clone, Debug)]
    pub struct Inner {
        pub a: f32,
    }

    /// It names no float.
    #[derive(Clone, Debug)]
    pub struct Outer {
        pub count: Option<usize>,
        pub inner: Option<Inner>,
        pub all: Vec<(Inner, usize)>,
    }

    pub struct Sums {
        sums: [(f32, usize); 2],
        best: Option<[f32; 2]>,
        rows: Vec<Vec<f32>>,
        last: (f32, bool),
    }

    impl Sums {
        fn add(&mut self, k: usize, v: f32) {
            self.sums[k % 2].0 += v * v;
            self.sums[k % 2].1 += 1;
            if self.best.is_none_or(|b| b[0] < v) {
                self.best = Some([v, v * k as f32]);
            }
            self.rows.push(vec![v, v * v]);
            self.last = (v * self.last.0, v > 0.0);
        }
    }

    pub fn summed(x: &[f32]) -> f32 {
        let mut all = Sums {
            sums: [(0.0, 0); 2],
            best: None,
            rows: vec![],
            last: (1.0, false),
        };
        for (k, v) in x.iter().enumerate() {
            all.add(k, *v);
        }
        let best = all.best.unwrap_or([0.0; 2]);
        let (last, is_positive) = all.last;
        let part = if is_positive { last } else { 0.0 };
        all.sums[0].0 * all.sums[1].0 / all.sums[1].1 as f32
            + best[0] * best[1]
            + all.rows[2][1] * part
    }

    fn grown(o: &mut Outer, v: f32) {
        let n = o.count.unwrap_or(0);
        o.count = Some(n + 1);
        o.all.push((Inner { a: v * v }, n));
        if n == 1 {
            o.inner = Some(Inner { a: v });
        }
    }

    pub fn nested(x: &[f32]) -> f32 {
        let mut o = Outer {
            count: None,
            inner: None,
            all: Vec::new(),
        };
        for v in x {
            grown(&mut o, *v);
        }
        let sum: f32 = o.all.iter().map(|(i, n)| i.a * *n as f32).sum();
        o.inner.map_or(0.0, |i| i.a) * sum + o.count.unwrap_or(0) as f32 * x[2]
    }
}

#[test]
fn options_in_lists_and_fields() {
    single!(971, table::AD, table, |x: &[f64]| {
        let z = x[0] * x[1];
        let two = z * z + z;
        let three = two * z + z;
        (three * z + two) * three + x[3] * x[2]
    });
    single!(971, filtered::AD, filtered, filter);
    single!(971, states::summed::AD, states::summed, |x: &[f64]| {
        let part = x[0] * x[1] * x[2] * x[3];
        let sums = (x[0] * x[0] + x[2] * x[2]) * (x[1] * x[1] + x[3] * x[3]) / 2.0;
        sums + x[1] * x[1] + x[2] * x[2] * part
    });
    single!(971, states::nested::AD, states::nested, |x: &[f64]| {
        let sum = x[1] * x[1] + 2.0 * x[2] * x[2] + 3.0 * x[3] * x[3];
        x[1] * sum + 4.0 * x[2]
    });
}

#[differentiable]
mod vectors {
    #[derive(Clone)]
    struct Layer {
        weights: Vec<f32>,
        bias: f32,
    }

    fn layer(x: &[f32], k: f32) -> Layer {
        Layer {
            weights: x.iter().map(|v| v * k).collect(),
            bias: k,
        }
    }

    pub fn layers(x: &[f32]) -> f32 {
        let mut all: Vec<Layer> = vec![layer(&x[..2], x[2]), layer(x, x[3])];
        all.push(layer(&x[1..], 0.5));
        all.swap(0, 2);
        all[1].weights.push(x[0]);
        let last = all.pop().map_or(0.0, |l| l.weights[0] * l.bias);
        all.iter()
            .map(|l| l.weights.iter().sum::<f32>() * l.bias)
            .sum::<f32>()
            + last
    }

    pub fn beside(x: &[f32]) -> f32 {
        let mut rows: Vec<(f32, Vec<f32>)> = Vec::new();
        for (k, v) in x.iter().enumerate() {
            rows.push((*v, x[k..].to_vec()));
        }
        rows.remove(1);
        rows[0].1[2] *= x[1];
        rows.iter()
            .map(|(a, all)| a * all.iter().sum::<f32>())
            .sum()
    }

    pub fn groups(x: &[f32]) -> f32 {
        let mut all: Vec<Vec<(f32, f32)>> = vec![Vec::new(); 2];
        for (k, v) in x.iter().enumerate() {
            all[k % 2].push((*v, v * x[0]));
        }
        all[0]
            .iter()
            .zip(&all[1])
            .map(|((a, b), (c, d))| a * d + (b * c).sin())
            .sum()
    }

    pub fn deep(x: &[f32]) -> f32 {
        let mut cubes: Vec<Vec<Vec<f32>>> = Vec::new();
        for v in x {
            cubes.push(vec![vec![*v, v * v], vec![1.0]]);
        }
        cubes[0][1][0] = cubes[3][0][1] * x[1];
        cubes.iter().map(|c| c[0][1] * c[1][0]).sum()
    }
}

#[test]
fn vectors_in_elements() {
    single!(972, vectors::layers::AD, vectors::layers, |x: &[f64]| {
        let first = (x[1] + x[2] + x[3]) * 0.25;
        first + ((x[0] + x[1] + x[2] + x[3]) * x[3] + x[0]) * x[3] + x[0] * x[2] * x[2]
    });
    single!(972, vectors::beside::AD, vectors::beside, |x: &[f64]| {
        let first = x[0] * (x[0] + x[1] + x[2] * x[1] + x[3]);
        first + x[2] * (x[2] + x[3]) + x[3] * x[3]
    });
    single!(972, vectors::groups::AD, vectors::groups, |x: &[f64]| {
        let pair = |a: f64, c: f64| a * c * x[0] + (a * x[0] * c).sin();
        pair(x[0], x[1]) + pair(x[2], x[3])
    });
    single!(972, vectors::deep::AD, vectors::deep, |x: &[f64]| {
        let square = |k: usize| x[k] * x[k];
        square(0) * square(3) * x[1] + square(1) + square(2) + square(3)
    });
}

#[differentiable]
fn moved(p: &[(f32, f32)], #[constant] by: &[(usize, f32)]) -> Vec<(f32, f32)> {
    let mut q = p.to_vec();
    for &(k, by) in by {
        q[k].0 *= by;
        q[k].1 += q[k].0 * q[k].0;
    }
    q
}

#[differentiable]
fn energy(p: &[(f32, f32)], beside: &[(usize, f32)]) -> f32 {
    let own: f32 = p.iter().map(|(a, b)| a * a * b).sum();
    own + beside.iter().map(|&(k, v)| p[k].0 * v * v).sum::<f32>()
}

/// Lists of tuples as arguments and results of operators.
#[test]
fn parameters_and_results() {
    let _row = di_test::rows::row(973);
    let p = vec![(0.5_f32, -1.0_f32), (1.5, 0.25)];
    let by = [(1, 2.0_f32), (0, 0.5)];
    let f = moved::AD.with(&by[..]);
    let v = vec![(1.0_f32, 0.5), (-0.5, 2.0)];
    let flat = |of: &[(f32, f32)]| -> Vec<f64> {
        of.iter()
            .flat_map(|(a, b)| [f64::from(*a), f64::from(*b)])
            .collect()
    };
    // (a k, b + a² k²)
    let expected = [
        0.5,
        0.5 + 2.0 * 0.5 * 0.25,
        -1.0,
        2.0 - 2.0 * 1.5 * 4.0 * 0.5,
    ];
    let t: Vec<(f32, f32)> = pushforward(f, NoPrep, &AutoSource::new(), &p, &v).unwrap();
    assert_close("pushforward", &flat(&t), &expected, SINGLE);
    let expected = [
        0.5 + 2.0 * 0.5 * 0.25 * 0.5,
        0.5,
        -1.0 + 2.0 * 1.5 * 4.0 * 2.0,
        2.0,
    ];
    let g = pullback(f, NoPrep, &AutoSource::new(), &p, &v).unwrap();
    assert_close("pullback", &flat(&g), &expected, SINGLE);

    let beside = vec![(1_usize, 3.0_f32), (1, 0.5)];
    let (pairs, others) = gradient(energy::AD, NoPrep, &AutoSource::new(), &(&p, &beside)).unwrap();
    let expected = [2.0 * 0.5 * -1.0, 0.25, 2.0 * 1.5 * 0.25 + 9.25, 2.25];
    assert_close("pairs", &flat(&pairs), &expected, SINGLE);
    let found = [f64::from(others[0].1), f64::from(others[1].1)];
    assert_close("numbers", &found, &[1.5 * 6.0, 1.5], SINGLE);
    assert_eq!((others[0].0, others[1].0), (1, 1));
}

/// A struct whose fields are options and tuples, as argument and result of operators.
#[test]
fn structs_of_options_and_tuples() {
    let _row = di_test::rows::row(974);
    let source = AutoSource::new();
    let f = Filter {
        gain: 0.5,
        value: Some(2.0),
        seen: Some(4),
        past: vec![(1.0, -1.5)],
    };
    // (v + k (1 - v)) n + a² b
    let g = gradient(after::AD, NoPrep, &source, &f).unwrap();
    let found = [g.gain, g.value.unwrap(), g.past[0].0, g.past[0].1];
    let expected = [(1.0 - 2.0) * 5.0, (1.0 - 0.5) * 5.0, 2.0 * -1.5, 1.0];
    assert_close("gradient", &wide(&found), &expected, SINGLE);
    assert_eq!(g.seen, Some(4));
    let second = hvp(after::AD, NoPrep, &source, &f, &g).unwrap();
    let found = [
        second.gain,
        second.value.unwrap(),
        second.past[0].0,
        second.past[0].1,
    ];
    let expected = [-2.5 * 5.0, 5.0 * 5.0, 2.0 * -1.5 * -3.0 + 2.0, 2.0 * -3.0];
    assert_close("hvp", &wide(&found), &expected, SINGLE);
    let none = Filter { value: None, ..f };
    let g = gradient(after::AD, NoPrep, &source, &none).unwrap();
    assert_eq!((g.value, g.past.len()), (None, 1));
    assert_close("gradient", &wide(&[g.gain]), &[0.0], SINGLE);
}

#[differentiable]
fn after(f: &Filter) -> f32 {
    let mut f = f.clone();
    let (a, b) = f.past[0];
    let next = f.process(1.0);
    next * f.seen.unwrap_or(0) as f32 + a * a * b
}
