//! Each width of lanes that operators are compiled in, against closed forms. A debug build has fewer of them, so that
//! `.ci/run` runs this in release too.

use di::Matrix;
use di::prelude::*;
use di::sparse::AutoSparse;
use di_test::compare::{Tolerance, assert_close};

const ROUNDING: Tolerance = Tolerance {
    relative: 1e-12,
    absolute: 1e-12,
};

/// A point with this many entries.
fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 0.17 * i as f64).collect()
}

fn close(name: &str, found: &Matrix, expected: impl Fn(usize, usize) -> f64) {
    let (rows, columns) = found.shape();
    let entries = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let expected: Vec<f64> = entries.map(|(i, j)| expected(i, j)).collect();
    assert_close(name, found.as_slice(), &expected, ROUNDING);
}

fn unit(i: usize, j: usize) -> f64 {
    f64::from(u8::from(i == j))
}

/// Its Hessian is one everywhere, and more on the diagonal.
#[differentiable]
fn bowl(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut y = 0.0;
    for v in x {
        s += v;
        y += v * v * v;
    }
    0.5 * s * s + y
}

fn bowl_gradient(x: &[f64]) -> Vec<f64> {
    let s: f64 = x.iter().sum();
    x.iter().map(|v| s + 3.0 * v * v).collect()
}

fn bowl_hessian(x: &[f64], i: usize, j: usize) -> f64 {
    1.0 + 6.0 * x[i] * unit(i, j)
}

/// As many outputs as `y` holds, all of them of all inputs.
#[differentiable]
fn field(x: &[f64], y: &mut [f64]) {
    let mut s = 0.0;
    for (j, v) in x.iter().enumerate() {
        s += (j + 1) as f64 * v * v;
    }
    for (i, y) in y.iter_mut().enumerate() {
        *y = (i + 1) as f64 * s;
    }
}

fn field_jacobian(x: &[f64], i: usize, j: usize) -> f64 {
    2.0 * ((i + 1) * (j + 1)) as f64 * x[j]
}

/// Each output depends on `c` neighbours.
#[differentiable]
fn band(x: &[f64], #[constant] c: usize, y: &mut [f64]) {
    for (i, y) in y.iter_mut().enumerate() {
        let mut s = 0.0;
        for v in &x[i..i + c] {
            s += v * v;
        }
        *y = s;
    }
}

/// The sum over all groups of `c` neighbours.
#[differentiable]
fn groups(x: &[f64], #[constant] c: usize) -> f64 {
    let mut y = 0.0;
    for i in 0..x.len() + 1 - c {
        let mut s = 0.0;
        for v in &x[i..i + c] {
            s += v;
        }
        y += s * s * s;
    }
    y
}

#[test]
fn gradients_and_hessians_of_few_and_of_many_inputs() {
    let source = AutoSource::new();
    for n in 1..=17 {
        let x = point(n);
        let expected = bowl_gradient(&x);
        for backend in [source, source.forward(), source.reverse()] {
            let g = gradient(bowl::AD, NoPrep, &backend, &x).expect("a gradient");
            assert_close(&format!("gradient by {backend:?}"), &g, &expected, ROUNDING);
            let h = hessian(bowl::AD, NoPrep, &backend, &x).expect("a Hessian");
            close("Hessian", &h, |i, j| bowl_hessian(&x, i, j));
        }
        let g = gradient(bowl::AD, NoPrep, &AutoDual::new(), &x).expect("a gradient");
        assert_close("gradient by dual numbers", &g, &expected, ROUNDING);
        for chunk in 1..=n.min(8) {
            let backend = AutoDual::new().chunk(chunk);
            let g = gradient(bowl::AD, NoPrep, &backend, &x).expect("a gradient");
            assert_close("gradient by dual numbers", &g, &expected, ROUNDING);
            let h = hessian(bowl::AD, NoPrep, &backend, &x).expect("a Hessian");
            close("Hessian by dual numbers", &h, |i, j| bowl_hessian(&x, i, j));
            let nested = SecondOrder::new(backend, source);
            let h = hessian(bowl::AD, NoPrep, &nested, &x).expect("a Hessian");
            close("nested Hessian", &h, |i, j| bowl_hessian(&x, i, j));
        }
    }
}

#[test]
fn jacobians_of_few_and_of_many_inputs_and_outputs() {
    let source = AutoSource::new();
    for (n, m) in (1..=9).flat_map(|n| (1..=17).map(move |m| (n, m))) {
        let x = point(n);
        let mut y = vec![0.0; m];
        for backend in [source, source.forward(), source.reverse()] {
            let f = field::AD.output(&mut y);
            let j = jacobian(f, NoPrep, &backend, &x).expect("a Jacobian");
            let name = format!("Jacobian by {backend:?}");
            close(&name, &j, |i, j| field_jacobian(&x, i, j));
        }
        let f = field::AD.output(&mut y);
        let j = jacobian(f, NoPrep, &AutoDual::new(), &x).expect("a Jacobian");
        close("Jacobian by dual numbers", &j, |i, j| {
            field_jacobian(&x, i, j)
        });
    }
}

/// Products with so many directions at once.
fn products<const K: usize>() {
    let (n, m) = (6, 5);
    let x = point(n);
    let direction = |k: usize, n: usize| -> Vec<f64> {
        (0..n).map(|i| (1 + i * (k + 2)) as f64 % 3.7).collect()
    };
    let dot = |v: &[f64], entry: &dyn Fn(usize) -> f64| -> f64 {
        v.iter().enumerate().map(|(i, v)| v * entry(i)).sum()
    };
    let dx: [Vec<f64>; K] = std::array::from_fn(|k| direction(k, n));
    let dy: [Vec<f64>; K] = std::array::from_fn(|k| direction(k, m));
    let mut y = vec![0.0; m];
    let source = AutoSource::new();
    for backend in [source, source.forward(), source.reverse()] {
        let f = field::AD.output(&mut y);
        let forth = pushforward(f, NoPrep, &backend, &x, &dx).expect("pushforwards");
        for (found, dx) in forth.iter().zip(&dx) {
            let expected = |i| dot(dx, &|j| field_jacobian(&x, i, j));
            let expected: Vec<f64> = (0..m).map(expected).collect();
            assert_close("pushforward", found, &expected, ROUNDING);
        }
        let f = field::AD.output(&mut y);
        let back = pullback(f, NoPrep, &backend, &x, &dy).expect("pullbacks");
        for (found, dy) in back.iter().zip(&dy) {
            let expected = |j| dot(dy, &|i| field_jacobian(&x, i, j));
            let expected: Vec<f64> = (0..n).map(expected).collect();
            assert_close("pullback", found, &expected, ROUNDING);
        }
    }
    let f = field::AD.output(&mut y);
    let forth = pushforward(f, NoPrep, &AutoDual::new(), &x, &dx).expect("pushforwards");
    for (found, dx) in forth.iter().zip(&dx) {
        let expected = |i| dot(dx, &|j| field_jacobian(&x, i, j));
        let expected: Vec<f64> = (0..m).map(expected).collect();
        assert_close("pushforward by dual numbers", found, &expected, ROUNDING);
    }
    let by_duals = hvp(bowl::AD, NoPrep, &AutoDual::new(), &x, &dx).expect("products");
    let by_source = hvp(bowl::AD, NoPrep, &source, &x, &dx).expect("products");
    for (found, dx) in by_duals.iter().chain(&by_source).zip(dx.iter().chain(&dx)) {
        let expected = |i| dot(dx, &|j| bowl_hessian(&x, i, j));
        let expected: Vec<f64> = (0..n).map(expected).collect();
        assert_close("product with the Hessian", found, &expected, ROUNDING);
    }
}

#[test]
fn products_with_one_and_with_many_directions() {
    products::<1>();
    products::<2>();
    products::<3>();
    products::<4>();
    products::<5>();
    products::<8>();
    products::<9>();
}

fn dense(matrix: &di::sprs::CsMat<f64>) -> Matrix {
    let mut dense = Matrix::zeros(matrix.shape());
    for (value, (i, j)) in matrix.iter() {
        dense[[i, j]] = *value;
    }
    dense
}

#[test]
fn sparse_matrices_of_few_and_of_many_colors() {
    let source = AutoSource::new();
    for c in 1..=26 {
        let m = 30;
        let (x, mut y) = (point(m + c - 1), vec![0.0; m]);
        for backend in [source.forward(), source.reverse()] {
            let f = band::AD.with(c).output(&mut y);
            let j = jacobian(f, NoPrep, &AutoSparse::new(backend), &x).expect("a Jacobian");
            let name = format!("{c} colors by {backend:?}");
            close(&name, &dense(&j), |i, j| {
                if (i..i + c).contains(&j) {
                    2.0 * x[j]
                } else {
                    0.0
                }
            });
        }
    }
    for c in 1..=13 {
        let x = point(20);
        let sums: Vec<f64> = x.windows(c).map(|group| group.iter().sum()).collect();
        let f = groups::AD.with(c);
        let h = hessian(f, NoPrep, &AutoSparse::new(source), &x).expect("a Hessian");
        close(&format!("{c} neighbours"), &dense(&h), |i, j| {
            let both = sums.iter().enumerate().filter(|(k, _)| {
                let group = *k..k + c;
                group.contains(&i) && group.contains(&j)
            });
            both.map(|(_, s)| 6.0 * s).sum()
        });
    }
}
