//! Passive values in the place of generic parameters: inferred, and borrowed where nothing changes.

use di_runtime::generated::{Pool, lift, lift_ref};
use di_runtime::scalar::{Dual, Scalar};

type D = Dual<f64, 2>;

/// A callee with an active scalar, an active slice, a constant float and a constant integer.
fn callee<S: Scalar<Real = f64>>(x: S, w: &[S], p: f64, n: usize) -> S {
    w.iter().fold(x, |s, w| s + *w).mul_real(p).powi(n as i32)
}

#[test]
fn arguments_become_what_the_parameter_wants() {
    let (c, w, p, n) = (2.0, vec![1.0, 4.0], 0.5, 2_usize);
    let y: f64 = callee(
        lift(c),
        lift_ref(&w[..], &mut Default::default(), &mut Pool::new()),
        lift(p),
        lift(n),
    );
    assert_eq!(y, 12.25);
    let x = D::variable(2.0, 1);
    let y = callee(
        x,
        lift_ref(&w[..], &mut Default::default(), &mut Pool::new()),
        lift(p),
        lift(n),
    );
    assert_eq!((y.value, y.tangents), (12.25, [0.0, 3.5]));
}

fn rows<S: Scalar<Real = f64>>(x: &[[S; 2]], y: &[S; 3], z: &[[S; 2]; 2]) -> S {
    x[1][0] + y[2] + z[1][1]
}

#[test]
fn floats_are_borrowed() {
    let (v, a, rows_of_two, matrix) = (vec![1.0, 2.0], [1.0; 3], vec![[1.0; 2]; 3], [[2.0; 2]; 2]);
    let mut unused = Vec::new();
    let slice: &[f64] = lift_ref(&v[..], &mut unused, &mut Pool::new());
    assert!(std::ptr::eq(slice, &v[..]));
    let mut none = None;
    let array: &[f64; 3] = lift_ref(&a, &mut none, &mut Pool::new());
    assert!(std::ptr::eq(array, &a));
    let mut store = Vec::new();
    let nested: &[[f64; 2]] = lift_ref(&rows_of_two[..], &mut store, &mut Pool::new());
    assert!(std::ptr::eq(nested, &rows_of_two[..]));
    assert_eq!(
        rows::<f64>(
            nested,
            array,
            lift_ref(&matrix, &mut None, &mut Pool::new())
        ),
        4.0
    );
    let y: D = rows(
        lift_ref(&rows_of_two[..], &mut Default::default(), &mut Pool::new()),
        lift_ref(&a, &mut Default::default(), &mut Pool::new()),
        lift_ref(&matrix, &mut Default::default(), &mut Pool::new()),
    );
    assert_eq!((y.value, y.tangents), (4.0, [0.0; 2]));
}

#[test]
fn containers_are_lifted_by_value() {
    let place = vec![1.0, 2.0];
    let before = place.as_ptr();
    let same: Vec<f64> = lift(place);
    assert_eq!(same.as_ptr(), before);
    let lifted: Vec<D> = lift(same);
    assert_eq!(lifted[1].value, 2.0);
    let array: [D; 2] = lift([3.0, 4.0]);
    let matrix: [[D; 1]; 2] = lift([[5.0], [6.0]]);
    assert_eq!((array[1].value, matrix[1][0].value), (4.0, 6.0));
    let single: Dual<f32, 1> = lift(2.0_f32);
    assert_eq!(single.value, 2.0);
    let (flag, letter): (bool, char) = (lift(true), lift('a'));
    assert!(flag && letter == 'a');
}
