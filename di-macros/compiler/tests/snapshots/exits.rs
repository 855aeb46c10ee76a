//! Early ends.

fn early(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'rows: for i in 0..x.len() {
        for j in (0..=i).rev() {
            if x[j] < 0.0 {
                continue 'rows;
            }
            if x[j] > 9.0 {
                break;
            }
            if s > 100.0 {
                return s;
            }
            s += x[j];
        }
    }
    s
}

fn found(x: f64) -> f64 {
    let mut t = x;
    let root = loop {
        t = 0.5 * (t + x / t);
        if (t * t - x).abs() < 1e-9 {
            break t;
        }
    };
    root + 1.0
}

fn both(x: f64) -> f64 {
    if x > 0.0 {
        return x;
    } else {
        return -x;
    }
}

fn endless(mut x: f64) -> [f64; 2] {
    loop {
        x *= 2.0;
        if x > 10.0 {
            return [x, 1.0];
        }
    }
}
