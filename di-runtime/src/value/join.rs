//! Structs that arms of a branch write, see [`crate::scalar::Join`].

use crate::scalar::{Abstract, Join, Undecided};
use crate::value::Differentiable;

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

type Kept<S> = (Vec<S>, Vec<usize>);

fn kept<P: Differentiable, S: Abstract<Real = P::Real>>(of: &P::Of<S>) -> Kept<S> {
    let (mut words, mut ints) = (vec![S::default(); P::WORDS], vec![0; P::INTS]);
    P::keep(P::lend(of), &mut words, &mut ints);
    (words, ints)
}

/// Either state.
///
/// # Errors
/// If lengths or integers differ.
pub fn join_structs<P: Differentiable, S: Abstract<Real = P::Real>>(
    here: &mut [P::Of<S>],
    other: &[P::Of<S>],
) -> Result<(), Undecided> {
    if here.len() != other.len() || !P::FIXED {
        return Err(Undecided::note("a length that a branch on inputs decides"));
    }
    for (here, other) in here.iter_mut().zip(other) {
        let ((mut words, ints), (other, other_ints)) = (kept::<P, S>(here), kept::<P, S>(other));
        if ints != other_ints {
            return Err(Undecided::note(
                "an integer in a struct that a branch on inputs decides",
            ));
        }
        words.join(&other)?;
        *here = P::kept(&words, &ints);
    }
    Ok(())
}

/// Is the state part of the other one?
pub fn structs_within<P: Differentiable, S: Abstract<Real = P::Real>>(
    here: &[P::Of<S>],
    other: &[P::Of<S>],
) -> bool {
    here.len() == other.len()
        && here.iter().zip(other).all(|(here, other)| {
            let ((words, ints), (other, other_ints)) = (kept::<P, S>(here), kept::<P, S>(other));
            ints == other_ints && words.within(&other)
        })
}
