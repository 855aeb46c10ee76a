//! Threads that share colors: the values of one thread.

use di::extend::Scalar;
use di::prelude::*;
use di::sparse::{
    AutoSparse, Greedy, Part, Partition, SparsePrep, Verify, prepare_hessian_team,
    prepare_jacobian_team,
};
use di_test::compare::assert_bitwise;

#[differentiable]
fn ring(x: &[f64], #[constant] reach: usize, y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for k in 0..reach {
            y[i] += (x[i] * x[(i + k) % n]).sin();
        }
    }
}

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    let mut sum = x[0] * x[x.len() - 1];
    for i in 2..x.len() {
        sum += (x[i] * x[i - 1] * x[i - 2]).sin();
    }
    sum
}

#[test]
fn threads_find_what_one_does() {
    let x: Vec<f64> = (0..60).map(|i| (i as f64 * 0.7).sin()).collect();
    let mut y = vec![0.0; 60];
    for partition in [
        Partition::Columns,
        Partition::Rows,
        Partition::Bidirectional,
    ] {
        for coloring in [Greedy::new(), Greedy::new().substitution()] {
            let backend = AutoSparse::new(AutoSource::new())
                .partition(partition)
                .coloring(coloring)
                .verify(Verify::Always);
            let f = ring::AD.with(13).output(&mut y);
            let prep = prepare_jacobian(f, &backend, &x).unwrap();
            let f = ring::AD.with(13).output(&mut y);
            let one = jacobian(f, &prep, &backend, &x).unwrap();
            for threads in [1, 2, 3, 100] {
                let f = ring::AD.with(13).output(&mut y);
                let mut team = prepare_jacobian_team(f, &backend, &x, threads).unwrap();
                let colors = prep.structure().unwrap().coloring().ncolors();
                assert_eq!(team.threads(), threads.min(colors));
                for _ in 0..2 {
                    let f = ring::AD.with(13).output(&mut y);
                    let all = team.jacobian(f, &x).unwrap();
                    assert_bitwise("as one thread", all.data(), one.data());
                    assert_eq!(all.indices(), one.indices());
                }
                // verified as on one thread: another reach has other entries
                let f = ring::AD.with(15).output(&mut y);
                assert!(team.jacobian(f, &x).is_err());
                let f = ring::AD.with(13).output(&mut y);
                assert!(team.jacobian(f, &x[1..]).is_err());
                let f = ring::AD.with(13).output(&mut y);
                assert!(team.jacobian_values_into(f, &mut [0.0; 3], &x).is_err());
            }
        }
    }
}

#[test]
fn threads_share_hessians() {
    let x: Vec<f64> = (0..40).map(|i| (i as f64 * 0.7).cos()).collect();
    for coloring in [Greedy::new(), Greedy::new().substitution()] {
        let backend = AutoSparse::new(AutoSource::new())
            .coloring(coloring)
            .part(Part::Lower);
        let prep = prepare_hessian(energy::AD, &backend, &x).unwrap();
        let one = hessian(energy::AD, &prep, &backend, &x).unwrap();
        for threads in [1, 2, 4] {
            let mut team = prepare_hessian_team(energy::AD, &backend, &x, threads).unwrap();
            let mut values = vec![0.0; team.structure().layout().len()];
            team.hessian_values_into(energy::AD, &mut values, &x)
                .unwrap();
            assert_bitwise("as one thread", &values, one.data());
        }
    }
}

/// Also functions that are generic by hand, which return their result.
#[generic]
fn products<S: Scalar<Real = f64>>(x: &[S]) -> Vec<S> {
    x.windows(2).map(|w| w[0] * w[1]).collect()
}

#[test]
fn threads_share_results_that_are_returned() {
    let x = [1.0, 2.0, 3.0, 4.0];
    let backend = AutoSparse::new(AutoDual::new());
    let mut team = prepare_jacobian_team(products::AD, &backend, &x, 2).unwrap();
    let j = team.jacobian(products::AD, &x).unwrap();
    assert_bitwise("by hand", j.data(), &[2.0, 1.0, 3.0, 2.0, 4.0, 3.0]);
}
