//! Arrays, slices, vectors and places in them.

fn elements(x: &[f64], y: &mut [f64]) {
    y[0] = x[1];
    y[x.len() - 1] += x[0];
    y[1] *= x[2];
    y.swap(0, 1);
}

fn made(x: f64) -> f64 {
    let a = [[x, 1.0], [2.0, x]];
    let mut b = [0.0; 3];
    let v = vec![x; 4];
    let w = vec![x, b[0]];
    b[2] = a[1][0] + v[3] * w[1];
    let c = b;
    b[0] = c[2];
    b[0]
}

fn parts(x: &[f64], m: &[[f64; 3]]) -> f64 {
    let tail = &x[1..];
    let row = &m[2];
    let (a, b) = x.split_at(2);
    tail[0] * row[1] + a[0] * b[0] + (&x[..3])[2]
}

fn whole(x: &[f64], y: &mut [f64]) {
    y.copy_from_slice(x);
    y[1..].fill(x[0]);
    let c = x.to_vec();
    y[0] = c[0];
}

fn chosen(x: f64) -> [f64; 2] {
    if x > 0.0 { [x, 1.0] } else { [0.0; 2] }
}
