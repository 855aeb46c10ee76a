//! Derivatives by a complex step: another arithmetic through the generic primal, right to the last digits.
//!
//! `f(x + i h v)` has the imaginary part `h f'(x) v`, without a difference, so that `h` may be as small as
//! one likes. The usual elementary functions are those of complex analysis, which know nothing of the rules.
//! (W. Squire and G. Trapp, Using complex variables to estimate derivatives of real functions, 1998.)

use crate::compare::{Tolerance, assert_all_bitwise, assert_all_close};
use crate::forms::{direction, dot, unit};
use crate::sweeps::{Forms, Generic, Sweeps};
use di_runtime::bound::{Evaluate, Function, Key};
use di_runtime::function::Source;
use di_runtime::scalar::{Complex, Dual};
use di_runtime::value::Slice;

/// So small that its square is lost beside it, and so large that products with it are not.
const STEP: f64 = 1e-100;

fn complex(re: f64, im: f64) -> Complex<f64> {
    Complex::new(re, im)
}

/// Relative to the entry, or to the largest one where the entry is small by cancellation.
fn tolerance<'a>(entries: impl IntoIterator<Item = &'a f64>) -> Tolerance {
    let largest = entries.into_iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    Tolerance {
        relative: 1e-10,
        absolute: 1e-13 * largest,
    }
}

/// Value and derivative along `dx`.
fn along<K: Source<Real = f64, X = Slice>>(
    sweeps: &Sweeps<'_, K>,
    x: &[f64],
    dx: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let pairs = x.iter().zip(dx);
    let moved: Vec<Complex<f64>> = pairs.map(|(x, dx)| complex(*x, STEP * dx)).collect();
    let y = sweeps.generic(&moved);
    let split = |y: &[Complex<f64>]| {
        let values = y.iter().map(|y| y.re).collect();
        (values, y.iter().map(|y| y.im / STEP).collect())
    };
    split(&y)
}

/// Checks a program at a point: tangent, split and fused reverse code of first order, and forward over
/// reverse, against complex steps, with a relative error of 1e-10.
///
/// # Panics
/// If a derivative is wrong: shows the form, the index and both values.
pub fn check_program<F>(name: &str, f: F, x: &[f64])
where
    F: Function,
    Key<F>: Source<Real = f64, X = Slice>,
{
    let bound = f.bind();
    let sweeps = &Sweeps::new(bound.call(), bound.output_shape(), x);
    let n = x.len();
    let y = sweeps.generic(x);
    let m = y.len();
    let columns: Vec<Vec<f64>> = (0..n).map(|j| along(sweeps, x, &unit(n, j)).1).collect();
    let jacobian = tolerance(columns.iter().flatten());
    for (j, column) in columns.iter().enumerate() {
        let (value, dy) = sweeps.tangent(x, &unit(n, j));
        assert_all_bitwise(&format!("value of {name}"), &value, &y);
        let what = format!("tangent of {name} by input {j}");
        assert_all_close(&what, &dy, column, jacobian);
    }
    let mut seeds: Vec<Vec<f64>> = (0..m).map(|i| unit(m, i)).collect();
    seeds.push(direction(m, 3));
    let adjoints = sweeps.split(x, &seeds).1;
    let mut rows = Vec::new();
    for seed in &seeds {
        let row: Vec<f64> = columns.iter().map(|column| dot(column, seed)).collect();
        rows.push(row);
    }
    for (i, (found, row)) in adjoints.iter().zip(&rows).enumerate() {
        let what = format!("reverse of {name} for seed {i}");
        assert_all_close(&what, found, row, jacobian);
    }
    let fused = sweeps.fused(x, &seeds[m], &vec![0.0; n]).1;
    let what = format!("fused reverse of {name}");
    assert_all_close(&what, &fused, &rows[m], jacobian);
    second_order(name, sweeps, x, &seeds[m]);
}

/// The Hessian of the weighted outputs times a direction, by forward over reverse, against complex steps
/// through dual numbers.
fn second_order<K: Source<Real = f64, X = Slice>>(
    name: &str,
    sweeps: &Sweeps<'_, K>,
    x: &[f64],
    weights: &[f64],
) {
    let n = x.len();
    let v = direction(n, 5);
    let moved: Vec<Complex<f64>> = x
        .iter()
        .zip(&v)
        .map(|(x, v)| complex(*x, STEP * v))
        .collect();
    let expected: Vec<f64> = (0..n)
        .map(|j| {
            let lift = |(k, z): (usize, &Complex<f64>)| {
                let tangent = complex(f64::from(u8::from(k == j)), 0.0);
                Dual::<Complex<f64>, 1>::new(*z, [tangent])
            };
            let x: Vec<Dual<Complex<f64>, 1>> = moved.iter().enumerate().map(lift).collect();
            let y = sweeps.generic(&x);
            let mixed: Vec<f64> = y.iter().map(|y| y.tangents[0].im / STEP).collect();
            dot(&mixed, weights)
        })
        .collect();
    let moving: Vec<Dual<f64, 1>> = x.iter().zip(&v).map(|(x, v)| Dual::new(*x, [*v])).collect();
    let seed: Vec<Dual<f64, 1>> = weights.iter().map(|w| Dual::constant(*w)).collect();
    let found = sweeps.split(&moving, &[seed]).1.remove(0);
    let found: Vec<f64> = found.iter().map(|d| d.tangents[0]).collect();
    let what = format!("forward over reverse of {name}");
    assert_all_close(&what, &found, &expected, tolerance(&expected));
}

/// Checks a program of a slice against complex steps at some points, see
/// [`check_program`](crate::complex_step::check_program).
///
/// `program!(f::AD, [&x, &z])`, or with a bound handle `program!(f::AD.with(&data), [&x])`.
#[macro_export]
macro_rules! program {
    ($handle:expr, [$($x:expr),+ $(,)?]) => {
        $(
            let x: &[f64] = $x;
            let name = ::std::format!("{} at {:?}", ::std::stringify!($handle), &x[..x.len().min(6)]);
            $crate::complex_step::check_program(&name, $handle, x);
        )+
    };
}
