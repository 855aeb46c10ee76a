//! Ledger of a farm shop: BTreeMap of running balances by day, range queries.
use di::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
struct Entry {
    day: u32,
    account: String,
    share: f64,
}

#[differentiable]
fn balance(amount: &[f64], rate: f64, entries: &[Entry]) -> f64 {
    let mut by_day: BTreeMap<u32, f64> = BTreeMap::new();
    let mut accounts = BTreeSet::new();
    for (e, a) in entries.iter().zip(amount) {
        accounts.insert(e.account.clone());
        by_day.entry(e.day).and_modify(|v| *v += e.share * a).or_insert(e.share * a);
    }
    let mut money = 0.0;
    let mut today = 0;
    for (day, v) in &by_day {
        money *= (1.0 + rate).powi((*day - today) as i32);
        money += v;
        today = *day;
    }
    let early: f64 = by_day.range(..10).map(|(_, v)| v).sum();
    let largest = by_day.values().cloned().fold(0.0, f64::max);
    let last = by_day.last_key_value().map_or(0.0, |(_, v)| *v);
    money + 0.1 * early + largest * last / accounts.len() as f64
}

pub(super) fn main() -> Result<(), di::Error> {
    let e = |day, account: &str, share| Entry { day, account: account.to_string(), share };
    let entries = vec![e(1, "milk", 0.9), e(12, "eggs", 0.8), e(1, "eggs", 0.7), e(20, "hay", 1.0)];
    let f = balance::AD.with(&entries);
    let x = ([10.0, 4.0, 3.0, 5.0], 0.01);
    let (g, r) = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("ledger", &[g[0], g[1], g[2], g[3], r], &[10.0, 4.0, 3.0, 5.0, 0.01], |x| balance(&x[..4], x[4], &entries));
    Ok(())
}
