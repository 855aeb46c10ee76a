//! Errors that are derived enums: what they hold is differentiated.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 5] = [
    &[0.7, 1.3],
    &[6.4, 0.9],
    &[2.0, -3.9],
    &[-1.2, 0.8],
    &[0.2, 7.6],
];

#[derive(Clone, Debug, Differentiable)]
enum Fault {
    Exhausted { at: f64 },
    NoConvergence { steps: usize, residuals: Vec<f64> },
    Far(f64, [f64; 2]),
    Flat,
}

#[differentiable]
fn step(x: f64, y: f64) -> Result<f64, Fault> {
    if x > 5.0 {
        return Err(Fault::Exhausted { at: x * y });
    }
    if y > 5.0 {
        return Err(Fault::NoConvergence {
            steps: 3,
            residuals: vec![x, x * y],
        });
    }
    if y < -2.0 {
        return Err(Fault::Far(x, [y, x * x]));
    }
    if x < 0.0 {
        Err(Fault::Flat)
    } else {
        Ok(x * x * y)
    }
}

#[differentiable]
fn both(x: &[f64]) -> Result<f64, Fault> {
    let first = step(x[0], x[1])?;
    Ok(first * step(x[1], x[0])?)
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    match both(x) {
        Ok(v) => v,
        Err(Fault::Exhausted { at }) => at * at,
        Err(Fault::NoConvergence { steps, residuals }) => steps as f64 * residuals[1].sin(),
        Err(Fault::Far(v, [_, w])) => v * w,
        Err(Fault::Flat) => x[0] - x[1],
    }
}

#[differentiable]
fn in_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..4 {
        let tried = step(x[0] * i as f64, x[1]);
        if let Err(Fault::Exhausted { at }) = &tried {
            s += at.cos();
        }
        s += match tried {
            Ok(v) => v * 0.1,
            Err(Fault::Far(v, _)) if v > 1.0 => v.sqrt(),
            Err(Fault::NoConvergence { residuals, .. }) => residuals.iter().sum(),
            Err(_) => 1.0,
        };
    }
    s
}

#[differentiable]
fn of_closures(x: &[f64]) -> Result<f64, Fault> {
    let slope = |f: f64| -> Result<f64, Fault> {
        if f > 5.0 {
            return Err(Fault::Exhausted { at: f });
        }
        if f.is_finite() {
            Ok(f * f)
        } else {
            Err(Fault::Flat)
        }
    };
    let a = slope(x[0])?;
    Ok(slope(x[1] + 0.1 * a)? * a)
}

#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    of_closures(x).unwrap_or_else(|e| match e {
        Fault::Exhausted { at } => at * x[1],
        _ => x[0],
    }) + both(x).map_err(|_| x[1]).unwrap_or_else(|v| v * x[0])
}

#[differentiable]
mod inside {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub enum Stop {
        Late { best: f64 },
        Never,
    }

    fn searched(x: f64, n: usize) -> Result<f64, Stop> {
        let mut v = x;
        for i in 0..n {
            v = v.sin() + x * x;
            if v > 3.0 {
                return Err(Stop::Late { best: v });
            }
            if i > 3 {
                return Err(Stop::Never);
            }
        }
        Ok(v)
    }

    fn handed(x: &[f64]) -> Result<f64, Stop> {
        let a = searched(x[0], 3)?;
        let b = searched(x[1], 2)?;
        Ok(a * b)
    }

    pub fn all(x: &[f64]) -> f64 {
        let s = match handed(x) {
            Ok(v) => v,
            Err(Stop::Late { best }) => best * x[1],
            Err(Stop::Never) => 0.0,
        };
        s + match searched(x[1], 9) {
            Err(Stop::Never) => x[0] * x[1],
            Err(Stop::Late { best }) => best,
            Ok(v) => v,
        }
    }
}

#[differentiable]
mod converted {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub(crate) enum Low {
        Bad(f64, f64),
        None,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub(crate) enum High {
        Inside(Low),
        Other(f64),
    }

    impl From<Low> for High {
        fn from(low: Low) -> High {
            match low {
                Low::Bad(a, b) if a > 3.0 => High::Other(a * b),
                low => High::Inside(low),
            }
        }
    }

    fn low(x: f64, y: f64) -> Result<f64, Low> {
        if x > 1.0 {
            return Err(Low::Bad(x, y * x));
        }
        if y < 0.0 { Err(Low::None) } else { Ok(x * y) }
    }

    fn high(x: &[f64]) -> Result<f64, High> {
        let mut sum = 0.0;
        for v in x {
            sum += low(*v, x[0])? * v;
        }
        Ok(sum)
    }

    pub(crate) fn all(x: &[f64]) -> f64 {
        match high(x) {
            Ok(v) => v,
            Err(High::Inside(Low::Bad(a, b))) => a * a * b,
            Err(High::Inside(Low::None)) => x[0] * x[1],
            Err(High::Other(w)) => w * x[1],
        }
    }
}

#[test]
fn one_error_becomes_another() {
    let points: [&[f64]; 4] = [&[0.7, 0.3], &[1.4, 0.9], &[3.4, 0.2], &[-0.5, 0.2]];
    scalar!(converted::all::AD, converted::all)
        .row(686)
        .check(&points);
}

#[test]
fn errors_hold_what_is_differentiated() {
    scalar!(matched).row(686).takes_memory().check(&POINTS);
    scalar!(in_loop).row(686).takes_memory().check(&POINTS);
    scalar!(replaced).row(686).takes_memory().check(&POINTS);
    scalar!(inside::all::AD, inside::all)
        .row(686)
        .check(&POINTS);
}
