//! First year: shopping list with a HashMap of prices, discounts by category.

use di::prelude::*;
use std::collections::HashMap;

fn tax_rates() -> HashMap<&'static str, f64> {
    let mut m = HashMap::new();
    m.insert("food", 0.07);
    m.insert("book", 0.07);
    m.insert("toy", 0.19);
    m
}

struct Item {
    category: &'static str,
    amount: u32,
}

#[differentiable]
fn bill(prices: &[f64], items: &[Item]) -> f64 {
    let rates = tax_rates();
    let mut per_category: HashMap<&str, f64> = HashMap::new();
    for (i, item) in items.iter().enumerate() {
        let cost = prices[i] * item.amount as f64;
        *per_category.entry(item.category).or_insert(0.0) += cost;
    }
    let mut total = 0.0;
    for name in ["food", "book", "toy"] {
        if let Some(cost) = per_category.get(name) {
            let discount = if *cost > 20.0 { 0.9 } else { 1.0 };
            total += cost * discount * (1.0 + rates[name]);
        }
    }
    total
}

pub(super) fn main() -> Result<(), di::Error> {
    let items = [
        Item { category: "food", amount: 3 },
        Item { category: "toy", amount: 1 },
        Item { category: "food", amount: 10 },
    ];
    let p = [1.2, 15.0, 2.5];
    let g = gradient(bill::AD.with(&items), NoPrep, &AutoSource::new(), &p)?;
    super::check_of("shopping", &g, &p, |p| bill(p, &items));
    Ok(())
}
