//! What is done with the entries of arguments and results, one at a time.
//!
//! A closure that is written in a generic function is another one for each function that is differentiated, and so is
//! all code that it is given to. Those that are made here are the same for all functions, which makes programs
//! smaller and faster to compile.

use crate::matrix::Matrix;
use crate::rules::{one, zero};
use crate::scalar::{Dual, Real, Scalar, Zero};

/// A float, as a constant of another scalar.
pub(crate) fn lift<S: Scalar>() -> impl FnMut(&mut S, S::Real) {
    |to, v| *to = S::from_real(v)
}

/// A value without tangents.
pub(crate) fn constant<S: Scalar, const W: usize>() -> impl FnMut(&mut Dual<S, W>, S) {
    |to, v| *to = Dual::constant(v)
}

/// Values, each the direction of the next lane. Tangents are copied from a window on one number among zeros: what is
/// written as a whole is quick to read as a whole.
pub(crate) fn variables<S: Scalar, const W: usize>() -> impl FnMut(&mut Dual<S, W>, S) {
    let (mut line, mut left) = ([[S::default(); W]; 2], W);
    line[1][0] = one();
    move |to, v| {
        to.value = v;
        to.tangents
            .copy_from_slice(&line.as_flattened()[left..][..W]);
        left -= 1;
    }
}

/// The next ones of some, as long as there are any.
pub(crate) fn next_of<'a, T: Copy + 'a>(
    from: &mut impl Iterator<Item = &'a T>,
) -> impl FnMut(&mut T) {
    move |to| {
        if let Some(from) = from.next() {
            *to = *from;
        }
    }
}

/// A value and the first of its tangents; the others are zero.
pub(crate) fn moving<S: Scalar, const W: usize>() -> impl FnMut(&mut Dual<S, W>, S, S) {
    |to, v, tangent| {
        *to = Dual::constant(v);
        to.tangents[0] = tangent;
    }
}

/// A value; tangents stay.
pub(crate) fn set_value<S: Scalar, const W: usize>() -> impl FnMut(&mut Dual<S, W>, S) {
    |to, v| to.value = v
}

/// One of the tangents; the rest stays.
pub(crate) fn set_tangent<S: Scalar, const W: usize>(k: usize) -> impl FnMut(&mut Dual<S, W>, S) {
    move |to, v| to.tangents[k] = v
}

/// No tangents; the value stays.
pub(crate) fn clear_tangents<S: Scalar, const W: usize>() -> impl FnMut(&mut Dual<S, W>) {
    |to| to.tangents = Zero::zero()
}

/// The value of a dual number.
pub(crate) fn value<S: Scalar, const W: usize>() -> impl FnMut(&mut S, Dual<S, W>) {
    |to, v| *to = v.value
}

/// One of the tangents of a dual number.
pub(crate) fn tangent<S: Scalar, const W: usize>(k: usize) -> impl FnMut(&mut S, Dual<S, W>) {
    move |to, v| *to = v.tangents[k]
}

/// One of several lanes; the others stay.
pub(crate) fn set_lane<R: Real, const W: usize>(k: usize) -> impl FnMut(&mut [R; W], R) {
    move |to, v| to[k] = v
}

/// Zero in one of several lanes.
pub(crate) fn clear_lane<R: Real, const W: usize>(k: usize) -> impl FnMut(&mut [R; W]) {
    move |to| to[k] = zero()
}

/// One of several lanes.
pub(crate) fn lane<R: Real, const W: usize>(k: usize) -> impl FnMut(&mut R, [R; W]) {
    move |to, v| *to = v[k]
}

/// What is there becomes zero.
pub(crate) fn clear<A: Zero>() -> impl FnMut(&mut A) {
    |to| *to = A::zero()
}

/// A copy.
pub(crate) fn copy<T>() -> impl FnMut(&mut T, T) {
    |to, v| *to = v
}

/// Tangents of a gradient, row by row, as columns and rows of a symmetric matrix from `at` on.
pub(crate) fn symmetric<R: Real, const W: usize>(
    h: &mut Matrix<R>,
    at: usize,
    count: usize,
) -> impl FnMut(Dual<R, W>) {
    let (n, entries) = (h.ncols(), h.as_mut_slice());
    let mut row = 0_usize;
    move |v| {
        // on and below the diagonal
        let count = count.min((row + 1).saturating_sub(at));
        let (mut across, mut down) = (row * n + at, at * n + row);
        for v in &v.tangents[..count] {
            entries[across] = *v;
            entries[down] = *v;
            across += 1;
            down += n;
        }
        row += 1;
    }
}

/// Lanes, row by row, as columns of a matrix from `at` on, whose rows have length `n` and stand side by side.
pub(crate) fn columns<R: Real, const W: usize>(
    entries: &mut [R],
    n: usize,
    at: usize,
    count: usize,
) -> impl FnMut([R; W]) {
    // A result of another length is noticed by the operator.
    let mut rows = entries.chunks_exact_mut(n.max(1));
    move |v| {
        if let Some(row) = rows.next() {
            row[at..at + count].copy_from_slice(&v[..count]);
        }
    }
}

/// For dual numbers what is for their tangents.
pub(crate) fn of_tangents<R: Real, const W: usize>(
    mut visit: impl FnMut([R; W]),
) -> impl FnMut(Dual<R, W>) {
    move |v| visit(v.tangents)
}

/// The value of a dual number, by itself.
pub(crate) fn value_of<S: Scalar, const W: usize>() -> impl FnMut(Dual<S, W>) -> S {
    |v| v.value
}

/// Whether all are the same, bit for bit: derivatives may tell 0 from -0, and a NaN is itself.
pub(crate) fn compare<R: Real>(same: &mut bool) -> impl FnMut(&mut R, R) {
    |a, b| *same &= Real::to_f64(*a).to_bits() == Real::to_f64(b).to_bits()
}
