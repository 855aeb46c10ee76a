//! Integrators of ordinary differential equations: Euler, Runge-Kutta of fixed and of adaptive steps.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::{program, scalar};

const LOOSE: Tolerance = Tolerance {
    relative: 1e-10,
    absolute: 1e-13,
};

/// `y' = -k y`, explicit Euler.
#[differentiable]
fn euler_decay(x: &[f64], steps: usize) -> f64 {
    let (mut y, k) = (x[0], x[1]);
    let h = 1.0 / steps as f64;
    for _ in 0..steps {
        y -= h * k * y;
    }
    y
}

#[test]
fn explicit_euler() {
    let f = euler_decay::AD.with(50);
    program!(f, [&[1.5, 0.8]]);
    // y (1 - h k)^n
    let (y, k, n) = (1.5_f64, 0.8_f64, 50);
    let factor = 1.0 - k / f64::from(n);
    let expected = [factor.powi(n), -y * factor.powi(n - 1)];
    let g = gradient(f, NoPrep, &AutoSource::new(), &[y, k][..]).unwrap();
    assert_close("gradient", &g, &expected, LOOSE);
}

/// Lotka and Volterra's predators and prey.
#[differentiable]
fn predators(y: &[f64], p: &[f64], dy: &mut [f64]) {
    dy[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    dy[1] = p[2] * y[0] * y[1] - p[3] * y[1];
}

/// Classical Runge-Kutta; `x` is the state at the start and four parameters.
#[differentiable]
fn classical(x: &[f64], steps: usize, #[constant] h: f64) -> f64 {
    let p = &x[2..];
    let mut y = [x[0], x[1]];
    let mut k1 = [0.0; 2];
    let mut k2 = [0.0; 2];
    let mut k3 = [0.0; 2];
    let mut k4 = [0.0; 2];
    let mut at = [0.0; 2];
    for _ in 0..steps {
        predators(&y, p, &mut k1);
        for i in 0..2 {
            at[i] = y[i] + 0.5 * h * k1[i];
        }
        predators(&at, p, &mut k2);
        for i in 0..2 {
            at[i] = y[i] + 0.5 * h * k2[i];
        }
        predators(&at, p, &mut k3);
        for i in 0..2 {
            at[i] = y[i] + h * k3[i];
        }
        predators(&at, p, &mut k4);
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y[0] * y[0] + y[1]
}

const POPULATION: [f64; 6] = [1.2, 0.8, 1.1, 0.4, 0.3, 0.9];

#[test]
fn runge_kutta_of_fixed_steps() {
    let f = classical::AD.with(40, 0.05);
    program!(f, [&POPULATION]);
    scalar!(f, |x| classical(x, 40, 0.05)).check(&[&POPULATION]);
}

/// Dormand and Prince's pair of orders five and four, with steps chosen by the error.
#[differentiable]
fn adaptive(x: &[f64], #[constant] end: f64, #[constant] tolerance: f64) -> f64 {
    let a = [
        [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
        [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
        [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
        [
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
            0.0,
            0.0,
        ],
        [
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
            0.0,
        ],
        [
            35.0 / 384.0,
            0.0,
            500.0 / 1113.0,
            125.0 / 192.0,
            -2187.0 / 6784.0,
            11.0 / 84.0,
        ],
    ];
    let e = [
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ];
    let p = &x[2..];
    let mut y = [x[0], x[1]];
    let mut k = [[0.0; 2]; 7];
    let mut t = 0.0;
    let mut h: f64 = 0.1;
    while t < end {
        if t + h > end {
            h = end - t;
        }
        predators(&y, p, &mut k[0]);
        let mut next = y;
        for s in 0..6 {
            for i in 0..2 {
                let mut sum = 0.0;
                for j in 0..s + 1 {
                    sum += a[s][j] * k[j][i];
                }
                next[i] = y[i] + h * sum;
            }
            predators(&next, p, &mut k[s + 1]);
        }
        let mut error: f64 = 0.0;
        for i in 0..2 {
            let mut sum = 0.0;
            for j in 0..7 {
                sum += e[j] * k[j][i];
            }
            error = error.max((h * sum).abs());
        }
        if error > tolerance {
            h *= 0.5;
            continue;
        }
        t += h;
        y = next;
        // the step is differentiated too: it depends on the error
        h *= (0.9 * (tolerance / (error + 1e-12)).powf(0.2)).clamp(0.3, 4.0);
    }
    y[0] * y[0] + y[1]
}

#[test]
fn runge_kutta_of_adaptive_steps() {
    program!(adaptive::AD.with(2.0, 1e-6), [&POPULATION]);
}

/// `y'' = -k y` by the leapfrog, the speed half a step ahead.
#[differentiable]
fn leapfrog(x: &[f64], steps: usize) -> f64 {
    let (mut y, mut v, k) = (x[0], x[1], x[2]);
    let h = 0.1;
    let mut n = 0;
    loop {
        v -= 0.5 * h * k * y;
        y += h * v;
        v -= 0.5 * h * k * y;
        n += 1;
        if n == steps {
            break;
        }
    }
    0.5 * v * v + 0.5 * k * y * y
}

#[test]
fn leapfrog_of_an_oscillator() {
    program!(leapfrog::AD.with(25), [&[0.4, 1.1, 2.0]]);
}
