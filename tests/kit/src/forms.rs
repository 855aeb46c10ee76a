//! All generated forms of a function at one point, compared with the plain function and with each other.
//!
//! References are the plain function, its differences, and the definition of an adjoint.

use crate::compare::{DIFFERENCES, Tolerance, assert_all_bitwise, assert_all_close};
use crate::differences::{columns, directional};
use crate::sweeps::{AllForms, LANES, Moving, Sweeps};
use di_runtime::bound::{Evaluate, Function, Key};
use di_runtime::function::Source;
use di_runtime::value::Slice;

/// Primal, tangent, split and fused forms, one lane and several, first and second order.
/// # Panics
/// If a derivative is wrong: shows the form, the index, and both values.
pub fn check_forms<F>(name: &str, f: F, plain: &dyn Fn(&[f64]) -> Vec<f64>, x: &[f64], step: f64)
where
    F: Function,
    Key<F>: Source<Real = f64, X = Slice>,
{
    let bound = f.bind();
    let sweeps = Sweeps::new(bound.call(), bound.output_shape(), x);
    check_all(name, &sweeps, plain, x, step);
}

fn check_all(
    name: &str,
    sweeps: &dyn AllForms,
    plain: &dyn Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    step: f64,
) {
    let y = plain(x);
    let (n, m) = (x.len(), y.len());
    assert_all_bitwise(&format!("primal of {name}"), &sweeps.generic(x), &y);

    // Tangent, against differences.
    let expected = columns(plain, x, step);
    let tangents: Vec<Vec<f64>> = (0..n)
        .map(|j| {
            let (value, dy) = sweeps.tangent(x, &unit(n, j));
            assert_all_bitwise(&format!("value beside tangent of {name}"), &value, &y);
            let what = format!("tangent of {name} by input {j}");
            assert_all_close(&what, &dy, &expected[j], differences(&expected[j]));
            dy
        })
        .collect();

    // Reverse, against tangent: all seeds over one forward sweep, the first one again at the end.
    let mut seeds: Vec<Vec<f64>> = (0..m).map(|i| unit(m, i)).collect();
    seeds.push(direction(m, 3));
    seeds.push(seeds[0].clone());
    let (value, adjoints) = sweeps.split(x, &seeds);
    assert_all_bitwise(&format!("value of augmented {name}"), &value, &y);
    for (i, row) in adjoints[..m].iter().enumerate() {
        let column: Vec<f64> = tangents.iter().map(|dy| dy[i]).collect();
        let what = format!("reverse of {name} for output {i}");
        assert_all_close(&what, row, &column, rounding(tangents.iter().flatten()));
    }
    let again = format!("second reverse sweep of {name}");
    assert_all_bitwise(&again, &adjoints[m + 1], &adjoints[0]);

    // <yb, J dx> = <J^T yb, dx>
    let (dx, yb) = (direction(n, 1), &seeds[m]);
    let dy = sweeps.tangent(x, &dx).1;
    let (left, right) = (dot(yb, &dy), dot(&adjoints[m], &dx));
    let tolerance = rounding(tangents.iter().flatten());
    assert_all_close(
        &format!("dot product of {name}"),
        &[left],
        &[right],
        tolerance,
    );

    check_lanes(name, sweeps, x, &seeds, &adjoints, &tangents);
    check_second_order(name, sweeps, x, yb, step);
}

/// Lanes at once are the same as one after the other; the fused form is the same as the split one.
fn check_lanes(
    name: &str,
    sweeps: &dyn AllForms,
    x: &[f64],
    seeds: &[Vec<f64>],
    adjoints: &[Vec<f64>],
    tangents: &[Vec<f64>],
) {
    let (n, m) = (x.len(), sweeps.outputs());
    let tolerance = rounding(tangents.iter().flatten());
    let lane = |lanes: &[[f64; LANES]], k: usize| -> Vec<f64> {
        lanes.iter().map(|lanes| lanes[k]).collect()
    };
    let pair = |a: &[f64], b: &[f64]| -> Vec<[f64; LANES]> {
        let pairs = a.iter().zip(b);
        let lanes = pairs.map(|(a, b)| std::array::from_fn(|k| [*a, *b][k % 2]));
        lanes.collect()
    };

    let (a, b) = (direction(n, 1), direction(n, 2));
    let (_, both) = sweeps.tangent(x, &pair(&a, &b));
    let singles = [a, b].map(|dx| sweeps.tangent(x, &dx).1);
    for k in 0..LANES {
        assert_all_close(
            &format!("tangent lane {k} of {name}"),
            &lane(&both, k),
            &singles[k % 2],
            tolerance,
        );
    }

    let both = pair(&seeds[m], &seeds[0]);
    let split = sweeps.split(x, &[both.clone(), both.clone()]).1;
    let zeros = vec![[0.0; LANES]; n];
    let (value, fused) = sweeps.fused(x, &both, &zeros);
    assert_all_bitwise(
        &format!("value of fused {name}"),
        &value,
        &sweeps.generic(x),
    );
    for k in 0..LANES {
        let expected = [&adjoints[m], &adjoints[0]][k % 2];
        for (form, found) in [
            ("split", &split[0]),
            ("split again", &split[1]),
            ("fused", &fused),
        ] {
            let what = format!("{form} reverse lane {k} of {name}");
            assert_all_close(&what, &lane(found, k), expected, tolerance);
        }
    }

    // Whatever is there before is written over.
    let after = sweeps.fused(x, &seeds[m], &vec![f64::NAN; n]).1;
    assert_all_close(
        &format!("adjoint of {name} in a dirty buffer"),
        &after,
        &adjoints[m],
        tolerance,
    );
}

/// Forward over reverse, split and fused, against differences of reverse; forward over forward against both; the function
/// on dual numbers, which has code of its own, against its tangents.
fn check_second_order(name: &str, sweeps: &dyn AllForms, x: &[f64], yb: &[f64], step: f64) {
    let n = x.len();
    let v = direction(n, 5);
    let pullback = |x: &[f64]| sweeps.split(x, &[yb.to_vec()]).1.remove(0);
    let expected = directional(pullback, x, &v, step);
    // lanes have multiples of one direction
    let factor = |k: usize| 1.0 - 0.5 * k as f64;
    let moving = moving(x, |i, k| factor(k) * v[i]);
    let seed: Vec<Moving> = yb.iter().map(|c| Moving::constant(*c)).collect();
    let split = sweeps
        .split(&moving, std::slice::from_ref(&seed))
        .1
        .remove(0);
    let zeros = vec![Moving::constant(0.0); n];
    let fused = sweeps.fused(&moving, &seed, &zeros).1;
    let first = pullback(x);
    for (form, found) in [("split", split), ("fused", fused)] {
        let what = |order| format!("{order} order of {form} forward over reverse of {name}");
        assert_all_close(&what("first"), &values(&found), &first, rounding(&first));
        for k in 0..LANES {
            let expected: Vec<f64> = expected.iter().map(|e| factor(k) * e).collect();
            let tolerance = differences(&expected);
            assert_all_close(&what("second"), &lane(&found, k), &expected, tolerance);
        }
    }
    let dx = direction(n, 6);
    let dx: Vec<Moving> = dx.iter().map(|c| Moving::constant(*c)).collect();
    let (y, dy) = sweeps.tangent(&moving, &dx);
    let twice = lane(&dy, 0);
    let (left, right) = (dot(yb, &twice), dot(&expected, &values(&dx)));
    let what = format!("forward over forward of {name}");
    assert_all_close(
        &what,
        &[left],
        &[right],
        differences(expected.iter().chain(&twice)),
    );

    let (value, tangents) = sweeps.tangent(x, &v);
    let tolerance = rounding(tangents.iter().chain(&value));
    let generic = sweeps.generic(&moving);
    for (form, found) in [("value beside tangent", y), ("function", generic)] {
        let what = |part| format!("{part} of {form} on dual numbers of {name}");
        assert_all_close(&what("value"), &values(&found), &value, tolerance);
        for k in 0..LANES {
            let expected: Vec<f64> = tangents.iter().map(|t| factor(k) * t).collect();
            let what = what("tangent");
            assert_all_close(&what, &lane(&found, k), &expected, tolerance);
        }
    }
}

/// Numbers whose tangents, by entry and lane, are given.
fn moving(x: &[f64], tangent: impl Fn(usize, usize) -> f64) -> Vec<Moving> {
    let entries = x.iter().enumerate();
    let moving = |(i, x): (usize, &f64)| Moving::new(*x, std::array::from_fn(|k| tangent(i, k)));
    entries.map(moving).collect()
}

fn values(numbers: &[Moving]) -> Vec<f64> {
    numbers.iter().map(|d| d.value).collect()
}

fn lane(numbers: &[Moving], k: usize) -> Vec<f64> {
    numbers.iter().map(|d| d.tangents[k]).collect()
}

/// Rows of the Hessian, by forward over reverse, which [`check_forms`] compares with differences.
pub(crate) fn hessian_rows(sweeps: &dyn AllForms, x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len();
    let chunk = |start: usize| {
        let moving = moving(x, |i, k| f64::from(u8::from(i == start + k)));
        let seed = vec![Moving::constant(1.0)];
        let adjoint = sweeps.split(&moving, &[seed]).1.remove(0);
        (0..LANES.min(n - start)).map(move |k| lane(&adjoint, k))
    };
    (0..n).step_by(LANES).flat_map(chunk).collect()
}

/// For forms that must agree but for rounding, in numbers as large as `sizes`.
pub(crate) fn rounding<'a>(sizes: impl IntoIterator<Item = &'a f64>) -> Tolerance {
    let largest = sizes.into_iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    Tolerance {
        relative: 1e-11,
        absolute: 1e-12 * largest,
    }
}

/// For comparison with differences, in numbers as large as `sizes`.
pub(crate) fn differences<'a>(sizes: impl IntoIterator<Item = &'a f64>) -> Tolerance {
    Tolerance {
        absolute: 1e-2 * DIFFERENCES.relative + rounding(sizes).absolute * 1e4,
        ..DIFFERENCES
    }
}

/// A direction without pattern, another one for each `seed`.
pub(crate) fn direction(n: usize, seed: usize) -> Vec<f64> {
    let angle = |i: usize| 1.3 * i as f64 + 0.7 * seed as f64 + 0.2;
    (0..n).map(|i| angle(i).cos()).collect()
}

pub(crate) fn unit(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == k))).collect()
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
