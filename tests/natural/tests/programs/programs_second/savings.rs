//! First year: savings plan with yearly bonus and inflation, enum for the interest type.

use di::prelude::*;

#[derive(Clone, Copy, PartialEq)]
enum Plan {
    Simple,
    Monthly,
    Continuous,
}

#[differentiable]
fn grow(money: f64, rate: f64, plan: Plan) -> f64 {
    match plan {
        Plan::Simple => money * (1.0 + rate),
        Plan::Monthly => {
            let mut m = money;
            for _month in 1..=12 {
                m *= 1.0 + rate / 12.0;
            }
            m
        }
        Plan::Continuous => money * rate.exp(),
    }
}

#[differentiable]
fn final_money(x: &[f64], plan: Plan, years: u32) -> f64 {
    let (start, deposit, rate) = (x[0], x[1], x[2]);
    let mut money = start;
    let mut history: Vec<f64> = vec![];
    for year in 0..years {
        money = grow(money, rate, plan) + deposit;
        if year % 5 == 4 {
            money += 0.1 * deposit; // bonus
        }
        if money > 1000.0 && plan == Plan::Simple {
            money -= (money - 1000.0) * 0.05;
        }
        history.push(money);
    }
    let best = history.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    best / 1.02_f64.powi(years as i32)
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [500.0, 50.0, 0.04];
    for plan in [Plan::Simple, Plan::Monthly, Plan::Continuous] {
        let g = gradient(final_money::AD.with(plan, 20), NoPrep, &AutoSource::new(), &x)?;
        super::check_of("savings", &g, &x, |x| final_money(x, plan, 20));
    }
    Ok(())
}
