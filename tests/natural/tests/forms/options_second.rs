//! Option pricing.

/// Portfolio of options held in a struct, Greeks by differentiation of the book value.
mod option_book {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod book {
        #[derive(Clone, Copy, Debug)]
        pub enum Payoff {
            Call,
            Put,
            Digital,
        }

        pub struct Position {
            pub payoff: Payoff,
            pub strike: f64,
            pub expiry: f64,
            pub quantity: f64,
        }

        #[derive(Clone, Debug)]
        struct Market {
            spot: f64,
            rate: f64,
            vol: f64,
            skew: f64,
        }

        impl Market {
            fn vol_at(&self, #[constant] strike: f64) -> f64 {
                self.vol + self.skew * (strike / self.spot).ln()
            }
        }

        fn n(x: f64) -> f64 {
            0.5 * (1.0 + (0.7978845608028654 * (x + 0.044715 * x * x * x)).tanh())
        }

        fn value(m: &Market, #[constant] p: &Position) -> f64 {
            let v = m.vol_at(p.strike) * p.expiry.sqrt();
            let d1 = ((m.spot / p.strike).ln() + m.rate * p.expiry) / v + 0.5 * v;
            let d2 = d1 - v;
            let df = (-m.rate * p.expiry).exp();
            let unit = match p.payoff {
                Payoff::Call => m.spot * n(d1) - p.strike * df * n(d2),
                Payoff::Put => p.strike * df * n(-d2) - m.spot * n(-d1),
                Payoff::Digital => df * n(d2),
            };
            p.quantity * unit
        }

        pub fn book_value(x: &[f64], #[constant] positions: &[Position]) -> f64 {
            let m = Market {
                spot: x[0],
                rate: x[1],
                vol: x[2],
                skew: x[3],
            };
            positions.iter().map(|p| value(&m, p)).sum()
        }
    }

    #[test]
    fn option_book() {
        use book::{Payoff, Position};
        let positions = [
            Position {
                payoff: Payoff::Call,
                strike: 1.0,
                expiry: 0.5,
                quantity: 2.0,
            },
            Position {
                payoff: Payoff::Put,
                strike: 0.9,
                expiry: 1.0,
                quantity: -1.0,
            },
            Position {
                payoff: Payoff::Digital,
                strike: 1.1,
                expiry: 0.8,
                quantity: 0.5,
            },
        ];
        scalar!(book::book_value, (&positions), &[1.05, 0.1, 0.4, -0.1]);
    }
}

/// SABR implied volatility (Hagan), smile as a vector.
mod sabr_smile {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        fn sabr_vol(
            f: f64,
            #[constant] k: f64,
            t: f64,
            alpha: f64,
            beta: f64,
            rho: f64,
            nu: f64,
        ) -> f64 {
            let fk = (f * k).powf(0.5 * (1.0 - beta));
            let log = (f / k).ln();
            let z = nu / alpha * fk * log;
            let chi = (((1.0 - 2.0 * rho * z + z * z).sqrt() + z - rho) / (1.0 - rho)).ln();
            let b2 = (1.0 - beta).powi(2);
            let denom = fk * (1.0 + b2 / 24.0 * log.powi(2) + b2 * b2 / 1920.0 * log.powi(4));
            let correction = 1.0
                + t * (b2 / 24.0 * alpha * alpha / (fk * fk)
                    + 0.25 * rho * beta * nu * alpha / fk
                    + (2.0 - 3.0 * rho * rho) / 24.0 * nu * nu);
            alpha / denom * (z / chi) * correction
        }

        pub fn smile(x: &[f64], #[constant] strikes: &[f64]) -> Vec<f64> {
            strikes
                .iter()
                .map(|k| sabr_vol(x[0], *k, 1.0, x[1], x[2], x[3], x[4]))
                .collect()
        }

        pub fn calibration(x: &[f64], #[constant] quotes: &[(f64, f64)]) -> f64 {
            let mut err = 0.0;
            for &(k, v) in quotes {
                let d = sabr_vol(x[0], k, 1.0, x[1], x[2], x[3], x[4]) - v;
                err += d * d;
            }
            err
        }
    }

    #[test]
    fn sabr_smile() {
        let x = [1.0, 0.3, 0.6, -0.3, 0.5];
        vector!(problem::smile, (&[0.7, 0.9, 1.2, 1.5]), &x);
        scalar!(problem::calibration, (&[(0.8, 0.5), (1.3, 0.2)]), &x);
    }
}

/// Yield curve bootstrapped by interpolation on pillars, swap value.
mod swap_curve {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const PILLARS: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 5.0];

    #[differentiable]
    fn zero_rate(rates: &[f64], #[constant] t: f64) -> f64 {
        if t <= PILLARS[0] {
            return rates[0];
        }
        for i in 1..PILLARS.len() {
            if t <= PILLARS[i] {
                let w = (t - PILLARS[i - 1]) / (PILLARS[i] - PILLARS[i - 1]);
                return rates[i - 1] * (1.0 - w) + rates[i] * w;
            }
        }
        rates[PILLARS.len() - 1]
    }

    #[differentiable]
    fn discount(rates: &[f64], #[constant] t: f64) -> f64 {
        (-zero_rate(rates, t) * t).exp()
    }

    #[differentiable]
    pub fn swap_rate(rates: &[f64], years: usize) -> f64 {
        let annuity: f64 = (1..=years).map(|y| discount(rates, y as f64)).sum();
        (1.0 - discount(rates, years as f64)) / annuity
    }

    #[differentiable]
    pub fn par_rates(rates: &[f64]) -> Vec<f64> {
        (1..=4).map(|y| swap_rate(rates, y)).collect()
    }

    #[test]
    fn swap_curve() {
        let rates = [0.1, 0.15, 0.2, 0.22, 0.3];
        scalar!(swap_rate, (5), &rates);
        vector!(par_rates, (), &rates);
    }
}

/// Merton jump diffusion: Poisson sum of Black-Scholes prices, truncated by a tolerance.
mod merton_jumps {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod jump {
        fn ncdf(x: f64) -> f64 {
            1.0 / (1.0 + (-1.5976 * x - 0.07056 * x.powi(3)).exp())
        }

        fn bs(s: f64, k: f64, r: f64, v: f64) -> f64 {
            let d1 = ((s / k).ln() + r + 0.5 * v * v) / v;
            s * ncdf(d1) - k * (-r).exp() * ncdf(d1 - v)
        }

        #[derive(Clone, Copy, Debug)]
        struct Jumps {
            intensity: f64,
            mean: f64,
            sd: f64,
        }

        pub fn call(x: &[f64]) -> f64 {
            let [s, k, r, sigma] = [x[0], x[1], x[2], x[3]];
            let j = Jumps {
                intensity: x[4],
                mean: x[5],
                sd: x[6],
            };
            let m = (j.mean + 0.5 * j.sd * j.sd).exp() - 1.0;
            let lam = j.intensity * (1.0 + m);
            let mut weight = (-lam).exp();
            let mut price = 0.0;
            let mut n = 0;
            while n < 25 {
                let nf = n as f64;
                let vol = (sigma * sigma + nf * j.sd * j.sd).sqrt();
                let rate = r - j.intensity * m + nf * (1.0 + m).ln();
                price += weight * bs(s, k, rate, vol);
                n += 1;
                weight *= lam / n as f64;
            }
            price
        }
    }

    #[test]
    fn merton_jumps() {
        scalar!(jump::call, (), &[1.0, 1.05, 0.05, 0.3, 0.6, -0.1, 0.2]);
    }
}

// E0446 private type `bs_fd::Grid` in public interface
/// Explicit finite differences for the Black-Scholes equation on a log grid.
mod bs_fd {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Grid {
        nodes: usize,
        steps: usize,
        width: f64,
    }

    impl Default for Grid {
        fn default() -> Self {
            Grid {
                nodes: 21,
                steps: 30,
                width: 2.0,
            }
        }
    }

    #[differentiable]
    pub fn value(x: &[f64], #[constant] g: &Grid) -> f64 {
        let (sigma, r, strike) = (x[0], x[1], x[2]);
        let dx = 2.0 * g.width / (g.nodes - 1) as f64;
        let dt = 1.0 / g.steps as f64;
        let a = 0.5 * sigma * sigma / (dx * dx);
        let b = (r - 0.5 * sigma * sigma) / (2.0 * dx);
        let payoff = |y: f64| (0.2 + (y.exp() - strike).powi(2)).sqrt();
        let mut u: Vec<f64> = (0..g.nodes)
            .map(|i| payoff(-g.width + i as f64 * dx))
            .collect();
        for _ in 0..g.steps {
            let old = u.clone();
            for i in 1..g.nodes - 1 {
                let diff = old[i + 1] - 2.0 * old[i] + old[i - 1];
                let conv = old[i + 1] - old[i - 1];
                u[i] = old[i] + dt * (a * diff + b * conv - r * old[i]);
            }
            u[0] = 2.0 * u[1] - u[2];
            u[g.nodes - 1] = 2.0 * u[g.nodes - 2] - u[g.nodes - 3];
        }
        u[g.nodes / 2]
    }

    #[test]
    fn bs_fd() {
        scalar!(value, (&Grid::default()), &[0.4, 0.05, 1.1]);
    }
}
