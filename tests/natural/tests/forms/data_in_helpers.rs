//! Helpers that take data: arrays, lists and structs that only occur in constants, without marks.
use di::prelude::*;

#[differentiable]
mod mixed {
    fn scaled(x: &[f64], w: [f64; 3], k: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += x[i] * w[i] * k;
        }
        s.sin()
    }
    fn weighted(x: &[f64], w: &[f64]) -> f64 {
        x.iter().zip(w).map(|(x, w)| x * x * w).sum()
    }
    fn curve(x: &[f64], t: f64) -> f64 {
        x[0] * (x[1] * t).exp()
    }
    pub struct Market {
        pub rate: f64,
        pub strikes: Vec<f64>,
        pub name: String,
    }
    impl Market {
        fn discount(&self, t: f64) -> f64 {
            (-self.rate * t).exp()
        }
        fn payoff(&self, s: f64, k: usize) -> f64 {
            (s - self.strikes[k]).powi(2) * self.discount(s)
        }
        fn mean(&self) -> f64 {
            self.strikes.iter().sum::<f64>() / self.strikes.len() as f64
        }
    }
    fn priced(x: &[f64], market: &Market) -> f64 {
        let mut sum = 0.0;
        for k in 0..market.strikes.len() {
            sum += market.payoff(x[k % 3] + market.mean(), k);
        }
        sum
    }
    pub fn f(x: &[f64], #[constant] data: &[(f64, f64)], #[constant] market: &Market) -> f64 {
        let mut w = vec![0.0; 3];
        for (i, w) in w.iter_mut().enumerate() {
            *w = 0.5 + i as f64;
        }
        let h = 0.1;
        let mut t = 0.0;
        let mut acc = 0.0;
        for _ in 0..4 {
            acc += curve(x, t);
            t += h;
        }
        let fit: f64 = data.iter().map(|&(t, y)| (curve(x, t) - y).powi(2)).sum();
        acc + fit
            + scaled(x, [0.5, 0.2, -0.7], 2.0)
            + scaled(x, [1.0; 3], h)
            + weighted(x, &w)
            + priced(x, market)
    }
}

#[test]
fn check() {
    use crate::check::scalar;
    let market = mixed::Market {
        rate: 0.1,
        strikes: vec![0.3, 0.5, 0.2],
        name: "a".into(),
    };
    let _ = &market.name;
    scalar!(
        mixed::f,
        (&[(0.1, 0.5), (0.3, 0.2)], &market),
        &[0.3, -0.2, 0.6]
    );
}
