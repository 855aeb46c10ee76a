//! Iterators with a name: evaluated where they are bound, and used later, in parts, or as clones.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.3, 1.9], &[-1.2, 0.4, 0.9, 1.3, 0.2]];

#[differentiable]
fn joined(x: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v);
    let pairs = x.iter().zip(squares);
    let mut sum = 0.0;
    for (v, s) in pairs {
        sum += v * s;
    }
    let tail = x.iter().skip(1);
    let steps = x.iter().zip(tail);
    sum + steps.map(|(a, b)| (b - a).powi(2)).sum::<f64>()
}

#[differentiable]
fn cloned(x: &[f64]) -> f64 {
    let powers = x.iter().enumerate().map(|(k, v)| v.powi(k as i32 + 1));
    let largest = powers.clone().fold(f64::NEG_INFINITY, f64::max);
    largest + powers.map(|p| (p - largest).exp()).sum::<f64>().ln()
}

/// What it is made of may change after it is made, if it was copied.
#[differentiable]
fn made_before(x: &[f64]) -> f64 {
    let mut n = 3;
    let mut k = x[0];
    let first = x.iter().take(n).map(move |v| v * k);
    n = 1;
    k = 5.0 * x[1];
    let again = std::iter::repeat(k).take(n);
    k = 0.0;
    first.sum::<f64>() * again.sum::<f64>() + k
}

#[differentiable]
fn taken_in_parts(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let first = it.next().unwrap();
    let mut sum = 0.0;
    while let Some(v) = it.next() {
        sum += v * first;
        if sum > 1e3 {
            break;
        }
    }
    sum + if it.next().is_none() {
        x[1] * x[1]
    } else {
        0.0
    }
}

/// Two at a time, and one that is left.
#[differentiable]
fn two_at_a_time(x: &[f64]) -> f64 {
    let mut it = x.iter().copied();
    let mut sum = 0.0;
    while let Some(a) = it.next() {
        let Some(b) = it.next() else {
            sum += a.sin();
            break;
        };
        sum += a * b;
    }
    sum
}

#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let head: f64 = it.by_ref().take(2).map(|v| v * v).sum();
    let third = it.nth(0).copied().unwrap_or(1.0);
    let left = it.len() as f64;
    let rest: f64 = it.map(|v| v.sin()).sum();
    head * third + left * rest
}

/// The next one is looked at before it is taken.
#[differentiable]
fn looked_at(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut sum = 0.0;
    while let Some(v) = it.next() {
        sum += match it.peek() {
            Some(&&next) => v * next,
            None => v.sin(),
        };
    }
    let mut values = x.iter().copied().peekable();
    while let Some(&v) = values.peek() {
        sum += v * v;
        values.next();
    }
    sum
}

#[differentiable]
fn searched(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let found = it.find(|v| **v > 0.0).unwrap();
    let mut sum = *found;
    for v in &mut it {
        if *v > 1.0 {
            break;
        }
        sum += v * v;
    }
    sum + it.map(|v| v.exp()).sum::<f64>()
}

/// Each use of a `scan` begins anew.
#[differentiable]
fn scanned(x: &[f64]) -> f64 {
    let levels = x.iter().scan(x[0], |level, v| {
        *level = 0.5 * *level + v * v;
        Some(*level)
    });
    let total: f64 = levels.clone().sum();
    levels.map(|l| (l * total).sin()).sum()
}

#[differentiable]
fn written(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let cells = y.iter_mut().skip(1);
    for c in cells {
        *c = c.sin();
    }
    y.iter().zip(x).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn grown(x: &[f64]) -> f64 {
    let powers = std::iter::successors(Some(x[0]), |p| Some(p * x[1]));
    let pairs = std::iter::successors(Some([x[0], x[1]]), |&[a, b]| {
        (a < 9.0).then(|| [a + 1.0, a * b])
    });
    let mut k = 0.0;
    let counted = std::iter::from_fn(move || {
        k += 1.0;
        (k < 4.0).then_some(k)
    });
    let counts: f64 = counted.sum();
    powers.take(4).sum::<f64>() * counts + pairs.map(|[a, b]| a * b).take(3).sum::<f64>()
}

#[test]
fn iterators_with_a_name() {
    scalar!(joined).row(198).check(&POINTS);
    scalar!(cloned).row(198).check(&POINTS);
    scalar!(made_before).row(198).check(&POINTS);
    scalar!(scanned).row(198).check(&POINTS);
    scalar!(grown).row(200).check(&POINTS);
}

#[test]
fn iterators_used_in_parts() {
    scalar!(taken_in_parts).row(199).check(&POINTS);
    scalar!(two_at_a_time).row(199).check(&POINTS);
    scalar!(borrowed).row(199).check(&POINTS);
    scalar!(looked_at).row(199).check(&POINTS);
    scalar!(searched).row(199).check(&POINTS);
    scalar!(written).row(199).check(&POINTS);
}

#[differentiable]
fn norm(v: &[f64]) -> f64 {
    v.iter().map(|a| a * a).sum::<f64>().sqrt()
}

#[differentiable]
fn unpacked(x: &[f64]) -> f64 {
    let mut parts = x.chunks_exact(2);
    let a = parts.next().unwrap();
    let b = norm(parts.next().expect("two parts"));
    let mut each = x.iter();
    let first = each.next().unwrap();
    let second = each.next().copied().unwrap();
    let third = *each.nth(1).unwrap();
    let none = each.nth(7).copied().unwrap_or(2.0);
    let rest: f64 = each.map(|v| v * v).sum();
    let mut products = x.windows(2).map(|w| w[0] * w[1]);
    let p = products.next().unwrap() * products.next().unwrap_or(1.0);
    a[0] * a[1] * b + first * second * third * none + rest + p
}

#[differentiable]
fn as_many_as_there_are(x: &[f64]) -> f64 {
    let mut parts = x.chunks(3);
    let (Some(a), Some(b)) = (parts.next(), parts.next()) else {
        return x[0] * x[0];
    };
    let more = if let Some(c) = parts.next() {
        c[0].sin()
    } else {
        a[2] * b[0]
    };
    let mut ends = x[1..].rchunks(2);
    let last = ends.next().map_or(1.0, |e| e[0] * e[1]);
    let none = ends.nth(1).map_or(x[1], |e| e[0]);
    a[0] * b[b.len() - 1] + more * last * none
}

#[test]
fn parts_taken_one_after_the_other() {
    let four: [&[f64]; 2] = [&[0.7, 1.3, -0.4, 0.2], &[1.2, 0.4, 0.9, -1.1]];
    scalar!(unpacked).row(345).check(&four);
    let lengths: [&[f64]; 4] = [
        &[0.7, 1.3],
        &[0.7, 1.3, -0.4, 0.2],
        &[0.7, 1.3, -0.4, 0.2, 1.1, 0.4],
        &[0.7, 1.3, -0.4, 0.2, 1.1, 0.4, -0.6],
    ];
    scalar!(as_many_as_there_are).row(345).check(&lengths);
}
