//! Energies and fields: a hyperelastic element, bodies under gravity, reactions that diffuse.

use di::prelude::*;
use di_test::{inplace, program};

/// Neo-Hookean energy of one tetrahedron: `x` holds the four displaced corners.
#[differentiable]
fn neo_hookean(
    x: &[f64],
    #[constant] shape: &[[f64; 3]; 3],
    #[constant] mu: f64,
    #[constant] lambda: f64,
) -> f64 {
    let mut f = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                f[i][j] += (x[3 * (k + 1) + i] - x[i]) * shape[k][j];
            }
        }
    }
    let mut invariant = 0.0;
    for row in &f {
        for v in row {
            invariant += v * v;
        }
    }
    let det = f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1])
        - f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0])
        + f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
    let log = det.ln();
    0.5 * mu * (invariant - 3.0 - 2.0 * log) + 0.5 * lambda * log * log
}

#[test]
fn hyperelastic_element() {
    let shape = [[1.0, 0.1, 0.0], [0.0, 1.2, 0.2], [-0.1, 0.0, 0.9]];
    let x = [0.0, 0.1, -0.1, 1.1, 0.0, 0.2, 0.1, 0.9, 0.0, -0.1, 0.2, 1.3];
    program!(neo_hookean::AD.with(&shape, 1.5, 2.5), [&x]);
}

/// Energy of bodies after some steps of time. `x` holds positions, then speeds, by coordinates: all x,
/// all y, all z.
#[differentiable]
fn gravity(x: &[f64], #[constant] masses: &[f64], steps: usize, #[constant] h: f64) -> f64 {
    let n = masses.len();
    let mut q = x[..3 * n].to_vec();
    let mut v = x[3 * n..].to_vec();
    let mut a = vec![0.0; 3 * n];
    for _ in 0..steps {
        a.fill(0.0);
        for i in 0..n {
            for j in 0..i {
                let dx = q[j] - q[i];
                let dy = q[n + j] - q[n + i];
                let dz = q[2 * n + j] - q[2 * n + i];
                let square = dx * dx + dy * dy + dz * dz + 0.01;
                let cube = 1.0 / (square * square.sqrt());
                for (k, d) in [dx, dy, dz].iter().enumerate() {
                    a[k * n + i] += masses[j] * cube * d;
                    a[k * n + j] -= masses[i] * cube * d;
                }
            }
        }
        for (v, a) in v.iter_mut().zip(&a) {
            *v += h * a;
        }
        for (q, v) in q.iter_mut().zip(&v) {
            *q += h * v;
        }
    }
    let mut energy = 0.0;
    for i in 0..n {
        let mut speed = 0.0;
        for k in 0..3 {
            speed += v[k * n + i] * v[k * n + i];
        }
        energy += 0.5 * masses[i] * speed;
        for j in 0..i {
            let mut square = 0.01;
            for k in 0..3 {
                let d = q[k * n + j] - q[k * n + i];
                square += d * d;
            }
            energy -= masses[i] * masses[j] / square.sqrt();
        }
    }
    energy
}

#[test]
fn bodies_by_coordinates() {
    let masses = [1.0, 0.5, 2.0];
    let x: Vec<f64> = (0..18).map(|i| (1.9 * i as f64 + 0.3).sin()).collect();
    program!(gravity::AD.with(&masses, 12, 0.02), [&x]);
}

/// The reaction of the Brusselator with diffusion on a square with edges that repeat their neighbours;
/// `x` holds u and then v, `p` is (A, B, diffusion).
#[differentiable]
fn brusselator(x: &[f64], #[constant] p: &[f64; 3], n: usize, dx: &mut [f64]) {
    let (u, v) = x.split_at(n * n);
    let spread = p[2] * ((n - 1) * (n - 1)) as f64;
    for i in 0..n {
        for j in 0..n {
            let up = if i == 0 { 0 } else { i - 1 };
            let down = (i + 1).min(n - 1);
            let left = j.saturating_sub(1);
            let right = if j + 1 < n { j + 1 } else { n - 1 };
            let k = i * n + j;
            let square = u[k] * u[k] * v[k];
            let spread_u =
                u[up * n + j] + u[down * n + j] + u[i * n + left] + u[i * n + right] - 4.0 * u[k];
            let spread_v =
                v[up * n + j] + v[down * n + j] + v[i * n + left] + v[i * n + right] - 4.0 * v[k];
            dx[k] = p[1] + square - (p[0] + 1.0) * u[k] + spread * spread_u;
            dx[n * n + k] = p[0] * u[k] - square + spread * spread_v;
        }
    }
}

#[test]
fn brusselator_with_clamped_indices() {
    let p = [3.4, 1.0, 0.02];
    let x: Vec<f64> = (0..18)
        .map(|i| 1.0 + 0.5 * (0.7 * i as f64).sin())
        .collect();
    let mut y = vec![0.0; 18];
    program!(brusselator::AD.with(&p, 3).output(&mut y), [&x]);
    inplace!(
        brusselator::AD.with(&p, 3),
        |x, y| brusselator(x, &p, 3, y),
        18
    )
    .check(&[&x]);
}

/// Steps of Gray and Scott's reaction in two buffers, on a ring; `x` is u, v, and then (feed, kill).
#[differentiable]
fn gray_scott(x: &[f64], n: usize, steps: usize) -> f64 {
    let (feed, kill) = (x[2 * n], x[2 * n + 1]);
    let mut u = x[..n].to_vec();
    let mut v = x[n..2 * n].to_vec();
    let mut next_u = vec![0.0; n];
    let mut next_v = vec![0.0; n];
    for _ in 0..steps {
        for i in 0..n {
            let (l, r) = ((i + n - 1) % n, (i + 1) % n);
            let reaction = u[i] * v[i] * v[i];
            next_u[i] = u[i] + 0.2 * (u[l] - 2.0 * u[i] + u[r]) - reaction + feed * (1.0 - u[i]);
            next_v[i] = v[i] + 0.1 * (v[l] - 2.0 * v[i] + v[r]) + reaction - (feed + kill) * v[i];
        }
        u.copy_from_slice(&next_u);
        v.copy_from_slice(&next_v);
    }
    v.iter().map(|v| v * v).sum()
}

#[test]
fn gray_scott_in_two_buffers() {
    let n = 6;
    let mut x: Vec<f64> = (0..2 * n)
        .map(|i| 0.5 + 0.3 * (1.3 * i as f64).cos())
        .collect();
    x.extend([0.04, 0.06]);
    program!(gray_scott::AD.with(n, 10), [&x]);
}
