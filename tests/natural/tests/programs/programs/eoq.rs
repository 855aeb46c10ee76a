//! Engineer: warehouse slotting cost, HashMap<String, f64> parameter table read by name inside the model.

use di::prelude::*;
use super::{check, fd};
use std::collections::HashMap;

type Table = HashMap<&'static str, f64>;

fn defaults() -> Table {
    [("order_cost", 50.0), ("hold_rate", 0.2), ("service_z", 1.64), ("lead_days", 9.0)].into_iter().collect()
}

struct Item {
    sku: &'static str,
    demand: f64,
    sigma: f64,
    price: f64,
}

#[differentiable]
fn phi(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[differentiable]
fn item_cost(q: f64, z: f64, #[constant] item: &Item, #[constant] t: &Table) -> f64 {
    let get = |name: &str| t.get(name).copied().unwrap_or_else(|| panic!("no {name}"));
    let lead_sigma = item.sigma * (get("lead_days") / 365.0_f64).sqrt();
    let ordering = get("order_cost") * item.demand / q;
    let holding = get("hold_rate") * item.price * (q / 2.0 + z * lead_sigma);
    let short = item.demand / q * lead_sigma * (phi(z) - z * (1.0 - 1.0 / (1.0 + (-1.702 * z).exp())));
    ordering + holding + item.price * 0.4 * short
}

#[differentiable]
fn total(x: &[f64], #[constant] items: &[Item], #[constant] t: &Table) -> f64 {
    let mut by_sku: HashMap<&str, f64> = HashMap::new();
    for (item, qz) in items.iter().zip(x.chunks_exact(2)) {
        let c = item_cost(qz[0], qz[1], item, t);
        *by_sku.entry(item.sku).or_insert(0.0) += c;
    }
    let mut worst = 0.0;
    for (_, c) in &by_sku {
        if *c > worst {
            worst = *c;
        }
    }
    by_sku.values().sum::<f64>() + 0.1 * worst
}

pub(super) fn main() -> Result<(), di::Error> {
    let t = defaults();
    let item = |sku, demand, sigma, price| Item { sku, demand, sigma, price };
    let items = [item("A", 1000.0, 80.0, 12.0), item("B", 300.0, 50.0, 40.0), item("A", 500.0, 60.0, 11.0)];
    let x = [100.0, 1.5, 60.0, 1.2, 90.0, 2.0];
    let g = gradient(total::AD.with(&items, &t), NoPrep, &AutoSource::new(), &x)?;
    check("44", &g, &fd(|x| total(x, &items, &t), &x));
    Ok(())
}
