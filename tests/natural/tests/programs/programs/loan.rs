//! Student: loan with a changing rate, tuples and Strings.

use di::prelude::*;
use super::{check, fd};
use std::collections::HashMap;

fn fees() -> HashMap<String, f64> {
    let mut m = HashMap::new();
    m.insert("opening".to_string(), 250.0);
    m.insert("yearly".to_string(), 12.0);
    m
}

#[differentiable]
fn monthly_payment(amount: f64, yearly_rate: f64, months: u32) -> f64 {
    let r = yearly_rate / 12.0 / 100.0;
    if r == 0.0 {
        return amount / months as f64;
    }
    amount * r / (1.0 - (1.0 + r).powi(-(months as i32)))
}

#[differentiable]
fn total_cost(amount: f64, rate: f64, #[constant] fees: &HashMap<String, f64>) -> f64 {
    let payment = monthly_payment(amount, rate, 120);
    let mut debt = amount;
    let mut paid = *fees.get("opening").unwrap_or(&0.0);
    let mut month = 0;
    while debt > 0.0 {
        month += 1;
        if month % 12 == 0 {
            paid += fees["yearly"];
        }
        let interest = debt * rate / 1200.0;
        let extra = if month > 60 { 0.1 * payment } else { 0.0 };
        let pay = (payment + extra).min(debt + interest);
        debt = debt + interest - pay;
        paid += pay;
        if month > 500 {
            break;
        }
    }
    paid
}

pub(super) fn main() -> Result<(), di::Error> {
    let fees = fees();
    let (da, dr) = gradient(total_cost::AD.with(&fees), NoPrep, &AutoSource::new(), &(10000.0, 5.0))?;
    check("16", &[da, dr], &fd(|x| total_cost(x[0], x[1], &fees), &[10000.0, 5.0]));
    Ok(())
}
