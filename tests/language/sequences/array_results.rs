//! Options, results and tuples with arrays of `ndarray` in them.

use di::prelude::*;
use di_test::compare::{ROUNDING, assert_close};
use ndarray::{Array1, Array2, array, s};

const POINTS: [&[f64]; 2] = [&[2.1, 0.7, 1.3], &[1.4, 0.9, 2.2]];

/// A matrix that is positive definite.
#[differentiable]
fn kernel(x: &[f64]) -> Array2<f64> {
    let n = x.len();
    let mut k = Array2::from_shape_fn((n, n), |(i, j)| (-(x[i] - x[j]).powi(2)).exp());
    for i in 0..n {
        k[[i, i]] += x[i] * x[i];
    }
    k
}

#[differentiable]
fn cholesky(a: &Array2<f64>) -> Option<Array2<f64>> {
    let n = a.nrows();
    let mut l = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[[i, j]];
            for k in 0..j {
                sum -= l[[i, k]] * l[[j, k]];
            }
            if i == j {
                if sum <= 0.0 {
                    return None;
                }
                l[[i, j]] = sum.sqrt();
            } else {
                l[[i, j]] = sum / l[[j, j]];
            }
        }
    }
    Some(l)
}

#[differentiable]
fn log_determinant(x: &[f64]) -> f64 {
    let Some(l) = cholesky(&kernel(x)) else {
        return f64::INFINITY;
    };
    l.diag().mapv(f64::ln).sum()
}

#[differentiable]
fn not_definite(x: &[f64]) -> f64 {
    let k = -kernel(x);
    let Some(l) = cholesky(&k) else {
        return x[0] * x[1];
    };
    l.sum()
}

#[differentiable]
fn forward(l: &Array2<f64>, b: &Array1<f64>) -> Result<Array1<f64>, String> {
    let mut y = b.clone();
    for i in 0..b.len() {
        for k in 0..i {
            y[i] = y[i] - l[[i, k]] * y[k];
        }
        if l[[i, i]] == 0.0 {
            return Err(format!("no pivot in row {i}"));
        }
        y[i] /= l[[i, i]];
    }
    Ok(y)
}

#[differentiable]
fn whitened(x: &[f64], b: &Array1<f64>) -> Result<Array1<f64>, String> {
    let l = cholesky(&kernel(x)).ok_or_else(|| "not definite".to_string())?;
    let y = forward(&l, b)?;
    Ok(&y * 2.0 + b)
}

#[differentiable]
fn quadratic(x: &[f64]) -> f64 {
    let b = Array1::from_vec(x.to_vec());
    match whitened(x, &b) {
        Ok(y) => y.dot(&y),
        Err(_) => 0.0,
    }
}

#[differentiable]
fn both(x: &[f64]) -> f64 {
    let l = cholesky(&kernel(x)).unwrap();
    let b = Array1::from_vec(x.to_vec());
    let y = forward(&l, &b).expect("pivots");
    y.dot(&b) + l[[1, 0]] * forward(&l, &(&b * 0.5)).unwrap()[2]
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let b = Array1::from_vec(x.to_vec());
    let k = kernel(x);
    let trace = cholesky(&k).map(|l| l.diag().sum()).unwrap_or(0.0);
    let y = cholesky(&k).and_then(|l| forward(&l, &b).ok());
    let z = cholesky(&k).map(|l| l.dot(&b));
    let twice = z.map_or(0.0, |z| z.dot(&b));
    if let Some(y) = &y {
        trace * y[1] + twice
    } else {
        twice
    }
}

#[differentiable]
fn in_loop(x: &[f64]) -> f64 {
    let mut b = Array1::from_vec(x.to_vec());
    let mut s = 0.0;
    for i in 0..3 {
        let k = kernel(x) - Array2::<f64>::eye(3) * (i as f64);
        let y = match cholesky(&k) {
            Some(l) if i < 2 => l.dot(&b) * 0.3,
            Some(_) => continue,
            None => b.clone(),
        };
        s += y.sum();
        b = y;
    }
    s * b[0]
}

/// What is found changes, and may be nothing.
#[differentiable]
fn last(x: &[f64]) -> f64 {
    let mut best: Option<Array1<f64>> = None;
    for (i, v) in x.iter().enumerate() {
        let y = Array1::from_elem(2, v * v) + i as f64;
        if *v > 0.8 {
            best = Some(y);
        }
    }
    match best {
        Some(y) => y.sum() * y[0],
        None => x[0],
    }
}

#[differentiable]
fn shifted(b: &Array1<f64>) -> (Array1<f64>, f64) {
    (b * 2.0, b.sum())
}

#[differentiable]
fn factors(a: &Array2<f64>, k: usize) -> (Array2<f64>, Array1<f64>, usize) {
    let mut q = a.clone();
    q[[0, 0]] *= 2.0;
    (q, a.row(k).to_owned(), k + 1)
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let b = Array1::from_vec(x.to_vec());
    let (y, s) = shifted(&b);
    let t = shifted(&y);
    let (q, r, n) = factors(&kernel(x), 1);
    y.dot(&b) * s + t.0[1] * t.1 + q.dot(&r)[n] + shifted(&r).0.sum()
}

#[differentiable]
fn checked(x: &[f64]) -> Result<(Array1<f64>, f64), String> {
    let b = Array1::from_vec(x.to_vec());
    if x[0] < 0.0 {
        return Err("negative".to_string());
    }
    let (y, s) = shifted(&b);
    Ok((y, s * x[1]))
}

#[differentiable]
fn of_results(x: &[f64]) -> Result<f64, String> {
    let (y, s) = checked(x)?;
    let more = checked(&[x[1], x[0]])?;
    Ok(y.sum() * s + more.0[1] * more.1)
}

#[differentiable]
fn result_used(x: &[f64]) -> f64 {
    of_results(x).unwrap_or(0.0)
}

#[differentiable]
mod inside {
    use ndarray::{Array1, Array2};

    pub enum Failure {
        Singular,
        Long(usize),
    }

    pub fn inverse(a: &Array2<f64>) -> Result<Array2<f64>, Failure> {
        let n = a.nrows();
        if n > 4 {
            return Err(Failure::Long(n));
        }
        let d = a[[0, 0]] * a[[1, 1]] - a[[0, 1]] * a[[1, 0]];
        if d == 0.0 {
            return Err(Failure::Singular);
        }
        let mut r = Array2::zeros((2, 2));
        r[[0, 0]] = a[[1, 1]] / d;
        r[[1, 1]] = a[[0, 0]] / d;
        r[[0, 1]] = -a[[0, 1]] / d;
        r[[1, 0]] = -a[[1, 0]] / d;
        Ok(r)
    }

    fn halves(x: &[f64]) -> (Array1<f64>, Array1<f64>) {
        let n = x.len() / 2;
        (
            Array1::from_vec(x[..n].to_vec()),
            Array1::from_vec(x[n..].to_vec()),
        )
    }

    fn newton(x: &[f64]) -> Result<Array1<f64>, Failure> {
        let (a, b) = halves(&[x[0], x[1], x[2], x[0]]);
        let j = Array2::from_shape_fn((2, 2), |(i, k)| a[i] * b[k] + (i + k) as f64);
        let step = inverse(&j)?.dot(&b);
        Ok(a - step)
    }

    pub fn step(x: &[f64]) -> f64 {
        match newton(x) {
            Ok(y) => y.dot(&y),
            Err(Failure::Singular) => x[0],
            Err(Failure::Long(n)) => n as f64 * x[0],
        }
    }

    pub fn tried(x: &[f64]) -> f64 {
        let mut a = Array2::eye(2) * x[0];
        let mut s = 0.0;
        while let Ok(r) = inverse(&a) {
            s += r.sum() * x[1];
            a = r.dot(&a) * x[2];
            if s > 0.5 {
                break;
            }
        }
        s
    }
}

#[test]
fn array_options() {
    di_test::scalar!(log_determinant).row(682).check(&POINTS);
    di_test::scalar!(not_definite).row(682).check(&POINTS);
    di_test::scalar!(quadratic).row(682).check(&POINTS);
    di_test::scalar!(both).row(682).check(&POINTS);
}

#[test]
fn methods_of_array_options() {
    di_test::scalar!(mapped).row(683).check(&POINTS);
    di_test::scalar!(in_loop).row(683).check(&POINTS);
    di_test::scalar!(last).row(683).check(&POINTS);
}

#[test]
fn array_tuples() {
    di_test::scalar!(tuples).row(684).check(&POINTS);
    di_test::scalar!(result_used).row(684).check(&POINTS);
}

#[test]
fn in_a_module() {
    di_test::scalar!(inside::step::AD, inside::step)
        .row(682)
        .check(&POINTS);
    di_test::scalar!(inside::tried::AD, inside::tried)
        .row(682)
        .takes_memory()
        .check(&POINTS);
}

/// Operators return the array of an option or a result, and the error if there is none.
#[test]
fn operators_return_them() -> Result<(), di::Error> {
    let _rows = di_test::rows::rows(&[685, 687]);
    let b = [1.0, 2.0];
    let l = ndarray::array![[2.0, 0.0], [1.0, 4.0]];
    for backend in [AutoSource::new().forward(), AutoSource::new().reverse()] {
        let found = jacobian(
            forward::AD.fix_l(&l),
            NoPrep,
            &backend,
            &Array1::from_vec(b.to_vec()),
        )?;
        assert_close(
            "jacobian",
            found.as_slice(),
            &[0.5, 0.0, -0.125, 0.25],
            ROUNDING,
        );
        let flat = ndarray::array![[2.0, 0.0], [1.0, 0.0]];
        let failed = jacobian(
            forward::AD.fix_l(&flat),
            NoPrep,
            &backend,
            &Array1::from_vec(b.to_vec()),
        );
        assert!(failed.is_err());
    }
    Ok(())
}

struct Tables {
    gains: Array2<f64>,
}

/// Views of views of what constants hold, and `s!` beside a variable `s`.
#[differentiable]
fn viewed(x: &[f64], #[constant] t: &Tables) -> f64 {
    let e = Array1::from_vec(x.to_vec());
    let w = t.gains.slice(s![1.., ..]).t().dot(&e.slice(s![..2]));
    let mut s = w[0] * w[1];
    for k in 0..2 {
        s += t.gains.slice(s![k.., ..]).t().row(1).sum() * x[k];
    }
    let f = |k: usize| t.gains.t().row(k).slice(s![..2]).dot(&e.slice(s![1..]));
    s * f(0) + f(1)
}

#[differentiable]
fn listed(x: &[f64]) -> f64 {
    let a = array![[x[0], 1.0, x[1] * x[2]], [0.5, x[0] + x[1], -x[2]]];
    let b = array![x[1], x[2].sin(), 2.0];
    let mut s = a.dot(&b).sum();
    for i in 0..2 {
        let c = array![s, x[i]];
        s += c.dot(&c) * 0.1;
    }
    s
}

#[test]
fn views_of_views() {
    let tables = Tables {
        gains: array![[1.0, 2.0], [3.0, 5.0], [0.5, 0.25]],
    };
    di_test::scalar!(viewed::AD.with(&tables), |x: &[f64]| viewed(x, &tables))
        .takes_memory()
        .row(688)
        .check(&POINTS);
    di_test::scalar!(listed).row(689).check(&POINTS);
}
