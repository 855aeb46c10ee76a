//! All families of scenarios of the kit for `f64`, which these engines are made for, on other people's engines; see
//! `tests/kit/tests/families.rs`.

use di::{AutoEchidna, AutoNumDual, AutoSource, SecondOrder};
use di_test::families::test_doubles;

#[test]
fn num_dual() {
    test_doubles(&(AutoNumDual::new(),));
}

#[test]
fn echidna() {
    test_doubles(&(AutoEchidna::new(),));
}

#[test]
fn over_others() {
    test_doubles(&(
        SecondOrder::new(AutoNumDual::new(), AutoSource::new()),
        SecondOrder::new(AutoEchidna::new(), AutoSource::new()),
    ));
}
