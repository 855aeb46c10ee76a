//! Functions that another backend differentiates, inside functions that are differentiated.
//!
//! The outer engine sees a rule: its values are those of the function, its first derivatives the Jacobian that the
//! substitute computes, and its second derivatives differences of that Jacobian.

use crate::backend::Backend;
use crate::capability::Operator;
use crate::closure::{BySlice, ClosureKey, NoData, WritesSlice, closure};
use crate::error::{Error, fail};
use crate::matrix::Matrix;
use crate::operators::jacobian;
use crate::prep::NoPrep;
use crate::rules::{Rule, zero};
use crate::scalar::{Lanes, Real, Scalar};

/// A function of slices, as substitutes take it.
pub type Flat<'f, R> = &'f dyn Fn(&[R], &mut [R]);

/// Its key.
pub type FlatKey<'f, R> = ClosureKey<Flat<'f, R>, (BySlice<R>, NoData, WritesSlice)>;

/// A backend that differentiates functions of which it knows nothing but values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in for derivatives of a function that is only known on floats",
    note = "use `AutoFiniteDiff` or `AutoFiniteDifferences`"
)]
pub trait Substitute<R: Real>: for<'f> Backend<FlatKey<'f, R>, Matrix = Matrix<R>> {}

#[diagnostic::do_not_recommend]
impl<R: Real, B> Substitute<R> for B where B: for<'f> Backend<FlatKey<'f, R>, Matrix = Matrix<R>> {}

/// A function on floats and a backend for its derivatives; it can be called on any scalar.
///
/// For `#[generic]` functions. For annotated ones there is an attribute, `#[custom_rule(with =
/// AutoFiniteDiff::new())]`.
///
/// Cost of a call: in first order one Jacobian by the backend besides the value, in second order `2 n` of them. Third
/// derivatives are an error, [`Error::Unsupported`] inside [`Error::Function`].
///
/// # Examples
/// ```
/// use di::prelude::*;
/// use di::{DifferentiateWith, Scalar};
///
/// fn table(x: &[f64], y: &mut [f64]) {
///     y[0] = x[0].sin() * x[1];
/// }
///
/// #[generic]
/// fn f<S: Scalar<Real = f64>>(x: &[S]) -> S {
///     let mut y = [S::default()];
///     DifferentiateWith::new(&table, AutoFiniteDiff::new()).call(x, &mut y);
///     y[0] * y[0]
/// }
///
/// let g = gradient(f::AD, NoPrep, &AutoDual::new(), &[0.5, 3.0])?;
/// assert!((g[1] - 2.0 * 3.0 * 0.5f64.sin().powi(2)).abs() < 1e-7);
/// # Ok::<(), di::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DifferentiateWith<F, B> {
    f: F,
    backend: B,
}

impl<F, B> DifferentiateWith<F, B> {
    /// `f` must write all of its output, and must not read it.
    pub fn new(f: F, backend: B) -> Self {
        DifferentiateWith { f, backend }
    }

    /// `y = f(x)`, with derivatives by the backend.
    pub fn call<R, S>(&self, x: &[S], y: &mut [S])
    where
        R: Real,
        S: Scalar<Real = R>,
        F: Fn(&[R], &mut [R]),
        B: Substitute<R>,
    {
        let values = Values {
            f: &|x, y| (self.f)(x, y),
            backend: &self.backend,
        };
        S::call_rule(&values, [x], [y]);
    }
}

/// Order nought: the function.
pub struct Values<'f, R: Real, B> {
    /// The function.
    pub f: Flat<'f, R>,
    /// What differentiates it.
    pub backend: &'f B,
}

/// First order: the Jacobian, by rows.
struct Slopes<'f, R: Real, B> {
    f: Flat<'f, R>,
    backend: &'f B,
    m: usize,
}

/// Second order: the derivatives of the Jacobian, entry by entry.
struct Curves<'f, R: Real, B> {
    f: Flat<'f, R>,
    backend: &'f B,
    m: usize,
}

impl<R: Real, B: Substitute<R>> Slopes<'_, R, B> {
    /// The Jacobian; an error of the backend is one of the function.
    fn jacobian(&self, x: &[R]) -> Matrix<R> {
        let mut y = vec![zero::<R>(); self.m];
        let found = jacobian(closure(self.f).output(&mut y[..]), NoPrep, self.backend, x);
        found.unwrap_or_else(|error| {
            fail(Box::new(error));
            Matrix::filled((self.m, x.len()), R::NAN)
        })
    }
}

/// `dy = A dx`, with the rows of `A` one behind the other.
fn times<S: Scalar, T: Lanes<S>>(a: &[S], dx: &[T], dy: &mut [T]) {
    let n = dx.len();
    for (i, dy) in dy.iter_mut().enumerate() {
        *dy = T::zero();
        for (dx, a) in dx.iter().zip(&a[i * n..]) {
            dy.acc(dx.scale(*a));
        }
    }
}

/// `xb += A^T yb`, with the rows of `A` one behind the other.
fn transposed_times<S: Scalar, A: Lanes<S>>(a: &[S], yb: &[A], xb: &mut [A]) {
    let n = xb.len();
    for (i, yb) in yb.iter().enumerate() {
        for (xb, a) in xb.iter_mut().zip(&a[i * n..]) {
            xb.acc(yb.scale(*a));
        }
    }
}

impl<R: Real, B: Substitute<R>> Values<'_, R, B> {
    fn slopes<S: Scalar<Real = R>>(&self, x: &[S], m: usize) -> Vec<S> {
        let mut j = vec![S::default(); m * x.len()];
        let slopes = Slopes {
            f: self.f,
            backend: self.backend,
            m,
        };
        S::call_rule(&slopes, [x], [&mut j]);
        j
    }
}

impl<R: Real, B: Substitute<R>> Rule<R, 1, 1> for Values<'_, R, B> {
    fn primal(&self, [x]: [&[R]; 1], [y]: [&mut [R]; 1]) {
        (self.f)(x, y);
    }

    fn pushforward<S: Scalar<Real = R>, T: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        _: [&[S]; 1],
        [dx]: [&[T]; 1],
        [dy]: [&mut [T]; 1],
    ) {
        times(&self.slopes(x, dy.len()), dx, dy);
    }

    fn pullback<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        _: [&[S]; 1],
        [yb]: [&[A]; 1],
        [xb]: [&mut [A]; 1],
    ) {
        transposed_times(&self.slopes(x, yb.len()), yb, xb);
    }
}

impl<R: Real, B: Substitute<R>> Slopes<'_, R, B> {
    fn curves<S: Scalar<Real = R>>(&self, x: &[S]) -> Vec<S> {
        let mut h = vec![S::default(); self.m * x.len() * x.len()];
        let curves = Curves {
            f: self.f,
            backend: self.backend,
            m: self.m,
        };
        S::call_rule(&curves, [x], [&mut h]);
        h
    }
}

impl<R: Real, B: Substitute<R>> Rule<R, 1, 1> for Slopes<'_, R, B> {
    fn primal(&self, [x]: [&[R]; 1], [j]: [&mut [R]; 1]) {
        for (to, v) in j.iter_mut().zip(self.jacobian(x).iter()) {
            *to = *v;
        }
    }

    fn pushforward<S: Scalar<Real = R>, T: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        _: [&[S]; 1],
        [dx]: [&[T]; 1],
        [dj]: [&mut [T]; 1],
    ) {
        times(&self.curves(x), dx, dj);
    }

    fn pullback<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        [x]: [&[S]; 1],
        _: [&[S]; 1],
        [jb]: [&[A]; 1],
        [xb]: [&mut [A]; 1],
    ) {
        transposed_times(&self.curves(x), jb, xb);
    }
}

impl<R: Real, B: Substitute<R>> Rule<R, 1, 1> for Curves<'_, R, B> {
    /// Central differences of the Jacobian, symmetric. The step is the fourth root of the precision: the Jacobian may
    /// itself come from differences.
    fn primal(&self, [x]: [&[R]; 1], [h]: [&mut [R]; 1]) {
        let (n, mut x) = (x.len(), x.to_vec());
        let slopes = Slopes {
            f: self.f,
            backend: self.backend,
            m: self.m,
        };
        let root = R::EPSILON.to_f64().powf(0.25);
        for k in 0..n {
            let here = x[k];
            let step = R::from_f64(root * here.to_f64().abs().max(1.0));
            let (up, down) = (here + step, here - step);
            x[k] = up;
            let ahead = slopes.jacobian(&x);
            x[k] = down;
            let behind = slopes.jacobian(&x);
            x[k] = here;
            for (entry, (ahead, behind)) in ahead.iter().zip(&behind).enumerate() {
                h[entry * n + k] = (*ahead - *behind) / (up - down);
            }
        }
        for i in 0..self.m {
            for j in 0..n {
                for k in 0..j {
                    let (a, b) = ((i * n + j) * n + k, (i * n + k) * n + j);
                    let mean = (h[a] + h[b]) * R::from_f64(0.5);
                    (h[a], h[b]) = (mean, mean);
                }
            }
        }
    }

    fn pushforward<S: Scalar<Real = R>, T: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        _: [&[T]; 1],
        [dh]: [&mut [T]; 1],
    ) {
        self.refuse();
        dh.fill(T::zero());
    }

    fn pullback<S: Scalar<Real = R>, A: Lanes<S>>(
        &self,
        _: [&[S]; 1],
        _: [&[S]; 1],
        _: [&[A]; 1],
        _: [&mut [A]; 1],
    ) {
        self.refuse();
    }
}

impl<R: Real, B: Substitute<R>> Curves<'_, R, B> {
    /// Notes that there is no third order; the operator returns it.
    fn refuse(&self) {
        fail(Box::new(Error::Unsupported {
            operator: Operator::Hessian,
            backend: self.backend.name(),
            reason: "a function with a substitute has derivatives up to the second order",
        }));
    }
}
