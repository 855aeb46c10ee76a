//! The check of the language tests: all generated forms of a function at some points, against the plain function.
//!
//! The generated forms are compared in [`crate::forms`], the operators here. Two engines alone are never the reference.

use crate::forms::check_forms;
use di_runtime::bound::{Function, Key};
use di_runtime::function::{NumberValued, Source};
use di_runtime::value::Slice;

/// A function of a slice that returns a number; made by [`crate::scalar!`].
pub struct Scalar<F, P> {
    name: &'static str,
    f: F,
    plain: P,
    step: f64,
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
        }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 unless told.
    pub fn step(self, step: f64) -> Self {
        Scalar { step, ..self }
    }

    /// Checks all generated forms, and the operators that take such a function, at each point.
    ///
    /// # Panics
    /// If a derivative is wrong: shows the form or operator, the index, and both values.
    pub fn check(self, points: &[&[f64]]) {
        let plain = |x: &[f64]| vec![(self.plain)(x)];
        for x in points {
            let name = format!("{} at {x:?}", self.name);
            check_forms(&name, self.f, &plain, x, self.step);
        }
    }
}

/// A function of a slice that writes to a slice; made by [`crate::inplace!`].
pub struct InPlace<C> {
    check: C,
    step: f64,
}

impl<C: Fn(&[f64], f64)> InPlace<C> {
    /// `check` does what there is to do at one point, with this step for differences.
    #[doc(hidden)]
    pub fn new(check: C) -> Self {
        InPlace { check, step: 0.1 }
    }

    /// The largest step that differences take: no branch may change within it. 0.1 unless told.
    pub fn step(self, step: f64) -> Self {
        InPlace { step, ..self }
    }

    /// Checks all generated forms, and `jacobian`, at each point.
    ///
    /// # Panics
    /// If a derivative is wrong: shows the form or operator, the index, and both values.
    pub fn check(self, points: &[&[f64]]) {
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
