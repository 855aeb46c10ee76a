//! Variables of the user that are named as the compiler named its own: a closure or a place that was read beside one of
//! those took it for the user's, and the derivative was that of another function.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    reason = "the constructs under test, as users write them"
)]

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 3] = [&[0.7, 1.3, 0.4], &[0.7, -1.3, 0.8], &[-0.7, 1.3, 1.9]];

#[differentiable]
fn of_options(x: &[f64]) -> f64 {
    let (payload, kept) = (x[0], x[2]);
    let chosen = if x[1] > 0.0 { Some(x[1]) } else { None };
    let product = chosen.map(|v| v * payload).unwrap_or(kept);
    let near = chosen
        .filter(|v| *v * 0.1 < payload)
        .map_or(kept, |v| v * kept);
    let both = chosen
        .zip(Some(x[2] * x[2]))
        .map_or(1.0, |(v, w)| v * w * payload);
    product * near
        + both
        + chosen
            .and_then(|v| Some(v.sin() * kept))
            .unwrap_or_else(|| payload * kept)
}

#[differentiable]
fn of_results(x: &[f64]) -> f64 {
    let error = x[2];
    let payload = x[0] * x[2];
    let found: Result<f64, f64> = if x[0] > 0.0 {
        Ok(x[1])
    } else {
        Err(x[1] * x[0])
    };
    let first = found
        .map(|v| v * error + payload)
        .unwrap_or_else(|e| e * error * payload);
    let second = found.map_err(|e| e * error).or_else(|e| {
        if e > 9.0 {
            Err(e)
        } else {
            Ok::<f64, f64>(e * payload)
        }
    });
    first + second.unwrap_or(error)
}

#[differentiable]
fn of_statements(x: &[f64], #[constant] table: &[f64]) -> f64 {
    let (side, shown, part, item, argument) = (x[0], x[1], 1, x[2], x[0] * x[1]);
    assert_eq!(table.len(), 3);
    let area = side * side * shown;
    let mut y = [0.0; 3];
    (y[0], y[part]) = (area, side * item);
    let operations = [|a: f64, b: f64| a * b, |a: f64, b: f64| a + b * b];
    let mut sum = 0.0;
    for (k, operation) in operations.iter().enumerate() {
        sum += operation(x[k], item) * argument;
    }
    sum + y[0] * y[1] + y[2]
}

#[differentiable]
fn of_orders(x: &[f64]) -> f64 {
    let (element, all, old) = (x[0], x[1], x[2]);
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| (a * element).total_cmp(&(b * element)));
    let made: [f64; 3] = std::array::from_fn(|k| x[k] * all * old);
    let mut rows = vec![vec![x[0], x[1]], vec![x[2]]];
    let gone = std::mem::replace(&mut rows[0], vec![old * element]);
    sorted[0] * made[1] + gone[1] * rows[0][0] + made[2] * old
}

#[differentiable]
fn of_writes(x: &[f64], y: &mut [f64]) {
    let (payload, error, side) = (x[0], x[1], x[2]);
    assert_eq!(x.len(), 3);
    assert_eq!(y.len(), 2);
    y[0] = Some(payload * side).map_or(0.0, |v| v * payload + error);
    (y[1], _) = (side * error * payload, side);
}

#[derive(Differentiable, Clone, Copy)]
struct Ray {
    at: [f64; 2],
    along: f64,
}

#[differentiable]
fn of_exchanges(x: &[f64]) -> f64 {
    let mut rays: Vec<Ray> = Vec::new();
    let mut tmp = Ray {
        at: [x[0], x[1]],
        along: x[2],
    };
    rays.push(tmp);
    tmp.along = 5.0 * x[0];
    tmp.at[0] = x[1];
    rays.push(tmp);
    let (mut a, mut b) = (rays[0], rays[1]);
    let kept = { tmp };
    let tmp = a;
    a = b;
    b = tmp;
    a.along *= x[0];
    a.along * b.at[0] + tmp.along * kept.along + rays[0].along * a.at[1]
}

#[derive(Clone, Copy, PartialEq)]
enum Route {
    None,
    Oral,
}

#[differentiable]
fn route_at(t: f64) -> Route {
    if t > 0.5 { Route::None } else { Route::Oral }
}

#[differentiable]
fn of_variants(x: &[f64]) -> f64 {
    let kept = x[1] * x[2];
    let route = if x[0] > 0.0 { Route::None } else { Route::Oral };
    let other = route_at(x[1]);
    let sum = match other {
        Route::None => x[1] * kept,
        Route::Oral => x[0],
    };
    sum + if route == Route::None {
        kept * x[0]
    } else {
        x[2]
    }
}

#[test]
fn a_variable_is_that_of_the_user() {
    scalar!(of_options::AD, of_options).check(&POINTS);
    scalar!(of_results::AD, of_results).check(&POINTS);
    let table = [0.3, 0.1, 0.2];
    scalar!(of_statements::AD.with(&table), |x: &[f64]| of_statements(
        x, &table
    ))
    .check(&POINTS);
    scalar!(of_orders::AD, of_orders).check(&POINTS);
    scalar!(of_variants::AD, of_variants).check(&POINTS);
    scalar!(of_exchanges::AD, of_exchanges).check(&POINTS);
    inplace!(of_writes::AD, of_writes, 2).check(&POINTS);
}
