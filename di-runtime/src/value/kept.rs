//! Structs on the tape: what reverse code reads of those that may change after a call.

use super::{Differentiable, Entry, Rows};
use crate::generated::{Cursor, LentMut, LentView, Pool, Tape};
use crate::scalar::Scalar;

/// Puts a struct on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_struct<P: Differentiable, S: Scalar<Real = P::Real>>(
    view: P::View<'_, S>,
    tape: &mut Tape<S>,
) {
    P::keep(view, tape.words.block(P::WORDS), tape.ints.block(P::INTS));
}

/// A struct that was put on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn kept_struct<P: Differentiable, S: Scalar<Real = P::Real>>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
) -> P::Of<S> {
    P::kept(cursor.words(tape, P::WORDS), cursor.ints(tape, P::INTS))
}

/// Puts structs on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_rows<P: Differentiable, S: Scalar<Real = P::Real>>(
    rows: Rows<'_, P, S>,
    tape: &mut Tape<S>,
) {
    for i in 0..rows.len() {
        keep_struct::<P, S>(rows.at(i), tape);
    }
    tape.ints.push(rows.len());
}

/// Structs that were put on the tape, in a buffer of the pool.
pub fn kept_rows<P: Differentiable, S: Scalar<Real = P::Real>>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
    pool: &mut Pool,
) -> Vec<P::Of<S>>
where
    P::Of<S>: Send + 'static,
{
    let n = cursor.ints(tape, 1)[0];
    let words = cursor.words(tape, n * P::WORDS);
    let ints = cursor.ints(tape, n * P::INTS);
    let mut rows = pool.take_empty(n);
    rows.extend((0..n).map(|k| {
        P::kept(
            &words[k * P::WORDS..][..P::WORDS],
            &ints[k * P::INTS..][..P::INTS],
        )
    }));
    rows
}

impl<'a, P: Differentiable, S: Entry> LentMut<'a, [P::Of<S>]> for Rows<'a, P, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_mut(t: &'a mut [P::Of<S>]) -> Self {
        Rows::Made(t)
    }
}

impl<'a, P: Differentiable, S: Entry> LentView<Rows<'a, P, S>> for Rows<'a, P, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lent_view(view: Option<Rows<'a, P, S>>) -> Self {
        view.expect("kept for a parameter behind `&`")
    }
}
