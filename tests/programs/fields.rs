//! Integrals, prices, pictures and spectra.

use di::prelude::*;
use di_test::compare::{Tolerance, assert_close};
use di_test::{inplace, program, scalar};

/// Simpson's rule over a loop whose variable is a float: `x` is (lower end, upper end, frequency).
#[differentiable]
fn quadrature(x: &[f64], panels: usize) -> f64 {
    let (a, b, w) = (x[0], x[1], x[2]);
    let h = (b - a) / panels as f64;
    let mut sum = 0.0;
    let mut t = a;
    while t < b - 0.5 * h {
        let left = (w * t).sin() * t;
        let middle = (w * (t + 0.5 * h)).sin() * (t + 0.5 * h);
        let right = (w * (t + h)).sin() * (t + h);
        sum += h / 6.0 * (left + 4.0 * middle + right);
        t += h;
    }
    sum
}

#[test]
fn quadrature_over_a_float() {
    let f = quadrature::AD.with(40);
    let x = [0.2, 1.9, 1.3];
    program!(f, [&x]);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x[..]).unwrap();
    // by the ends the integrand itself
    let at = |t: f64| (x[2] * t).sin() * t;
    let tolerance = Tolerance {
        relative: 1e-6,
        absolute: 0.0,
    };
    assert_close("by the ends", &g[..2], &[-at(x[0]), at(x[1])], tolerance);
}

/// Price of a call by implicit steps of Black and Scholes' equation; `x` is (price, volatility, rate).
#[differentiable]
fn option_price(x: &[f64], #[constant] strike: f64, nodes: usize, steps: usize) -> f64 {
    let (spot, sigma, rate) = (x[0], x[1], x[2]);
    let h = 4.0 * strike / (nodes - 1) as f64;
    let dt = 1.0 / steps as f64;
    let mut v = vec![0.0; nodes];
    for i in 0..nodes {
        v[i] = (i as f64 * h - strike).max(0.0);
    }
    let mut c = vec![0.0; nodes];
    let mut d = vec![0.0; nodes];
    for step in 1..=steps {
        let top = 4.0 * strike - strike * (-rate * (step as f64 * dt)).exp();
        // Thomas' algorithm on rows i = 1 .. nodes - 1
        for i in 1..nodes - 1 {
            let k = i as f64;
            let square = sigma * sigma * k * k;
            let lower = 0.5 * dt * (rate * k - square);
            let diagonal = 1.0 + dt * (square + rate);
            let upper = -0.5 * dt * (rate * k + square);
            let mut right = v[i];
            if i == nodes - 2 {
                right -= upper * top;
            }
            let m = diagonal - lower * c[i - 1];
            c[i] = upper / m;
            d[i] = (right - lower * d[i - 1]) / m;
        }
        v[nodes - 1] = top;
        for i in (1..nodes - 1).rev() {
            v[i] = if i == nodes - 2 {
                d[i]
            } else {
                d[i] - c[i] * v[i + 1]
            };
        }
    }
    // linear between nodes
    let k = (spot / h) as usize;
    let w = spot / h - k as f64;
    v[k] * (1.0 - w) + v[k + 1] * w
}

#[test]
fn option_by_finite_differences() {
    let f = option_price::AD.with(1.0, 41, 20);
    program!(f, [&[1.03, 0.3, 0.05]]);
    let price = option_price(&[1.0, 0.3, 0.05], 1.0, 161, 100);
    // Black and Scholes' formula
    assert!((price - 0.142_3).abs() < 2e-3, "{price}");
}

/// Brightness of a scene of spheres: `x` holds (centre, radius) of each; rays start at the origin.
#[differentiable]
fn brightness(x: &[f64], #[constant] rays: &[[f64; 3]]) -> f64 {
    let mut sum = 0.0;
    for ray in rays {
        let mut nearest = f64::INFINITY;
        let mut shade = 0.1;
        for s in 0..x.len() / 4 {
            let sphere = &x[4 * s..4 * s + 4];
            let along = sphere[0] * ray[0] + sphere[1] * ray[1] + sphere[2] * ray[2];
            let square = sphere[0] * sphere[0] + sphere[1] * sphere[1] + sphere[2] * sphere[2];
            let inside = along * along - square + sphere[3] * sphere[3];
            if inside <= 0.0 {
                continue;
            }
            let distance = along - inside.sqrt();
            if distance <= 0.0 || distance >= nearest {
                continue;
            }
            nearest = distance;
            let mut light = 0.0;
            for k in 0..3 {
                light += (distance * ray[k] - sphere[k]) / sphere[3] * [0.48, 0.64, -0.6][k];
            }
            shade = if light > 0.0 { 0.1 + 0.9 * light } else { 0.1 };
        }
        let miss = shade - 0.5;
        sum += miss * miss;
    }
    sum / rays.len() as f64
}

#[test]
fn renderer_of_spheres() {
    let mut rays = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            let (a, b) = (0.2 * f64::from(i) - 0.4, 0.2 * f64::from(j) - 0.4);
            let length = (a * a + b * b + 1.0_f64).sqrt();
            rays.push([a / length, b / length, 1.0 / length]);
        }
    }
    let x = [0.1, 0.2, 3.0, 0.9, -0.6, -0.3, 4.1, 1.3];
    program!(brightness::AD.with(&rays), [&x]);
}

/// The discrete Fourier transform in place, by halves: `data` holds real and imaginary parts in turn.
#[differentiable]
fn fourier(data: &mut [f64], work: &mut [f64]) {
    let n = data.len() / 2;
    if n < 2 {
        return;
    }
    let half = n / 2;
    for k in 0..half {
        for p in 0..2 {
            work[2 * k + p] = data[4 * k + p];
            work[n + 2 * k + p] = data[4 * k + 2 + p];
        }
    }
    data.copy_from_slice(work);
    fourier(&mut data[..n], &mut work[..n]);
    fourier(&mut data[n..], &mut work[..n]);
    for k in 0..half {
        let angle = -2.0 * std::f64::consts::PI * k as f64 / n as f64;
        let (s, c) = angle.sin_cos();
        let (re, im) = (data[n + 2 * k], data[n + 2 * k + 1]);
        let (tr, ti) = (c * re - s * im, c * im + s * re);
        data[n + 2 * k] = data[2 * k] - tr;
        data[n + 2 * k + 1] = data[2 * k + 1] - ti;
        data[2 * k] += tr;
        data[2 * k + 1] += ti;
    }
}

/// Transforms a signal that is squared first.
#[differentiable]
fn spectrum(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[2 * i] = x[i] * x[i];
        y[2 * i + 1] = 0.0;
    }
    let mut work = vec![0.0; y.len()];
    fourier(y, &mut work);
}

#[test]
fn recursive_fourier_transform_in_place() {
    let x: Vec<f64> = (0..8).map(|i| (1.1 * i as f64).sin() + 0.3).collect();
    let mut y = vec![0.0; 16];
    program!(spectrum::AD.output(&mut y), [&x]);
    inplace!(spectrum, 16).check(&[&x]);
    // the transform is linear: the Jacobian is that of Fourier times 2 x
    let j = jacobian(
        spectrum::AD.output(&mut y),
        NoPrep,
        &AutoSource::new(),
        &x[..],
    )
    .unwrap();
    for k in 0..8 {
        for (i, x) in x.iter().enumerate() {
            let angle = -2.0 * std::f64::consts::PI * (i * k % 8) as f64 / 8.0;
            assert!((j[[2 * k, i]] - 2.0 * x * angle.cos()).abs() < 1e-13);
            assert!((j[[2 * k + 1, i]] - 2.0 * x * angle.sin()).abs() < 1e-13);
        }
    }
    scalar!(power).check(&[&x]);
}

/// Power of the lower half of the spectrum.
#[differentiable]
fn power(x: &[f64]) -> f64 {
    let mut y = vec![0.0; 2 * x.len()];
    spectrum(x, &mut y);
    let mut s = 0.0;
    for v in &y[..x.len()] {
        s += v * v;
    }
    s
}
