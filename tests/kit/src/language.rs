//! The check of the language tests: all generated forms of a function at some points, against the plain function.
//!
//! The generated forms are compared in [`crate::forms`], the operators here. Two engines alone are never the reference.

use core::fmt::Debug;

use crate::allocations::{Memory, taking, without};
use crate::compare::{assert_all_bitwise, assert_all_close};
use crate::differences::columns;
use crate::forms::{check_forms, differences, hessian_rows, rounding};
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

    /// Checks all generated forms, and prepared calls of `value_and_gradient` and `hessian`, at each point.
    ///
    /// # Panics
    /// If a derivative is wrong: shows the form or operator, the index, and both values. If a call allocates, or does
    /// not although [`takes_memory`](Self::takes_memory) says so.
    #[track_caller]
    pub fn check(self, points: &[&[f64]])
    where
        AutoSource: Backend<Key<F>, Matrix = Matrix>,
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
                    x,
                };
                check_source(self.f, at);
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

/// `value_and_gradient` and `hessian` into buffers, each called twice with its prep, against what the differences of the plain
/// function have been compared with. Calls into buffers take no memory.
///
/// What is compiled for each function is no more: other operators, and engines that take the function on their own
/// numbers, do with these forms the same for all functions.
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
    let mut y = f64::NAN;
    at.check_gradient(&mut |g| {
        y = value_and_gradient_into(f, g, &prep, backend, x)?;
        Ok(())
    });
    assert_all_bitwise(&at.named("value"), &[y], &at.sweeps.generic(x));
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
        let operator = "value_and_gradient_into";
        let g = self.twice(operator, into, &|| vec![f64::NAN; self.x.len()]);
        let expected = self.gradient();
        assert_all_close(&self.named(operator), &g, &expected, rounding(&expected));
    }

    fn check_hessian(&self, into: Into<'_, Matrix>) {
        let (operator, n) = ("hessian_into", self.x.len());
        let rows = hessian_rows(self.sweeps, self.x);
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
        let called = without(|| format!("jacobian_into of {name}"), || into(&mut j));
        called.expect("a prep of the same shape");
        j
    });
    let expected = columns(plain, x, step);
    for (j, column) in expected.iter().enumerate() {
        let what = format!("column {j} of the Jacobian of {name}");
        assert_all_close(
            &what,
            &found[0].column(j).copied().collect::<Vec<_>>(),
            column,
            differences(column),
        );
    }
    assert_eq!(found[0], found[1], "Jacobian of {name}, with the same prep");
}
