//! Constants that are made in a function, and passed to constant parameters of others.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn misfit(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let terms = x.iter().zip(d).map(|(x, d)| (x - d).powi(2) * d.exp());
    terms.sum()
}

#[differentiable]
fn bent(x: &[f64], #[constant] w: &[f64; 3]) -> f64 {
    (x[0] * w[0] + x[1] * w[1] * w[2]).sin() * x[0]
}

#[differentiable]
fn grid(x: &[f64], #[constant] nodes: &[[f64; 2]]) -> f64 {
    nodes.iter().map(|n| n[0] * (x[0] * n[1]).cos()).sum()
}

#[differentiable]
fn antithetic(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let anti: Vec<f64> = d.iter().map(|v| -v).collect();
    misfit(x, &anti) + misfit(x, d)
}

/// The list changes between the calls, and goes to a parameter that is differentiated as well.
#[differentiable]
fn shifted(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let mut a = d.to_vec();
    let mut sum = 0.0;
    for k in 0..3 {
        a[k % 2] += 0.5;
        sum += misfit(x, &a[..2]) * x[0] + dot(x, &a);
    }
    let w = [d[0], d[1] * 2.0, d[0].cos()];
    sum + bent(x, &w)
}

#[differentiable]
fn tables(x: &[f64], #[constant] d: &[f64]) -> f64 {
    let mut w = [0.0; 3];
    for k in 0..3 {
        w[k] = d[k % 2] * (k as f64 + 1.0);
    }
    let mean = d.iter().sum::<f64>() / d.len() as f64;
    let centred: Vec<f64> = d.iter().map(|v| v - mean).collect();
    let nodes: Vec<[f64; 2]> = centred.iter().map(|v| [*v, v * v]).collect();
    let mut sum = 0.0;
    for _ in 0..2 {
        sum += bent(x, &w) * misfit(x, &centred) + grid(x, &nodes);
    }
    sum
}

#[test]
fn constants_that_are_made_and_passed_to_constants() {
    let d = [0.3, -0.7];
    let d = &d[..];
    scalar!(antithetic::AD.with(d), |x: &[f64]| antithetic(x, d))
        .row(339)
        .check(&POINTS);
    scalar!(shifted::AD.with(d), |x: &[f64]| shifted(x, d))
        .row(339)
        .check(&POINTS);
    scalar!(tables::AD.with(d), |x: &[f64]| tables(x, d))
        .row(339)
        .check(&POINTS);
}

#[differentiable]
fn path(p: &[f64], #[constant] z: &[(f64, f64)]) -> f64 {
    let terms = z.iter().map(|&(a, b)| (a * p[0]).sin() * (b * p[1]).cos());
    terms.sum()
}

#[differentiable]
fn paired(p: &[f64], #[constant] draws: &[Vec<(f64, f64)>]) -> f64 {
    let mut sum = 0.0;
    for d in draws {
        let anti: Vec<(f64, f64)> = d.iter().map(|(a, b)| (-a, 0.5 - b)).collect();
        sum += 0.5 * (path(p, d) + path(p, &anti)).powi(2);
    }
    sum
}

#[test]
fn lists_of_tuples_of_constants_made_in_loops() {
    let draws = vec![vec![(0.1, 0.4), (0.7, -0.2)], vec![(1.1, 0.2)]];
    scalar!(paired::AD.with(&draws), |p: &[f64]| paired(p, &draws))
        .row(339)
        .takes_memory()
        .check(&POINTS);
}

#[derive(Clone, Copy, Differentiable)]
struct Speed(f64);

#[derive(Clone, Differentiable)]
struct Site {
    lat: f64,
    weights: Vec<f64>,
}

const LAT: f64 = 0.3;

#[differentiable]
fn range(angle: f64, #[constant] v: Speed, #[constant] site: &Site) -> f64 {
    v.0 * angle.cos() * site.lat * site.weights[0]
}

#[differentiable]
fn shots(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let site = Site {
            lat: x[1],
            weights: vec![x[2]],
        };
        sum += range(
            x[0],
            Speed(30.0 + k as f64),
            &Site {
                lat: LAT,
                weights: vec![1.0, 2.0],
            },
        ) * site.lat;
        sum *= Speed(x[3]).0 + site.weights[0];
    }
    sum
}

/// What is made of constants that came in as parameters.
#[differentiable]
fn shot(x: &[f64], #[constant] v: f64, #[constant] w: &[f64]) -> f64 {
    let site = Site {
        lat: x[1],
        weights: vec![x[0]],
    };
    let near = range(
        x[0],
        Speed(v),
        &Site {
            lat: v,
            weights: w.to_vec(),
        },
    );
    near * range(
        x[1],
        Speed(v.sin() + w[0]),
        &Site {
            lat: LAT,
            weights: vec![w[1]],
        },
    ) * site.lat
}

#[test]
fn structs_that_are_made_of_constants() {
    scalar!(shots).row(368).takes_memory().check(&POINTS);
    let w = [0.3, 1.2];
    scalar!(shot::AD.with(0.7, &w), |x: &[f64]| shot(x, 0.7, &w))
        .row(368)
        .takes_memory()
        .check(&POINTS);
}

struct Mesh {
    boundary: Vec<Option<f64>>,
    top: Option<f64>,
}

#[differentiable]
fn heights(x: &[f64], #[constant] given: &[Option<f64>], #[constant] mesh: &Mesh) -> f64 {
    let mut sum = 0.0;
    for known in given {
        sum += known.unwrap_or_else(|| x[0] * 2.0) * x[1];
    }
    let mut free = x.iter();
    let at = mesh
        .boundary
        .iter()
        .map(|b| b.unwrap_or_else(|| *free.next().unwrap()));
    let z: Vec<f64> = at.collect();
    sum + z[0] * z[1] * z[2] * mesh.top.unwrap_or_else(|| x[1])
}

#[test]
fn options_among_constants_or_what_varies() {
    let given = [Some(0.4), None, Some(1.2)];
    let mesh = Mesh {
        boundary: vec![None, Some(2.0), None],
        top: None,
    };
    scalar!(heights::AD.with(&given, &mesh), |x: &[f64]| heights(
        x, &given, &mesh
    ))
    .row(369)
    .check(&POINTS);
}
