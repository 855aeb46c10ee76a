//! Seeds and shadows as generated code uses them: a caller that passes on its own, dead ones, and
//! those that are inferred.

use di_runtime::generated::{Activity, Dead, Live, NoSlot, Seed, Shadow, no_slot};
use di_runtime::scalar::{Lanes, Scalar};

/// Tangent of `sum(x) * c`, in the shape that the compiler emits.
fn tangent<S: Scalar, T: Lanes<S>, P0: Activity, P1: Activity>(
    x: &[S],
    dx: Seed<'_, [T], P0>,
    c: S,
    dc: Seed<'_, T, P1>,
) -> (S, T) {
    let (mut s, mut ds) = (S::default(), T::zero());
    for (i, x) in x.iter().enumerate() {
        s = s + *x;
        if P0::LIVE {
            ds.acc(dx.at(i).value());
        }
    }
    let dy = ds.scale(c).add(dc.value().scale(s));
    (s * c, dy)
}

/// Adjoint of the same.
fn reverse<S: Scalar, A: Lanes<S>, P0: Activity, P1: Activity>(
    x: &[S],
    mut xb: Shadow<'_, [A], P0>,
    c: S,
    mut cb: Shadow<'_, A, P1>,
    yb: A,
) {
    for (i, x) in x.iter().enumerate() {
        xb.reborrow().at(i).acc(yb.scale(c));
        cb.acc(yb.scale(*x));
    }
}

/// A caller of both: the halves of `x`, with `c` fixed in the second.
fn caller<S: Scalar, A: Lanes<S>, P0: Activity, P1: Activity>(
    x: &[S],
    mut xb: Shadow<'_, [A], P0>,
    c: S,
    mut cb: Shadow<'_, A, P1>,
    yb: A,
) {
    let h = x.len() / 2;
    reverse(&x[..h], xb.reborrow().slice(..h), c, cb.reborrow(), yb);
    reverse(&x[h..], xb.slice(h..), c, no_slot(), yb);
}

const X: [f64; 4] = [1.0, 2.0, 3.0, 4.0];

#[test]
fn live_seeds_are_read_and_dead_ones_are_zero() {
    let dx = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [1.0, 1.0]];
    let dc = [0.0, 3.0];
    let live = tangent(
        &X,
        Seed::<_, Live>::new(&dx[..]),
        2.0,
        Seed::<_, Live>::new(&dc),
    );
    assert_eq!(live, (20.0, [4.0, 34.0]));
    let (_, dead): (f64, [f64; 2]) = tangent(&X, no_slot(), 2.0, Seed::<_, Live>::new(&dc));
    assert_eq!(dead, [0.0, 30.0]);
    // a dead parameter ignores what it is given
    let (_, dead) = tangent(
        &X,
        Seed::<_, Dead>::new(&dx[..]),
        2.0,
        Seed::<_, Live>::new(&dc),
    );
    assert_eq!(dead, [0.0, 30.0]);
}

#[test]
fn shadows_are_accumulated_through_calls() {
    let (mut xb, mut cb) = ([1.0; 4], 0.0);
    caller(
        &X,
        Shadow::<_, Live>::new(&mut xb[..]),
        2.0,
        Shadow::<_, Live>::new(&mut cb),
        1.0,
    );
    assert_eq!((xb, cb), ([3.0; 4], 3.0));
    let mut cb = 0.0;
    caller(&X, no_slot(), 2.0, Shadow::<_, Live>::new(&mut cb), 10.0);
    assert_eq!(cb, 30.0);
}

/// Lanes of a struct with two float fields.
struct Lens<A> {
    focus: A,
    planes: [[A; 2]; 3],
}

#[test]
fn parts_of_structs_and_rows() {
    let seed = Lens {
        focus: 4.0,
        planes: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    };
    let seed = Seed::<Lens<f64>, Live>::new(&seed);
    assert_eq!(seed.map(|t| &t.focus).value(), 4.0);
    let row = seed.map(|t| &t.planes[..]).at(1).as_slice();
    assert_eq!(row.get(), Some(&[3.0, 4.0][..]));
    assert_eq!(row.reborrow().slice(1..).at(0).value(), 4.0);

    let mut adjoint = Lens {
        focus: 0.0,
        planes: [[0.0; 2]; 3],
    };
    let mut shadow = Shadow::<Lens<f64>, Live>::new(&mut adjoint);
    shadow.reborrow().map(|a| &mut a.focus).acc(2.0);
    shadow
        .reborrow()
        .map(|a| &mut a.planes[..])
        .at(2)
        .as_slice()
        .at(1)
        .acc(7.0);
    if let Some(planes) = shadow.map(|a| &mut a.planes[..]).into_inner() {
        planes[0][0] = 1.0;
    }
    assert_eq!(adjoint.focus, 2.0);
    assert_eq!(adjoint.planes, [[1.0, 0.0], [0.0, 0.0], [0.0, 7.0]]);
}

#[test]
fn dead_slots_hold_nothing_and_index_nothing() {
    let mut none = Shadow::<[f64], Dead>::dead();
    assert!(none.get().is_none());
    none.reborrow().at(100).acc(1.0);
    assert_eq!(Seed::<[f64], Dead>::dead().at(100).value(), 0.0);
    <() as NoSlot>::no_slot();
}
