//! Functions and partial derivatives by name: for evaluators and tests, not for generated code.

use crate::scalar::Scalar;

/// Applies a method or a rule to a slice of arguments, by arity.
macro_rules! apply {
    (value $name:ident ($a:ident) $x:ident $n:ident) => {
        $x[0].$name()
    };
    (value $name:ident ($a:ident; $i:ident) $x:ident $n:ident) => {
        $x[0].$name($n)
    };
    (value $name:ident ($a:ident, $b:ident) $x:ident $n:ident) => {
        $x[0].$name($x[1])
    };
    (value $name:ident ($a:ident, $b:ident, $c:ident) $x:ident $n:ident) => {
        $x[0].$name($x[1], $x[2])
    };
    ($d:ident $name:ident ($a:ident) $x:ident $n:ident $y:ident) => {
        $crate::rules::$name::$d($x[0], $y)
    };
    ($d:ident $name:ident ($a:ident; $i:ident) $x:ident $n:ident $y:ident) => {
        $crate::rules::$name::$d($x[0], $n, $y)
    };
    ($d:ident $name:ident ($a:ident, $b:ident) $x:ident $n:ident $y:ident) => {
        $crate::rules::$name::$d($x[0], $x[1], $y)
    };
    ($d:ident $name:ident ($a:ident, $b:ident, $c:ident) $x:ident $n:ident $y:ident) => {
        $crate::rules::$name::$d($x[0], $x[1], $x[2], $y)
    };
}

macro_rules! digit {
    (d0) => {
        0
    };
    (d1) => {
        1
    };
    (d2) => {
        2
    };
}

pub(crate) use {apply, digit};

macro_rules! methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        fn method<S: Scalar>(name: &str, x: &[S], n: i32) -> Option<S> {
            match name {
                $(stringify!($name) => Some(apply!(value $name $args x n)),)*
                _ => None,
            }
        }
    };
}

macro_rules! partials {
    ($function:ident $($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*]
        { $($d:ident $product:ident $operands:tt $body:block)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        #[allow(unused_variables, reason = "only one row has an integer")]
        fn $function<S: Scalar>(name: &str, argument: usize, x: &[S], n: i32, y: S) -> Option<S> {
            match (name, argument) {
                $($((stringify!($name), digit!($d)) => Some(apply!($d $name $args x n y)),)*)*
                _ => None,
            }
        }
    };
}

macro_rules! partials_of_methods {
    ($($rows:tt)*) => { partials! { method_partial $($rows)* } };
}

macro_rules! partials_of_operators {
    ($($rows:tt)*) => { partials! { operator_partial $($rows)* } };
}

di_elementary::elementary!(methods);
di_elementary::elementary!(partials_of_methods);
di_elementary::operators!(partials_of_operators);

fn operator<S: Scalar>(name: &str, x: &[S]) -> Option<S> {
    match name {
        "neg" => Some(-x[0]),
        "add" => Some(x[0] + x[1]),
        "sub" => Some(x[0] - x[1]),
        "mul" => Some(x[0] * x[1]),
        "div" => Some(x[0] / x[1]),
        "rem" => Some(x[0] % x[1]),
        _ => None,
    }
}

/// A method or operator of the table; `n` counts only for a method that has an integer.
/// `None` if there is no such row.
///
/// # Panics
/// If there are fewer arguments than the row has.
pub fn value<S: Scalar>(name: &str, x: &[S], n: i32) -> Option<S> {
    method(name, x, n).or_else(|| operator(name, x))
}

/// The derivative of a method or operator by one of its arguments, where its result is `y`.
/// `None` if there is no such row, or the argument is of class zero. Factors of derivatives have names as well.
///
/// # Panics
/// If there are fewer arguments than the row has.
pub fn partial<S: Scalar>(name: &str, argument: usize, x: &[S], n: i32, y: S) -> Option<S> {
    match name {
        "powi_first" => Some(super::powi_first::d0(x[0], n, y)),
        "powi_second" => Some(super::powi_second::d0(x[0], n, y)),
        "powf_first" => Some(super::powf_first::d0(x[0], x[1], y)),
        "powf_second" => Some(super::powf_second::d0(x[0], x[1], y)),
        _ => method_partial(name, argument, x, n, y)
            .or_else(|| operator_partial(name, argument, x, n, y)),
    }
}
