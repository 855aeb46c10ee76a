//! Option pricing.

/// Black-Scholes call and put with a normal distribution helper.
mod black_scholes {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    enum OptionKind {
        Call,
        Put,
    }

    #[differentiable]
    fn norm_cdf(x: f64) -> f64 {
        if x < 0.0 {
            return 1.0 - norm_cdf(-x);
        }
        let k = 1.0 / (1.0 + 0.2316419 * x);
        let poly = k
            * (0.319381530
                + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        1.0 - (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly
    }

    #[differentiable]
    fn price(kind: OptionKind, s: f64, k: f64, r: f64, sigma: f64, t: f64) -> f64 {
        let sq = sigma * t.sqrt();
        let d1 = ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / sq;
        let d2 = d1 - sq;
        let df = (-r * t).exp();
        match kind {
            OptionKind::Call => s * norm_cdf(d1) - k * df * norm_cdf(d2),
            OptionKind::Put => k * df * norm_cdf(-d2) - s * norm_cdf(-d1),
        }
    }

    #[differentiable]
    pub fn straddle(x: &[f64]) -> f64 {
        let [s, k, r, sigma, t] = [x[0], x[1], x[2], x[3], x[4]];
        price(OptionKind::Call, s, k, r, sigma, t) + price(OptionKind::Put, s, k, r, sigma, t)
    }

    #[test]
    fn black_scholes() {
        scalar!(straddle, (), &[1.1, 1.0, 0.2, 0.4, 0.8]);
    }
}

/// Cox-Ross-Rubinstein tree, European, values rolled back in a vector.
mod crr_tree {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        pub fn european_call(x: &[f64], steps: usize) -> f64 {
            let (s, k, r, sigma, t) = (x[0], x[1], x[2], x[3], x[4]);
            let dt = t / steps as f64;
            let u = (sigma * dt.sqrt()).exp();
            let d = 1.0 / u;
            let p = ((r * dt).exp() - d) / (u - d);
            let disc = (-r * dt).exp();
            let mut values: Vec<f64> = (0..=steps)
                .map(|i| {
                    let st = s * u.powi(i as i32) * d.powi((steps - i) as i32);
                    (st - k).max(0.0)
                })
                .collect();
            for n in (0..steps).rev() {
                for i in 0..=n {
                    values[i] = disc * (p * values[i + 1] + (1.0 - p) * values[i]);
                }
            }
            values[0]
        }
    }

    #[test]
    fn crr_tree() {
        scalar!(system::european_call, (9), &[1.05, 1.0, 0.05, 0.3, 1.0]);
    }
}

/// American put on a trinomial tree with a struct of lattice parameters.
mod american_trinomial {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Lattice {
        up: f64,
        pu: f64,
        pm: f64,
        pd: f64,
        disc: f64,
    }

    #[differentiable]
    impl Lattice {
        fn new(r: f64, sigma: f64, dt: f64) -> Self {
            let up = (sigma * (2.0 * dt).sqrt()).exp();
            let a = (r * dt / 2.0).exp();
            let b = (sigma * (dt / 2.0).sqrt()).exp();
            let pu = ((a - 1.0 / b) / (b - 1.0 / b)).powi(2);
            let pd = ((b - a) / (b - 1.0 / b)).powi(2);
            Lattice {
                up,
                pu,
                pm: 1.0 - pu - pd,
                pd,
                disc: (-r * dt).exp(),
            }
        }

        fn expectation(&self, lo: f64, mid: f64, hi: f64) -> f64 {
            self.disc * (self.pu * hi + self.pm * mid + self.pd * lo)
        }
    }

    #[differentiable]
    pub fn put(x: &[f64], n: usize, american: bool) -> f64 {
        let (s0, strike) = (x[0], x[1]);
        let lat = Lattice::new(x[2], x[3], 1.0 / n as f64);
        let spot = |j: i32| s0 * lat.up.powi(j);
        let mut v = vec![];
        for j in -(n as i32)..=n as i32 {
            v.push((strike - spot(j)).max(0.0));
        }
        for level in (0..n).rev() {
            let mut next = vec![];
            for i in 0..2 * level + 1 {
                let hold = lat.expectation(v[i], v[i + 1], v[i + 2]);
                let exercise = strike - spot(i as i32 - level as i32);
                if american && exercise > hold {
                    next.push(exercise);
                } else {
                    next.push(hold);
                }
            }
            v = next;
        }
        v[0]
    }

    #[test]
    fn american_trinomial() {
        scalar!(put, (6, true), &[1.02, 1.1, 0.08, 0.35]);
        scalar!(put, (6, false), &[1.02, 1.1, 0.08, 0.35]);
    }
}

/// Heston by full-truncation Euler on given normals.
mod heston_paths {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod heston {
        pub struct Contract {
            pub strike: f64,
            pub maturity: f64,
            pub rate: f64,
        }

        #[derive(Clone, Debug)]
        struct Params {
            v0: f64,
            kappa: f64,
            theta: f64,
            xi: f64,
            rho: f64,
        }

        fn terminal(
            spot: f64,
            p: &Params,
            #[constant] c: &Contract,
            #[constant] normals: &[(f64, f64)],
        ) -> f64 {
            let dt = c.maturity / normals.len() as f64;
            let mut log_s = spot.ln();
            let mut v = p.v0;
            for (z1, z2) in normals {
                let vp = v.max(0.0);
                let zv = p.rho * z1 + (1.0 - p.rho * p.rho).sqrt() * z2;
                log_s += (c.rate - 0.5 * vp) * dt + (vp * dt).sqrt() * z1;
                v += p.kappa * (p.theta - vp) * dt + p.xi * (vp * dt).sqrt() * zv;
            }
            log_s.exp()
        }

        pub fn call(
            x: &[f64],
            #[constant] c: &Contract,
            #[constant] paths: &[Vec<(f64, f64)>],
        ) -> f64 {
            let p = Params {
                v0: x[1],
                kappa: x[2],
                theta: x[3],
                xi: x[4],
                rho: x[5],
            };
            let mut sum = 0.0;
            for normals in paths {
                let st = terminal(x[0], &p, c, normals);
                sum += if st > c.strike { st - c.strike } else { 0.0 };
            }
            (-c.rate * c.maturity).exp() * sum / paths.len() as f64
        }
    }

    #[test]
    fn heston_paths() {
        let c = heston::Contract {
            strike: 1.0,
            maturity: 1.0,
            rate: 0.03,
        };
        let paths = vec![
            vec![(0.3, -0.5), (1.1, 0.2), (0.4, 0.9), (-0.2, 0.1)],
            vec![(-0.7, 0.6), (-0.4, -1.1), (-0.9, 0.3), (-0.1, -0.2)],
            vec![(0.8, 0.1), (0.2, -0.3), (0.5, 0.4), (0.1, -0.8)],
        ];
        scalar!(
            heston::call,
            (&c, &paths),
            &[1.0, 0.2, 1.5, 0.25, 0.4, -0.5]
        );
    }
}

/// Implied volatility by safeguarded Newton.
mod implied_vol {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn pdf(x: f64) -> f64 {
        (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
    }

    #[differentiable]
    fn cdf(x: f64) -> f64 {
        let mut term = x;
        let mut sum = x;
        let mut n = 1.0;
        while n < 60.0 {
            term *= x * x / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        0.5 + pdf(x) * sum
    }

    #[differentiable]
    fn call_and_vega(f: f64, k: f64, vol: f64) -> (f64, f64) {
        let d1 = (f / k).ln() / vol + 0.5 * vol;
        let d2 = d1 - vol;
        (f * cdf(d1) - k * cdf(d2), f * pdf(d1))
    }

    #[differentiable]
    pub fn implied(x: &[f64]) -> f64 {
        let (forward, strike, premium) = (x[0], x[1], x[2]);
        let mut vol = 0.5;
        for _ in 0..50 {
            let (c, vega) = call_and_vega(forward, strike, vol);
            let step = (c - premium) / vega;
            vol -= step;
            if vol < 0.01 {
                vol = 0.01;
            }
            if step.abs() < 1e-13 {
                break;
            }
        }
        vol
    }

    #[test]
    fn implied_vol() {
        scalar!(implied, (), &[1.0, 1.1, 0.15]);
    }
}

/// Arithmetic Asian option by simulation with control variate.
mod asian_mc {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn path(s0: f64, r: f64, sigma: f64, dt: f64, #[constant] z: &[f64]) -> Vec<f64> {
        let mut s = s0;
        z.iter()
            .map(|zi| {
                s *= ((r - 0.5 * sigma * sigma) * dt + sigma * dt.sqrt() * zi).exp();
                s
            })
            .collect()
    }

    #[differentiable]
    fn means(p: &[f64]) -> (f64, f64) {
        let n = p.len() as f64;
        let arithmetic = p.iter().sum::<f64>() / n;
        let geometric = p.iter().product::<f64>().powf(1.0 / n);
        (arithmetic, geometric)
    }

    #[differentiable]
    pub fn price(x: &[f64], #[constant] normals: &[f64], dates: usize) -> f64 {
        let [s0, r, sigma] = [x[0], x[1], x[2]];
        let dt = 1.0 / dates as f64;
        let mut acc = 0.0;
        let mut paths = 0;
        for z in normals.chunks(dates) {
            let (a, g) = means(&path(s0, r, sigma, dt, z));
            acc += (a - 0.9).max(0.0) - 0.5 * (g - 0.9).max(0.0);
            paths += 1;
        }
        (-r).exp() * acc / paths as f64
    }

    #[test]
    fn asian_mc() {
        let z = [0.4, -0.2, 0.9, 1.1, 0.3, -0.1, -0.6, -0.8, -0.5];
        scalar!(price, (&z, 3), &[1.0, 0.04, 0.3]);
    }
}

/// Basket option on correlated assets with a 3x3 Cholesky factor.
mod basket {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type M3 = [[f64; 3]; 3];

    #[differentiable]
    fn chol3(c: &M3) -> M3 {
        let mut l = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..=i {
                let mut s = c[i][j];
                for k in 0..j {
                    s -= l[i][k] * l[j][k];
                }
                l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
            }
        }
        l
    }

    #[differentiable]
    pub fn basket_call(x: &[f64], #[constant] draws: &[[f64; 3]]) -> f64 {
        let (spots, rest) = x.split_at(3);
        let (vols, corr) = rest.split_at(3);
        let c = [
            [1.0, corr[0], corr[1]],
            [corr[0], 1.0, corr[2]],
            [corr[1], corr[2], 1.0],
        ];
        let l = chol3(&c);
        let mut total = 0.0;
        for z in draws {
            let mut basket = 0.0;
            for i in 0..3 {
                let w: f64 = (0..=i).map(|k| l[i][k] * z[k]).sum();
                basket += spots[i] * (vols[i] * w - 0.5 * vols[i] * vols[i]).exp() / 3.0;
            }
            total += (basket - 0.8).max(0.0);
        }
        total / draws.len() as f64
    }

    #[test]
    fn basket() {
        let draws = [
            [0.3, -0.2, 1.0],
            [-1.5, -0.9, -1.2],
            [0.9, 0.6, -0.3],
            [0.1, 1.2, 0.4],
        ];
        scalar!(
            basket_call,
            (&draws),
            &[1.0, 0.9, 1.2, 0.3, 0.2, 0.4, 0.5, 0.2, 0.3]
        );
    }
}
