//! Operations on many numbers of one vector, in loops that the compiler vectorises.

use crate::scalar::Scalar;

/// Where an operand begins, and whether it moves: places side by side before the results, or one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) base: usize,
    pub(super) moves: bool,
}

/// How many numbers go together. What is computed of them is written when all of them are read: so nobody has to find
/// out whether the one changes the other.
const BLOCK: usize = 4;

/// Are numbers small enough for blocks?
const fn in_blocks<T>() -> bool {
    size_of::<T>() <= size_of::<f64>()
}

/// Results of one operand each.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_one<S: Copy>(y: &mut [S], a: &[S], f: impl Fn(S) -> S) {
    if !in_blocks::<S>() {
        y.iter_mut().zip(a).for_each(|(y, a)| *y = f(*a));
        return;
    }
    let (blocks, rest) = y.as_chunks_mut::<BLOCK>();
    let (a, a_rest) = a.as_chunks::<BLOCK>();
    for (y, a) in blocks.iter_mut().zip(a) {
        *y = std::array::from_fn(|k| f(a[k]));
    }
    for (y, a) in rest.iter_mut().zip(a_rest) {
        *y = f(*a);
    }
}

/// Results of two operands each.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_two<S: Copy, T: Copy>(y: &mut [S], a: &[S], b: &[T], f: impl Fn(S, T) -> S) {
    if !in_blocks::<S>() {
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            *y = f(*a, *b);
        }
        return;
    }
    let (blocks, rest) = y.as_chunks_mut::<BLOCK>();
    let (a, a_rest) = a.as_chunks::<BLOCK>();
    let (b, b_rest) = b.as_chunks::<BLOCK>();
    for ((y, a), b) in blocks.iter_mut().zip(a).zip(b) {
        *y = std::array::from_fn(|k| f(a[k], b[k]));
    }
    for ((y, a), b) in rest.iter_mut().zip(a_rest).zip(b_rest) {
        *y = f(*a, *b);
    }
}

/// Results of three operands each.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_three<S: Copy>(y: &mut [S], a: &[S], b: &[S], c: &[S], f: impl Fn(S, S, S) -> S) {
    if !in_blocks::<S>() {
        for (((y, a), b), c) in y.iter_mut().zip(a).zip(b).zip(c) {
            *y = f(*a, *b, *c);
        }
        return;
    }
    let (blocks, rest) = y.as_chunks_mut::<BLOCK>();
    let (a, a_rest) = a.as_chunks::<BLOCK>();
    let (b, b_rest) = b.as_chunks::<BLOCK>();
    let (c, c_rest) = c.as_chunks::<BLOCK>();
    for (((y, a), b), c) in blocks.iter_mut().zip(a).zip(b).zip(c) {
        *y = std::array::from_fn(|k| f(a[k], b[k], c[k]));
    }
    for (((y, a), b), c) in rest.iter_mut().zip(a_rest).zip(b_rest).zip(c_rest) {
        *y = f(*a, *b, *c);
    }
}

/// Results from `y` on. Says no, and does nothing, if the operand does not move.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn unary<S: Scalar>(
    v: &mut [S],
    y: usize,
    count: usize,
    a: Cut,
    f: impl Fn(S) -> S,
) -> bool {
    let (x, y) = v.split_at_mut(y);
    if a.moves {
        of_one(&mut y[..count], &x[a.base..][..count], f);
    }
    a.moves
}

/// The same of two operands. Says no if neither moves.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn binary<S: Scalar>(
    v: &mut [S],
    y: usize,
    count: usize,
    a: Cut,
    b: Cut,
    f: impl Fn(S, S) -> S,
) -> bool {
    let (x, y) = v.split_at_mut(y);
    let y = &mut y[..count];
    match (a.moves, b.moves) {
        (true, true) => of_two(y, &x[a.base..][..count], &x[b.base..][..count], f),
        (true, false) => {
            let b = x[b.base];
            of_one(y, &x[a.base..][..count], |a| f(a, b));
        }
        (false, true) => {
            let a = x[a.base];
            of_one(y, &x[b.base..][..count], |b| f(a, b));
        }
        (false, false) => return false,
    }
    true
}

/// Changes numbers by others.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn change<A: Copy>(x: &mut [A], by: &[A], f: impl Fn(&mut A, A)) {
    if !in_blocks::<A>() {
        x.iter_mut().zip(by).for_each(|(x, by)| f(x, *by));
        return;
    }
    let (blocks, rest) = x.as_chunks_mut::<BLOCK>();
    let (by, by_rest) = by.as_chunks::<BLOCK>();
    for (x, by) in blocks.iter_mut().zip(by) {
        let mut block = *x;
        for k in 0..BLOCK {
            f(&mut block[k], by[k]);
        }
        *x = block;
    }
    for (x, by) in rest.iter_mut().zip(by_rest) {
        f(x, *by);
    }
}

/// The same by two others.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn change_by_two<A: Copy, S: Copy>(
    x: &mut [A],
    by: &[A],
    times: &[S],
    f: impl Fn(&mut A, A, S),
) {
    if !in_blocks::<A>() {
        for ((x, by), times) in x.iter_mut().zip(by).zip(times) {
            f(x, *by, *times);
        }
        return;
    }
    let (blocks, rest) = x.as_chunks_mut::<BLOCK>();
    let (by, by_rest) = by.as_chunks::<BLOCK>();
    let (times, times_rest) = times.as_chunks::<BLOCK>();
    for ((x, by), times) in blocks.iter_mut().zip(by).zip(times) {
        let mut block = *x;
        for k in 0..BLOCK {
            f(&mut block[k], by[k], times[k]);
        }
        *x = block;
    }
    for ((x, by), times) in rest.iter_mut().zip(by_rest).zip(times_rest) {
        f(x, *by, *times);
    }
}
