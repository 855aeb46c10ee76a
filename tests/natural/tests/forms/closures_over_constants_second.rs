//! Chains of iterators over constants: options, tables and lists of tuples.

/// Survival analysis: Cox partial likelihood with strata, Weibull baseline, frailty.
mod survival {
    use di::prelude::*;
    #[derive(Debug, Clone)]
    struct Patient {
        time: f64,
        event: bool,
        stratum: u8,
        covariates: Vec<f64>,
    }

    #[differentiable]
    fn risk(beta: &[f64], p: &Patient) -> f64 {
        p.covariates.iter().zip(beta).map(|(c, b)| c * b).sum()
    }

    #[differentiable]
    fn partial_likelihood(beta: &[f64], #[constant] patients: &[Patient]) -> f64 {
        let mut strata: Vec<u8> = patients.iter().map(|p| p.stratum).collect();
        strata.sort_unstable();
        strata.dedup();
        let mut total = 0.0;
        for s in strata {
            let mut members: Vec<&Patient> = patients.iter().filter(|p| p.stratum == s).collect();
            members.sort_by(|a, b| b.time.partial_cmp(&a.time).unwrap());
            let mut at_risk = 0.0;
            for p in &members {
                let eta = risk(beta, p);
                at_risk += eta.exp();
                if p.event {
                    total += eta - at_risk.ln();
                }
            }
        }
        total
    }

    #[differentiable]
    fn loss(x: &[f64], #[constant] patients: &[Patient]) -> f64 {
        let (beta, rest) = x.split_at(2);
        let (shape, scale) = match rest {
            [a, b] => (a.exp(), b.exp()),
            _ => unreachable!(),
        };
        let weibull: f64 = patients
            .iter()
            .map(|p| {
                let z = (p.time / scale).powf(shape);
                let hazard = p
                    .event
                    .then(|| (shape / scale).ln() + (shape - 1.0) * (p.time / scale).ln());
                hazard.unwrap_or_default() - z
            })
            .sum();
        let longest = patients
            .iter()
            .max_by(|a, b| a.time.total_cmp(&b.time))
            .map(|p| risk(beta, p));
        let mean = patients.iter().map(|p| risk(beta, p)).sum::<f64>() / patients.len() as f64;
        -partial_likelihood(beta, patients) - weibull
            + longest.map_or(0.0, |r| 0.1 * (r - mean).powi(2))
    }
    #[test]
    fn check() {
        let p = |time, event, stratum, covariates: [f64; 2]| Patient {
            time,
            event,
            stratum,
            covariates: covariates.to_vec(),
        };
        let patients = [
            p(2.0, true, 0, [0.1, 1.0]),
            p(3.0, false, 1, [0.5, 0.2]),
            p(1.0, true, 0, [0.7, 0.3]),
            p(4.0, true, 1, [0.2, 0.9]),
        ];
        crate::check::scalar!(loss, (&patients), &[0.3, -0.2, 0.1, 0.8]);
    }
}

/// Weather stations: inverse distance weights with the k nearest, sorted by active distances.
mod stations {
    use di::prelude::*;
    #[derive(Debug, Clone)]
    pub struct Station {
        name: &'static str,
        at: [f64; 2],
        readings: Vec<f64>,
        lapse: Option<f64>,
    }

    #[differentiable]
    fn nearest(x: f64, y: f64, stations: &[Station], k: usize) -> Vec<(f64, usize)> {
        let mut all: Vec<(f64, usize)> = stations
            .iter()
            .enumerate()
            .map(|(i, s)| ((x - s.at[0]).hypot(y - s.at[1]), i))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(k);
        all
    }

    #[differentiable]
    fn interpolate(q: &[f64], #[constant] stations: &[Station], #[constant] hour: usize) -> f64 {
        let power = q[2];
        let (num, den) = nearest(q[0], q[1], stations, 3)
            .into_iter()
            .map(|(d, i)| {
                let w = d.powf(-power);
                let value = stations[i].readings.get(hour).copied().unwrap_or(0.0);
                let corrected = stations[i].lapse.map_or(value, |l| value - l * q[3]);
                (w * corrected, w)
            })
            .fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
        let spread = stations
            .iter()
            .filter_map(|s| s.lapse.map(|l| l * q[3]))
            .fold(0.0_f64, |m, v| m.max(v));
        let label = stations
            .iter()
            .find(|s| s.name == "peak")
            .map(|s| s.at[0] * q[0])
            .unwrap_or(0.0);
        num / den + spread + label
    }
    #[test]
    fn check() {
        let s = |name, at, r: [f64; 2], lapse| Station {
            name,
            at,
            readings: r.to_vec(),
            lapse,
        };
        let all = [
            s("a", [0.0, 0.0], [10.0, 12.0], None),
            s("peak", [1.0, 0.5], [4.0, 5.0], Some(0.6)),
            s("c", [0.2, 1.3], [8.0, 9.0], Some(0.3)),
            s("d", [2.0, 2.0], [7.0, 8.0], None),
        ];
        crate::check::scalar!(interpolate, (&all, 1), &[0.4, 0.3, 2.0, 1.5]);
    }
}

/// Runner's pace with hills: piecewise profile from waypoints, heart rate drift, last point carried along.
mod runner {
    use di::prelude::*;
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Waypoint {
        pub distance: f64,
        pub height: f64,
    }
    pub struct Course {
        pub points: Vec<Waypoint>,
        pub start: (f64, f64),
        pub splits: Vec<f64>,
    }

    #[differentiable]
    fn cost_of_slope(g: f64) -> f64 {
        ((155.4 * g - 30.4) * g + 46.3) * g * g + 19.5 * g + 3.6
    }

    #[differentiable]
    fn time(x: &[f64], #[constant] course: &Course) -> f64 {
        let (power, fatigue) = (x[0], x[1]);
        let mut last = course.start;
        let mut total = 0.0;
        let mut penalty = 0.0;
        let mut it = course.splits.iter().peekable();
        for pair in course.points.windows(2) {
            let [a, b] = pair else { unreachable!() };
            let run = b.distance - a.distance;
            let slope = (b.height - a.height) / run;
            let speed = power / cost_of_slope(slope) * (-fatigue * last.1).exp();
            let dt = run / speed;
            total += dt;
            last = (b.distance, total);
            if let Some(&&s) = it.peek() {
                if b.distance >= s {
                    penalty += (total - s / power).powi(2);
                    it.next();
                }
            }
        }
        total + 0.01 * penalty + last.0 * fatigue
    }
    #[test]
    fn check() {
        let w = |distance, height| Waypoint { distance, height };
        let c = Course {
            points: vec![w(0.0, 0.0), w(1.0, 0.05), w(2.5, 0.0), w(3.0, 0.02)],
            start: (0.0, 0.1),
            splits: vec![1.0, 3.0],
        };
        crate::check::scalar!(time, (&c), &[12.0, 0.05]);
    }
}

/// Protein folding: contact energies by residue type, torsion angles to coordinates with rotation matrices.
mod folding {
    use di::prelude::*;
    type M3 = [[f64; 3]; 3];
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Residue {
        H,
        P,
    }
    const CONTACT: [[f64; 2]; 2] = [[-1.0, -0.2], [-0.2, 0.1]];

    #[differentiable]
    fn matmul(a: &M3, b: &M3) -> M3 {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }
    #[differentiable]
    fn rotation(phi: f64, psi: f64) -> M3 {
        let (s, c) = phi.sin_cos();
        let (t, d) = psi.sin_cos();
        matmul(
            &[[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
            &[[1.0, 0.0, 0.0], [0.0, d, -t], [0.0, t, d]],
        )
    }
    #[differentiable]
    fn energy(x: &[f64], #[constant] chain: &[Residue]) -> f64 {
        let mut frame: M3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut at = [0.0; 3];
        let mut places = vec![at];
        for angles in x.chunks_exact(2) {
            frame = matmul(&frame, &rotation(angles[0], angles[1]));
            at = std::array::from_fn(|i| at[i] + frame[i][0]);
            places.push(at);
        }
        let n = places.len().min(chain.len());
        let contact = |i: usize, j: usize| {
            let r2: f64 = places[i]
                .iter()
                .zip(&places[j])
                .map(|(a, b)| (a - b).powi(2))
                .sum();
            CONTACT[chain[i] as usize][chain[j] as usize] * (-r2).exp()
        };
        let total: f64 = (0..n)
            .flat_map(|i| (i + 2..n).map(move |j| (i, j)))
            .map(|(i, j)| contact(i, j))
            .sum();
        let hydrophobic = chain
            .iter()
            .zip(&places)
            .filter(|(r, _)| matches!(r, Residue::H));
        let centre =
            hydrophobic.clone().map(|(_, p)| p[0]).sum::<f64>() / hydrophobic.count() as f64;
        total + 0.1 * centre
    }
    #[test]
    fn check() {
        use Residue::{H, P};
        crate::check::scalar!(
            energy,
            (&[H, P, H, H, P]),
            &[0.3, 0.5, -0.4, 0.9, 1.1, 0.2, 0.6, -0.7]
        );
    }
}

/// Auction: bids by bidders of a type, revenue by a soft second price, valuations from a table searched by quality.
mod bidding {
    use di::prelude::*;
    use std::collections::HashMap;
    #[differentiable]
    mod auction {
        use std::collections::HashMap;
        pub const GRADES: [(u32, f64); 4] = [(1, 0.2), (3, 0.5), (6, 0.9), (9, 1.3)];
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Kind {
            Dealer,
            Private,
        }
        #[derive(Debug, Clone)]
        pub struct Bidder {
            pub kind: Kind,
            pub budget: f64,
            pub interest: u32,
        }

        fn grade(q: u32) -> Option<f64> {
            let k = match GRADES.binary_search_by_key(&q, |g| g.0) {
                Ok(k) => k,
                Err(0) => return None,
                Err(k) => k - 1,
            };
            Some(GRADES[k].1)
        }
        fn value(b: &Bidder, quality: u32, taste: &[f64; 2]) -> Option<f64> {
            let base = grade(quality)?;
            let t = match b.kind {
                Kind::Dealer => taste[0],
                Kind::Private => taste[1],
            };
            let v = base * t.exp() * (1.0 + 0.1 * f64::from(b.interest));
            (b.budget > 0.2).then(|| v.min(b.budget))
        }
        pub fn revenue(
            x: &[f64],
            #[constant] lots: &[u32],
            #[constant] bidders: &[Bidder],
            #[constant] fees: &HashMap<Kind, f64>,
        ) -> f64 {
            let taste = [x[0], x[1]];
            lots.iter()
                .map(|&q| {
                    let mut bids: Vec<f64> = bidders
                        .iter()
                        .filter_map(|b| value(b, q, &taste).map(|v| v * (1.0 - fees[&b.kind])))
                        .collect();
                    bids.sort_by(|a, b| b.total_cmp(a));
                    match bids.as_slice() {
                        [] => 0.0,
                        [only] => only.min(x[2]),
                        [first, second, ..] => second.max(x[2]) * 0.9 + 0.1 * first,
                    }
                })
                .sum()
        }
    }
    #[test]
    fn check() {
        use auction::{Bidder, Kind};
        let b = |kind, budget, interest| Bidder {
            kind,
            budget,
            interest,
        };
        let bidders = [
            b(Kind::Dealer, 2.0, 1),
            b(Kind::Private, 0.8, 3),
            b(Kind::Private, 5.0, 2),
            b(Kind::Dealer, 0.1, 1),
        ];
        let fees = HashMap::from([(Kind::Dealer, 0.1), (Kind::Private, 0.02)]);
        use auction::revenue;
        crate::check::scalar!(revenue, (&[0, 4, 7, 9], &bidders, &fees), &[0.1, 0.2, 0.6]);
    }
}

/// Sediment core dating: age-depth with piecewise accumulation, radiocarbon calibration by a table, outliers.
mod sediment {
    use di::prelude::*;
    #[derive(Debug, Clone)]
    struct Core {
        layers: Vec<(f64, Option<f64>)>,
        calibration: Vec<[f64; 2]>,
        errors: Vec<f64>,
    }

    impl Core {
        fn dated(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
            self.layers
                .iter()
                .enumerate()
                .filter_map(|(i, (d, a))| a.map(|a| (i, *d, a)))
        }
        fn thickness(&self) -> Vec<f64> {
            self.layers.windows(2).map(|w| w[1].0 - w[0].0).collect()
        }
        fn last(&self) -> Option<&(f64, Option<f64>)> {
            self.layers.last()
        }
    }

    #[differentiable]
    fn calibrate(age: f64, table: &[[f64; 2]]) -> f64 {
        for w in table.windows(2) {
            if age <= w[1][0] {
                let t = (age - w[0][0]) / (w[1][0] - w[0][0]);
                return w[0][1] * (1.0 - t) + w[1][1] * t;
            }
        }
        age
    }

    #[differentiable]
    fn misfit(x: &[f64], #[constant] core: &Core) -> f64 {
        let ages: Vec<f64> = core
            .thickness()
            .iter()
            .zip(x)
            .scan(0.0, |age, (h, rate)| {
                *age += h / rate.exp();
                Some(*age)
            })
            .collect();
        let chi: f64 = core
            .dated()
            .filter(|(i, _, _)| *i > 0)
            .map(|(i, _, measured)| {
                let r = (calibrate(ages[i - 1], &core.calibration) - measured) / core.errors[i];
                (1.0 + r * r).ln()
            })
            .sum();
        let smooth: f64 = x
            .windows(3)
            .map(|w| (w[0] - 2.0 * w[1] + w[2]).powi(2))
            .sum();
        let bottom = core.last().map_or(0.0, |l| l.0 * x[0]);
        chi + 0.5 * smooth + 0.01 * bottom
    }
    #[test]
    fn check() {
        let core = Core {
            layers: vec![
                (0.0, None),
                (1.0, Some(0.9)),
                (2.5, None),
                (4.0, Some(3.5)),
                (5.0, Some(4.1)),
            ],
            calibration: vec![[0.0, 0.0], [2.0, 2.2], [6.0, 6.1]],
            errors: vec![0.1, 0.2, 0.1, 0.3, 0.2],
        };
        crate::check::scalar!(misfit, (&core), &[0.1, -0.1, 0.2, 0.05]);
    }
}

/// Sports tracking: passes between players as a graph, page rank by power iteration, entropy of roles.
mod passes {
    use di::prelude::*;
    #[derive(Debug, Clone)]
    struct Squad {
        passes: Vec<Vec<u32>>,
        roles: Vec<&'static str>,
        prior: [f64; 3],
    }

    #[differentiable]
    fn rank(weights: &[Vec<f64>], damping: f64) -> Vec<f64> {
        let n = weights.len();
        let mut r = vec![1.0 / n as f64; n];
        for _ in 0..8 {
            let next: Vec<f64> = (0..n)
                .map(|j| {
                    let inflow: f64 = weights.iter().zip(&r).map(|(row, v)| row[j] * v).sum();
                    (1.0 - damping) / n as f64 + damping * inflow
                })
                .collect();
            let change: f64 = next.iter().zip(&r).map(|(a, b)| (a - b).abs()).sum();
            r = next;
            if change < 1e-9 {
                break;
            }
        }
        r
    }

    #[differentiable]
    fn objective(x: &[f64], #[constant] team: &Squad) -> f64 {
        let weights: Vec<Vec<f64>> = team
            .passes
            .iter()
            .map(|row| {
                let scores: Vec<f64> = row
                    .iter()
                    .map(|&c| f64::from(c).powf(x[0]) + x[1].exp())
                    .collect();
                let total: f64 = scores.iter().sum();
                scores.into_iter().map(|s| s / total).collect()
            })
            .collect();
        let r = rank(&weights, 1.0 / (1.0 + (-x[2]).exp()));
        let mut groups = [0.0; 3];
        for (role, v) in team.roles.iter().zip(&r) {
            let k = match *role {
                "back" => 0,
                "mid" => 1,
                _ => 2,
            };
            groups[k] += v;
        }
        let prior = team.prior;
        let entropy: f64 = groups
            .iter()
            .zip(prior)
            .filter(|(g, _)| **g > 0.0)
            .map(|(g, p)| g * (g / p).ln())
            .sum();
        let (best, value) = r
            .iter()
            .copied()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        entropy + value * (best + 1) as f64
    }
    #[test]
    fn check() {
        let t = Squad {
            passes: vec![
                vec![1, 3, 2, 1],
                vec![4, 1, 1, 2],
                vec![1, 1, 2, 5],
                vec![2, 6, 1, 1],
            ],
            roles: vec!["back", "mid", "mid", "forward"],
            prior: [0.3, 0.4, 0.3],
        };
        crate::check::scalar!(objective, (&t), &[0.8, 0.1, 1.2]);
    }
}
