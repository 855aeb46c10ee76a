//! What carries no derivative.

fn constants(x: f64) -> f64 {
    const SCALE: f64 = 2.0;
    x * SCALE * std::f64::consts::PI + LIMIT
}

fn integers(x: &[f64], idx: &[usize], k: i32) -> f64 {
    let i = idx[0].wrapping_mul(3) % x.len();
    x[i] * k.abs() as f64 * (i as f64)
}

fn foreign(x: f64, n: usize, #[constant] config: &Config) -> f64 {
    let inner = &config.tables[n];
    let a: f64 = inner.value(n + 1);
    let b: f64 = passive(x.sqrt());
    if config.is_on() { a * x } else { b * x }
}

fn kinds(x: f64, #[constant] kind: Kind) -> f64 {
    match kind {
        Kind::Linear => x,
        Kind::Square | Kind::Cube => x * x,
    }
}
