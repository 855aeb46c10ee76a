//! Sets of small numbers.

/// Whether a number is in the set.
pub(super) fn get(bits: &[bool], i: u32) -> bool {
    bits.get(i as usize).copied().unwrap_or(false)
}

/// Adds a number. Returns whether it is new.
pub(super) fn set(bits: &mut Vec<bool>, i: u32) -> bool {
    let i = i as usize;
    if bits.len() <= i {
        bits.resize(i + 1, false);
    }
    !std::mem::replace(&mut bits[i], true)
}
