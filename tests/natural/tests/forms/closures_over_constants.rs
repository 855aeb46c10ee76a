//! Chains of iterators over constants: their closures read what is differentiated.

/// Glacier flow line: mass balance by elevation bands, ice thickness by upwind fluxes.
mod glacier {
    use di::prelude::*;
    use std::collections::HashMap;

    #[derive(Debug, Clone)]
    struct Band {
        name: &'static str,
        elevation: f64,
        area: f64,
    }

    const LAPSE: [(f64, f64); 4] = [(0.0, 12.0), (1000.0, 5.0), (2000.0, -1.0), (3000.0, -8.0)];

    #[differentiable]
    fn temperature(z: f64, shift: f64) -> f64 {
        let k = LAPSE
            .iter()
            .position(|&(h, _)| h > z)
            .unwrap_or(LAPSE.len() - 1)
            .max(1);
        let (z0, t0) = LAPSE[k - 1];
        let (z1, t1) = LAPSE[k];
        t0 + (t1 - t0) * (z - z0) / (z1 - z0) + shift
    }

    #[differentiable]
    fn balance(x: &[f64], #[constant] bands: &[Band]) -> f64 {
        let (melt, precip, shift) = (x[0], x[1], x[2]);
        let mut groups: HashMap<&str, f64> = HashMap::new();
        for b in bands {
            *groups.entry(b.name).or_insert(0.0) += b.area;
        }
        bands
            .iter()
            .map(|b| {
                let t = temperature(b.elevation, shift);
                let loss = melt * (1.0 + t.exp()).ln();
                let share = b.area / groups[b.name];
                share * (precip - loss)
            })
            .fold((0.0, 0.0), |(sum, sq), v| (sum + v, sq + v * v))
            .1
    }
    #[test]
    fn check() {
        let b = |name, elevation, area| Band {
            name,
            elevation,
            area,
        };
        let bands = vec![b("n", 500.0, 2.0), b("s", 1500.0, 3.0), b("n", 2500.0, 1.0)];
        crate::check::scalar!(balance, (&bands), &[0.5, 1.2, 0.3]);
    }
}

/// Seismic travel times in a layered earth: rays by Snell's law, first arrivals.
mod seismic {
    use di::prelude::*;
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Phase {
        Direct,
        Refracted(usize),
    }

    #[differentiable]
    fn direct(offset: f64, v: f64, depth: f64) -> f64 {
        offset.hypot(depth) / v
    }

    #[differentiable]
    fn head(offset: f64, speeds: &[f64], thick: &[f64], k: usize) -> Option<f64> {
        let fast = speeds[k];
        let delay = speeds[..k].iter().zip(thick).try_fold(0.0, |acc, (v, h)| {
            if *v >= fast {
                return None;
            }
            Some(acc + 2.0 * h * (1.0 / (v * v) - 1.0 / (fast * fast)).sqrt())
        })?;
        Some(delay + offset / fast)
    }

    #[differentiable]
    fn first_arrival(offset: f64, speeds: &[f64], thick: &[f64]) -> f64 {
        let d = direct(offset, speeds[0], 0.1);
        (1..speeds.len())
            .filter_map(|k| head(offset, speeds, thick, k))
            .min_by(|a, b| a.total_cmp(b))
            .map_or(d, |h| h.min(d))
    }

    #[differentiable]
    fn misfit(x: &[f64], #[constant] picks: &[(f64, f64, Phase)]) -> f64 {
        let (speeds, thick) = x.split_at(3);
        picks
            .iter()
            .map(|&(offset, time, phase)| {
                let t = match phase {
                    Phase::Direct => direct(offset, speeds[0], 0.1),
                    Phase::Refracted(k) => head(offset, speeds, thick, k).unwrap_or(0.0),
                };
                let w = if first_arrival(offset, speeds, thick) < t {
                    0.5
                } else {
                    1.0
                };
                w * (t - time).powi(2)
            })
            .sum::<f64>()
            .sqrt()
    }
    #[test]
    fn check() {
        let picks = [
            (1.0, 0.6, Phase::Direct),
            (5.0, 2.0, Phase::Refracted(1)),
            (9.0, 3.0, Phase::Refracted(2)),
        ];
        crate::check::scalar!(misfit, (&picks), &[1.5, 2.5, 4.0, 0.5, 0.8]);
    }
}

/// Colour calibration of a camera: linear matrix, gamma curve, error in a perceptual space.
mod camera {
    use di::prelude::*;
    type Rgb = [f64; 3];
    const XYZ: [[f64; 3]; 3] = [[0.41, 0.36, 0.18], [0.21, 0.72, 0.07], [0.02, 0.12, 0.95]];
    const WHITE: Rgb = [0.95, 1.0, 1.09];

    #[differentiable]
    fn apply(m: &[[f64; 3]; 3], c: Rgb) -> Rgb {
        m.map(|row| row.iter().zip(c).map(|(a, b)| a * b).sum())
    }

    #[differentiable]
    fn lab(xyz: Rgb) -> Rgb {
        let f = |t: f64| {
            if t > 0.0089 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        let [x, y, z] = std::array::from_fn(|i| f(xyz[i] / WHITE[i]));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[differentiable]
    fn error(x: &[f64], #[constant] patches: &[(Rgb, Rgb)]) -> f64 {
        let m: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| x[3 * i + j]));
        let gamma = x[9];
        let n = patches.len() as f64;
        let mut worst = 0.0_f64;
        let total: f64 = patches
            .iter()
            .map(|(raw, target)| {
                let linear = raw.map(|c| c.powf(gamma));
                let found = lab(apply(&XYZ, apply(&m, linear)));
                let wanted = lab(apply(&XYZ, *target));
                let d = found
                    .iter()
                    .zip(wanted.iter())
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
                    .sqrt();
                worst = worst.max(d);
                d
            })
            .sum();
        total / n + 0.1 * worst
    }
    #[test]
    fn check() {
        let patches = [
            ([0.2, 0.3, 0.4], [0.3, 0.3, 0.5]),
            ([0.8, 0.6, 0.1], [0.7, 0.5, 0.2]),
        ];
        crate::check::scalar!(
            error,
            (&patches),
            &[0.9, 0.1, 0.05, 0.1, 0.8, 0.1, 0.0, 0.1, 0.9, 1.1]
        );
    }
}

/// A queueing network: mean value analysis with classes of stations.
mod queues {
    use di::prelude::*;
    use std::collections::BTreeMap;
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Kind {
        Queue,
        Delay,
    }
    struct Station {
        kind: Kind,
        visits: f64,
    }

    #[differentiable]
    fn mva(demands: &[f64], #[constant] stations: &[Station], customers: usize) -> (f64, Vec<f64>) {
        let mut queue = vec![0.0; stations.len()];
        let mut throughput = 0.0;
        for n in 1..=customers {
            let residence: Vec<f64> = stations
                .iter()
                .zip(demands)
                .zip(&queue)
                .map(|((s, d), q)| match s.kind {
                    Kind::Queue => s.visits * d * (1.0 + q),
                    Kind::Delay => s.visits * d,
                })
                .collect();
            let cycle: f64 = residence.iter().sum();
            throughput = n as f64 / cycle;
            for (q, r) in queue.iter_mut().zip(&residence) {
                *q = throughput * r;
            }
        }
        (throughput, queue)
    }

    #[differentiable]
    fn cost(
        x: &[f64],
        #[constant] stations: &[Station],
        #[constant] prices: &BTreeMap<Kind, f64>,
    ) -> f64 {
        let demands: Vec<f64> = x.iter().map(|v| v.exp()).collect();
        let (throughput, queue) = mva(&demands, stations, 5);
        let (queues, delays): (Vec<usize>, Vec<usize>) =
            (0..stations.len()).partition(|&i| stations[i].kind == Kind::Queue);
        let waiting: f64 = queues.iter().map(|&i| queue[i]).sum();
        let pending: f64 = delays.iter().map(|&i| queue[i].sqrt()).sum();
        let rent: f64 = stations
            .iter()
            .zip(&demands)
            .map(|(s, d)| prices[&s.kind] / d)
            .sum();
        rent + waiting + 0.1 * pending - throughput
    }
    #[test]
    fn check() {
        let st = [
            Station {
                kind: Kind::Queue,
                visits: 1.0,
            },
            Station {
                kind: Kind::Delay,
                visits: 2.0,
            },
            Station {
                kind: Kind::Queue,
                visits: 0.5,
            },
        ];
        let prices = BTreeMap::from([(Kind::Queue, 0.3), (Kind::Delay, 0.1)]);
        crate::check::scalar!(cost, (&st, &prices), &[0.1, -0.3, 0.4]);
    }
}

/// Ranking of documents: LambdaRank-like loss with sorting by score.
mod ranking {
    use di::prelude::*;
    #[derive(Clone, Debug)]
    struct Document {
        features: [f64; 3],
        relevance: u8,
    }

    #[differentiable]
    fn score(w: &[f64], d: &Document) -> f64 {
        d.features.iter().zip(w).map(|(f, w)| f * w).sum::<f64>() + w[3]
    }

    #[differentiable]
    fn soft_dcg(w: &[f64], query: &[Document]) -> f64 {
        let mut scored: Vec<(f64, u8)> = query.iter().map(|d| (score(w, d), d.relevance)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = scored.first().map(|s| s.0).unwrap_or(0.0);
        scored
            .iter()
            .enumerate()
            .map(|(rank, &(s, rel))| {
                let gain = f64::from(2u32.pow(rel as u32) - 1);
                gain * (s - best).exp() / ((rank + 2) as f64).log2()
            })
            .sum()
    }

    #[differentiable]
    fn pairwise(w: &[f64], query: &[Document]) -> f64 {
        query
            .iter()
            .enumerate()
            .flat_map(|(i, a)| query[i + 1..].iter().map(move |b| (a, b)))
            .filter(|(a, b)| a.relevance != b.relevance)
            .map(|(a, b)| {
                let sign = if a.relevance > b.relevance { 1.0 } else { -1.0 };
                (1.0 + (-sign * (score(w, a) - score(w, b))).exp()).ln()
            })
            .sum()
    }

    #[differentiable]
    fn loss(w: &[f64], #[constant] queries: &[Vec<Document>]) -> f64 {
        let (dcg, pairs) = queries
            .iter()
            .map(|q| (soft_dcg(w, q), pairwise(w, q)))
            .fold((0.0, 0.0), |acc, (d, p)| (acc.0 + d, acc.1 + p));
        pairs - 0.5 * dcg + 0.01 * w.iter().map(|v| v * v).sum::<f64>()
    }
    #[test]
    fn check() {
        let d = |features, relevance| Document {
            features,
            relevance,
        };
        let q = vec![
            vec![
                d([0.1, 0.4, 0.2], 2),
                d([0.5, 0.1, 0.9], 0),
                d([0.3, 0.3, 0.1], 1),
            ],
            vec![d([0.2, 0.8, 0.5], 1), d([0.6, 0.2, 0.3], 3)],
        ];
        crate::check::scalar!(loss, (&q), &[0.3, -0.2, 0.5, 0.1]);
    }
}

/// Time series of an ARMA model with seasonal dummies: conditional likelihood.
mod seasons {
    use di::prelude::*;
    #[derive(Debug, Clone, Copy)]
    enum Season {
        Dry,
        Wet,
    }

    impl Season {
        fn of(t: usize) -> Self {
            if t % 4 < 2 { Season::Dry } else { Season::Wet }
        }
        fn index(self) -> usize {
            self as usize
        }
    }

    #[differentiable]
    fn innovations(x: &[f64], #[constant] data: &[f64], p: usize, q: usize) -> Vec<f64> {
        let ar = &x[..p];
        let ma = &x[p..p + q];
        let means = &x[p + q..];
        let centred: Vec<f64> = data
            .iter()
            .enumerate()
            .map(|(t, y)| y - means[Season::of(t).index()])
            .collect();
        let mut e: Vec<f64> = Vec::with_capacity(data.len());
        for t in 0..centred.len() {
            let auto: f64 = ar
                .iter()
                .zip(centred[..t].iter().rev())
                .map(|(a, y)| a * y)
                .sum();
            let moving: f64 = ma.iter().zip(e.iter().rev()).map(|(b, e)| b * e).sum();
            e.push(centred[t] - auto - moving);
        }
        e
    }

    #[differentiable]
    fn deviance(x: &[f64], #[constant] data: &[f64]) -> f64 {
        let e = innovations(x, data, 2, 1);
        let n = e.len() as f64;
        let s2 = e.iter().map(|v| v.powi(2)).sum::<f64>() / n;
        let lag1 = e.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / n / s2;
        let mut k = 0;
        let mut tail = 0.0;
        while let Some(v) = e.get(e.len() - 1 - k) {
            tail += v.abs().sqrt();
            k += 2;
            if k >= e.len() {
                break;
            }
        }
        n * s2.ln() + lag1 * lag1 + 0.01 * tail
    }
    #[test]
    fn check() {
        crate::check::scalar!(
            deviance,
            (&[1.0, 1.4, 0.3, 0.2, 1.1, 1.7, 0.1]),
            &[0.4, -0.2, 0.3, 1.05, 0.45]
        );
    }
}

/// Crystal of ions: Madelung sums over shells of neighbours, Born-Mayer repulsion, shear of the cell.
mod madelung {
    use di::prelude::*;
    #[differentiable]
    mod crystal {
        #[derive(Clone, Copy, Debug)]
        pub struct Ion {
            pub at: [f64; 2],
            pub charge: i32,
        }

        pub struct Cell {
            pub ions: Vec<Ion>,
            pub reach: i32,
        }

        impl Cell {
            fn shells(&self) -> impl Iterator<Item = (i32, i32)> + '_ {
                (-self.reach..=self.reach)
                    .flat_map(move |i| (-self.reach..=self.reach).map(move |j| (i, j)))
            }
            fn pairs(&self) -> Vec<(usize, usize)> {
                let n = self.ions.len();
                (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).collect()
            }
        }

        fn pair(d: [f64; 2], qq: f64, rho: f64) -> f64 {
            let r = d.iter().fold(0.0, |s, v| s + v * v).sqrt();
            qq / r + 4.0 * (-r / rho).exp()
        }

        pub fn energy(x: &[f64], #[constant] cell: &Cell) -> f64 {
            let basis = [[x[0], 0.0], [x[1], x[2]]];
            let rho = x[3].exp();
            let position = |u: f64, v: f64| {
                [
                    u * basis[0][0] + v * basis[1][0],
                    u * basis[0][1] + v * basis[1][1],
                ]
            };
            let mut sum = 0.0;
            for (i, j) in cell.pairs() {
                let (a, b) = (cell.ions[i], cell.ions[j]);
                let qq = (a.charge * b.charge) as f64;
                for (s, t) in cell.shells() {
                    if i == j && s == 0 && t == 0 {
                        continue;
                    }
                    let d = position(b.at[0] - a.at[0] + s as f64, b.at[1] - a.at[1] + t as f64);
                    sum += 0.5 * pair(d, qq, rho);
                }
            }
            sum / cell.ions.len() as f64
        }
    }
    #[test]
    fn check() {
        use crystal::{Cell, Ion};
        let cell = Cell {
            ions: vec![
                Ion {
                    at: [0.0, 0.0],
                    charge: 1,
                },
                Ion {
                    at: [0.5, 0.5],
                    charge: -1,
                },
            ],
            reach: 1,
        };
        crate::check::scalar!(crystal::energy, (&cell), &[1.0, 0.2, 1.1, -0.5]);
    }
}
