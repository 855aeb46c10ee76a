//! How many directions go through one evaluation.

use crate::error::Error;

/// Sizes of the passes over `n` directions, at most `max` at a time and as even as they get.
///
/// `n <= max` is one pass; else `ceil(n / ceil(n / max))` each. Zero directions count as one.
pub fn even_batch(n: usize, max: usize) -> usize {
    if n == 0 {
        1
    } else if n <= max {
        n
    } else {
        n.div_ceil(n.div_ceil(max))
    }
}

/// The chunk for `n` directions: the fixed one if there is one, else an even one.
///
/// # Errors
/// [`Error::Chunk`] if the fixed one is zero, larger than `n > 0`, or above [`WIDEST`].
pub fn chunk(fixed: Option<usize>, n: usize, max: usize) -> Result<usize, Error> {
    match fixed {
        None => Ok(even_batch(n, max)),
        Some(chunk) => {
            let largest = if n == 0 { WIDEST } else { n.min(WIDEST) };
            if chunk == 0 || chunk > largest {
                Err(Error::Chunk { chunk, largest })
            } else {
                Ok(chunk)
            }
        }
    }
}

/// The widest lanes that are compiled.
pub const WIDEST: usize = 8;

/// The narrowest compiled lanes that hold `chunk`.
///
/// Each width is compiled for each function. A debug build has two of them: building the others takes longer than they
/// save, and what each lane computes is the same in all.
pub fn lane_width(chunk: usize) -> usize {
    match chunk {
        0 | 1 => 1,
        #[cfg(not(debug_assertions))]
        2 => 2,
        #[cfg(not(debug_assertions))]
        3 | 4 => 4,
        _ => WIDEST,
    }
}

/// First index and length of each pass.
///
/// Counted up, without the division that `step_by` begins with: it takes as long as a pass over a few numbers.
#[inline]
pub fn passes(n: usize, chunk: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut left = 0..n;
    core::iter::from_fn(move || {
        let (at, count) = (left.start, chunk.max(1).min(left.len()));
        left.start += count;
        (count > 0).then_some((at, count))
    })
}

/// Those of [`passes`], or an empty one if there are no directions: values are wanted in any case.
#[inline]
pub fn passes_or_one(n: usize, chunk: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = Some(0);
    core::iter::from_fn(move || {
        let at = next?;
        let count = chunk.min(n - at);
        next = Some(at + count).filter(|at| *at < n);
        Some((at, count))
    })
}

/// Those of [`passes`] that end beyond `from`.
pub fn passes_beyond(n: usize, chunk: usize, from: usize) -> impl Iterator<Item = (usize, usize)> {
    passes(n, chunk).filter(move |(at, count)| at + count > from)
}

#[cfg(test)]
mod tests {
    use super::{chunk, even_batch, passes, passes_or_one};
    use crate::error::Error;

    #[test]
    fn up_to_the_maximum_all_directions_go_at_once() {
        for n in 1..=10 {
            assert_eq!(even_batch(n, 16), n);
        }
        assert_eq!(even_batch(0, 16), 1);
    }

    #[test]
    fn beyond_the_maximum_passes_are_even() {
        assert_eq!(even_batch(17, 16), 9);
        assert_eq!(even_batch(9, 8), 5);
        assert_eq!(even_batch(1000, 8), 8);
    }

    #[test]
    fn fixed_chunk_above_the_number_of_inputs_is_an_error() {
        assert_eq!(chunk(Some(3), 5, 8), Ok(3));
        assert_eq!(
            chunk(Some(6), 5, 8),
            Err(Error::Chunk {
                chunk: 6,
                largest: 5
            })
        );
        assert_eq!(chunk(Some(6), 0, 8), Ok(6));
    }

    #[test]
    fn passes_cover_all_directions_once() {
        for n in 0..14 {
            for chunk in 1..6 {
                let all: Vec<usize> = passes(n, chunk).flat_map(|(at, k)| at..at + k).collect();
                assert_eq!(all, (0..n).collect::<Vec<_>>());
                assert!(passes(n, chunk).all(|(_, k)| k > 0 && k <= chunk));
            }
        }
    }

    #[test]
    fn no_direction_is_no_pass_or_an_empty_one() {
        assert_eq!(passes(0, 8).count(), 0);
        assert!(passes_or_one(0, 8).eq([(0, 0)]));
        for n in 1..14 {
            for chunk in 1..6 {
                assert!(passes_or_one(n, chunk).eq(passes(n, chunk)));
            }
        }
    }
}
