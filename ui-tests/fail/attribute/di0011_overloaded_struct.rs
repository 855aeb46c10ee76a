#![allow(warnings)]

use di::overloaded;

#[overloaded]
struct Spring {
    stiffness: f64,
}

fn main() {}
