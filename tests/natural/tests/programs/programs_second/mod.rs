//! Whole programs of somebody else who saw the library for the first time, as they were written: each compares its
//! gradients with central differences.

use super::programs::{Ended, check};

/// Compares a gradient with central differences of two steps, extrapolated, since some programs are steep.
fn check_of(name: &str, found: &[f64], x: &[f64], f: impl Fn(&[f64]) -> f64) {
    let difference = |i: usize, step: f64| {
        let h = step * if x[i] == 0.0 { 1.0 } else { x[i].abs() };
        let (mut a, mut b) = (x.to_vec(), x.to_vec());
        a[i] += h;
        b[i] -= h;
        (f(&a) - f(&b)) / (a[i] - b[i])
    };
    let one = |i: usize| (4.0 * difference(i, 1e-6) - difference(i, 2e-6)) / 3.0;
    let expected: Vec<f64> = (0..x.len()).map(one).collect();
    check(name, found, &expected);
}

/// The same of a Jacobian.
fn check_jac(
    name: &str,
    found: impl Fn(usize, usize) -> f64,
    x: &[f64],
    f: impl Fn(&[f64]) -> Vec<f64>,
) {
    for k in 0..f(x).len() {
        let row: Vec<f64> = (0..x.len()).map(|i| found(k, i)).collect();
        check_of(&format!("{name}, row {k}"), &row, x, |x| f(x)[k]);
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(mod $name;)*
        $(#[test]
        fn $name() {
            $name::main().well();
        })*
    };
}

programs! {
    ac_grid
    arfit
    basket_throw
    bell
    belt_drive
    bread
    bytecode
    colebrook
    column
    config_parse
    dates
    deboor
    determinant
    dft_filter
    display
    dyn_sources
    elevator
    flowsheet
    grades
    grid_get
    gyro
    heron_sqrt
    iris_softmax
    jacobi_pca
    kernel_generic
    ladder
    lcg_pi
    ledger
    link_budget
    median
    mine_air
    moulding
    mvn
    net_builder
    newtypes
    orchard
    pagerank
    phantom_frames
    poly_regression
    report
    ring_road
    savings
    sediment
    seismogram_iter
    shopping
    slice_patterns
    solenoid
    solver_trait
    spring
    tagger
    textfile_fit
    three_stars
    torricelli
    triangle
    truss
    tyre
    weld
    windchill
}
