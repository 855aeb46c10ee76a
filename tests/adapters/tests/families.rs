//! All families of scenarios of the kit on other people's engines, see `tests/kit/tests/families.rs`.

use di::{AutoEchidna, AutoNumDual, AutoSource, SecondOrder};
use di_test::families::test_everything;

#[test]
fn num_dual() {
    test_everything(&(AutoNumDual::new(),));
}

#[test]
fn echidna() {
    test_everything(&(AutoEchidna::new(),));
}

#[test]
fn over_others() {
    test_everything(&(
        SecondOrder::new(AutoNumDual::new(), AutoSource::new()),
        SecondOrder::new(AutoEchidna::new(), AutoSource::new()),
    ));
}
