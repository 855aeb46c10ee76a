//! Structs on the tape: what reverse code reads of those that may change after a call.

use super::{Differentiable, Entry, Family, Rows, Struct};
use crate::generated::{Cursor, LentMut, LentView, Pool, Tape};
use crate::scalar::{Scalar, Zero};

/// Puts a struct on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_struct<P: Differentiable, S: Scalar>(view: P::View<'_, S>, tape: &mut Tape<S>) {
    if P::FIXED {
        P::keep(view, tape.words.block(P::WORDS), tape.ints.block(P::INTS));
    } else {
        P::hold(view, tape);
    }
}

/// A struct that was put on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn kept_struct<P: Differentiable, S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) -> P::Of<S> {
    if P::FIXED {
        P::kept(cursor.words(tape, P::WORDS), cursor.ints(tape, P::INTS))
    } else {
        P::held(tape, cursor)
    }
}

/// Puts a struct on the tape, and returns where it ends.
pub fn keep_whole<P: Differentiable, S: Scalar>(view: P::View<'_, S>, tape: &mut Tape<S>) -> usize {
    keep_struct::<P, S>(view, tape);
    tape.ints.push(tape.words.mark());
    tape.ints.mark()
}

/// The struct that ends there.
pub fn kept_whole<P: Differentiable, S: Scalar>(tape: &Tape<S>, end: usize) -> P::Of<S> {
    let mut cursor = Cursor {
        words: 0,
        ints: end,
    };
    cursor.words = cursor.ints(tape, 1)[0];
    kept_struct::<P, S>(tape, &mut cursor)
}

/// Goes down by a struct that [`keep_whole`] put there.
pub fn release_whole<P: Differentiable, S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) {
    cursor.ints(tape, 1);
    kept_struct::<P, S>(tape, cursor);
}

/// Puts the lengths in a struct on the tape, and returns where they end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_shape<P: Differentiable, S: Scalar>(view: P::View<'_, S>, tape: &mut Tape<S>) -> usize {
    if P::FIXED {
        return 0;
    }
    let begin = tape.ints.mark();
    Struct::<P>::keep_shape(&Struct::<P>::shape::<S>(view), &mut tape.ints);
    tape.ints.push(tape.ints.mark() - begin);
    tape.ints.mark()
}

/// Zero lanes for a struct whose lengths end there on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lanes_at<P: Differentiable, S: Scalar, T: Zero>(tape: &Tape<S>, end: usize) -> P::Lanes<T> {
    if P::FIXED {
        return P::zero_lanes();
    }
    let mut cursor = Cursor {
        words: 0,
        ints: end,
    };
    let n = cursor.ints(tape, 1)[0];
    let mut lengths = cursor.ints(tape, n).iter();
    match Struct::<P>::kept_shape(&mut lengths) {
        Some(shape) => Struct::<P>::store(&shape, T::zero()),
        None => unreachable!("the compiler asks for structs that a tape can hold alone"),
    }
}

/// Goes down by the lengths that [`keep_shape`] put there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn release_shape<P: Differentiable, S: Scalar>(tape: &Tape<S>, cursor: &mut Cursor) {
    if !P::FIXED {
        let n = cursor.ints(tape, 1)[0];
        cursor.ints(tape, n);
    }
}

/// Puts structs on the tape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_rows<P: Differentiable, S: Scalar>(rows: Rows<'_, P, S>, tape: &mut Tape<S>) {
    for i in 0..rows.len() {
        keep_struct::<P, S>(rows.at(i), tape);
    }
    tape.ints.push(rows.len());
}

/// Structs that [`keep_rows`] put on the tape.
pub fn held_rows<P: Differentiable, S: Scalar>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
) -> Vec<P::Of<S>> {
    let n = cursor.ints(tape, 1)[0];
    let mut rows: Vec<_> = (0..n).map(|_| kept_struct::<P, S>(tape, cursor)).collect();
    rows.reverse();
    rows
}

/// Puts floats without a derivative on the tape, which [`kept_constants`] takes from there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn keep_constants<S: Scalar>(floats: &[S::Real], tape: &mut Tape<S>) {
    for float in floats {
        tape.words.push(S::from_real(*float));
    }
    tape.ints.push(floats.len());
}

/// Floats that [`keep_constants`] put on the tape, in a buffer of the pool.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn kept_constants<S: Scalar>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
    pool: &mut Pool,
) -> Vec<S::Real> {
    let n = cursor.ints(tape, 1)[0];
    pool.take_map(cursor.words(tape, n), |word| word.primal())
}

/// Puts a vector of floats on the tape.
pub fn hold_floats<F: Family<Shape = usize>, S: Scalar>(vector: F::Ref<'_, S>, tape: &mut Tape<S>) {
    let n = F::shape::<S>(vector);
    F::values::<S>(vector, &mut |v| tape.words.push(v));
    tape.ints.push(n);
}

/// The vector that [`hold_floats`] put on the tape.
pub fn held_floats<F: Family<Shape = usize>, S: Scalar>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
) -> F::Owned<S> {
    let n = cursor.ints(tape, 1)[0];
    let mut words = cursor.words(tape, F::len(&n)).iter();
    let mut vector = F::store(&n, S::default());
    F::each_mut::<S>(F::lanes_mut(&mut vector), &mut |v| {
        if let Some(word) = words.next() {
            *v = *word;
        }
    });
    vector
}

/// Puts a passive list on the tape, each of its elements by the function.
pub fn hold_list<T, S>(list: &[T], tape: &mut Tape<S>, hold: impl Fn(&T, &mut Tape<S>)) {
    for each in list {
        hold(each, tape);
    }
    tape.ints.push(list.len());
}

/// The list that [`hold_list`] put on the tape.
pub fn held_list<T, S: Copy + Default>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
    held: impl Fn(&Tape<S>, &mut Cursor) -> T,
) -> Vec<T> {
    let n = cursor.ints(tape, 1)[0];
    let mut list: Vec<T> = (0..n).map(|_| held(tape, cursor)).collect();
    list.reverse();
    list
}

/// Puts text on the tape.
pub fn hold_text<S: Copy + Default>(text: &str, tape: &mut Tape<S>) {
    const BYTES: usize = size_of::<usize>();
    for part in text.as_bytes().chunks(BYTES) {
        let mut bytes = [0; BYTES];
        bytes[..part.len()].copy_from_slice(part);
        tape.ints.push(usize::from_ne_bytes(bytes));
    }
    tape.ints.push(text.len());
}

/// The text that [`hold_text`] put on the tape.
pub fn held_text<S: Copy + Default>(tape: &Tape<S>, cursor: &mut Cursor) -> String {
    let n = cursor.ints(tape, 1)[0];
    let ints = cursor.ints(tape, n.div_ceil(size_of::<usize>()));
    let mut bytes: Vec<u8> = ints.iter().flat_map(|part| part.to_ne_bytes()).collect();
    bytes.truncate(n);
    String::from_utf8(bytes).expect("text was put on the tape")
}

/// Structs that were put on the tape, in a buffer of the pool.
pub fn kept_rows<P: Differentiable, S: Scalar>(
    tape: &Tape<S>,
    cursor: &mut Cursor,
    pool: &mut Pool,
) -> Vec<P::Of<S>>
where
    P::Of<S>: Send + 'static,
{
    if !P::FIXED {
        return held_rows::<P, S>(tape, cursor);
    }
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
