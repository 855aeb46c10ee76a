//! Whole programs of somebody else who saw the library for the first time, as they were written: each compares its
//! gradients with central differences.

use super::programs::Ended;

/// Compares a gradient with central differences of two steps, one of which has to agree: some programs are steep.
fn check_of(name: &str, found: &[f64], x: &[f64], f: impl Fn(&[f64]) -> f64) {
    assert_eq!(found.len(), x.len(), "{name}: lengths");
    let difference = |step: f64, i: usize| {
        let h = step * if x[i] == 0.0 { 1.0 } else { x[i].abs() };
        let (mut a, mut b) = (x.to_vec(), x.to_vec());
        a[i] += h;
        b[i] -= h;
        (f(&a) - f(&b)) / (a[i] - b[i])
    };
    let all = [1e-6, 1e-7].map(|step| {
        (0..x.len())
            .map(|i| difference(step, i))
            .collect::<Vec<f64>>()
    });
    for (i, found) in found.iter().enumerate() {
        let is_near = |expected: &Vec<f64>| {
            let scale = expected.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let expected = expected[i];
            (found - expected).abs() <= 1e-5 * (expected.abs() + 1e-2 * scale) + 1e-12
        };
        assert!(
            all.iter().any(is_near),
            "{name}: {found} {} {}",
            all[0][i],
            all[1][i]
        );
    }
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
    pagerank
    phantom_frames
    poly_regression
    report
    savings
    sediment
    seismogram_iter
    shopping
    slice_patterns
    solenoid
    solver_trait
    spring
    textfile_fit
    three_stars
    torricelli
    triangle
    tyre
    weld
    windchill
}
