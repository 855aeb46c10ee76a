//! What buffers and adjoints begin with.

use crate::scalar::Zero;

/// Elements beside those that are written in one piece.
const FEW: usize = 16;
/// Bytes of an element, a float or one with a tangent, of which so few are a handful of stores.
const SMALL: usize = 16;

/// Sets all of them to zero.
#[inline]
pub fn clear<A: Zero>(all: &mut [A]) {
    fill(all, A::zero());
}

/// Sets all of them to `value`.
///
/// A few are stored here, and not by the C library: its `memset` is a call, and may write with a mask, which
/// processors do not hand on to loads. A sum that begins at a few zeros waits for them some twenty cycles.
#[inline]
pub(crate) fn fill<T: Clone>(all: &mut [T], value: T) {
    if const { size_of::<T>() > SMALL || std::mem::needs_drop::<T>() } || all.len() >= FEW {
        all.fill(value);
        return;
    }
    let all = part::<T, 8>(all, &value);
    let all = part::<T, 4>(all, &value);
    let all = part::<T, 2>(all, &value);
    part::<T, 1>(all, &value);
}

/// Sets the first `N`, if there are so many, and returns the others. No loop over parts: one would become `memset`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn part<'a, T: Clone, const N: usize>(all: &'a mut [T], value: &T) -> &'a mut [T] {
    if all.len() < N {
        return all;
    }
    let (first, others) = all.split_at_mut(N);
    for element in first {
        element.clone_from(value);
    }
    others
}

#[cfg(test)]
mod tests {
    use super::{clear, fill};
    use crate::scalar::Dual;

    #[test]
    fn every_element_of_any_count_is_set_and_none_beside() {
        for n in 0..40 {
            let mut floats = vec![7.0f64; n + 1];
            fill(&mut floats[..n], -0.0);
            assert!(
                floats[..n]
                    .iter()
                    .all(|v| v.to_bits() == (-0.0f64).to_bits())
            );
            assert_eq!(floats[n], 7.0);
            let mut duals = vec![Dual::<f64, 1>::variable(7.0, 0); n + 1];
            clear(&mut duals[..n]);
            assert!(
                duals[..n]
                    .iter()
                    .all(|v| v.value == 0.0 && v.tangents == [0.0])
            );
            let mut lanes = vec![[7.0f64; 8]; n];
            clear(&mut lanes);
            assert!(lanes.iter().all(|v| *v == [0.0; 8]));
            let mut texts = vec![String::new(); n];
            fill(&mut texts, "x".to_owned());
            assert!(texts.iter().all(|v| v == "x"));
        }
    }
}
