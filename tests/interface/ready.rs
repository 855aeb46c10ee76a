//! A bound prep has every variant of its operator, and each does what the function of that name does.

use std::collections::BTreeSet;

use di::prelude::*;
use di::sparse::AutoSparse;
use di::{AutoTaylor, Error};

const PAGE: &str = include_str!("../../docs/operators.md");
const FUNCTIONS: &str = include_str!("../../di-runtime/src/operators/mod.rs");

/// What is called without a prep, and second names.
const WITHOUT: [&str; 9] = [
    "at_points",
    "check_gradient",
    "check_gradient_of",
    "evaluate",
    "jvp",
    "linearize",
    "prepare_gradient_with_aux",
    "prepare_team",
    "vjp",
];

#[differentiable]
fn bowl(x: &[f64]) -> f64 {
    x[0] * x[0] * x[1] + x[1].sin()
}

#[differentiable]
fn curve(t: f64) -> (f64, f64) {
    (t * t * t, (2.0 * t).sin())
}

#[differentiable]
fn polar(x: &[f64]) -> [f64; 2] {
    [x[0] * x[1].cos(), x[0] * x[1].sin()]
}

#[differentiable]
fn fit(x: &[f64]) -> (f64, f64) {
    (x[0] * x[1], x[1])
}

#[test]
fn every_variant_is_a_method() -> Result<(), Error> {
    let mut names = BTreeSet::new();
    let (source, x, t) = (AutoSource::new(), [3.0, 2.0], 0.7);
    let v = [1.0, -0.5];
    // name, what is written, orders, arguments: the method does what the function does
    macro_rules! same {
        ($f:ident, $ready:ident, $backend:expr; $($name:ident [$($result:expr),*] ($($order:expr),*) ($($arg:expr),*);)*) => {$(
            names.insert(stringify!($name));
            same!(@one $f, $ready, $backend; $name [$($result),*] ($($order),*) ($($arg),*));
        )*};
        (@one $f:ident, $ready:ident, $backend:expr; $name:ident [] ($($order:expr),*) ($($arg:expr),*)) => {
            let method = $ready.$name($($order,)* $($arg),*)?;
            let function = $name($f::AD, $($order,)* $ready.prep(), &$backend, $($arg),*)?;
            assert_eq!(method, function, stringify!($name));
        };
        (@one $f:ident, $ready:ident, $backend:expr; $name:ident [$a:expr] ($($order:expr),*) ($($arg:expr),*)) => {
            let (mut a, mut b) = ($a, $a);
            let method = $ready.$name($($order,)* &mut a, $($arg),*)?;
            let function = $name($f::AD, $($order,)* &mut b, $ready.prep(), &$backend, $($arg),*)?;
            assert_eq!((method, a), (function, b), stringify!($name));
        };
        (@one $f:ident, $ready:ident, $backend:expr; $name:ident [$a:expr, $c:expr] () ($($arg:expr),*)) => {
            let ((mut a, mut c), (mut b, mut d)) = (($a, $c), ($a, $c));
            let method = $ready.$name(&mut a, &mut c, $($arg),*)?;
            let function = $name($f::AD, &mut b, &mut d, $ready.prep(), &$backend, $($arg),*)?;
            assert_eq!((method, a, c), (function, b, d), stringify!($name));
        };
    }
    let (two, square) = ([0.0; 2], di::Matrix::<f64>::zeros((2, 2)));

    let ready = prepare_gradient(bowl::AD, &source, &x)?.bind(bowl::AD);
    same!(bowl, ready, source;
        gradient [] () (&x);
        gradient_into [two] () (&x);
        value_and_gradient [] () (&x);
        value_and_gradient_into [two] () (&x);
    );
    let ready = prepare_hessian_diagonal(bowl::AD, &source, &x)?.bind(bowl::AD);
    same!(bowl, ready, source;
        hessian_diagonal [] () (&x);
        hessian_diagonal_into [two] () (&x);
        value_gradient_and_hessian_diagonal [] () (&x);
        laplacian [] () (&x);
    );
    let ready = prepare_hessian(bowl::AD, &source, &x)?.bind(bowl::AD);
    same!(bowl, ready, source;
        hessian [] () (&x);
        hessian_into [square.clone()] () (&x);
        value_gradient_and_hessian [] () (&x);
        value_gradient_and_hessian_into [two, square.clone()] () (&x);
    );
    let ready = prepare_hvp(bowl::AD, &source, &x, &v)?.bind(bowl::AD);
    same!(bowl, ready, source;
        hvp [] () (&x, &v);
        hvp_into [two] () (&x, &v);
        gradient_and_hvp [] () (&x, &v);
        gradient_and_hvp_into [two, two] () (&x, &v);
        value_gradient_and_hvp [] () (&x, &v);
        value_gradient_and_hvp_into [two, two] () (&x, &v);
    );
    let ready = prepare_jacobian(polar::AD, &source, &x)?.bind(polar::AD);
    same!(polar, ready, source;
        jacobian [] () (&x);
        jacobian_into [square.clone()] () (&x);
        value_and_jacobian [] () (&x);
        value_and_jacobian_into [square.clone()] () (&x);
    );
    let ready = prepare_pushforward(polar::AD, &source, &x, &v)?.bind(polar::AD);
    same!(polar, ready, source;
        pushforward [] () (&x, &v);
        pushforward_into [two] () (&x, &v);
        value_and_pushforward [] () (&x, &v);
        value_and_pushforward_into [two] () (&x, &v);
    );
    let ready = prepare_pullback(polar::AD, &source, &x, &v)?.bind(polar::AD);
    same!(polar, ready, source;
        pullback [] () (&x, &v);
        pullback_into [two] () (&x, &v);
        value_and_pullback [] () (&x, &v);
        value_and_pullback_into [two] () (&x, &v);
    );
    let ready = prepare_derivative(curve::AD, &source, &t)?.bind(curve::AD);
    same!(curve, ready, source;
        derivative [] () (&t);
        derivative_into [(0.0, 0.0)] () (&t);
        value_and_derivative [] () (&t);
        value_and_derivative_into [(0.0, 0.0)] () (&t);
    );
    let ready = prepare_second_derivative(curve::AD, &source, &t)?.bind(curve::AD);
    same!(curve, ready, source;
        second_derivative [] () (&t);
        second_derivative_into [(0.0, 0.0)] () (&t);
        value_derivative_and_second_derivative [] () (&t);
        value_derivative_and_second_derivative_into [(0.0, 0.0), (0.0, 0.0)] () (&t);
    );
    let ready = prepare_gradient_with_aux(fit::AD, &source, &x)?.bind(fit::AD);
    same!(fit, ready, source; value_and_gradient_with_aux [] () (&x););

    let series = AutoTaylor::new();
    let ready = prepare_nth_derivative(curve::AD, 3, &series, &t)?.bind(curve::AD);
    same!(curve, ready, series;
        nth_derivative [] (3) (&t);
        nth_derivative_into [(0.0, 0.0)] (3) (&t);
        taylor_coefficients [] (3) (&t, &1.0);
        taylor_coefficients_into [[(0.0, 0.0); 4]] () (&t, &1.0);
    );
    let sparse = AutoSparse::new(source);
    let ready = prepare_jacobian(polar::AD, &sparse, &x)?.bind(polar::AD);
    same!(polar, ready, sparse; jacobian_values_into [[0.0; 4]] () (&x););
    let ready = prepare_hessian(bowl::AD, &sparse, &x)?.bind(bowl::AD);
    same!(bowl, ready, sparse; hessian_values_into [[0.0; 4]] () (&x););

    // what the page promises, and what functions there are
    let mut page: BTreeSet<&str> = BTreeSet::new();
    for line in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').collect();
        // the result stands between the operator and its variants
        let named = [cells.get(1), cells.get(4)];
        for cell in named.into_iter().flatten() {
            page.extend(cell.split('`').skip(1).step_by(2));
        }
    }
    let without: BTreeSet<&str> = WITHOUT.into();
    let promised: BTreeSet<&str> = page.difference(&without).copied().collect();
    assert_eq!(promised, names, "docs/operators.md");
    let exported = FUNCTIONS.split("pub use ").skip(1).flat_map(|list| {
        let list = list.split(';').next().unwrap_or_default();
        list.split(|c: char| !c.is_alphanumeric() && c != '_')
    });
    // modules are named before `::`, types by capitals
    let modules = [
        "check", "diagonal", "named", "points", "ready", "taylor", "team", "values", "with_aux",
        "as",
    ];
    let functions: BTreeSet<&str> = exported
        .filter(|name| name.starts_with(|c: char| c.is_lowercase()))
        .filter(|name| !name.starts_with("prepare_") && !modules.contains(name))
        .filter(|name| !without.contains(name))
        .collect();
    assert_eq!(functions, names, "operators");
    Ok(())
}
