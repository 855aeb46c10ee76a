//! The check of the language tests: all generated forms of a function at some points, against the plain function.
//!
//! The generated forms are compared in [`crate::forms`], the operators here. Two engines alone are never the reference.

use crate::allocations::{allow, without};
use crate::compare::{assert_bitwise, assert_close};
use crate::differences::columns;
use crate::forms::{check_forms, differences, direction, dot, rounding, second_order, unit};
use crate::rows::Claim;
use crate::sweeps::Sweeps;
use di::prelude::*;
use di_runtime::backend::Backend;
use di_runtime::bound::{Evaluate, Function, Key};
use di_runtime::function::{NumberValued, Source};
use di_runtime::value::Slice;
use ndarray::Array2;

/// A function of a slice that returns a number; made by [`crate::scalar!`].
#[must_use = "nothing is checked before `check`"]
pub struct Scalar<F, P> {
    name: &'static str,
    f: F,
    plain: P,
    step: f64,
    memory: bool,
    claim: Claim,
}

impl<F, P> Scalar<F, P>
where
    F: Function + Copy,
    P: Fn(&[f64]) -> f64,
    Key<F>: Source<Real = f64, X = Slice> + NumberValued,
{
    /// `plain` is the annotated function itself, called as it was written.
    pub fn new(name: &'static str, f: F, plain: P) -> Self {
        Scalar {
            name,
            f,
            plain,
            step: 0.1,
            memory: false,
            claim: Claim::default(),
        }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 unless told.
    pub fn step(self, step: f64) -> Self {
        Scalar { step, ..self }
    }

    /// Prepared calls take memory, where others may not: the function's passive code does.
    pub fn passive_memory(self) -> Self {
        Scalar {
            memory: true,
            ..self
        }
    }

    /// Registers the test for a row of the catalogue, see [`crate::rows`].
    #[track_caller]
    pub fn row(self, row: u32) -> Self {
        self.rows(&[row])
    }

    /// Registers the test for some rows of the catalogue, see [`crate::rows`].
    #[track_caller]
    pub fn rows(mut self, rows: &[u32]) -> Self {
        self.claim.add(rows);
        self
    }

    /// Checks all generated forms, and the operators that take such a function, at each point.
    ///
    /// # Panics
    /// If a derivative is wrong: shows the form or operator, the index, and both values.
    pub fn check(self, points: &[&[f64]])
    where
        AutoSource: Backend<Key<F>, Matrix = Array2<f64>>,
        AutoDual: Backend<Key<F>, Matrix = Array2<f64>>,
    {
        let (_rows, _memory) = (self.claim.begin(), allow(self.memory));
        let plain = |x: &[f64]| vec![(self.plain)(x)];
        for x in points {
            let name = format!("{} at {x:?}", self.name);
            check_forms(&name, self.f, &plain, x, self.step);
            check_operators(&name, self.f, &AutoSource::new(), &plain, x);
            check_operators(&name, self.f, &AutoDual::new(), &plain, x);
        }
    }
}

/// A function of a slice that writes to a slice; made by [`crate::inplace!`].
#[must_use = "nothing is checked before `check`"]
pub struct InPlace<C> {
    check: C,
    step: f64,
    memory: bool,
    claim: Claim,
}

impl<C: Fn(&[f64], f64)> InPlace<C> {
    /// `check` does what there is to do at one point, with this step for differences.
    #[doc(hidden)]
    pub fn new(check: C) -> Self {
        InPlace {
            check,
            step: 0.1,
            memory: false,
            claim: Claim::default(),
        }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 unless told.
    pub fn step(self, step: f64) -> Self {
        InPlace { step, ..self }
    }

    /// Prepared calls take memory, where others may not: the function's passive code does.
    pub fn passive_memory(self) -> Self {
        InPlace {
            memory: true,
            ..self
        }
    }

    /// Registers the test for a row of the catalogue, see [`crate::rows`].
    #[track_caller]
    pub fn row(self, row: u32) -> Self {
        self.rows(&[row])
    }

    /// Registers the test for some rows of the catalogue, see [`crate::rows`].
    #[track_caller]
    pub fn rows(mut self, rows: &[u32]) -> Self {
        self.claim.add(rows);
        self
    }

    /// Checks all generated forms, and `jacobian`, at each point.
    ///
    /// # Panics
    /// If a derivative is wrong: shows the form or operator, the index, and both values.
    pub fn check(self, points: &[&[f64]]) {
        let (_rows, _memory) = (self.claim.begin(), allow(self.memory));
        for x in points {
            (self.check)(x, self.step);
        }
    }
}

/// An in-place function as one that returns its output.
#[doc(hidden)]
pub fn returning(f: impl Fn(&[f64], &mut [f64]), outputs: usize) -> impl Fn(&[f64]) -> Vec<f64> {
    move |x| {
        let mut y = vec![0.0; outputs];
        f(x, &mut y);
        y
    }
}

/// `gradient`, `hvp` and `hessian` with preps, each called twice, against differences of their values. Calls into
/// buffers take no memory.
fn check_operators<F, B>(
    name: &str,
    f: F,
    backend: &B,
    plain: &dyn Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
) where
    F: Function + Copy,
    Key<F>: Source<Real = f64, X = Slice> + NumberValued,
    B: Backend<Key<F>, Matrix = Array2<f64>>,
{
    let bound = f.bind();
    let sweeps = Sweeps::new(bound.call(), bound.output_shape(), x);
    let y = plain(x)[0];
    let n = x.len();
    let expected = sweeps.split(x, &[vec![1.0]]).1.remove(0);
    let what = |operator: &str| format!("{operator} by {backend:?} of {name}");
    let fails = |operator: &str, error| -> ! { panic!("{}: {error}", what(operator)) };

    let prep =
        prepare_gradient(f, backend, x).unwrap_or_else(|error| fails("prepare_gradient", error));
    let [mut g, mut again] = [(); 2].map(|()| vec![f64::NAN; n]);
    for g in [&mut g, &mut again] {
        let run = || gradient_into(f, g, &prep, backend, x);
        without(|| what("gradient_into"), run).unwrap_or_else(|error| fails("gradient", error));
    }
    let run = || {
        value_and_gradient(f, &prep, backend, x).unwrap_or_else(|error| fails("gradient", error))
    };
    let (first, second) = (run(), run());
    assert_bitwise(&what("value"), &[first.0, second.0], &[y, y]);
    assert_close(&what("gradient"), &first.1, &expected, rounding(&expected));
    assert_bitwise(&what("gradient with the same prep"), &second.1, &first.1);
    assert_close(&what("gradient_into"), &g, &expected, rounding(&expected));
    assert_bitwise(&what("gradient_into with the same prep"), &again, &g);

    let v = direction(n, 5);
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|k| second_order(&sweeps, x, &unit(n, k)))
        .collect();
    let size = rounding(rows.iter().flatten());
    let product: Vec<f64> = rows.iter().map(|row| dot(row, &v)).collect();
    let prep =
        prepare_hvp(f, backend, x, &v[..]).unwrap_or_else(|error| fails("prepare_hvp", error));
    for h in [&mut g, &mut again] {
        let run = || hvp_into(f, h, &prep, backend, x, &v[..]);
        without(|| what("hvp_into"), run).unwrap_or_else(|error| fails("hvp", error));
    }
    let run = || hvp(f, &prep, backend, x, &v[..]).unwrap_or_else(|error| fails("hvp", error));
    let (first, second) = (run(), run());
    assert_close(&what("hvp"), &first, &product, size);
    assert_bitwise(&what("hvp with the same prep"), &second, &first);
    assert_bitwise(&what("hvp_into"), &g, &first);
    assert_bitwise(&what("hvp_into with the same prep"), &again, &first);

    let prep =
        prepare_hessian(f, backend, x).unwrap_or_else(|error| fails("prepare_hessian", error));
    let mut h = Array2::zeros((n, n));
    for _ in 0..2 {
        let run = || hessian_into(f, &mut h, &prep, backend, x);
        without(|| what("hessian_into"), run).unwrap_or_else(|error| fails("hessian", error));
    }
    let run = || hessian(f, &prep, backend, x).unwrap_or_else(|error| fails("hessian", error));
    let (first, second) = (run(), run());
    for (k, row) in rows.iter().enumerate() {
        assert_close(&what("hessian"), &first.row(k).to_vec(), row, size);
    }
    assert_eq!(first, second, "{}", what("hessian with the same prep"));
    assert_eq!(first, h, "{}", what("hessian_into"));
}

/// Room for a Jacobian.
#[doc(hidden)]
pub fn matrix(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_elem((rows, columns), f64::NAN)
}

/// Two Jacobians from one prep, against differences.
#[doc(hidden)]
pub fn check_jacobians(
    name: &str,
    found: [Array2<f64>; 2],
    plain: &dyn Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    step: f64,
) {
    let expected = columns(plain, x, step);
    for (j, column) in expected.iter().enumerate() {
        let what = format!("column {j} of {name} at {x:?}");
        assert_close(
            &what,
            &found[0].column(j).to_vec(),
            column,
            differences(column),
        );
    }
    assert_eq!(found[0], found[1], "{name} at {x:?}, with the same prep");
}
