//! Optimisation signal: programs of a third collection.

/// Ratings of players from results of games, Bradley-Terry with draws (Davidson).
mod ratings_of_players {
    use di::prelude::*;

    #[differentiable]
    mod ratings {
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum Outcome {
            White,
            Black,
            Draw,
        }

        #[derive(Clone, Copy)]
        pub struct Game {
            pub white: usize,
            pub black: usize,
            pub outcome: Outcome,
        }

        fn probability(white: f64, black: f64, advantage: f64, draw: f64, outcome: Outcome) -> f64 {
            let a = (white + advantage).exp();
            let b = black.exp();
            let d = draw.exp() * (a * b).sqrt();
            let total = a + b + d;
            match outcome {
                Outcome::White => a / total,
                Outcome::Black => b / total,
                Outcome::Draw => d / total,
            }
        }

        pub fn loss(params: &[f64], #[constant] games: &[Game]) -> f64 {
            let (ratings, extra) = params.split_at(params.len() - 2);
            let (advantage, draw) = (extra[0], extra[1]);
            let nll: f64 = games
                .iter()
                .map(|g| {
                    -probability(
                        ratings[g.white],
                        ratings[g.black],
                        advantage,
                        draw,
                        g.outcome,
                    )
                    .ln()
                })
                .sum();
            let mean = ratings.iter().sum::<f64>() / ratings.len() as f64;
            let penalty = ratings.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>();
            nll + 0.1 * penalty + mean * mean
        }
    }

    #[test]
    fn ratings_of_players() {
        use ratings::{Game, Outcome};
        let games = [
            Game {
                white: 0,
                black: 1,
                outcome: Outcome::White,
            },
            Game {
                white: 1,
                black: 2,
                outcome: Outcome::Draw,
            },
            Game {
                white: 2,
                black: 0,
                outcome: Outcome::Black,
            },
        ];
        crate::check::scalar!(ratings::loss, (&games), &vec![0.4, -0.1, 0.2, 0.3, -0.5]);
    }
}

/// Sums of damped sinusoids fitted to a spectrum, DFT by hand.
mod damped_sinusoids {
    use di::prelude::*;

    #[differentiable]
    mod spectrum {
        use std::f64::consts::TAU;

        fn synth(p: &[f64], n: usize) -> Vec<f64> {
            let mut out = vec![0.0; n];
            for mode in p.chunks_exact(3) {
                if let [amp, freq, decay] = mode {
                    for (t, o) in out.iter_mut().enumerate() {
                        let t = t as f64;
                        *o += amp * (-decay * t).exp() * (TAU * freq * t).cos();
                    }
                }
            }
            out
        }

        fn dft(x: &[f64]) -> Vec<(f64, f64)> {
            let n = x.len();
            let mut bins = Vec::new();
            for k in 0..=n / 2 {
                let (mut re, mut im) = (0.0, 0.0);
                for (t, v) in x.iter().enumerate() {
                    let w = TAU * (k * t) as f64 / n as f64;
                    re += v * w.cos();
                    im -= v * w.sin();
                }
                bins.push((re, im));
            }
            bins
        }

        fn power(bins: &[(f64, f64)]) -> Vec<f64> {
            bins.iter()
                .map(|(re, im)| (re * re + im * im + 1e-3).ln())
                .collect()
        }

        pub fn distance(p: &[f64], #[constant] target: &[f64]) -> f64 {
            let x = synth(p, 2 * (target.len() - 1));
            let s = power(&dft(&x));
            let mut total = 0.0;
            for k in 0..s.len() {
                let w = if k == 0 || k == s.len() - 1 { 0.5 } else { 1.0 };
                total += w * (s[k] - target[k]).powi(2);
            }
            total
        }
    }

    #[test]
    fn damped_sinusoids() {
        crate::check::scalar!(
            spectrum::distance,
            (&[0.1, 0.8, 0.4, -0.2]),
            &vec![1.0, 0.2, 0.1, 0.5, 0.35, 0.3]
        );
    }
}
