//! Forms that plain programs have: constants taken apart, vectors that are folded, variants chosen by a branch.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9]];

struct Quote {
    strike: f64,
    vol: f64,
    weight: Option<f64>,
}

fn quotes() -> [Quote; 2] {
    [(0.8, None), (1.3, Some(2.0))].map(|(strike, weight)| Quote {
        strike,
        vol: 0.3,
        weight,
    })
}

#[differentiable]
fn smile(x: &[f64], #[constant] quotes: &[Quote]) -> f64 {
    let mut sum = 0.0;
    for Quote {
        strike,
        vol,
        weight,
    } in quotes
    {
        let w = weight.unwrap_or(1.0);
        let e = x[0] * (x[1] * strike).exp() - vol;
        sum += w * e * e * x[2];
    }
    sum
}

#[differentiable]
fn aligned(x: &[f64], #[constant] pairs: &[([f64; 3], [f64; 3])]) -> f64 {
    let mut sum = 0.0;
    for (from, to) in pairs {
        sum += (0..3)
            .map(|i| (x[i] * from[i] - to[i]).powi(2) * x[0])
            .sum::<f64>();
    }
    sum
}

#[test]
fn constants_taken_apart_in_the_head_of_a_loop() {
    let quotes = quotes();
    scalar!(smile::AD.with(&quotes), |x: &[f64]| smile(x, &quotes))
        .row(187)
        .check(&POINTS);
    let pairs = [
        ([1.0, 2.0, 3.0], [0.5, 0.2, 0.1]),
        ([0.3, 0.1, -1.0], [0.0, 1.0, 2.0]),
    ];
    scalar!(aligned::AD.with(&pairs), |x: &[f64]| aligned(x, &pairs))
        .row(187)
        .check(&POINTS);
}

#[differentiable]
fn cell(h: &[f64], x: f64, w: &[f64]) -> Vec<f64> {
    h.iter().zip(w).map(|(h, w)| (h * w + x).sin()).collect()
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    let h = x.iter().fold(vec![1.0; 3], |h, v| cell(&h, *v, x));
    let total = (0..3).fold(vec![0.0, 1.0], |mut t, i| {
        t[0] += h[i] * t[1];
        t[1] *= x[i];
        t
    });
    total[0] * total[1]
}

#[differentiable]
fn by_a_path(x: &[f64]) -> f64 {
    fn both(a: Vec<f64>, v: f64) -> Vec<f64> {
        a.iter().map(|a| a * v + v.cos()).collect()
    }
    let h = x.iter().copied().fold(x.to_vec(), both);
    h[0] * h[1] + h[2]
}

#[test]
fn folded_vectors() {
    scalar!(folded).row(188).check(&POINTS);
    scalar!(by_a_path).row(188).check(&POINTS);
}

#[derive(Clone, Copy, PartialEq)]
enum Act {
    Tanh,
    Square,
    Linear,
}

#[differentiable]
fn activated(z: f64, #[constant] act: Act) -> f64 {
    match act {
        Act::Tanh => z.tanh(),
        Act::Square => z * z,
        Act::Linear => 1.5 * z,
    }
}

#[differentiable]
fn layers(x: &[f64]) -> f64 {
    let mut h = x[0];
    let last = x.len() - 1;
    for (i, w) in x.iter().enumerate() {
        let act = if i == last { Act::Linear } else { Act::Tanh };
        h = activated(h * w + x[1], act);
    }
    h
}

#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        // which one it is depends on what is differentiated
        let act = if *v > 1.0 {
            Act::Square
        } else {
            match i {
                0 => Act::Tanh,
                _ => Act::Linear,
            }
        };
        s += match act {
            Act::Square => v * v * x[0],
            other => activated(v * x[1], other),
        };
    }
    s
}

#[test]
fn variants_chosen_by_a_branch() {
    scalar!(layers).row(189).check(&POINTS);
    scalar!(by_value).row(189).check(&POINTS);
}

struct Setup {
    force: fn(f64) -> f64,
    dt: f64,
}

#[differentiable]
fn driven(x: &[f64], #[constant] setup: &Setup) -> f64 {
    let (mut pos, mut vel) = (x[0], x[1]);
    for i in 0..4 {
        let t = i as f64 * setup.dt;
        let push = (setup.force)(t);
        vel += setup.dt * (push * x[2] - pos * vel.abs());
        pos += setup.dt * vel;
    }
    pos * pos
}

#[test]
fn functions_in_constants() {
    let setup = Setup {
        force: f64::cos,
        dt: 0.2,
    };
    scalar!(driven::AD.with(&setup), |x: &[f64]| driven(x, &setup))
        .row(190)
        .check(&POINTS);
}

#[differentiable]
mod unit {
    pub struct Gate {
        pub w: Vec<f64>,
    }

    pub struct Unit {
        pub gate: Gate,
    }

    fn sigmoid(x: f64) -> f64 {
        1.0 / (1.0 + (-x).exp())
    }

    impl Gate {
        fn apply(&self, x: f64) -> Vec<f64> {
            self.w.iter().map(|w| w * x).collect()
        }
    }

    impl Unit {
        fn open(&self, x: f64) -> f64 {
            let z: Vec<f64> = self.gate.apply(x).into_iter().map(sigmoid).collect();
            z[0] * z[1]
                + self
                    .gate
                    .apply(x * x)
                    .into_iter()
                    .map(|v| v.sin())
                    .sum::<f64>()
        }
    }

    pub(crate) fn opened(x: &[f64]) -> f64 {
        let unit = Unit {
            gate: Gate {
                w: vec![x[0], x[1] * x[2]],
            },
        };
        unit.open(x[2])
    }
}

use unit::opened;

#[test]
fn sequences_that_methods_of_fields_return() {
    scalar!(opened).row(191).takes_memory().check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Ray<const N: usize>([f64; N]);

#[differentiable]
impl<const N: usize> Ray<N> {
    fn along(&self, other: &Ray<N>) -> f64 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }
}

struct Mirrors<const N: usize> {
    faces: [Ray<N>; N],
    turns: [[f64; N]; N],
    rounds: usize,
}

impl<const N: usize> Mirrors<N> {
    fn rounds(&self) -> usize {
        self.rounds.min(3)
    }

    fn turn(&self, i: usize) -> &[f64; N] {
        &self.turns[i]
    }

    fn bend(&self, i: usize) -> f64 {
        self.turns[i][i]
    }
}

struct Sky<'a> {
    times: &'a [f64],
    levels: Vec<f64>,
}

impl<'a> Sky<'a> {
    fn len(&self) -> usize {
        self.times.len()
    }

    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.times.iter().copied().zip(self.levels.iter().copied())
    }
}

#[differentiable]
fn reflected<const N: usize>(mirrors: &Mirrors<N>, ray: Ray<N>) -> f64 {
    let mut ray = ray;
    for _ in 0..mirrors.rounds() {
        let mut next = [0.0; N];
        for i in 0..N {
            for (j, t) in mirrors.turn(i).iter().enumerate() {
                next[i] += t * ray.0[j];
            }
            next[i] = (next[i] * mirrors.bend(i)).sin() + mirrors.faces[i].along(&ray);
        }
        ray = Ray(next);
    }
    ray.0.iter().sum()
}

#[differentiable]
fn seen(x: &[f64], sky: &Sky<'_>) -> f64 {
    let mut sum = 0.0;
    for i in 0..sky.len() {
        sum += (x[0] * sky.times[i] - sky.levels[i]).powi(2);
    }
    for (time, level) in sky.pairs() {
        sum += (x[1] * time - level).powi(2) * x[2];
    }
    sum / sky.len() as f64
}

#[differentiable]
fn through_both(x: &[f64], mirrors: &Mirrors<2>, sky: &Sky<'_>) -> f64 {
    reflected(mirrors, Ray([x[0], x[1]])) * seen(x, sky)
}

#[test]
fn structs_with_lengths_and_lifetimes_without_derivatives() {
    let mirrors = Mirrors {
        faces: [Ray([0.3, 0.1]), Ray([-0.2, 0.4])],
        turns: [[0.9, 0.2], [-0.3, 1.1]],
        rounds: 5,
    };
    let times = [0.1, 0.4];
    let sky = Sky {
        times: &times,
        levels: vec![0.3, 0.9],
    };
    scalar!(through_both::AD.with(&mirrors, &sky), |x: &[f64]| {
        through_both(x, &mirrors, &sky)
    })
    .row(312)
    .takes_memory()
    .check(&POINTS);
}
