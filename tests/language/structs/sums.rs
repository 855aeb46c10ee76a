//! Methods of `Option` and `Result` on two of them, inside of each other, and called by path.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

#[differentiable]
fn positive(v: f64) -> Option<f64> {
    (v > 0.0).then_some(v * v)
}

#[differentiable]
fn root(v: f64) -> Result<f64, f64> {
    if v > 0.0 { Ok(v.sqrt()) } else { Err(v * v) }
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..5 {
        let a: Option<f64> = positive(x[k]);
        let b: Option<f64> = positive(x[(k + 1) % 5]);
        s += a.zip(b).map_or(0.1 * x[0], |(p, q)| p * q);
        s += a.and(b).unwrap_or(x[1]);
        s += a.xor(b).map(|v| v * x[2]).unwrap_or_default();
        let nested = if x[k] > 0.5 { Some(b) } else { None };
        s += nested.flatten().unwrap_or(0.3 * s);
        let mut seen = 0.0;
        let c = a.inspect(|v| seen += *v * 2.0);
        s += seen + c.filter(|v| *v < 1.0).unwrap_or(x[3] * 0.2);
        let r: Result<f64, f64> = root(x[k]);
        let r0: Result<f64, f64> = root(x[0]);
        s += r.err().unwrap_or(x[1] * 0.5) + r.ok().map_or(0.0, |v| v);
        if r.is_err_and(|e| e > 0.01) {
            s += r.unwrap_err();
        }
        let t = a
            .map(|v| {
                let r: Result<f64, f64> = root(v - 0.5);
                r
            })
            .transpose();
        s += match t {
            Ok(Some(v)) => v,
            Ok(None) => x[2],
            Err(e) => e * x[3],
        };
        let u = r.map(|v| if v > 0.9 { Some(v) } else { None }).transpose();
        s += match u {
            Some(Ok(v)) => v * x[0],
            Some(Err(e)) => e,
            None => 0.5 * x[1],
        };
        s += Option::map(a, |v| v * 3.0).or(Option::from(x[4])).unwrap();
        s += (x[k] > 0.45).then(|| x[k].ln()).unwrap_or(0.0);
        s += Option::unwrap_or(a, 0.5 * x[2]) + Result::unwrap_or_else(r, |e| e * 2.0);
        s += r.inspect_err(|e| seen += *e).and(r0).unwrap_or(seen);
    }
    s
}

#[test]
fn two_options_and_results_at_once() {
    scalar!(options).row(94).step(0.005).check(&POINTS);
}
