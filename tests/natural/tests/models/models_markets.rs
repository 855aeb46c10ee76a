//! Asian option under Heston's model, full truncation Euler, given normal variates.
use di::prelude::*;

#[differentiable]
mod heston {
    pub struct Market {
        pub spot: f64,
        pub rate: f64,
        pub strike: f64,
        pub maturity: f64,
    }

    struct Model {
        v0: f64,
        kappa: f64,
        theta: f64,
        xi: f64,
        rho: f64,
    }

    impl Model {
        fn new(p: &[f64]) -> Result<Self, String> {
            if p.len() != 5 {
                return Err(format!("expected 5 parameters, found {}", p.len()));
            }
            let model = Model {
                v0: p[0],
                kappa: p[1],
                theta: p[2],
                xi: p[3],
                rho: p[4],
            };
            if model.rho.abs() >= 1.0 {
                return Err("correlation out of range".to_string());
            }
            Ok(model)
        }

        fn average(&self, market: &Market, path: &[(f64, f64)]) -> f64 {
            let dt = market.maturity / path.len() as f64;
            let mut log_s = market.spot.ln();
            let mut v = self.v0;
            let mut sum = 0.0;
            for (z1, z2) in path {
                let vp = v.max(0.0);
                let vol = (vp * dt).sqrt();
                let w = self.rho * z1 + (1.0 - self.rho * self.rho).sqrt() * z2;
                log_s += (market.rate - 0.5 * vp) * dt + vol * z1;
                v += self.kappa * (self.theta - vp) * dt + self.xi * vol * w;
                sum += log_s.exp();
            }
            sum / path.len() as f64
        }
    }

    fn smooth_call(s: f64, k: f64) -> f64 {
        let eps = 0.1;
        eps * ((s - k) / eps).exp().ln_1p()
    }

    fn try_price(p: &[f64], market: &Market, normals: &[Vec<(f64, f64)>]) -> Result<f64, String> {
        let model = Model::new(p)?;
        let payoff: f64 = normals
            .iter()
            .map(|path| smooth_call(model.average(market, path), market.strike))
            .sum();
        Ok((-market.rate * market.maturity).exp() * payoff / normals.len() as f64)
    }

    pub fn price(
        p: &[f64],
        #[constant] market: &Market,
        #[constant] normals: &[Vec<(f64, f64)>],
    ) -> f64 {
        try_price(p, market, normals).expect("valid parameters")
    }
}

#[test]
fn check() {
    use crate::check::scalar;
    let market = heston::Market {
        spot: 1.0,
        rate: 0.03,
        strike: 0.95,
        maturity: 1.0,
    };
    let normals: Vec<Vec<(f64, f64)>> = (0..6)
        .map(|i| {
            (0..5)
                .map(|j| {
                    (
                        (1.3 * i as f64 + j as f64).sin(),
                        (0.7 * (i * j) as f64).cos(),
                    )
                })
                .collect()
        })
        .collect();
    scalar!(
        heston::price,
        (&market, &normals),
        &[0.3, 1.2, 0.25, 0.3, -0.5]
    );
}
