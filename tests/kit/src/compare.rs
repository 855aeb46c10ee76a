//! The one way in which numbers are compared: relative to their size, with a failure that shows where and what.

use std::fmt::Debug;

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
/// If they differ: shows the first index with both values, and how many others differ. If there is nothing in either
/// list, since then nothing is compared: see [`assert_empty`].
///
/// # Examples
/// ```
/// use di_test::compare::{ROUNDING, assert_close};
///
/// assert_close("gradient of x^2", &[0.1 + 0.2], &[0.3], ROUNDING);
/// ```
#[track_caller]
pub fn assert_close(what: &str, found: &[f64], expected: &[f64], tolerance: Tolerance) {
    compares(what, found, expected);
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
/// If they are not: shows the index and both values. If there is nothing in either list, as [`assert_close`].
#[track_caller]
pub fn assert_bitwise(what: &str, found: &[f64], expected: &[f64]) {
    compares(what, found, expected);
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

/// Asserts that two values that are not numbers are the same: modes, names, errors.
///
/// # Panics
/// If they are not: shows both.
#[track_caller]
pub fn assert_same<T: PartialEq + Debug>(what: &str, found: T, expected: T) {
    crate::rows::compared();
    assert!(
        found == expected,
        "{what}: expected {expected:?}, found {found:?}"
    );
}

/// Asserts that a list is empty: the derivative by an argument without entries, for instance.
///
/// # Panics
/// If it is not.
#[track_caller]
pub fn assert_empty(what: &str, found: &[f64]) {
    crate::rows::compared();
    assert!(
        found.is_empty(),
        "{what}: expected nothing, found {found:?}"
    );
}

/// Counts a comparison, of something.
#[track_caller]
fn compares(what: &str, found: &[f64], expected: &[f64]) {
    assert!(
        !found.is_empty() || !expected.is_empty(),
        "{what}: nothing is compared; where nothing is expected, write `assert_empty`"
    );
    crate::rows::compared();
}

/// [`assert_close`], or [`assert_empty`] where nothing is expected: for checkers that any function comes to.
#[track_caller]
pub(crate) fn assert_all_close(what: &str, found: &[f64], expected: &[f64], tolerance: Tolerance) {
    match expected.is_empty() {
        true => assert_empty(what, found),
        false => assert_close(what, found, expected, tolerance),
    }
}

/// [`assert_bitwise`], or [`assert_empty`] where nothing is expected: for checkers that any function comes to.
#[track_caller]
pub(crate) fn assert_all_bitwise(what: &str, found: &[f64], expected: &[f64]) {
    match expected.is_empty() {
        true => assert_empty(what, found),
        false => assert_bitwise(what, found, expected),
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
    use super::{ROUNDING, assert_bitwise, assert_close, assert_empty, assert_same};

    #[test]
    #[should_panic(expected = "mode: expected Some(2), found None")]
    fn values_that_are_no_numbers_are_shown() {
        assert_same("mode", None, Some(2));
    }

    #[test]
    #[should_panic(expected = "parts: nothing is compared")]
    fn nothing_is_not_compared_bitwise() {
        assert_bitwise("parts", &[], &[]);
    }

    #[test]
    #[should_panic(expected = "parts: nothing is compared")]
    fn nothing_is_not_compared_to_rounding() {
        assert_close("parts", &[], &[], ROUNDING);
    }

    #[test]
    #[should_panic(expected = "gradient: expected nothing, found [1.0]")]
    fn something_is_not_nothing() {
        assert_empty("gradient", &[]);
        assert_empty("gradient", &[1.0]);
    }

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
