//! Options: programs of a third collection.

/// Black-Scholes with a rational approximation of the normal distribution.
mod book_of_options {
    use di::prelude::*;

    const A: [f64; 5] = [
        0.319381530,
        -0.356563782,
        1.781477937,
        -1.821255978,
        1.330274429,
    ];

    #[differentiable]
    fn norm_cdf(x: f64) -> f64 {
        let k = 1.0 / (1.0 + 0.2316419 * x.abs());
        let poly = k * A.iter().rev().fold(0.0, |acc, c| acc * k + c);
        let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
        if x >= 0.0 { 1.0 - tail } else { tail }
    }

    #[differentiable]
    fn call(spot: f64, strike: f64, vol: f64, rate: f64, expiry: f64) -> f64 {
        if expiry <= 0.0 {
            return (spot - strike).max(0.0);
        }
        let sd = vol * expiry.sqrt();
        let d1 = ((spot / strike).ln() + (rate + 0.5 * vol.powi(2)) * expiry) / sd;
        let d2 = d1 - sd;
        spot * norm_cdf(d1) - strike * (-rate * expiry).exp() * norm_cdf(d2)
    }

    /// Value of a book of (strike, expiry, quantity); negative strikes mark puts.
    #[differentiable]
    fn book(market: &[f64; 3], #[constant] positions: &[(f64, f64, i32)]) -> f64 {
        let [spot, vol, rate] = *market;
        let mut value = 0.0;
        for &(strike, expiry, qty) in positions {
            let price = if strike > 0.0 {
                call(spot, strike, vol, rate, expiry)
            } else {
                let k = -strike;
                call(spot, k, vol, rate, expiry) - spot + k * (-rate * expiry).exp()
            };
            value += qty as f64 * price;
        }
        value
    }

    #[test]
    fn book_of_options() {
        let positions = [
            (100.0, 0.5, 10),
            (-95.0, 1.0, -3),
            (110.0, 0.25, 2),
            (90.0, 0.0, 1),
        ];
        crate::check::scalar!(book, (&positions), &[102.0, 0.22, 0.03]);
    }
}

/// Bonds on a curve of zero rates, interpolated linearly.
mod bonds_on_a_curve {
    use di::prelude::*;

    #[derive(Clone, Debug)]
    struct Bond {
        coupon: f64,
        maturity: usize,
        price: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Curve {
        rates: Vec<f64>,
    }

    const TENORS: [f64; 4] = [1.0, 2.0, 5.0, 10.0];

    #[differentiable]
    impl Curve {
        fn rate(&self, t: f64) -> f64 {
            if t <= TENORS[0] {
                return self.rates[0];
            }
            for i in 1..TENORS.len() {
                if t <= TENORS[i] {
                    let w = (t - TENORS[i - 1]) / (TENORS[i] - TENORS[i - 1]);
                    return (1.0 - w) * self.rates[i - 1] + w * self.rates[i];
                }
            }
            *self.rates.last().unwrap()
        }

        fn discount(&self, t: f64) -> f64 {
            (-self.rate(t) * t).exp()
        }

        fn price(&self, #[constant] bond: &Bond) -> f64 {
            let coupons: f64 = (1..=bond.maturity)
                .map(|t| bond.coupon * self.discount(t as f64))
                .sum();
            coupons + 100.0 * self.discount(bond.maturity as f64)
        }

        fn error(&self, #[constant] bonds: &[Bond]) -> f64 {
            bonds
                .iter()
                .map(|b| (self.price(b) - b.price).powi(2))
                .sum::<f64>()
        }
    }

    #[test]
    fn bonds_on_a_curve() {
        let bonds = vec![
            Bond {
                coupon: 2.0,
                maturity: 1,
                price: 101.0,
            },
            Bond {
                coupon: 3.0,
                maturity: 4,
                price: 99.5,
            },
            Bond {
                coupon: 4.0,
                maturity: 12,
                price: 104.0,
            },
        ];
        let make = |q: &Vec<f64>| Curve { rates: q.clone() };
        let list = |c: &Curve| c.rates.clone();
        let q = vec![0.02, 0.022, 0.028, 0.033];
        crate::check::made!(
            Curve::error_ad.with(&bonds),
            |c: &Curve| c.error(&bonds),
            make,
            list,
            &q
        );
    }
}

/// SABR smile calibrated to quotes.
mod sabr_smile {
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Sabr {
        pub alpha: f64,
        pub rho: f64,
        pub nu: f64,
    }

    pub struct Quote {
        pub strike: f64,
        pub vol: f64,
        pub weight: Option<f64>,
    }

    #[differentiable]
    impl Sabr {
        const BETA: f64 = 0.5;

        pub fn vol(&self, #[constant] f: f64, #[constant] k: f64, #[constant] t: f64) -> f64 {
            let Sabr { alpha, rho, nu } = *self;
            let one_beta = 1.0 - Self::BETA;
            let fk = (f * k).powf(one_beta);
            let time = 1.0
                + t * (one_beta.powi(2) / 24.0 * alpha * alpha / fk
                    + 0.25 * rho * Self::BETA * nu * alpha / fk.sqrt()
                    + (2.0 - 3.0 * rho * rho) / 24.0 * nu * nu);
            if (f - k).abs() < 1e-8 {
                return alpha / f.powf(one_beta) * time;
            }
            let lfk = (f / k).ln();
            let z = nu / alpha * fk.sqrt() * lfk;
            let chi = (((1.0 - 2.0 * rho * z + z * z).sqrt() + z - rho) / (1.0 - rho)).ln();
            let denom = fk.sqrt()
                * (1.0
                    + one_beta.powi(2) / 24.0 * lfk.powi(2)
                    + one_beta.powi(4) / 1920.0 * lfk.powi(4));
            alpha / denom * z / chi * time
        }

        pub fn objective(&self, #[constant] quotes: &[Quote], #[constant] forward: f64) -> f64 {
            let mut sse = 0.0;
            for Quote {
                strike,
                vol,
                weight,
            } in quotes
            {
                let w = weight.unwrap_or(1.0);
                let e = self.vol(forward, *strike, 1.5) - vol;
                sse += w * e * e;
            }
            1e2 * sse
        }
    }

    #[test]
    fn sabr_smile() {
        let quotes = [
            Quote {
                strike: 0.8,
                vol: 0.31,
                weight: None,
            },
            Quote {
                strike: 1.0,
                vol: 0.25,
                weight: Some(4.0),
            },
            Quote {
                strike: 1.3,
                vol: 0.22,
                weight: None,
            },
        ];
        let make = |q: &[f64; 3]| Sabr {
            alpha: q[0],
            rho: q[1],
            nu: q[2],
        };
        let list = |s: &Sabr| vec![s.alpha, s.rho, s.nu];
        crate::check::made!(
            Sabr::objective_ad.with(&quotes[..], 1.0),
            |s: &Sabr| s.objective(&quotes, 1.0),
            make,
            list,
            &[0.27, -0.3, 0.6]
        );
    }
}

/// An American put on a binomial tree.
mod american_put {
    use di::prelude::*;

    #[differentiable]
    mod tree {
        pub struct Contract {
            pub strike: f64,
            pub expiry: f64,
            pub american: bool,
        }

        fn payoff(s: f64, k: f64) -> f64 {
            (k - s).max(0.0)
        }

        pub fn price(market: [f64; 3], #[constant] c: &Contract, #[constant] n: usize) -> f64 {
            let [spot, vol, rate] = market;
            let dt = c.expiry / n as f64;
            let u = (vol * dt.sqrt()).exp();
            let d = 1.0 / u;
            let disc = (-rate * dt).exp();
            let p = (1.0 / disc - d) / (u - d);
            let mut values: Vec<f64> = (0..=n)
                .map(|j| payoff(spot * u.powi(j as i32) * d.powi((n - j) as i32), c.strike))
                .collect();
            for step in (0..n).rev() {
                for j in 0..=step {
                    let hold = disc * (p * values[j + 1] + (1.0 - p) * values[j]);
                    values[j] = if c.american {
                        let s = spot * u.powi(2 * j as i32 - step as i32);
                        hold.max(payoff(s, c.strike))
                    } else {
                        hold
                    };
                }
                values.truncate(step + 1);
            }
            values[0]
        }
    }

    #[test]
    fn american_put() {
        let c = tree::Contract {
            strike: 1.05,
            expiry: 0.75,
            american: true,
        };
        use tree::price;
        crate::check::made!(
            price::AD.with(&c, 7),
            |m: &[f64; 3]| price(*m, &c, 7),
            |q: &[f64; 3]| *q,
            |g: &[f64; 3]| g.to_vec(),
            &[1.0, 0.3, 0.04]
        );
    }
}
