//! The check of the language tests: all generated forms of a function at some points, against the plain function.
//!
//! The generated forms are compared in [`crate::forms`], the operators here. Two engines alone are never the reference.

use core::fmt::Debug;

use crate::allocations::{Memory, taking, without};
use crate::compare::{assert_all_bitwise, assert_all_close};
use crate::differences::columns;
use crate::forms::{check_forms, differences, direction, dot, rounding, second_order, unit};
use crate::rows::Claim;
use crate::sweeps::{AllForms, Sweeps};
use di::prelude::*;
use di::{Error, Matrix};
use di_runtime::backend::Backend;
use di_runtime::bound::{Evaluate, Function, Key};
use di_runtime::function::{NumberValued, Source};
use di_runtime::value::Slice;

/// A function of a slice that returns a number; made by [`crate::scalar!`].
#[must_use = "nothing is checked before `check`"]
pub struct Scalar<F, P> {
    name: &'static str,
    f: F,
    plain: P,
    step: f64,
    memory: Memory,
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
            memory: Memory::default(),
            claim: Claim::default(),
        }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 by default.
    pub fn step(self, step: f64) -> Self {
        Scalar { step, ..self }
    }

    /// Some prepared call allocates, where those of other functions do not: for constant code, or for structs with
    /// vectors.
    pub fn takes_memory(self) -> Self {
        Scalar {
            memory: Memory::Taken,
            ..self
        }
    }

    /// The function prints.
    pub fn prints(self) -> Self {
        Scalar {
            memory: Memory::Open,
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
    /// If a derivative is wrong: shows the form or operator, the index, and both values. If a call allocates, or does
    /// not although [`takes_memory`](Self::takes_memory) says so.
    #[track_caller]
    pub fn check(self, points: &[&[f64]])
    where
        AutoSource: Backend<Key<F>, Matrix = Matrix>,
        AutoDual: Backend<Key<F>, Matrix = Matrix>,
    {
        let _rows = self.claim.begin();
        let plain = |x: &[f64]| vec![(self.plain)(x)];
        taking(self.memory, || {
            for x in points {
                let name = format!("{} at {x:?}", self.name);
                check_forms(&name, self.f, &plain, x, self.step);
                let bound = self.f.bind();
                let sweeps = Sweeps::new(bound.call(), bound.output_shape(), x);
                let at = |backend: &dyn Debug| At {
                    what: format!("by {backend:?} of {name}"),
                    sweeps: &sweeps,
                    plain: &plain,
                    x,
                };
                check_source(self.f, at);
                check_duals(self.f, at);
            }
        });
    }
}

/// A function of a slice that writes to a slice; made by [`crate::inplace!`].
#[must_use = "nothing is checked before `check`"]
pub struct InPlace<C> {
    check: C,
    step: f64,
    memory: Memory,
    claim: Claim,
}

impl<C: Fn(&[f64], f64)> InPlace<C> {
    /// `check` does what there is to do at one point, with this step for differences.
    #[doc(hidden)]
    pub fn new(check: C) -> Self {
        InPlace {
            check,
            step: 0.1,
            memory: Memory::default(),
            claim: Claim::default(),
        }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 by default.
    pub fn step(self, step: f64) -> Self {
        InPlace { step, ..self }
    }

    /// Some prepared call allocates, where those of other functions do not: for constant code, or for structs with
    /// vectors.
    pub fn takes_memory(self) -> Self {
        InPlace {
            memory: Memory::Taken,
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
    /// If a derivative is wrong: shows the form or operator, the index, and both values. If a call allocates, or does
    /// not although [`takes_memory`](Self::takes_memory) says so.
    #[track_caller]
    pub fn check(self, points: &[&[f64]]) {
        let _rows = self.claim.begin();
        taking(self.memory, || {
            for x in points {
                (self.check)(x, self.step);
            }
        });
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

/// `value_and_gradient`, and `gradient`, `hvp` and `hessian` into buffers, each called twice with its prep, against
/// the plain function and what its differences have been compared with. Calls into buffers take no memory.
///
/// What is compiled for each function and backend is no more than the calls: what returns its result writes it to a new
/// buffer, in the same way for all functions.
fn check_source<'a, F>(f: F, at: impl Fn(&dyn Debug) -> At<'a>)
where
    F: Function + Copy,
    Key<F>: Source<Real = f64, X = Slice> + NumberValued,
    AutoSource: Backend<Key<F>, Matrix = Matrix>,
{
    let backend = &AutoSource::new();
    let at = at(backend);
    let x = at.x;
    let prep = at.prepared("gradient", prepare_gradient(f, backend, x));
    at.check_gradient(&mut |g| gradient_into(f, g, &prep, backend, x));
    at.check_value(value_and_gradient(f, &prep, backend, x));
    let v = &direction(x.len(), 5)[..];
    let prep = at.prepared("hvp", prepare_hvp(f, backend, x, v));
    at.check_hvp(v, &mut |h| hvp_into(f, h, &prep, backend, x, v));
    let prep = at.prepared("hessian", prepare_hessian(f, backend, x));
    at.check_hessian(&mut |h| hessian_into(f, h, &prep, backend, x));
}

/// The function on dual numbers, with its value, and on dual numbers of dual numbers.
fn check_duals<'a, F>(f: F, at: impl Fn(&dyn Debug) -> At<'a>)
where
    F: Function + Copy,
    Key<F>: Source<Real = f64, X = Slice> + NumberValued,
    AutoDual: Backend<Key<F>, Matrix = Matrix>,
{
    let backend = &AutoDual::new();
    let at = at(backend);
    let x = at.x;
    let prep = at.prepared("gradient", prepare_gradient(f, backend, x));
    let mut y = f64::NAN;
    at.check_gradient(&mut |g| {
        y = value_and_gradient_into(f, g, &prep, backend, x)?;
        Ok(())
    });
    assert_all_bitwise(&at.named("value"), &[y], &(at.plain)(x));
    let prep = at.prepared("hessian", prepare_hessian(f, backend, x));
    at.check_hessian(&mut |h| hessian_into(f, h, &prep, backend, x));
}

/// An operator that writes to a buffer, with its prep.
type Into<'a, T> = &'a mut dyn FnMut(&mut T) -> Result<(), Error>;

/// A function and a point.
struct At<'a> {
    /// Which function and backend.
    what: String,
    sweeps: &'a dyn AllForms,
    plain: &'a dyn Fn(&[f64]) -> Vec<f64>,
    x: &'a [f64],
}

impl At<'_> {
    fn named(&self, operator: &str) -> String {
        format!("{operator} {}", self.what)
    }

    fn prepared<T>(&self, operator: &str, prep: Result<T, Error>) -> T {
        match prep {
            Ok(prep) => prep,
            Err(error) => self.fail(operator, &error),
        }
    }

    fn fail(&self, operator: &str, error: &Error) -> ! {
        panic!("{}: {error}", self.named(operator))
    }

    /// A call into a buffer.
    fn write<T>(&self, operator: &str, into: Into<'_, T>, to: &mut T) {
        let done = without(|| self.named(operator), || into(to));
        done.unwrap_or_else(|error| self.fail(operator, &error));
    }

    /// Two calls into buffers, which agree bit for bit.
    fn twice<T: PartialEq + Debug>(
        &self,
        operator: &str,
        into: Into<'_, T>,
        blank: &dyn Fn() -> T,
    ) -> T {
        let (mut first, mut again) = (blank(), blank());
        self.write(operator, into, &mut first);
        self.write(operator, into, &mut again);
        assert_eq!(first, again, "{} with the same prep", self.named(operator));
        first
    }

    fn gradient(&self) -> Vec<f64> {
        self.sweeps.split(self.x, &[vec![1.0]]).1.remove(0)
    }

    fn check_gradient(&self, into: Into<'_, Vec<f64>>) {
        let operator = "gradient_into";
        let g = self.twice(operator, into, &|| vec![f64::NAN; self.x.len()]);
        let expected = self.gradient();
        assert_all_close(&self.named(operator), &g, &expected, rounding(&expected));
    }

    fn check_value(&self, found: Result<(f64, Vec<f64>), Error>) {
        let operator = "value_and_gradient";
        let (y, g) = found.unwrap_or_else(|error| self.fail(operator, &error));
        let (name, expected) = (self.named(operator), self.gradient());
        assert_all_bitwise(&name, &[y], &(self.plain)(self.x));
        assert_all_close(&name, &g, &expected, rounding(&expected));
    }

    /// The Hessian by rows, in another way.
    fn rows(&self) -> Vec<Vec<f64>> {
        let n = self.x.len();
        let row = |k| second_order(self.sweeps, self.x, &unit(n, k));
        (0..n).map(row).collect()
    }

    fn check_hvp(&self, v: &[f64], into: Into<'_, Vec<f64>>) {
        let (operator, rows) = ("hvp_into", self.rows());
        let product: Vec<f64> = rows.iter().map(|row| dot(row, v)).collect();
        let h = self.twice(operator, into, &|| vec![f64::NAN; self.x.len()]);
        let size = rounding(rows.iter().flatten());
        assert_all_close(&self.named(operator), &h, &product, size);
    }

    fn check_hessian(&self, into: Into<'_, Matrix>) {
        let (operator, rows, n) = ("hessian_into", self.rows(), self.x.len());
        let h = self.twice(operator, into, &|| Matrix::filled((n, n), f64::NAN));
        let size = rounding(rows.iter().flatten());
        for (k, row) in rows.iter().enumerate() {
            assert_all_close(&self.named(operator), h.row(k), row, size);
        }
    }
}

/// Two Jacobians from one prep, against differences; a call takes no memory.
#[doc(hidden)]
pub fn check_jacobians(
    name: &str,
    outputs: usize,
    into: &mut dyn FnMut(&mut Matrix) -> Result<(), Error>,
    plain: &dyn Fn(&[f64]) -> Vec<f64>,
    x: &[f64],
    step: f64,
) {
    let found = [(); 2].map(|()| {
        let mut j = Matrix::filled((outputs, x.len()), f64::NAN);
        without(|| format!("{name} at {x:?}"), || into(&mut j)).expect("a prep of the same shape");
        j
    });
    let expected = columns(plain, x, step);
    for (j, column) in expected.iter().enumerate() {
        let what = format!("column {j} of {name} at {x:?}");
        assert_all_close(
            &what,
            &found[0].column(j).copied().collect::<Vec<_>>(),
            column,
            differences(column),
        );
    }
    assert_eq!(found[0], found[1], "{name} at {x:?}, with the same prep");
}
