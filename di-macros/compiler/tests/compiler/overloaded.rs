//! The copies of `#[overloaded]`: what only their tokens show.

use super::expansions::Short;
use quote::ToTokens;
use syn::visit_mut::VisitMut;

/// The copy of the module in a source, whose hidden module of the runtime is `rt`.
pub(crate) fn copy(source: &str) -> String {
    let items = syn::parse_file(source).unwrap().items;
    let module = items.iter().find_map(|item| match item {
        syn::Item::Mod(module) => Some(module.clone()),
        _ => None,
    });
    let mut module = module.unwrap();
    module.attrs.clear();
    let tokens = di_compiler::overloaded(Default::default(), module.into_token_stream());
    let text = tokens.to_string().replace(":: di :: __private", "rt");
    let module: syn::ItemMod = syn::parse_str(&text).unwrap();
    let copy = module
        .content
        .unwrap()
        .1
        .into_iter()
        .find_map(|item| match item {
            syn::Item::Mod(copy) if copy.ident == "__overloaded" => Some(copy),
            _ => None,
        });
    let mut copy = copy.unwrap();
    copy.attrs.clear();
    let mut file = syn::parse_quote!(#copy);
    Short.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

/// The lines of a module's copy without its frame.
fn lines(items: &str) -> Vec<String> {
    let copy = copy(&format!("mod model {{ {items} }}"));
    let lines = copy.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut lines: Vec<_> = lines.map(str::to_owned).collect();
    assert_eq!(lines.remove(0), "pub mod __overloaded {");
    assert_eq!(lines.pop().as_deref(), Some("}"));
    lines
}

/// What the copy has beside the import of its number.
#[track_caller]
fn becomes(items: &str, expected: &[&str]) {
    let mut found = lines(items);
    assert_eq!(found.remove(0), "use rt::overloaded::f64::Number as f64;");
    assert_eq!(found, expected);
}

#[test]
fn imports_are_split() {
    becomes(
        "use std::{collections::{HashMap, self as all}, f64::{self, consts::{self, PI, *}}, fmt::{self}};",
        &[
            "use std::collections::HashMap;",
            "use std::collections as all;",
            "use rt::overloaded::f64::consts;",
            "use rt::overloaded::f64::consts::PI;",
            "use rt::overloaded::f64::consts::*;",
            "use std::fmt;",
        ],
    );
    becomes(
        "use ::std::f64::consts::E;",
        &["use rt::overloaded::f64::consts::E;"],
    );
    becomes(
        "pub(crate) use ::log::warn as told;",
        &["pub(crate) use ::log::warn as told;"],
    );
}

#[test]
fn super_is_one_deeper() {
    becomes(
        "use super::a::{B, C}; use super::super::D; use self::inner::E; use crate::F; \
         mod inner { use super::*; use super::super::G; pub struct E; }",
        &[
            "use super::super::a::B;",
            "use super::super::a::C;",
            "use super::super::super::D;",
            "use self::inner::E;",
            "use crate::F;",
            "mod inner {",
            "use rt::overloaded::f64::Number as f64;",
            "use super::*;",
            "use super::super::super::G;",
            "pub struct E;",
            "}",
        ],
    );
    becomes(
        "fn f(n: super::N) { super::g(self::h(n)); super::super::k(); } mod i { fn l() { super::f(); super::super::g(); } }",
        &[
            "pub(super) fn f(n: super::super::N) {",
            "super::super::g(self::h(n));",
            "super::super::super::k();",
            "}",
            "mod i {",
            "use rt::overloaded::f64::Number as f64;",
            "fn l() {",
            "super::f();",
            "super::super::super::g();",
            "}",
            "}",
        ],
    );
}

#[test]
fn copies_of_other_modules_are_imported() {
    becomes(
        "#[overloaded] use super::geometry::{Vec3, dot as product};",
        &[
            "use super::super::geometry::__overloaded::Vec3;",
            "use super::super::geometry::__overloaded::dot as product;",
        ],
    );
}

#[test]
fn attributes_without_a_meaning_are_dropped() {
    becomes(
        "/// A parameter.\n#[derive(Clone, Serialize, Debug)] #[serde(rename_all = \"a\")] #[deny(missing_docs)] #[repr(C)] \
         pub struct P { /// A number.\n #[serde(skip)] #[cfg(unix)] pub v: f64 } \
         #[derive(Clone, Serialize)] pub struct Q { n: usize } \
         #[no_mangle] #[inline] #[must_use] #[deprecated] pub fn f(#[constant] k: usize) -> usize { k }",
        &[
            "#[derive(Clone, Debug)]",
            "#[repr(C)]",
            "pub struct P {",
            "#[cfg(unix)]",
            "pub v: f64,",
            "}",
            "#[derive(Clone, Serialize)]",
            "pub struct Q {",
            "n: usize,",
            "}",
            "#[inline]",
            "#[must_use]",
            "pub fn f(k: usize) -> usize {",
            "k",
            "}",
        ],
    );
}

#[test]
fn tests_stay_out_of_the_copy() {
    becomes(
        "#[test] fn t() {} #[cfg(test)] mod tests { use super::*; } #[cfg(test)] impl P { fn q() {} } fn f() {}",
        &["pub(super) fn f() {}"],
    );
}

#[test]
fn constants_of_the_module_are_those_of_the_original() {
    becomes(
        "const A: f64 = 2.0 * B; pub const N: usize = 3; const T: [f64; N] = [A; N]; const G: [[f64; 2]; 1] = [[1.0; 2]];",
        &[
            "const A: f64 = rt::overloaded::Active::<f64>::constant(super::A);",
            "pub const N: usize = super::N;",
            "const T: [f64; N] = rt::overloaded::array(super::T);",
            "const G: [[f64; 2]; 1] = rt::overloaded::grid(super::G);",
        ],
    );
}

#[test]
fn constants_of_functions_are_computed_on_floats() {
    becomes(
        "use std::f64::consts::{self, PI as TURN}; const A: f64 = 1.0; \
         fn f() { const B: f64 = TURN * A - consts::E; const C: [f64; 2] = [A, -TURN]; }",
        &[
            "use rt::overloaded::f64::consts;",
            "use rt::overloaded::f64::consts::PI as TURN;",
            "const A: f64 = rt::overloaded::Active::<f64>::constant(super::A);",
            "pub(super) fn f() {",
            "const B: f64 = rt::overloaded::Active::<",
            "f64,",
            ">::constant(::core::f64::consts::PI * A.of_constant() - ::core::f64::consts::E);",
            "const C: [f64; 2] = [",
            "A,",
            "rt::overloaded::Active::<f64>::constant(-::core::f64::consts::PI),",
            "];",
            "}",
        ],
    );
}

#[test]
fn constants_of_elsewhere_are_converted() {
    becomes(
        "fn f(v: f64) -> f64 { let a = v * G; let b = super::units::GRAM; let c = f64::MAX; a + b + c + f64::consts::PI }",
        &[
            "pub(super) fn f(v: f64) -> f64 {",
            "let a = v * rt::overloaded::outside::<f64, _>(G);",
            "let b = rt::overloaded::outside::<f64, _>(super::super::units::GRAM);",
            "let c = f64::MAX;",
            "a + b + c + rt::overloaded::f64::consts::PI",
            "}",
        ],
    );
}

#[test]
fn numbers_in_patterns_become_guards() {
    becomes(
        "fn f(v: f64, n: usize) -> bool { match (v, n) { (0.5, 1) => n > 2, (0.0..=1.0, _) if v < 3.0 => true, _ => false } }",
        &[
            "pub(super) fn f(v: f64, n: usize) -> bool {",
            "match (v, n) {",
            "(",
            "__number0,",
            "1,",
            ") if (__number0.eq(&rt::overloaded::Active::<f64>::constant(0.5))) => n > 2,",
            "(",
            "__number0,",
            "_,",
            ") if ((rt::overloaded::Active::<",
            "f64,",
            ">::constant(0.0)..=rt::overloaded::Active::<f64>::constant(1.0))",
            ".contains(&__number0))",
            "&& (v < rt::overloaded::Active::<f64>::constant(3.0)) => true,",
            "_ => false,",
            "}",
            "}",
        ],
    );
}

#[test]
fn right_sides_of_assignments_come_first() {
    becomes(
        "fn f(a: &mut [f64]) { a[0] += a[1] * 2.0; a[1] -= 1.0; }",
        &[
            "pub(super) fn f(a: &mut [f64]) {",
            "match a[1] * rt::overloaded::Active::<f64>::constant(2.0) {",
            "__right => a[0] += __right,",
            "};",
            "match rt::overloaded::Active::<f64>::constant(1.0) {",
            "__right => a[1] -= __right,",
            "};",
            "}",
        ],
    );
}

#[test]
fn the_float_that_is_not_mentioned_stays() {
    let found = lines("fn f(v: f32) -> f32 { v * 2.0 }");
    assert_eq!(found[0], "use rt::overloaded::f32::Number as f32;");
    becomes(
        "fn f(v: f64, w: f32) -> f32 { w * 2.0_f32 }",
        &[
            "pub(super) fn f(v: f64, w: f32) -> f32 {",
            "w * 2.0_f32",
            "}",
        ],
    );
}
