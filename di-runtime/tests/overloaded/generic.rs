//! Functions that are generic over the traits of `num-traits`.

use crate::constant;
use di_runtime::backends::AutoDual;
use di_runtime::operators::{derivative, gradient};
use di_runtime::overloaded::Active;
use di_runtime::prep::NoPrep;
use di_runtime::value::{Number, Slice};
use ndarray::{Array1, array};
use num_traits::{AsPrimitive, Float, FloatConst, FromPrimitive, NumCast, Signed, ToPrimitive};

type A = Active<f64>;

fn wave<T: Float + FloatConst + FromPrimitive>(x: T) -> T {
    let two = T::from_i32(2).unwrap();
    (T::TAU() * x).sin().powi(2) + x.max(T::zero()) * two.sqrt() + T::from(0.5).unwrap()
}

overloaded!(Wave: Number => Number, |x, y| *y = wave(x));

#[test]
fn generic_functions_take_active_numbers() {
    let x = 0.3;
    let expected = {
        let angle = std::f64::consts::TAU * x;
        2.0 * angle.sin() * angle.cos() * std::f64::consts::TAU + 2.0_f64.sqrt()
    };
    let found = derivative(Wave, NoPrep, &AutoDual::new(), &x).unwrap();
    assert!((found - expected).abs() < 1e-14);
}

overloaded!(Casts: Number => Number, |x, y| *y = <A as NumCast>::from(x).unwrap() * x);
overloaded!(Lost: Number => Number, |x, y| *y = x + constant(x.to_f64().unwrap_or(0.0)));
overloaded!(Changed: Number => Number, |x, y| *y = <A as NumCast>::from(Thousand(x)).unwrap());

/// Gives another float than its own.
struct Thousand(A);

impl ToPrimitive for Thousand {
    fn to_i64(&self) -> Option<i64> {
        None
    }
    fn to_u64(&self) -> Option<u64> {
        None
    }
    fn to_f64(&self) -> Option<f64> {
        self.0.to_f64().map(|v| 1000.0 * v)
    }
}

#[test]
fn floats_are_not_made_of_active_numbers() {
    let b = AutoDual::new();
    assert_eq!(derivative(Casts, NoPrep, &b, &1.5).unwrap(), 3.0);
    let lost = || derivative(Lost, NoPrep, &b, &1.5);
    assert!(std::panic::catch_unwind(lost).is_err());
    let changed = || derivative(Changed, NoPrep, &b, &1.5);
    assert!(std::panic::catch_unwind(changed).is_err());
}

#[test]
fn floats_are_made_of_constants() {
    let x: A = constant(2.7);
    assert_eq!((x.to_f64(), x.to_f32()), (Some(2.7), Some(2.7)));
    assert_eq!(<f64 as NumCast>::from(x), Some(2.7));
    assert_eq!(<A as NumCast>::from(x), Some(x));
    assert_eq!((x.to_i32(), (-x).to_u8()), (Some(2), None));
    assert_eq!(AsPrimitive::<usize>::as_(x), 2);
    assert_eq!(AsPrimitive::<A>::as_(3_usize), constant(3.0));
    assert_eq!(Float::integer_decode(x), Float::integer_decode(2.7));
    assert!(Signed::is_positive(&x));
}

overloaded!(Arrays: Slice => Number, |x, y| {
    let x = Array1::from_vec(x.to_vec());
    let m = array![[constant(1.0), constant(2.0)], [constant(3.0), constant(4.0)]];
    *y = (m.dot(&x) * x[0] + constant(1.0)).sum();
});

#[test]
fn arrays_hold_active_numbers() {
    let found = gradient(Arrays, NoPrep, &AutoDual::new(), &[1.0, 2.0]).unwrap();
    assert_eq!(found, [20.0, 6.0]);
}
