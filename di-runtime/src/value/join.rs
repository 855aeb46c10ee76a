//! Structs that arms of a branch write, see [`crate::scalar::Join`].

use crate::generated::Tape;
use crate::scalar::{Abstract, Join, Undecided};
use crate::value::Differentiable;
use crate::value::kept::{keep_struct, kept_struct};

/// Exchanges two states.
///
/// # Errors
/// If their lengths differ.
pub fn swap_structs<T>(here: &mut [T], other: &mut [T]) -> Result<(), Undecided> {
    if here.len() != other.len() {
        return Err(Undecided::note("a length that a branch on inputs decides"));
    }
    here.swap_with_slice(other);
    Ok(())
}

fn kept<P: Differentiable, S: Abstract>(of: &P::Of<S>) -> Tape<S> {
    let mut tape = Tape::new();
    keep_struct::<P, S>(P::lend(of), &mut tape);
    tape
}

fn words<S: Abstract>(tape: &Tape<S>) -> Vec<S> {
    tape.words.read(0, tape.words.mark()).to_vec()
}

fn ints<S: Abstract>(tape: &Tape<S>) -> &[usize] {
    tape.ints.read(0, tape.ints.mark())
}

/// Either state.
///
/// # Errors
/// If lengths or integers differ.
pub fn join_structs<P: Differentiable, S: Abstract>(
    here: &mut [P::Of<S>],
    other: &[P::Of<S>],
) -> Result<(), Undecided> {
    if here.len() != other.len() || !P::HELD {
        return Err(Undecided::note("a length that a branch on inputs decides"));
    }
    for (here, other) in here.iter_mut().zip(other) {
        let (mut tape, other) = (kept::<P, S>(here), kept::<P, S>(other));
        if ints(&tape) != ints(&other) {
            return Err(Undecided::note(
                "an integer or a length in a struct that a branch on inputs decides",
            ));
        }
        let mut joined = words(&tape);
        joined.join(&words(&other))?;
        tape.words.reset();
        tape.words.push_slice(&joined);
        *here = kept_struct::<P, S>(&tape, &mut tape.cursor());
    }
    Ok(())
}

/// Is the state part of the other one?
pub fn structs_within<P: Differentiable, S: Abstract>(
    here: &[P::Of<S>],
    other: &[P::Of<S>],
) -> bool {
    P::HELD
        && here.len() == other.len()
        && here.iter().zip(other).all(|(here, other)| {
            let (here, other) = (kept::<P, S>(here), kept::<P, S>(other));
            ints(&here) == ints(&other) && words(&here).within(&words(&other))
        })
}
