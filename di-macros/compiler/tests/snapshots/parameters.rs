//! Roles and modes.

fn all(x: f64, v: &[f64], a: [f64; 2], p: &Params, n: usize, #[constant] c: &Config, #[cache] work: &mut [f64]) -> f64 {
    work[0] = x * v[n];
    work[0] * a[0] + p.rates[1] * p.inner.k
}

fn output(x: &[f64], y: &mut [f64; 2]) {
    y[0] = x[0];
}

fn helper(x: &mut [f64], y: &mut [f64]) {
    y[0] += x[0];
}

fn state(#[inout] s: &mut [f64], n: usize) {
    s[n] *= 2.0;
}
