//! The interface as users see it: functions of every form, operators, preparation, errors.

mod alone;
mod beside_a_solver;
mod errors;
mod evaluated;
mod failing;
mod linear;
mod more;
mod named;
mod panics;
mod prepared;
mod ready;
mod same_bits;
mod second;
mod substitute;
mod unannotated;
mod vectors;

use di_test::allocations::Counting;
use di_test::compare::{Tolerance, assert_close, assert_empty};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn table_of_parity_is_what_the_tests_show() {
    di_test::parity::check();
}

/// Asserts that numbers agree within a relative tolerance, or that there are none where none are expected.
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
    match expected.is_empty() {
        true => assert_empty("derivative", &found),
        false => assert_close("derivative", &found, &expected, tolerance),
    }
}
