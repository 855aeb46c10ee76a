//! Lowering means what rustc means: programs give the same bits under both.

use crate::programs::check;
use crate::programs::list::*;

const EMPTY: &[f64] = &[];
const NO_INDICES: &[usize] = &[];
const X: &[f64] = &[0.5, -1.25, 3.0, 2.0, 0.75, -0.5];

#[test]
fn scalars_and_branches() {
    for x in [-2.0, -0.0, 0.0, 0.3, 1.0, 2.5, 7.0] {
        check!(shadowing(x));
        check!(newton(x + 3.0));
        check!(loop_with_value(x));
        check!(late_init(x));
        check!(tuples(x));
        check!(patterns(x, [0.5, 2.0, -1.0]));
        for n in -4..11 {
            check!(matches_on_numbers(x, n, n % 2 == 0));
        }
        check!(constants(x));
        check!(tables(x, 0));
        check!(tables(x, 1));
        check!(nothing_reached(x));
        check!(array_arms(x));
        for y in [-1.0, 0.3, 5.0] {
            check!(branches(x, y));
            check!(methods(x, y));
        }
    }
}

#[test]
fn loops_and_exits() {
    check!(sum_of_squares(X));
    check!(sum_of_squares(EMPTY));
    check!(rosenbrock(X));
    check!(rosenbrock(EMPTY));
    for bound in [-1.0, 0.0, 1.0, 5.0, 100.0] {
        check!(early_return_in_loops(X, bound));
    }
    check!(labels(X));
    check!(labels(&[2.0, 3.0, 4.0, 5.0]));
    check!(reversed_ranges(X));
    check!(while_with_call(&[40.0, 1.0]));
}

#[test]
fn iterators_and_reductions() {
    check!(iterators(X, &X[1..]));
    check!(iterators(EMPTY, X));
    check!(sums(X));
    check!(sums(EMPTY));
    check!(sums(&[-0.0]));
    check!(folds(X));
}

#[test]
fn arrays_and_slices() {
    check!(matrix(
        &[[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]],
        [0.1, 0.2, 0.3]
    ));
    for k in 0..3 {
        check!(arrays(1.5, k));
        check!(arrays(-1.5, k));
    }
    check!(iterating_a_copy([1.0, 2.0, 3.0]));
    let mut y = [1.0, 2.0, 3.0, 4.0];
    check!(in_place(X, &mut y));
    let mut y = [1.0, 2.0, 3.0, 4.0, 5.0];
    check!(sub_slices(X, &mut y));
    let mut y = [1.0, 2.0, 3.0, 4.0];
    check!(compound(&mut y, 1));
    check!(compound(&mut y, 3));
    check!(clones(X));
    check!(references(X, [4.0, 5.0]));
    for i in [0, 4, 5, 7] {
        check!(out_of_bounds(X, i));
    }
}

#[test]
fn fields_of_structs() {
    let p = Params {
        a: 1.5,
        xs: vec![0.5, -1.0, 2.0, 0.25],
        n: 2,
        m: [[1.0, 2.0], [3.0, -4.0]],
        inner: Inner { k: 0.75 },
    };
    check!(parameters_in_a_struct(&p, 0.3));
}

#[test]
fn calls_between_functions() {
    check!(calls(X));
}

#[test]
fn integers_and_conditions() {
    check!(integers(X, &[1, 2, 9, 4], 3));
    check!(integers(X, NO_INDICES, 3));
    for n in 0..8 {
        check!(short_circuit(X, n));
    }
    for x in [-3.7, 0.2, 1e20, f64::NAN] {
        check!(casts(x, 3, true));
    }
}

#[test]
fn order_of_evaluation() {
    for i in 0..4 {
        check!(evaluation_order(2.0, i));
    }
}
