//! Constant options and tuples of numbers: methods with what is differentiated, and functions that differentiate them.

use di::prelude::*;
use di_test::scalar;
use model::censored;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1], &[0.2, 0.4], &[1.2, -0.6]];
const LEFT: [Option<f64>; 2] = [Some(0.3), None];

#[differentiable]
fn methods(x: &[f64], #[constant] left: Option<f64>) -> f64 {
    let a = x[0] * x[1];
    let mut sum = left.map_or(a, |l| l * a) + left.map_or_else(|| a * a, |l| l + a.sin());
    sum += left.unwrap_or(a) * left.unwrap_or_else(|| x[1].sin());
    sum += left.or(Some(a)).unwrap() + left.map(|l| l * a).unwrap_or(0.0);
    sum *= match left.filter(|l| x[0] > *l) {
        Some(l) => l * x[0],
        None => x[1],
    };
    if left.is_some_and(|l| x[0] > l) {
        sum *= x[0];
    }
    sum += left
        .and_then(|l| if x[0] > l { Some(l * a) } else { None })
        .unwrap_or(a.cos());
    sum + left.as_ref().map_or(1.0, |l| *l * a) + left.ok_or(2.0 * a).map_or(x[1], |l| l * a)
}

#[differentiable]
fn items(x: &[f64], #[constant] left: Option<f64>) -> f64 {
    let mut sum: f64 = left.iter().map(|l| l * x[0]).sum();
    sum += left.into_iter().fold(x[1], |s, l| s * l * x[0]);
    for l in left.iter() {
        sum *= l + x[1];
    }
    sum * x[0]
}

#[differentiable]
fn scale(a: f64, left: Option<f64>) -> f64 {
    a.sin() * left.unwrap_or(a)
}

#[differentiable]
fn tried(a: f64, left: Option<f64>) -> Result<f64, String> {
    match left {
        Some(l) if l > 9.0 => Err("far".to_owned()),
        Some(l) => Ok(a * l * a),
        None => Ok(a),
    }
}

#[differentiable]
fn line(a: f64, c: (f64, f64)) -> f64 {
    a * c.0 * a + c.1
}

#[differentiable]
fn curve(a: f64, c: &(f64, (usize, f64))) -> f64 {
    a.powi(c.1.0 as i32) * c.0 + c.1.1 * a
}

#[differentiable]
fn whole(
    x: &[f64],
    #[constant] left: Option<f64>,
    #[constant] c: (f64, f64),
    #[constant] d: &(f64, (usize, f64)),
) -> f64 {
    let held: Option<f64> = left;
    let pair: (f64, f64) = c;
    let sum = scale(x[0], left) + tried(x[1], left).unwrap() * scale(x[1], held);
    sum * line(x[0], c) + line(x[1], pair) * pair.0 * curve(x[0], d)
}

#[test]
fn methods_with_what_is_differentiated() {
    for left in LEFT {
        scalar!(methods::AD.with(left), |x| methods(x, left))
            .row(420)
            .check(&POINTS);
        scalar!(items::AD.with(left), |x| items(x, left))
            .row(420)
            .check(&POINTS);
    }
}

#[test]
fn handed_on_whole() {
    let (c, d) = ((0.4, 1.3), (0.7, (2, -0.2)));
    for left in LEFT {
        scalar!(whole::AD.with(left, c, &d), |x| whole(x, left, c, &d))
            .row(421)
            .check(&POINTS);
    }
}

#[differentiable]
mod model {
    pub trait Family {
        fn value(&self, x: f64) -> f64;
    }

    pub struct Weibull {
        pub a: f64,
    }

    impl Family for Weibull {
        fn value(&self, x: f64) -> f64 {
            self.a * x * self.a.exp()
        }
    }

    fn likelihood<F: Family>(family: &F, obs: &[f64], left: Option<f64>) -> Result<f64, String> {
        let tail = left.map_or(0.5, |l| family.value(l));
        Ok(obs.iter().map(|o| family.value(*o)).sum::<f64>() * tail)
    }

    pub fn censored(x: &[f64], #[constant] obs: &[f64], #[constant] left: Option<f64>) -> f64 {
        likelihood(&Weibull { a: x[0] * x[1] }, obs, left).unwrap()
    }
}

#[test]
fn handed_to_generic_functions() {
    let obs = [0.3, 1.2];
    for left in LEFT {
        scalar!(censored::AD.with(&obs, left), |x| censored(x, &obs, left))
            .row(421)
            .check(&POINTS);
    }
}
