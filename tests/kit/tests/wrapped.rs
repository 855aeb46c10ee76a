//! Families of scenarios on engines over engines, on primitives alone, and on sparse backends; see `families.rs`. With
//! `--features long`, which `.ci/long` has, all families.

use di::sparse::{AutoSparse, MixedMode};
use di::{
    AutoComplexStep, AutoDual, AutoFiniteDiff, AutoFiniteDifferences, AutoForwardFromPrimitive,
    AutoReverseFromPrimitive, AutoSource, AutoSymbolic, AutoTape, SecondOrder,
};
#[cfg(feature = "long")]
use di_test::families::check_everything as check;
#[cfg(not(feature = "long"))]
use di_test::families::check_wrapped as check;
use di_test::{Options, Sparsity};

macro_rules! backends {
    ($($(#[rows($($row:literal),+)])? $test:ident: $($backend:expr),+;)+) => {
        $(
            #[test]
            fn $test() {
                $(let _rows = di_test::parity::rows(&[$($row),+]);)?
                let options = Options::new().sparsity(Sparsity::OfSparse);
                check(&($($backend,)+), &options);
            }
        )+
    };
}

backends! {
    #[rows(56, 57)]
    from_a_pushforward: AutoForwardFromPrimitive(AutoSource::new()), AutoForwardFromPrimitive(AutoDual::new());
    #[rows(56, 57)]
    from_a_pullback: AutoReverseFromPrimitive(AutoSource::new());
    #[rows(60)]
    duals_over_generated_code: SecondOrder::new(AutoDual::new(), AutoSource::new()), SecondOrder::new(AutoDual::new(), AutoSource::new().forward());
    #[rows(60)]
    duals_over_tape: SecondOrder::new(AutoDual::new(), AutoTape::new());
    duals_over_duals: SecondOrder::new(AutoDual::new(), AutoDual::new());
    // Second order of a backend that has one primitive.
    #[rows(56)]
    differences_over_primitives: SecondOrder::new(AutoFiniteDiff::new(), AutoForwardFromPrimitive(AutoDual::new())), SecondOrder::new(AutoFiniteDiff::new(), AutoReverseFromPrimitive(AutoSource::new()));
    differences_over_others: SecondOrder::new(AutoFiniteDiff::new(), AutoSource::new()), SecondOrder::new(AutoFiniteDiff::new(), AutoDual::new());
    tapes_over_others: SecondOrder::new(AutoTape::new(), AutoSource::new()), SecondOrder::new(AutoTape::new(), AutoDual::new());
    tapes_over_tapes: SecondOrder::new(AutoTape::new(), AutoTape::new());
    expressions_over_others: SecondOrder::new(AutoSymbolic::new(), AutoSource::new());
    complex_steps_over_others: SecondOrder::new(AutoComplexStep::new(), AutoSource::new());
    differences_of_high_order_over_others: SecondOrder::new(AutoFiniteDifferences::central(5), AutoSource::new());
}

macro_rules! sparse_backends {
    ($($(#[rows($($row:literal),+)])? $test:ident: $($backend:expr),+;)+) => {
        $(
            #[test]
            fn $test() {
                $(let _rows = di_test::parity::rows(&[$($row),+]);)?
                let options = Options::new().sparsity(Sparsity::Required);
                check(&($($backend,)+), &options);
            }
        )+
    };
}

sparse_backends! {
    #[rows(74)]
    sparse: AutoSparse::new(AutoSource::new()), AutoSparse::new(AutoDual::new());
    #[rows(74)]
    sparse_recordings: AutoSparse::new(AutoTape::new());
    #[rows(87)]
    sparse_in_two_modes: AutoSparse::new(MixedMode::new(AutoDual::new(), AutoSource::new().reverse()));
    #[rows(74)]
    sparse_second_order: AutoSparse::new(SecondOrder::new(AutoDual::new(), AutoSource::new()));
}

/// A full pattern, and no colors.
#[test]
fn nothing_is_detected() {
    let _row = di_test::parity::row(75);
    let backend = AutoSparse::dense_pattern(AutoSource::new());
    check(&(backend,), &Options::new());
}

#[test]
fn claims_are_what_the_tests_show() {
    di_test::parity::check();
}
