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

#[differentiable]
fn together(x: &[f64], #[constant] left: Option<f64>, #[constant] right: Option<f64>) -> f64 {
    let either = left.or(right);
    let one = if x[0] > 0.5 { left } else { right };
    let own = match x.len() {
        2 => Some(x[0] * x[1]),
        _ => right,
    };
    let mut last = if right.is_some() { right } else { left };
    if x[1] > 1.0 {
        last = Some(x[0]);
    }
    let sum = either.map_or(x[0], |l| l * x[1]) * one.unwrap_or(x[1]) + own.unwrap_or(2.0);
    sum * last.unwrap_or(x[0])
        + left
            .filter(|l| *l > 0.35)
            .or(right)
            .map_or(1.0, |l| l * x[0])
}

#[differentiable]
fn listed(x: &[f64], #[constant] left: Option<f64>, #[constant] right: Option<f64>) -> f64 {
    let both = [left, right];
    let mut sum = 0.0;
    for i in 0..2 {
        sum += scale(x[0] * x[1], both[i]);
        if both[i].is_some_and(|l| l > 0.2) {
            sum += x[i] * x[i];
        }
    }
    let all = vec![left, Some(x[0]), right];
    for of in &all {
        sum *= of.map_or(x[1], |a| a * x[0]);
    }
    for of in both {
        if let Some(l) = of {
            sum += l * x[0];
        }
    }
    sum
}

#[differentiable]
fn numbered(x: &[f64], #[constant] left: Option<usize>, #[constant] right: Option<usize>) -> f64 {
    let one = if x[0] > 0.5 { left } else { None };
    let mut sum = one.map_or(x[0], |i| x[i] * x[0]) + left.or(right).map_or(x[1], |i| x[i] * x[i]);
    let all = [left, right, None];
    for i in 0..3 {
        if all[i].is_some_and(|k| k > 0) {
            sum *= x[0];
        }
    }
    sum
}

#[test]
fn several_together() {
    for left in LEFT {
        for right in [Some(0.4), None] {
            scalar!(together::AD.with(left, right), |x| together(x, left, right))
                .row(428)
                .check(&POINTS);
            scalar!(listed::AD.with(left, right), |x| listed(x, left, right))
                .row(428)
                .check(&POINTS);
        }
    }
    for (left, right) in [(Some(1), None), (None, Some(0)), (None, None)] {
        scalar!(numbered::AD.with(left, right), |x| numbered(x, left, right))
            .row(428)
            .check(&POINTS);
    }
}
