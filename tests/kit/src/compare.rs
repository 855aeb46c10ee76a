//! The one way in which numbers are compared: relative to their size, with a failure that shows where and what.

use approx::relative_eq;

/// How far two numbers may differ.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Relative to the larger of the two.
    pub relative: f64,
    /// Below this a difference does not count, whatever the size.
    pub absolute: f64,
}

/// For what differs by rounding only.
pub const ROUNDING: Tolerance = Tolerance {
    relative: 1e-12,
    absolute: 1e-13,
};

/// For comparison with extrapolated differences, see [`crate::differences`].
pub const DIFFERENCES: Tolerance = Tolerance {
    relative: 1e-7,
    absolute: 1e-8,
};

/// Asserts that two lists of numbers are equal within a tolerance. NaN equals NaN, an infinity itself.
///
/// `what` names the operator and the function, for the message.
///
/// # Panics
/// If they differ: shows the first index with both values, and how many others differ.
///
/// # Examples
/// ```
/// use di_test::compare::{ROUNDING, assert_close};
///
/// assert_close("gradient of x^2", &[0.1 + 0.2], &[0.3], ROUNDING);
/// ```
#[track_caller]
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: Tolerance) {
    crate::rows::compared();
    if let Some(difference) = difference(found, expected, tolerance) {
        panic!("{what}: {difference}\n   found {found:?}\nexpected {expected:?}");
    }
}

/// How two lists of numbers differ, if they do: the first index with both values, and how many others.
pub fn difference(found: &[f64], expected: &[f64], tolerance: Tolerance) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!(
            "expected {} numbers, found {}",
            expected.len(),
            found.len()
        ));
    }
    let differ = |(_, (a, b)): &(usize, (&f64, &f64))| !close(**a, **b, tolerance);
    let pairs = || found.iter().zip(expected).enumerate();
    let (index, (a, b)) = pairs().find(differ)?;
    let others = pairs().filter(differ).count() - 1;
    let relative = (a - b).abs() / a.abs().max(b.abs());
    Some(format!(
        "entry {index} is {a:e}, expected {b:e} (relative difference {relative:.1e}, {tolerance:?}); \
         {others} others differ"
    ))
}

/// Asserts that two lists of numbers are the same, bit for bit. Any NaN equals any other.
///
/// # Panics
/// If they are not: shows the index and both values.
#[track_caller]
pub fn assert_bitwise(what: &str, found: &[f64], expected: &[f64]) {
    crate::rows::compared();
    assert_eq!(
        found.len(),
        expected.len(),
        "{what}: expected {} numbers, found {}",
        expected.len(),
        found.len()
    );
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(
            same,
            "{what}: entry {index} is {a:e}, expected {b:e} to the last bit"
        );
    }
}

/// Asserts that a run panics, and that its message contains `message`.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn assert_panics<T>(what: &str, message: &str, run: impl FnOnce() -> T) {
    crate::rows::compared();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    let Err(payload) = result else {
        panic!("{what}: expected a panic with `{message}`");
    };
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("a value that is no text");
    assert!(
        text.contains(message),
        "{what}: expected a panic with `{message}`, found `{text}`"
    );
}

/// Whether two numbers are equal within a tolerance.
pub fn close(a: f64, b: f64, tolerance: Tolerance) -> bool {
    let Tolerance { relative, absolute } = tolerance;
    (a.is_nan() && b.is_nan()) || relative_eq!(a, b, epsilon = absolute, max_relative = relative)
}

#[cfg(test)]
mod tests {
    use super::{ROUNDING, assert_bitwise, assert_close};

    #[test]
    #[should_panic(expected = "gradient: entry 1 is 2.1e0, expected 2e0")]
    fn failure_shows_index_and_both_values() {
        assert_close("gradient", &[1.0, 2.1, 3.0], &[1.0, 2.0, 3.0], ROUNDING);
    }

    #[test]
    fn special_values_equal_themselves() {
        let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0];
        assert_close("special values", &special, &special, ROUNDING);
        assert_close("zeros", &[0.0], &[-0.0], ROUNDING);
    }

    #[test]
    #[should_panic(expected = "entry 0")]
    fn nan_is_no_number() {
        assert_close("gradient", &[f64::NAN], &[1.0], ROUNDING);
    }

    #[test]
    #[should_panic(expected = "entry 0 is -0e0, expected 0e0 to the last bit")]
    fn zeros_of_different_sign_differ_bitwise() {
        assert_bitwise("value", &[-0.0], &[0.0]);
    }
}
