//! The table as data, and its page of documentation.

use std::collections::BTreeSet;
use std::path::Path;

use di_elementary::{Class, OPERATORS, PASSIVE, Product, REFUSED, TABLE};
use di_elementary::{evaluate, find, find_refused, is_passive, markdown};

#[test]
fn names_are_unique() {
    let rows = TABLE.iter().chain(OPERATORS).map(|row| row.name);
    let others = REFUSED
        .iter()
        .map(|refused| refused.name)
        .chain(PASSIVE.iter().copied());
    let mut seen = BTreeSet::new();
    for name in rows.chain(others) {
        assert!(seen.insert(name), "`{name}` occurs twice");
    }
}

#[test]
fn reads_come_from_the_formula() {
    let partial = |name, k| {
        find(name)
            .and_then(|row| row.partial(k))
            .expect("a partial")
    };
    let reads = |name, k| {
        let p = partial(name, k);
        (
            [
                p.reads_argument(0),
                p.reads_argument(1),
                p.reads_argument(2),
            ],
            p.reads_result(),
        )
    };
    assert_eq!(reads("sin", 0), ([true, false, false], false));
    assert_eq!(reads("exp", 0), ([false, false, false], true));
    assert_eq!(reads("powi", 0), ([true, false, false], false));
    assert_eq!(reads("powf", 1), ([true, false, false], true));
    assert_eq!(reads("hypot", 1), ([false, true, false], true));
    assert_eq!(reads("mul_add", 1), ([true, false, false], false));
    assert_eq!(reads("mul_add", 2), ([false, false, false], false));
    assert_eq!(reads("clamp", 2), ([true, true, true], false));
}

#[test]
fn rows_say_how_they_depend_on_their_arguments() {
    let row = |name| find(name).expect("a row");
    assert_eq!(row("copysign").classes, [Class::Linear, Class::Zero]);
    assert_eq!(row("copysign").partial(1), None);
    assert!(
        row("mul_add").second(1, 0) && !row("mul_add").second(0, 0) && !row("mul_add").second(0, 2)
    );
    assert!(row("powi").integer && row("powi").arity() == 1);
    assert_eq!(row("sqrt").partials[0].product, Product::Strong);
    assert_eq!(row("max").partials[1].product, Product::Select);
}

#[test]
fn every_partial_belongs_to_an_argument_that_is_not_of_class_zero() {
    for row in TABLE.iter().chain(OPERATORS) {
        let expected: Vec<usize> = (0..row.arity())
            .filter(|&k| row.classes[k] != Class::Zero)
            .collect();
        let found: Vec<usize> = row.partials.iter().map(|p| p.argument).collect();
        assert_eq!(found, expected, "`{}`", row.name);
    }
}

#[test]
fn values_are_those_of_std() {
    assert_eq!(evaluate("atan2", &[1.0, -2.0], 0), Some(1.0f64.atan2(-2.0)));
    assert_eq!(evaluate("powi", &[3.0], -2), Some(3.0f64.powi(-2)));
    assert_eq!(evaluate("atan2", &[1.0], 0), None);
    assert_eq!(evaluate("gamma", &[1.0], 0), None);
    assert!(find_refused("gamma").is_some() && is_passive("is_nan") && !is_passive("sin"));
}

/// `DI_BLESS=1` writes the page instead.
#[test]
fn the_page_is_in_step_with_the_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/elementary.md");
    let page = markdown();
    if std::env::var_os("DI_BLESS").is_some() {
        std::fs::write(&path, &page).expect("docs/ can be written");
    }
    let found = std::fs::read_to_string(&path).expect("docs/elementary.md exists");
    assert!(
        found == page,
        "docs/elementary.md is not in step: DI_BLESS=1 cargo test -p differentiation-interface-elementary"
    );
}
