//! Engineer/finance student: bond price, duration, yield by Newton, dates; trait objects &dyn Instrument in a Vec.

use di::prelude::*;
use super::{check, fd};

#[differentiable]
mod bonds {
    pub trait Instrument {
        fn cash_flows(&self) -> Vec<(f64, f64)>;
        fn present_value(&self, rate: f64) -> f64 {
            self.cash_flows().iter().map(|(t, c)| c * (-rate * t).exp()).sum()
        }
    }
    pub struct Bond {
        face: f64,
        coupon: f64,
        years: u32,
    }
    pub struct Zero {
        face: f64,
        years: u32,
    }
    impl Instrument for Bond {
        fn cash_flows(&self) -> Vec<(f64, f64)> {
            let mut v: Vec<(f64, f64)> = (1..=self.years).map(|t| (f64::from(t), self.face * self.coupon)).collect();
            if let Some(last) = v.last_mut() {
                last.1 += self.face;
            }
            v
        }
    }
    impl Instrument for Zero {
        fn cash_flows(&self) -> Vec<(f64, f64)> {
            vec![(self.years as f64, self.face)]
        }
    }

    fn total(book: &[Box<dyn Instrument>], rate: f64) -> f64 {
        book.iter().map(|i| i.present_value(rate)).sum()
    }

    pub fn value(rate: f64, coupon: f64, face: f64) -> f64 {
        let book: Vec<Box<dyn Instrument>> = vec![
            Box::new(Bond { face, coupon, years: 5 }),
            Box::new(Zero { face: 0.5 * face, years: 7 }),
            Box::new(Bond { face: 100.0, coupon: 0.02, years: 2 }),
        ];
        total(&book, rate) / total(&book[..1], 0.02)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let (a, b, c) = gradient(bonds::value::AD, NoPrep, &AutoSource::new(), &(0.03, 0.045, 1000.0))?;
    check("70", &[a, b, c], &fd(|x| bonds::value(x[0], x[1], x[2]), &[0.03, 0.045, 1000.0]));
    Ok(())
}
