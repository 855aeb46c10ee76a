#![allow(warnings)]

use di::overloaded;
use std::collections::HashMap;

#[overloaded]
mod model {
    use std::collections::HashMap;

    // without a mark it has no handle, and is for the other functions
    pub fn sum(prices: &HashMap<String, f64>) -> f64 {
        prices.values().sum()
    }

    pub fn total(prices: &HashMap<String, f64>, #[constant] names: &[String]) -> f64 {
        names.iter().map(|name| prices[name]).sum()
    }
}

#[overloaded]
fn alone(prices: &HashMap<String, f64>) -> f64 {
    prices.values().sum()
}

fn main() {}
