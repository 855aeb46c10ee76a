//! Iterators become loops over a number.

fn sequences(x: &[f64], y: &mut [f64], a: [f64; 3]) {
    for v in x {
        y[0] += v;
    }
    for v in y.iter_mut() {
        *v *= 2.0;
    }
    for v in a {
        y[1] -= v;
    }
}

fn chains(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, (a, b)) in x.iter().zip(y).enumerate() {
        s += a * b * i as f64;
    }
    for v in x.iter().rev().skip(1).step_by(2) {
        s *= v;
    }
    s
}

fn reductions(x: &[f64]) -> f64 {
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let product: f64 = (1..x.len()).map(|i| x[i]).product();
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    squares + product + largest
}
