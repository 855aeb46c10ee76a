//! What adjoints begin with.

use crate::scalar::Zero;

/// Elements beside those that are written in one piece.
const FEW: usize = 16;
/// Bytes of an element, a float or one with a tangent, of which so few are a handful of stores.
const SMALL: usize = 16;

/// Sets all of them to zero.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn clear<A: Zero>(all: &mut [A]) {
    // what is known to be empty costs nothing
    if !all.is_empty() {
        fill(all);
    }
}

/// A few are stored here, and not by the C library: its `memset` is a call, and may write with a mask, which
/// processors do not hand on to loads. A sum that begins at a few zeros waits for them some twenty cycles. It is a
/// function of its own, so that its branches keep nobody from being inlined.
#[inline(never)]
fn fill<A: Zero>(all: &mut [A]) {
    if const { size_of::<A>() > SMALL } || all.len() >= FEW {
        all.fill(A::zero());
        return;
    }
    let all = part::<A, 8>(all);
    let all = part::<A, 4>(all);
    let all = part::<A, 2>(all);
    part::<A, 1>(all);
}

/// Clears the first `N`, if there are so many, and returns the others. No loop over parts: one would become `memset`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn part<A: Zero, const N: usize>(all: &mut [A]) -> &mut [A] {
    if all.len() < N {
        return all;
    }
    let (first, others) = all.split_at_mut(N);
    first.fill(A::zero());
    others
}

#[cfg(test)]
mod tests {
    use super::clear;
    use crate::scalar::Dual;

    #[test]
    fn every_element_of_any_count_is_cleared_and_none_beside() {
        for n in 0..40 {
            let mut floats = vec![7.0f64; n + 1];
            clear(&mut floats[..n]);
            assert!(floats[..n].iter().all(|v| *v == 0.0));
            assert_eq!(floats[n], 7.0);
            let mut duals = vec![Dual::<f64, 1>::variable(7.0, 0); n + 1];
            clear(&mut duals[..n]);
            let is_zero = |v: &Dual<f64, 1>| v.value == 0.0 && v.tangents == [0.0];
            assert!(duals[..n].iter().all(is_zero));
            assert_eq!(duals[n].value, 7.0);
            let mut lanes = vec![[7.0f64; 8]; n];
            clear(&mut lanes);
            assert!(lanes.iter().all(|v| *v == [0.0; 8]));
        }
    }
}
