//! Text, conversions, casts, constants of types.

use crate::constant;
use di_runtime::backends::AutoDual;
use di_runtime::operators::{derivative, value_and_derivative};
use di_runtime::overloaded::{
    Active, array, cast, f32 as of_f32, f64 as of_f64, grid, lift, slice,
};
use di_runtime::prep::NoPrep;
use di_runtime::value::Number;
use std::cell::RefCell;
use std::num::FpCategory;

type A = Active<f64>;

const TABLE: [A; 3] = array([1.0, 2.0, 3.0]);
const GRID: [[A; 2]; 2] = grid([[1.0, 2.0], [3.0, 4.0]]);
const LIST: [A; 2] = slice(&[5.0, 6.0]);
const NONE: [A; 0] = array([]);
const SINGLE: Active<f32> = Active::constant(0.5);

#[test]
fn constants_stand_in_const_items() {
    assert_eq!(TABLE[2] + GRID[1][0] + LIST[1], constant(12.0));
    assert!(NONE.is_empty());
    assert_eq!(SINGLE, constant(0.5_f32));
    assert_eq!(A::EPSILON, constant(f64::EPSILON));
    assert_eq!(A::MAX_EXP, f64::MAX_EXP);
    assert_eq!(of_f64::consts::PI, constant(std::f64::consts::PI));
    assert_eq!(of_f32::consts::LN_2, constant(std::f32::consts::LN_2));
    assert_eq!(of_f64::INFINITY, A::INFINITY);
    let golden = of_f64::consts::GOLDEN_RATIO;
    assert_eq!(
        golden,
        (constant(1.0) + constant(5.0).sqrt()) / constant(2.0)
    );
    assert_eq!(size_of::<A>(), 16);
    assert_eq!(A::default(), constant(0.0));
}

thread_local! {
    static TEXTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn printed(x: A) -> A {
    TEXTS.set(vec![
        format!("{x}"),
        format!("{x:?}"),
        format!("{x:.3}"),
        format!("{x:>10}"),
        format!("{x:+e}"),
        format!("{x:E}"),
        format!("{:?}", Some(x)),
    ]);
    x * x
}

overloaded!(Printed: Number => Number, |x, y| *y = printed(x));

#[test]
fn numbers_are_printed_as_floats() {
    for x in [1.5, 2.0, -1e30, 0.1] {
        assert_eq!(
            derivative(Printed, NoPrep, &AutoDual::new(), &x).unwrap(),
            2.0 * x
        );
        let expected = [
            format!("{x}"),
            format!("{x:?}"),
            format!("{x:.3}"),
            format!("{x:>10}"),
            format!("{x:+e}"),
            format!("{x:E}"),
            format!("{:?}", Some(x)),
        ];
        assert_eq!(TEXTS.take(), expected);
        printed(constant(x));
        assert_eq!(TEXTS.take(), expected);
    }
}

#[test]
fn text_and_numbers_are_read() {
    assert_eq!("2.5".parse::<A>().unwrap(), constant(2.5));
    assert_eq!(
        "x".parse::<A>().unwrap_err(),
        "x".parse::<f64>().unwrap_err()
    );
    assert_eq!(A::from(3), constant(3.0));
    assert_eq!(A::from(true), constant(1.0));
    assert_eq!(A::from(0.5_f32), constant(0.5));
    assert_eq!(Active::<f32>::from(7_u16), constant(7.0_f32));
    let into: A = 2.5.into();
    assert_eq!(into, A::from(2.5));
}

#[derive(Clone, Copy)]
enum Kind {
    First = 3,
    Second = -1,
}
di_runtime::castable!(Kind);

#[test]
fn casts_are_those_of_as() {
    assert_eq!(lift::<f64, _>(3), constant(3.0));
    assert_eq!(lift::<f64, _>(0.1_f32), constant(0.1_f32 as f64));
    assert_eq!(lift::<f32, _>(0.1_f64), constant(0.1_f64 as f32));
    assert_eq!(lift::<f64, _>(u64::MAX), constant(u64::MAX as f64));
    assert_eq!(lift::<f64, _>(constant(2.0)), constant(2.0));
    assert_eq!(cast::<u8, _>(300), 300_i32 as u8);
    assert_eq!(cast::<i64, _>(-1.7_f64), -1);
    assert_eq!(cast::<u32, _>('a'), 97);
    assert_eq!(cast::<char, _>(97_u8), 'a');
    assert_eq!(cast::<usize, _>(true), 1);
    assert_eq!(cast::<i32, _>(Kind::Second), -1);
    assert_eq!(cast::<u8, _>(Kind::Second), Kind::Second as u8);
    assert_eq!(cast::<usize, _>(Kind::First), 3);
    for x in [-1.7, 1.7, 300.5, 1e300, f64::NAN, -0.0] {
        assert_eq!(cast::<u8, _>(constant(x)), x as u8);
        assert_eq!(cast::<i128, _>(constant(x)), x as i128);
        assert_eq!(cast::<i32, _>(constant(x as f32)), x as f32 as i32);
    }
}

/// Linear between the entries of a table.
fn looked_up(x: A) -> A {
    let k: usize = cast(x.floor());
    let k = k.min(TABLE.len() - 2);
    let t = x - lift(k);
    TABLE[k] * (constant(1.0) - t) + TABLE[k + 1] * TABLE[k + 1] * t
}

overloaded!(LookedUp: Number => Number, |x, y| *y = looked_up(x));

#[test]
fn active_numbers_are_cast_to_integers() {
    let found = value_and_derivative(LookedUp, NoPrep, &AutoDual::new(), &1.5).unwrap();
    assert_eq!(found, (5.5, 7.0));
    let found = value_and_derivative(LookedUp, NoPrep, &AutoDual::new(), &0.5).unwrap();
    assert_eq!(found, (2.5, 3.0));
}

#[test]
fn categories_are_those_of_floats() {
    let all = [
        0.0,
        -0.0,
        1.0,
        -2.0,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        -f64::MIN_POSITIVE,
        f64::MIN_POSITIVE / 2.0,
        -5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
    ];
    for x in all {
        let a = constant(x);
        assert_eq!(a.is_nan(), x.is_nan(), "{x}");
        assert_eq!(a.is_finite(), x.is_finite(), "{x}");
        assert_eq!(a.is_infinite(), x.is_infinite(), "{x}");
        assert_eq!(a.is_normal(), x.is_normal(), "{x}");
        assert_eq!(a.is_subnormal(), x.is_subnormal(), "{x}");
        assert_eq!(a.is_sign_negative(), x.is_sign_negative(), "{x}");
        assert_eq!(a.is_sign_positive(), x.is_sign_positive(), "{x}");
        assert_eq!(a.classify(), x.classify(), "{x}");
        for y in all {
            let b = constant(y);
            assert_eq!(a.total_cmp(&b), x.total_cmp(&y), "{x} {y}");
            assert_eq!(a.partial_cmp(&b), x.partial_cmp(&y), "{x} {y}");
            assert_eq!(
                (a < b, a <= b, a > b, a >= b),
                (x < y, x <= y, x > y, x >= y),
                "{x} {y}"
            );
            assert_eq!((a == b, a != b), (x == y, x != y), "{x} {y}");
        }
    }
    assert_eq!(
        Active::constant(1e-40_f32).classify(),
        FpCategory::Subnormal
    );
}
