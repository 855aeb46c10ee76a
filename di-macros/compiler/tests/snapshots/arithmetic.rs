//! Scalars: names, operators, functions, mutable variables.

fn names(x: f64) -> f64 {
    let x = x * 2.0;
    let y = { let x = -x; x + 1.0 };
    x / y
}

fn functions(x: f64, n: i32) -> (f64, f64) {
    let (s, c) = x.sin_cos();
    (f64::max(s, c).powi(n), c.mul_add(s, 1.5))
}

fn variables(mut x: f64) -> f64 {
    let mut s = 0.0;
    s += x;
    x *= s;
    s -= x % 2.0;
    s
}

fn conditions(x: f64, y: f64, n: usize) -> f64 {
    if x > y && !(n == 3) || x.is_nan() { x } else if n / 2 > 1 { y } else { 0.0 }
}
