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

/// The other variants of an operator, in any order, and then the one that takes nothing, all with one prep.
macro_rules! in_any_order {
    ($what:expr, $first:expr, $second:expr, $third:expr; $into:expr) => {
        for k in 0..9 {
            for other in [k / 3, k % 3] {
                match other {
                    0 => drop($first.unwrap()),
                    1 => drop($second.unwrap()),
                    _ => drop($third.unwrap()),
                }
            }
            let what = ($what, "after variants", k / 3, k % 3);
            $crate::count::takes_nothing(&what, || $into);
        }
    };
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
        let mut to = j.clone();
        $crate::count::in_any_order!(
            ("jacobian", stringify!($f), &backend),
            jacobian($f, &prep, &backend, x),
            value_and_jacobian($f, &prep, &backend, x),
            value_and_jacobian_into($f, &mut to, &prep, &backend, x);
            jacobian_into($f, &mut j, &prep, &backend, x)
        );
    }};
}

/// `pushforward_into`, `pullback_into`, `derivative_into` and `second_derivative_into` of functions of a number that return
/// more, after their other variants.
macro_rules! curves {
    ($($f:expr;)*) => {$(
        for backend in $crate::count::generated() {
            $crate::count::curves!(@one $f, backend);
        }
        $crate::count::curves!(@one $f, AutoDual::new());
    )*};
    (@one $f:expr, $backend:expr) => {{
        let (f, x, backend) = ($f, &0.7, $backend);
        let what = (stringify!($f), &backend);
        let mut y = derivative(f, NoPrep, &backend, x).unwrap();
        let (mut first, mut to, yb) = (y.clone(), y.clone(), y.clone());
        let prep = prepare_derivative(f, &backend, x).unwrap();
        $crate::count::in_any_order!(
            ("derivative", what),
            derivative(f, &prep, &backend, x),
            value_and_derivative(f, &prep, &backend, x),
            value_and_derivative_into(f, &mut to, &prep, &backend, x);
            derivative_into(f, &mut y, &prep, &backend, x)
        );
        let prep = prepare_second_derivative(f, &backend, x).unwrap();
        $crate::count::in_any_order!(
            ("second_derivative", what),
            second_derivative(f, &prep, &backend, x),
            value_derivative_and_second_derivative(f, &prep, &backend, x),
            value_derivative_and_second_derivative_into(f, &mut first, &mut to, &prep, &backend, x);
            second_derivative_into(f, &mut y, &prep, &backend, x)
        );
        let prep = prepare_pushforward(f, &backend, x, &1.5).unwrap();
        $crate::count::in_any_order!(
            ("pushforward", what),
            pushforward(f, &prep, &backend, x, &1.5),
            value_and_pushforward(f, &prep, &backend, x, &1.5),
            value_and_pushforward_into(f, &mut to, &prep, &backend, x, &1.5);
            pushforward_into(f, &mut y, &prep, &backend, x, &1.5)
        );
        let prep = prepare_pullback(f, &backend, x, &yb).unwrap();
        let (mut xb, mut other) = (0.0, 0.0);
        $crate::count::in_any_order!(
            ("pullback", what),
            pullback(f, &prep, &backend, x, &yb),
            value_and_pullback(f, &prep, &backend, x, &yb),
            value_and_pullback_into(f, &mut other, &prep, &backend, x, &yb);
            pullback_into(f, &mut xb, &prep, &backend, x, &yb)
        );
    }};
}

/// `gradient_into`, `hvp_into` and `hessian_into` after their other variants.
macro_rules! variants {
    ($($f:expr, $x:expr;)*) => {$(
        for backend in $crate::count::generated() {
            $crate::count::variants!(@one $f, $x, backend);
        }
        $crate::count::variants!(@one $f, $x, AutoDual::new());
    )*};
    (@one $f:expr, $x:expr, $backend:expr) => {{
        let (f, x, backend) = ($f, $x, $backend);
        let what = (stringify!($f), &backend);
        let prep = prepare_gradient(f, &backend, x).unwrap();
        let mut g = gradient(f, &prep, &backend, x).unwrap();
        let (mut to, v) = (g.clone(), g.clone());
        $crate::count::in_any_order!(
            ("gradient", what),
            gradient(f, &prep, &backend, x),
            value_and_gradient(f, &prep, &backend, x),
            value_and_gradient_into(f, &mut to, &prep, &backend, x);
            gradient_into(f, &mut g, &prep, &backend, x)
        );
        let prep = prepare_hvp(f, &backend, x, &v).unwrap();
        let mut h = g.clone();
        $crate::count::in_any_order!(
            ("hvp", what),
            hvp(f, &prep, &backend, x, &v),
            gradient_and_hvp(f, &prep, &backend, x, &v),
            gradient_and_hvp_into(f, &mut g, &mut to, &prep, &backend, x, &v);
            hvp_into(f, &mut h, &prep, &backend, x, &v)
        );
        let prep = prepare_hessian(f, &backend, x).unwrap();
        let mut h = hessian(f, &prep, &backend, x).unwrap();
        let mut to = h.clone();
        $crate::count::in_any_order!(
            ("hessian", what),
            hessian(f, &prep, &backend, x),
            value_gradient_and_hessian(f, &prep, &backend, x),
            value_gradient_and_hessian_into(f, &mut g, &mut to, &prep, &backend, x);
            hessian_into(f, &mut h, &prep, &backend, x)
        );
    }};
}

pub(crate) use {curves, in_any_order, numbers, results, variants};
