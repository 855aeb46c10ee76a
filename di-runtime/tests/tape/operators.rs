//! All first-order operators against forms by hand.

use crate::by_hand::{rosenbrock, rosenbrock_gradient, springs, springs_jacobian, weighted};
use crate::functions::{
    Euler, Layer, Several, euler_gradient, layer_gradient, runs, several_jacobian,
};
use approx::assert_relative_eq;
use di_runtime::backends::AutoTape;
use di_runtime::closure::generic;
use di_runtime::operators::*;
use di_runtime::prep::NoPrep;

fn backends() -> [AutoTape; 2] {
    [AutoTape::new(), AutoTape::eager()]
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.37 * i as f64).sin()).collect()
}

#[test]
fn gradient_of_rosenbrock() {
    for b in backends() {
        for n in [2, 3, 5, 11, 40, 300] {
            let x = point(n);
            let prep = prepare_gradient(rosenbrock::AD, &b, &vec![0.0; n]).unwrap();
            for x in [x.clone(), x.iter().map(|x| 1.5 - x).collect::<Vec<_>>()] {
                let (y, g) = value_and_gradient(rosenbrock::AD, &prep, &b, &x).unwrap();
                let e = rosenbrock_gradient(&x);
                assert_relative_eq!(&g[..], &e[..], max_relative = 1e-12, epsilon = 1e-12);
                assert_eq!(y, by_dual(&x));
            }
        }
    }
}

fn by_dual(x: &[f64]) -> f64 {
    let (y, _) = value_and_gradient(
        rosenbrock::AD,
        NoPrep,
        &di_runtime::backends::AutoDual::new(),
        x,
    )
    .unwrap();
    y
}

#[test]
fn jacobian_by_rows_and_columns() {
    for b in backends() {
        let x = [0.7, 1.3];
        let e = several_jacobian(&x);
        let (y, j) = value_and_jacobian(generic(Several), NoPrep, &b, &x).unwrap();
        assert_eq!(y, [0.7 * 1.3, f64::sin(0.7), 0.7 / 1.3, 3.0, 1.3]);
        let prep = prepare_jacobian(generic(Several), &b, &x).unwrap();
        let again = jacobian(generic(Several), &prep, &b, &x).unwrap();
        for (i, row) in e.iter().enumerate() {
            for (k, e) in row.iter().enumerate() {
                assert_relative_eq!(j[[i, k]], *e, max_relative = 1e-14);
                assert_relative_eq!(again[[i, k]], *e, max_relative = 1e-14);
            }
        }
    }
}

#[test]
fn jacobian_of_an_in_place_function() {
    for b in backends() {
        let x = point(9);
        let mut y = vec![f64::NAN; 9];
        let f = springs::AD.with(2.5, &[0.0; 8]).output(&mut y);
        let j = jacobian(f, NoPrep, &b, &x).unwrap();
        let e = springs_jacobian(&x, 2.5);
        for i in 0..9 {
            for k in 0..9 {
                assert_relative_eq!(j[[i, k]], e[i][k], epsilon = 1e-13);
            }
        }
    }
}

#[test]
fn pushforward_and_pullback_of_several_at_once() {
    for b in backends() {
        let x = [0.7, 1.3];
        let e = several_jacobian(&x);
        let dx = [[1.0, 0.0], [0.0, 1.0], [0.5, -2.0]];
        let dy = pushforward(generic(Several), NoPrep, &b, &x, &dx).unwrap();
        for (dx, dy) in dx.iter().zip(&dy) {
            for (row, dy) in e.iter().zip(dy) {
                assert_relative_eq!(*dy, row[0] * dx[0] + row[1] * dx[1], max_relative = 1e-14);
            }
        }
        let seeds = [vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![0.1, 0.2, 0.3, 0.4, 0.5]];
        let xb = pullback(generic(Several), NoPrep, &b, &x, &seeds).unwrap();
        for (seed, xb) in seeds.iter().zip(&xb) {
            for k in 0..2 {
                let sum: f64 = seed.iter().zip(&e).map(|(s, row)| s * row[k]).sum();
                assert_relative_eq!(xb[k], sum, max_relative = 1e-14);
            }
        }
    }
}

#[test]
fn at_one_point_the_function_does_not_run_again() {
    for b in backends() {
        let x = [0.7, 1.3];
        let seed = vec![0.1, 0.2, 0.3, 0.4, 0.5];
        let prep = prepare_pullback_same_point(generic(Several), &b, &x, &seed).unwrap();
        runs();
        for k in 0..5 {
            let mut seed = vec![0.0; 5];
            seed[k] = 2.0;
            let xb = pullback(generic(Several), &prep, &b, &x, &seed).unwrap();
            for (xb, e) in xb.iter().zip(several_jacobian(&x)[k]) {
                assert_relative_eq!(*xb, 2.0 * e, max_relative = 1e-14);
            }
        }
        assert_eq!(runs(), 0);
    }
}

#[test]
fn long_recursions() {
    for b in backends() {
        for steps in [1, 2, 3, 7, 100] {
            let f = generic(Euler { steps });
            let prep = prepare_gradient(f, &b, &[0.3, 0.1]).unwrap();
            let x = [0.8, 0.4];
            let g = gradient(f, &prep, &b, &x).unwrap();
            assert_relative_eq!(g[..], euler_gradient(&x, steps)[..], max_relative = 1e-12);
        }
    }
}

#[test]
fn matrix_times_vector() {
    for b in backends() {
        for (rows, columns) in [(1, 1), (3, 5), (8, 8), (20, 33)] {
            let f = generic(Layer { rows, columns });
            let w = point(rows * columns);
            let prep = prepare_gradient(f, &b, &vec![0.5; rows * columns]).unwrap();
            let g = gradient(f, &prep, &b, &w).unwrap();
            let e = layer_gradient(&w, rows, columns);
            assert_relative_eq!(&g[..], &e[..], max_relative = 1e-12, epsilon = 1e-14);
        }
    }
}

#[test]
fn fixed_parameters_are_inputs() {
    let b = AutoTape::new().strict();
    let (first, second) = ([2.0, 3.0], [0.5, -1.0]);
    let prep = prepare_gradient(weighted::AD.fix_b(&first), &b, &1.0).unwrap();
    let g = gradient(weighted::AD.fix_b(&second), &prep, &b, &3.0).unwrap();
    assert_relative_eq!(g, 6.0 * 1.25, max_relative = 1e-14);
    let prep = prepare_gradient(weighted::AD.fix_a(&1.0), &b, &first).unwrap();
    let g = gradient(weighted::AD.fix_a(&3.0), &prep, &b, &second).unwrap();
    assert_relative_eq!(g[..], [9.0, -18.0], max_relative = 1e-14);
    let (ga, gb) = gradient(weighted::AD, NoPrep, &b, &(3.0, second)).unwrap();
    assert_relative_eq!(ga, 7.5, max_relative = 1e-14);
    assert_relative_eq!(gb[..], [9.0, -18.0], max_relative = 1e-14);
}
