//! Compares the derivatives of a program with differences of the program itself.

use approx::abs_diff_eq;

/// An input whose elements can be moved.
pub(crate) trait Point: Clone {
    /// The number of elements.
    fn size(&self) -> usize;
    /// The input with one element moved.
    fn moved(&self, i: usize, by: f64) -> Self;
}

impl<const N: usize> Point for [f64; N] {
    fn size(&self) -> usize {
        N
    }
    fn moved(&self, i: usize, by: f64) -> Self {
        let mut moved = *self;
        moved[i] += by;
        moved
    }
}

impl Point for Vec<f64> {
    fn size(&self) -> usize {
        self.len()
    }
    fn moved(&self, i: usize, by: f64) -> Self {
        let mut moved = self.clone();
        moved[i] += by;
        moved
    }
}

/// What a program returns, as a list.
pub(crate) trait Outcome {
    /// Its elements in order.
    fn listed(self) -> Vec<f64>;
}

impl Outcome for f64 {
    fn listed(self) -> Vec<f64> {
        vec![self]
    }
}

impl Outcome for Vec<f64> {
    fn listed(self) -> Vec<f64> {
        self
    }
}

impl<const N: usize> Outcome for [f64; N] {
    fn listed(self) -> Vec<f64> {
        self.to_vec()
    }
}

impl Outcome for di::Matrix {
    fn listed(self) -> Vec<f64> {
        self.into_vec()
    }
}

/// Lets the type of a closure's parameter be inferred.
pub(crate) fn program<P, F: Fn(&P) -> Vec<f64>>(_: &P, f: F) -> F {
    f
}

/// The columns of the Jacobian, by central differences of fourth order.
pub(crate) fn differences<P: Point>(x: &P, f: &dyn Fn(&P) -> Vec<f64>) -> Vec<Vec<f64>> {
    let h = 1e-3;
    let column = |i| {
        let at = |k: f64| f(&x.moved(i, k * h));
        let near = at(1.0).into_iter().zip(at(-1.0));
        let far = at(2.0).into_iter().zip(at(-2.0));
        let each = near.zip(far);
        each.map(|((a, b), (c, d))| (8.0 * (a - b) - (c - d)) / (12.0 * h))
            .collect()
    };
    (0..x.size()).map(column).collect()
}

/// `found` is the Jacobian by rows.
pub(crate) fn compare(name: &str, found: &[f64], columns: &[Vec<f64>]) {
    let (n, m) = (columns.len(), columns[0].len());
    assert_eq!(found.len(), n * m, "{name}: its size");
    let size = columns
        .iter()
        .flatten()
        .fold(1.0_f64, |s, v| s.max(v.abs()));
    for (j, column) in columns.iter().enumerate() {
        for (i, expected) in column.iter().enumerate() {
            let found = found[i * n + j];
            assert!(
                abs_diff_eq!(found, *expected, epsilon = 2e-6 * (size + expected.abs())),
                "{name}: output {i}, input {j}: {found}, expected {expected}"
            );
        }
    }
}

/// `scalar!(f, (constants), &x)`: gradients of both modes, and the Hessian.
macro_rules! scalar {
    ($f:ident, (), $x:expr) => { $crate::check::scalar!(@ $f, $f::AD, |q: &_| $f(q), $x) };
    ($f:ident, ($($c:expr),+ $(,)?), $x:expr) => {
        $crate::check::scalar!(@ $f, $f::AD.with($($c),+), |q: &_| $f(q, $($c),+), $x)
    };
    ($m:ident::$f:ident, $constants:tt, $x:expr) => {{
        use $m::$f;
        $crate::check::scalar!($f, $constants, $x)
    }};
    (@ $f:ident, $handle:expr, $call:expr, $x:expr) => {{
        use di::prelude::{AutoSource, NoPrep, gradient, hessian};
        use $crate::check::{Outcome as _, compare, differences, program};
        let (x, name) = ($x, stringify!($f));
        let call = $call;
        let plain = program(x, |q: &_| call(q).listed());
        let columns = differences(x, &plain);
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let found = gradient($handle, NoPrep, &backend, x).expect("a gradient");
            compare(name, &found.listed(), &columns);
        }
        let backend = AutoSource::new();
        let slope = program(x, |q: &_| {
            gradient($handle, NoPrep, &backend, q)
                .expect("a gradient")
                .listed()
        });
        let found = hessian($handle, NoPrep, &backend, x).expect("a Hessian");
        compare(name, &found.listed(), &differences(x, &slope));
    }};
}

/// `made!(handle, call, make, list, &q)`: the same of a function of structs or of several parameters: `make` builds
/// its input of a list of numbers, and `list` is the way back.
macro_rules! made {
    ($handle:expr, $call:expr, $make:expr, $list:expr, $q:expr) => {{
        use di::prelude::{AutoSource, NoPrep, gradient, hessian};
        use $crate::check::{Outcome as _, compare, differences, program};
        let (q, make, list, call) = ($q, $make, $list, $call);
        let columns = differences(q, &program(q, |q: &_| vec![call(&make(q))]));
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let found = gradient($handle, NoPrep, &backend, &make(q)).expect("a gradient");
            compare("gradient", &list(&found), &columns);
        }
        let backend = AutoSource::new();
        let slope = program(q, |q: &_| {
            list(&gradient($handle, NoPrep, &backend, &make(q)).expect("a gradient"))
        });
        let found = hessian($handle, NoPrep, &backend, &make(q)).expect("a Hessian");
        compare("Hessian", &found.listed(), &differences(q, &slope));
    }};
}

/// `vector!(f, (constants), &x)`: Jacobians of both modes.
macro_rules! vector {
    ($f:ident, (), $x:expr) => { $crate::check::vector!(@ $f, $f::AD, |q: &_| $f(q), $x) };
    ($f:ident, ($($c:expr),+ $(,)?), $x:expr) => {
        $crate::check::vector!(@ $f, $f::AD.with($($c),+), |q: &_| $f(q, $($c),+), $x)
    };
    ($m:ident::$f:ident, $constants:tt, $x:expr) => {{
        use $m::$f;
        $crate::check::vector!($f, $constants, $x)
    }};
    (@ $f:ident, $handle:expr, $call:expr, $x:expr) => {{
        use di::prelude::{AutoSource, NoPrep, jacobian};
        use $crate::check::{Outcome as _, compare, differences, program};
        let x = $x;
        let call = $call;
        let columns = differences(x, &program(x, |q: &_| call(q).listed()));
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let found = jacobian($handle, NoPrep, &backend, x).expect("a Jacobian");
            compare(stringify!($f), &found.listed(), &columns);
        }
    }};
}

/// `inplace!(f, (constants), &x, m)`: the same of a function that writes `m` outputs.
macro_rules! inplace {
    ($f:ident, (), $x:expr, $m:expr) => {
        $crate::check::inplace!(@ $f, $f::AD, |q: &_, y: &mut [f64]| $f(q, y), $x, $m)
    };
    ($f:ident, ($($c:expr),+ $(,)?), $x:expr, $m:expr) => {
        $crate::check::inplace!(@ $f, $f::AD.with($($c),+), |q: &_, y: &mut [f64]| $f(q, $($c,)+ y), $x, $m)
    };
    ($mod:ident::$f:ident, $constants:tt, $x:expr, $m:expr) => {{
        use $mod::$f;
        $crate::check::inplace!($f, $constants, $x, $m)
    }};
    (@ $f:ident, $handle:expr, $call:expr, $x:expr, $m:expr) => {{
        use di::prelude::{AutoSource, NoPrep, jacobian};
        use $crate::check::{Outcome as _, compare, differences, program};
        let (x, m) = ($x, $m);
        let call = $call;
        let written = program(x, |q: &_| {
            let mut y = vec![0.0; m];
            call(q, &mut y);
            y
        });
        let columns = differences(x, &written);
        for backend in [AutoSource::new().reverse(), AutoSource::new().forward()] {
            let mut y = vec![0.0; m];
            let found = jacobian($handle.output(&mut y), NoPrep, &backend, x).expect("a Jacobian");
            compare(stringify!($f), &found.listed(), &columns);
        }
    }};
}

pub(crate) use {inplace, made, scalar, vector};
