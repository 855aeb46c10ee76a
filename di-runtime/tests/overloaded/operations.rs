//! Every operation, against floats and against dual numbers without a machine between.

use crate::constant;
use di_runtime::overloaded::{Active, run};
use di_runtime::scalar::{Dual, Scalar};
use di_runtime::value::{Number, Slice};
use std::cell::Cell;

type A = Active<f64>;
type D = Dual<f64, 1>;

/// An operation: name, number of arguments, on active numbers, on dual numbers, on floats.
struct Operation(
    &'static str,
    usize,
    fn(&[A]) -> A,
    fn(&[D]) -> D,
    fn(&[f64]) -> f64,
);

const EXPONENT: i32 = 3;

macro_rules! rows {
    ($($name:ident ($x:ident $(, $b:ident)* $(; $n:ident)?) $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        #[allow(deprecated, reason = "abs_sub")]
        fn rows() -> Vec<Operation> {
            vec![$({
                const COUNT: usize = [stringify!($x) $(, stringify!($b))*].len();
                Operation(
                    stringify!($name),
                    COUNT,
                    |x| match x[..COUNT] {
                        [$x $(, $b)*] => { $(let $n = EXPONENT;)? $x.$name($($b),* $($n)?) }
                        _ => unreachable!(),
                    },
                    |x| match x[..COUNT] {
                        [$x $(, $b)*] => { $(let $n = EXPONENT;)? $x.$name($($b),* $($n)?) }
                        _ => unreachable!(),
                    },
                    |x| match x[..COUNT] {
                        [$x $(, $b)*] => { $(let $n = EXPONENT;)? $x.$name($($b),* $($n)?) }
                        _ => unreachable!(),
                    },
                )
            }),*]
        }
    };
}
di_elementary::elementary!(rows);

macro_rules! expressions {
    ($($name:literal $count:literal |$x:ident| $y:expr;)*) => {
        vec![$(Operation($name, $count, |$x| $y, |$x| $y, |$x| $y)),*]
    };
}

fn operators() -> Vec<Operation> {
    let mut all = expressions! {
        "neg" 1 |x| -x[0];
        "add" 2 |x| x[0] + x[1];
        "sub" 2 |x| x[0] - x[1];
        "mul" 2 |x| x[0] * x[1];
        "div" 2 |x| x[0] / x[1];
        "rem" 2 |x| x[0] % x[1];
        "sin_cos.0" 1 |x| x[0].sin_cos().0;
        "sin_cos.1" 1 |x| x[0].sin_cos().1;
        "copy" 1 |x| x[0];
    };
    /// The same with references, and with assignment.
    macro_rules! more {
        ($($name:literal $op:tt $assign:tt;)*) => {$(
            all.push(Operation($name, 2, |x| &x[0] $op &x[1], |x| x[0] $op x[1], |x| x[0] $op x[1]));
            all.push(Operation($name, 2, |x| &x[0] $op x[1], |x| x[0] $op x[1], |x| x[0] $op x[1]));
            all.push(Operation($name, 2, |x| x[0] $op &x[1], |x| x[0] $op x[1], |x| x[0] $op x[1]));
            all.push(Operation(
                $name,
                3,
                |x| {
                    let mut y = x[0];
                    y $assign x[1];
                    y $assign &x[2];
                    y
                },
                |x| x[0] $op x[1] $op x[2],
                |x| x[0] $op x[1] $op x[2],
            ));
        )*};
    }
    more! { "+" + +=; "-" - -=; "*" * *=; "/" / /=; "%" % %=; }
    all.push(Operation("-&", 1, |x| -&x[0], |x| -x[0], |x| -x[0]));
    let sum: fn(&[A]) -> A = |x| x.iter().sum::<A>() + x.iter().copied().sum::<A>();
    all.push(Operation(
        "sum",
        3,
        sum,
        |x| x[0] + x[1] + x[2] + (x[0] + x[1] + x[2]),
        |x| x.iter().sum::<f64>() * 2.0,
    ));
    let product: fn(&[A]) -> A = |x| x.iter().product::<A>() + x.iter().copied().product::<A>();
    all.push(Operation(
        "product",
        3,
        product,
        |x| x[0] * x[1] * x[2] + x[0] * x[1] * x[2],
        |x| x.iter().product::<f64>() * 2.0,
    ));
    all
}

thread_local! {
    static OPERATION: Cell<fn(&[A]) -> A> = const { Cell::new(|x| x[0]) };
    static CONSTANTS: Cell<[Option<f64>; 3]> = const { Cell::new([None; 3]) };
}

/// With some arguments in the place of inputs.
fn chosen(x: &[A]) -> A {
    let mut x = x.to_vec();
    for (x, c) in x.iter_mut().zip(CONSTANTS.get()) {
        *x = c.map_or(*x, constant);
    }
    OPERATION.get()(&x)
}

overloaded!(Chosen: Slice => Number, |x, y| *y = chosen(x));

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-15 * a.abs()
}

#[test]
fn operations_are_those_of_floats_and_of_engines() {
    let points = [
        [0.3, 0.7, 1.9],
        [1.3, 2.1, 3.7],
        [-2.5, -0.4, 0.5],
        [0.0, -0.0, 1.0],
    ];
    let operations: Vec<_> = rows().into_iter().chain(operators()).collect();
    assert!(operations.len() > 70);
    for Operation(name, count, active, dual, float) in operations {
        OPERATION.set(active);
        for point in points {
            let point = &point[..count];
            let value = float(point);
            for mask in 0..1 << count {
                let is_constant = |k: usize| mask >> k & 1 == 1;
                let mut constants = [None; 3];
                let mut x = vec![D::default(); count];
                for k in 0..count {
                    constants[k] = is_constant(k).then_some(point[k]);
                    let seed = if is_constant(k) { 0.0 } else { 0.7 + k as f64 };
                    x[k] = Dual {
                        value: point[k],
                        tangents: [seed],
                    };
                }
                CONSTANTS.set(constants);
                let mut y = D::default();
                run::<Chosen, D>((), &x, &mut y);
                let expected = dual(&x);
                let what = format!("{name} at {point:?}, constants {mask:b}");
                assert!(same(value, y.value), "{what}: {} for {value}", y.value);
                // where an operand does not vary, engines need not look at its pole
                if mask == 0 || expected.tangents[0].is_finite() {
                    assert!(
                        same(expected.tangents[0], y.tangents[0]),
                        "{what}: {y:?} for {expected:?}"
                    );
                }
                let mut plain = 0.0;
                run::<Chosen, f64>((), point, &mut plain);
                assert!(same(value, plain), "{what}: {plain} for {value}");
            }
        }
    }
}

#[test]
fn constants_alone_need_no_machine() {
    for Operation(name, count, active, _, float) in rows().into_iter().chain(operators()) {
        let point = &[1.3, 2.1, 3.7][..count];
        let x: Vec<A> = point.iter().map(|x| constant(*x)).collect();
        let (y, expected) = (active(&x), float(point));
        let is_same = y == constant(expected) || y.is_nan() && expected.is_nan();
        assert!(is_same, "{name}: {y} for {expected}");
    }
}

#[test]
fn sums_of_nothing_are_those_of_floats() {
    let none: [A; 0] = [];
    let sum: A = none.iter().sum();
    assert_eq!(
        sum.is_sign_negative(),
        [0.0_f64; 0].iter().sum::<f64>().is_sign_negative()
    );
    assert_eq!(none.into_iter().product::<A>(), constant(1.0));
}

#[test]
#[should_panic(expected = "min > max")]
fn clamp_panics_as_in_std() {
    let _ = constant(0.0).clamp(constant(1.0), constant(0.0));
}
