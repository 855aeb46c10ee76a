//! Prepared calls into buffers, counted from the first on.

use di::prelude::*;
use di_test::allocations::count;
use std::fmt::Debug;

/// `n` calls take nothing.
pub(crate) fn takes_nothing(what: &dyn Debug, mut call: impl FnMut() -> Result<(), di::Error>) {
    for k in 0..3 {
        let (result, times) = count(&mut call);
        result.unwrap();
        assert_eq!(times, 0, "{what:?}, call {k}");
    }
}

/// The engines whose calls take nothing.
pub(crate) fn generated() -> [AutoSource; 3] {
    let both = AutoSource::new();
    [both, both.forward(), both.reverse()]
}

/// `gradient_into`, `hvp_into` and `hessian_into` of a function that returns a number, by all engines.
macro_rules! numbers {
    ($($f:expr, $x:expr;)*) => {$(
        for backend in $crate::count::generated() {
            $crate::count::numbers!(@one $f, $x, backend);
        }
        $crate::count::numbers!(@one $f, $x, AutoDual::new());
        $crate::count::numbers!(@one $f, $x, AutoDual::new().chunk(1));
    )*};
    (@one $f:expr, $x:expr, $backend:expr) => {{
        let (f, x, backend) = ($f, $x, $backend);
        let what = (stringify!($f), &backend);
        let prep = prepare_gradient(f, &backend, x).unwrap();
        // tangents and results are of the container of `x`
        let mut g = gradient(f, &prep, &backend, x).unwrap();
        let v = g.clone();
        let prep = prepare_gradient(f, &backend, x).unwrap();
        $crate::count::takes_nothing(&("gradient_into", what), || gradient_into(f, &mut g, &prep, &backend, x));
        let prep = prepare_hvp(f, &backend, x, &v).unwrap();
        $crate::count::takes_nothing(&("hvp_into", what), || hvp_into(f, &mut g, &prep, &backend, x, &v));
        let prep = prepare_hvp(f, &backend, x, &v).unwrap();
        let mut h = g.clone();
        $crate::count::takes_nothing(&("gradient_and_hvp_into", what), || {
            gradient_and_hvp_into(f, &mut g, &mut h, &prep, &backend, x, &v)
        });
        let prep = prepare_hessian(f, &backend, x).unwrap();
        let mut h = hessian(f, &prep, &backend, x).unwrap();
        let prep = prepare_hessian(f, &backend, x).unwrap();
        $crate::count::takes_nothing(&("hessian_into", what), || hessian_into(f, &mut h, &prep, &backend, x));
    }};
}

/// `jacobian_into` of a function of more results, by all engines.
macro_rules! results {
    ($($f:expr, $x:expr;)*) => {$(
        for backend in $crate::count::generated() {
            $crate::count::results!(@one $f, $x, backend);
        }
        $crate::count::results!(@one $f, $x, AutoDual::new());
        $crate::count::results!(@one $f, $x, AutoDual::new().chunk(1));
    )*};
    (@one $f:expr, $x:expr, $backend:expr) => {{
        let (x, backend) = ($x, $backend);
        let prep = prepare_jacobian($f, &backend, x).unwrap();
        let mut j = jacobian($f, &prep, &backend, x).unwrap();
        let prep = prepare_jacobian($f, &backend, x).unwrap();
        $crate::count::takes_nothing(&("jacobian_into", stringify!($f), &backend), || {
            jacobian_into($f, &mut j, &prep, &backend, x)
        });
    }};
}

pub(crate) use {numbers, results};
