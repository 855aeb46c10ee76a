//! Iterators, functions as values, options and slices: the second half.

/// SEIR epidemic with interventions: a stepwise contact rate from a schedule by `iter().rev().find`.
mod seir {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const DT: f64 = 0.25;

    #[differentiable]
    fn contact(t: f64, beta: &[f64], switch: &[f64]) -> f64 {
        let stage = switch.iter().take_while(|&&s| s <= t).count();
        beta[stage.min(beta.len() - 1)]
    }

    #[differentiable]
    pub fn deaths_curve(
        p: &[f64],
        #[constant] switch: &[f64],
        #[constant] days: usize,
    ) -> Vec<f64> {
        let (&[sigma, gamma, mu], beta) = p.split_first_chunk::<3>().unwrap();
        let start = [0.99, 0.006, 0.004, 0.0];
        let steps = (days as f64 / DT) as usize;
        let path = (0..steps).scan(start, |state, k| {
            let [s, e, i, d] = *state;
            let b = contact(k as f64 * DT, beta, switch);
            let infected = b * s * i;
            *state = [
                s - DT * infected,
                e + DT * (infected - sigma * e),
                i + DT * (sigma * e - (gamma + mu) * i),
                d + DT * mu * i,
            ];
            Some(*state)
        });
        path.map(|s| s[3]).step_by(8).collect()
    }

    #[test]
    fn seir() {
        vector!(
            deaths_curve,
            (&[3.0, 6.0], 10),
            &[0.3, 0.2, 0.02, 0.9, 0.5, 0.3]
        );
    }
}

/// Robot arm with three links: a fold over tuples, `sin_cos`, distance to the nearest of obstacles.
mod arm {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    pub fn cost(
        q: &[f64],
        #[constant] links: &[f64],
        #[constant] obstacles: &[[f64; 2]],
        #[constant] goal: [f64; 2],
    ) -> f64 {
        let mut joints = vec![[0.0, 0.0]];
        let (x, y, _) =
            q.iter()
                .zip(links)
                .fold((0.0, 0.0, 0.0), |(x, y, heading), (angle, length)| {
                    let heading = heading + angle;
                    let (s, c) = f64::sin_cos(heading);
                    let (x, y) = (x + length * c, y + length * s);
                    joints.push([x, y]);
                    (x, y, heading)
                });
        let reach = (x - goal[0]).hypot(y - goal[1]);
        let clearance = joints
            .iter()
            .flat_map(|j| {
                obstacles
                    .iter()
                    .map(move |o| (j[0] - o[0]).powi(2) + (j[1] - o[1]).powi(2))
            })
            .min_by(|a, b| a.total_cmp(b))
            .unwrap_or(f64::INFINITY);
        reach + 0.1 / clearance
    }

    #[test]
    fn arm() {
        scalar!(
            cost,
            (&[1.0, 0.8, 0.5], &[[1.2, 1.1], [0.3, 0.9]], [1.1, 0.7]),
            &[0.3, 0.5, -0.4]
        );
    }
}

/// Ray transfer through a list of optical elements; a helper returns closures.
mod optics {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    type Ray = [f64; 2];

    #[differentiable]
    fn lens(focal: f64) -> impl Fn(Ray) -> Ray {
        move |[y, angle]| [y, angle - y / focal]
    }

    #[differentiable]
    fn gap(distance: f64) -> impl Fn(Ray) -> Ray {
        move |[y, angle]| [y + distance * angle, angle]
    }

    #[differentiable]
    pub fn spot(p: &[f64], #[constant] rays: &[Ray]) -> f64 {
        let first = lens(p[0]);
        let space = gap(p[1]);
        let second = lens(p[2]);
        let back = gap(p[3]);
        let heights: Vec<f64> = rays
            .iter()
            .map(|&r| back(second(space(first(r))))[0])
            .collect();
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        heights
            .iter()
            .map(|h| (h - mean).powi(2))
            .sum::<f64>()
            .sqrt()
    }

    #[test]
    fn optics() {
        scalar!(
            spot,
            (&[[0.1, 0.02], [0.3, -0.05], [-0.2, 0.01]]),
            &[2.0, 0.5, 1.5, 0.8]
        );
    }
}

/// Levenberg-style Cholesky solve returning `Result`, used with `?`.
mod gp {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Debug)]
    pub enum Failure {
        NotPositive(usize),
        Empty,
    }

    #[differentiable]
    fn cholesky(a: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Failure> {
        if a.is_empty() {
            return Err(Failure::Empty);
        }
        let n = a.len();
        let mut l = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = l[i][..j].iter().zip(&l[j][..j]).map(|(x, y)| x * y).sum();
                if i == j {
                    let d = a[i][i] - dot;
                    if d <= 0.0 {
                        return Err(Failure::NotPositive(i));
                    }
                    l[i][i] = d.sqrt();
                } else {
                    l[i][j] = (a[i][j] - dot) / l[j][j];
                }
            }
        }
        Ok(l)
    }

    #[differentiable]
    fn log_evidence(theta: &[f64], x: &[f64], y: &[f64]) -> Result<f64, Failure> {
        let kernel = |a: f64, b: f64| theta[0].exp() * (-0.5 * ((a - b) / theta[1]).powi(2)).exp();
        let gram: Vec<Vec<f64>> = x
            .iter()
            .enumerate()
            .map(|(i, &a)| {
                x.iter()
                    .enumerate()
                    .map(|(j, &b)| kernel(a, b) + if i == j { theta[2].exp() } else { 0.0 })
                    .collect()
            })
            .collect();
        let l = cholesky(&gram)?;
        let mut z: Vec<f64> = Vec::new();
        for (row, yi) in l.iter().zip(y) {
            let i = z.len();
            let dot = row.iter().zip(&z).map(|(a, b)| a * b).sum::<f64>();
            z.push((yi - dot) / row[i]);
        }
        let fit: f64 = z.iter().map(|v| v * v).sum();
        let log_det: f64 = (0..l.len()).map(|i| l[i][i].ln()).sum();
        Ok(-0.5 * fit - log_det)
    }

    #[differentiable]
    pub fn negative(theta: &[f64], #[constant] x: &[f64], #[constant] y: &[f64]) -> f64 {
        match log_evidence(theta, x, y) {
            Ok(value) => -value,
            Err(_) => f64::INFINITY,
        }
    }

    #[test]
    fn gp() {
        scalar!(
            negative,
            (&[0.0, 0.4, 1.1], &[0.2, 0.5, -0.1]),
            &[0.1, 0.8, -1.0]
        );
    }
}

/// Ladder circuit: impedances combined by `rfold`/`rev` and a loop with labels.
mod ladder {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn parallel(a: f64, b: f64) -> f64 {
        a * b / (a + b)
    }

    #[differentiable]
    pub fn input_resistance(r: &[f64]) -> f64 {
        match r {
            [] => f64::INFINITY,
            [only] => *only,
            [series, shunt, rest @ ..] => {
                if rest.is_empty() {
                    series + shunt
                } else {
                    series + parallel(*shunt, input_resistance(rest))
                }
            }
        }
    }

    #[differentiable]
    pub fn diode_current(p: &[f64]) -> f64 {
        let [source, resistance, saturation] = *p else {
            return f64::NAN;
        };
        let load = |v: f64| (source - v) / resistance - saturation * (v.exp() - 1.0);
        let slope = |v: f64| -1.0 / resistance - saturation * v.exp();
        let mut v = 0.5;
        let v = 'newton: loop {
            let residual = load(v);
            if residual.abs() < 1e-12 {
                break 'newton v - residual / slope(v);
            }
            v -= residual / slope(v);
        };
        (source - v) / resistance
    }

    #[test]
    fn ladder() {
        scalar!(input_resistance, (), &[1.0, 2.0, 0.5, 3.0, 1.5]);
        scalar!(diode_current, (), &[2.0, 1.5, 0.1]);
    }
}

/// Geodesy: Vincenty-like series with constants and a chain that begins with constant data.
mod geodesy {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    const COEFFICIENTS: [f64; 4] = [1.0, -0.25, 0.046875, -0.01953125];

    #[differentiable]
    fn meridian(lat: f64, e2: f64) -> f64 {
        let powers = std::iter::successors(Some(1.0), |p| Some(p * e2));
        let series = COEFFICIENTS
            .iter()
            .zip(powers)
            .map(|(c, p)| c * p)
            .sum::<f64>();
        let wave: f64 = (1..=3)
            .map(|k| (2.0 * k as f64 * lat).sin() * e2.powi(k) / k as f64)
            .sum();
        lat * series - 0.375 * wave
    }

    #[differentiable]
    pub fn path(p: &[f64], #[constant] waypoints: &[(f64, f64)]) -> f64 {
        let (radius, e2, shift) = (p[0], p[1], p[2]);
        let shifted: Vec<(f64, f64)> = waypoints
            .iter()
            .map(|&(lat, lon)| (lat + shift, lon))
            .collect();
        shifted
            .iter()
            .zip(shifted.iter().skip(1))
            .map(|(a, b)| {
                let north = radius * (meridian(b.0, e2) - meridian(a.0, e2));
                let east = radius * (0.5 * (a.0 + b.0)).cos() * (b.1 - a.1);
                north.hypot(east)
            })
            .sum()
    }

    #[test]
    fn geodesy() {
        scalar!(
            path,
            (&[(0.1, 0.2), (0.4, 0.5), (0.7, 0.3)]),
            &[1.0, 0.1, 0.05]
        );
    }
}
