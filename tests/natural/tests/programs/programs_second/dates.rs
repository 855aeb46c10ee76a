//! Lease with dates: Ord on Date, cash flows sorted, internal rate by Newton with a derivative by hand.
use di::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Date {
    year: i32,
    month: u8,
    day: u8,
}

impl Date {
    const fn new(year: i32, month: u8, day: u8) -> Self {
        Date { year, month, day }
    }
    fn ordinal(self) -> i64 {
        let m = (self.month as i64 + 9) % 12;
        let y = self.year as i64 - m / 10;
        365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + self.day as i64 - 1
    }
}

impl std::ops::Sub for Date {
    type Output = i64;
    fn sub(self, o: Date) -> i64 {
        self.ordinal() - o.ordinal()
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Flow {
    #[constant]
    date: Date,
    amount: f64,
}

#[derive(Debug)]
enum RateError {
    NoFlows,
    Diverged { steps: usize },
}

#[differentiable]
fn irr(flows: &[Flow]) -> Result<f64, RateError> {
    let first = flows.first().ok_or(RateError::NoFlows)?.date;
    let mut r = 0.05;
    for steps in 0.. {
        let (mut f, mut df) = (0.0, 0.0);
        for Flow { date, amount } in flows {
            let t = (*date - first) as f64 / 365.0;
            let d = (1.0_f64 + r).powf(-t);
            f += amount * d;
            df -= t * amount * d / (1.0 + r);
        }
        let dr = f / df;
        r -= dr;
        if dr.abs() < 1e-14 {
            break;
        } else if steps > 50 {
            return Err(RateError::Diverged { steps });
        }
    }
    Ok(r)
}

#[differentiable]
fn lease(x: &[f64]) -> f64 {
    let mut flows = vec![Flow { date: Date::new(2024, 3, 1), amount: -x[0] }, Flow { date: Date::new(2027, 2, 28), amount: x[2] }];
    for year in 2024..2027 {
        flows.push(Flow { date: Date::new(year, 12, 31), amount: x[1] });
    }
    flows.sort_by_key(|f| f.date);
    irr(&flows).unwrap()
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [100.0, 20.0, 60.0];
    let g = gradient(lease::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("lease", &g, &x, |x| lease(x));
    Ok(())
}
