//! The interface as users see it: functions of every form, operators, preparation, errors.

mod errors;
mod linear;
mod more;
mod prepared;
mod ready;
mod same_bits;
mod second;
mod substitute;
mod unannotated;
mod vectors;

use di_test::allocations::Counting;
use di_test::compare::{Tolerance, assert_close};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn table_of_parity_is_what_the_tests_show() {
    di_test::parity::check();
}

/// Asserts that numbers agree within a relative tolerance.
#[track_caller]
fn near<'a>(
    found: impl IntoIterator<Item = &'a f64>,
    expected: impl IntoIterator<Item = &'a f64>,
    relative: f64,
) {
    let [found, expected] = [
        found.into_iter().copied().collect::<Vec<_>>(),
        expected.into_iter().copied().collect(),
    ];
    let tolerance = Tolerance {
        relative,
        absolute: relative,
    };
    assert_close("derivative", &found, &expected, tolerance);
}
