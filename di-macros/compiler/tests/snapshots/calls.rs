//! Calls to other annotated functions.

fn scalars(x: f64) -> f64 {
    let y: f64 = inner::square(x);
    let (a, b) = pair(y, 2);
    a * b
}

fn places(x: &[f64], p: &Params) -> f64 {
    let mut y = vec![0.0; x.len()];
    fill(&x[1..], &mut y[..2]);
    let t: [f64; 2] = rotate([x[0], y[0]], p);
    t[0] + p.scale
}

fn condition(x: f64) -> f64 {
    let mut t = x;
    while size(t) > 1.0 {
        t *= 0.5;
    }
    t
}
