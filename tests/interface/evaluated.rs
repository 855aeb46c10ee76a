//! Functions that are run through their handles, for the value alone.

use di::prelude::*;
use di::{Error, Scalar};
use di_test::compare::{assert_bitwise, assert_empty, assert_same};
use ndarray::{Array2, array};

#[differentiable]
fn sum(x: &[f64]) -> f64 {
    x.iter().map(|x| x.sin()).sum()
}

#[differentiable]
fn scaled(x: &[f64], t: f64, #[constant] k: f64, #[cache] work: &mut [f64]) -> f64 {
    for i in 0..x.len() {
        work[i] = k * x[i] * t;
    }
    let mut sum = 0.0;
    for w in work.iter() {
        sum += w * w;
    }
    sum
}

#[differentiable]
fn longer(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    y.push(7.0);
    y
}

#[differentiable]
fn added(x: &[f64], y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] += 2.0 * x[i];
    }
}

#[differentiable]
fn circle(t: f64) -> [f64; 2] {
    [t.cos(), t.sin()]
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Line {
    slope: f64,
    values: Vec<f64>,
}

#[differentiable]
fn of_a_struct(p: &Line) -> f64 {
    p.slope * p.values[0]
}

#[generic]
fn squares<S: Scalar<Real = f64>>(x: &[S]) -> S {
    x.iter().fold(S::default(), |sum, x| sum + *x * *x)
}

#[test]
fn functions_that_return_are_run() {
    let x = vec![0.3, -1.2, 0.8];
    let found = [evaluate(sum::AD, &x), evaluate(sum::AD, &[0.3, -1.2, 0.8])];
    assert_bitwise("sum", &found.map(Result::unwrap), &[sum(&x); 2]);
    assert_bitwise("longer", &evaluate(longer::AD, &x).unwrap(), &longer(&x));
    assert_bitwise("circle", &evaluate(circle::AD, &0.5).unwrap(), &circle(0.5));
    let line = Line {
        slope: 3.0,
        values: vec![5.0],
    };
    assert_bitwise(
        "struct",
        &[evaluate(of_a_struct::AD, &line).unwrap()],
        &[15.0],
    );
    let none: Vec<f64> = Vec::new();
    assert_bitwise(
        "empty sum",
        &[evaluate(sum::AD, &none).unwrap()],
        &[sum(&none)],
    );
}

#[test]
fn data_is_bound_as_for_an_operator() {
    let (x, work) = ([1.0, 2.0], [f64::NAN; 2]);
    let f = scaled::AD.with(3.0, &work);
    assert_bitwise("tuple", &[evaluate(f, &(&x[..], 2.0)).unwrap()], &[180.0]);
    assert_bitwise("fixed", &[evaluate(f.fix_t(2.0), &x).unwrap()], &[180.0]);
    assert_bitwise("fixed", &[evaluate(f.fix_x(&x), &2.0).unwrap()], &[180.0]);
}

#[test]
fn outputs_are_zeroed_first() {
    let mut y = vec![f64::NAN; 2];
    let found = evaluate(added::AD.output(&mut y), &[1.0, 2.0]).unwrap();
    assert_bitwise("output", found, &[2.0, 4.0]);
    let found = evaluate(added::AD.output(&mut y), &[5.0, 6.0]).unwrap();
    assert_bitwise("output", found, &[10.0, 12.0]);
    let mut none: [f64; 0] = [];
    assert_empty(
        "no output",
        evaluate(added::AD.output(&mut none), &[1.0]).unwrap(),
    );
    // a column is not contiguous
    let mut matrix = Array2::from_elem((2, 2), 9.0);
    evaluate(added::AD.output(&mut matrix.column_mut(1)), &[1.0, 2.0]).unwrap();
    assert_same("column", matrix, array![[9.0, 2.0], [9.0, 4.0]]);
}

#[test]
fn functions_that_are_not_annotated_are_run() {
    let k = 2.0;
    let f = di::closure(|x: &[f64]| k * x[0]);
    assert_bitwise("closure", &[evaluate(&f, &[3.0]).unwrap()], &[6.0]);
    let f = di::closure(|x: &[f64]| vec![x[0]; 3]);
    assert_bitwise("closure", &evaluate(&f, &[3.0]).unwrap(), &[3.0; 3]);
    assert_bitwise(
        "generic",
        &[evaluate(squares::AD, &[3.0, 4.0]).unwrap()],
        &[25.0],
    );
    let captured = differentiable_closure!([k: f64] |x: &[f64]| -> f64 { k * x[0] * x[0] });
    assert_bitwise("capture", &[evaluate(captured, &[3.0]).unwrap()], &[18.0]);
}

#[test]
fn errors_of_functions_are_returned() {
    let f = di::closure(|x: &[f64]| match x {
        [x] => Ok(*x),
        _ => Err(std::io::Error::other("not one number")),
    });
    assert_bitwise("one", &[evaluate(&f, &[3.0]).unwrap()], &[3.0]);
    let error = evaluate(&f, &[3.0, 4.0]).unwrap_err();
    assert_same("kind", matches!(error, Error::Function(_)), true);
    assert_same("text", error.to_string().contains("not one number"), true);
}
