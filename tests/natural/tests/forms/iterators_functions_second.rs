//! Iterators and functions once more: programs that were not looked at while the compiler was changed.

/// Kalman filter in one dimension with a state as tuple; log-likelihood by `try_fold`-free iteration.
mod kalman {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    struct State {
        x: [f64; 2],
        p: [[f64; 2]; 2],
    }

    #[differentiable]
    fn predict(s: State, dt: f64, q: f64) -> State {
        let f = [[1.0, dt], [0.0, 1.0]];
        let x = f.map(|row| row.iter().zip(&s.x).map(|(a, b)| a * b).sum());
        let mut p = [[0.0; 2]; 2];
        for (i, row) in p.iter_mut().enumerate() {
            for (j, v) in row.iter_mut().enumerate() {
                for k in 0..2 {
                    for l in 0..2 {
                        *v += f[i][k] * s.p[k][l] * f[j][l];
                    }
                }
                if i == j {
                    *v += q;
                }
            }
        }
        State { x, p }
    }

    #[differentiable]
    fn update(s: State, z: f64, r: f64) -> (State, f64) {
        let innovation = z - s.x[0];
        let variance = s.p[0][0] + r;
        let gain = [s.p[0][0] / variance, s.p[1][0] / variance];
        let x = [s.x[0] + gain[0] * innovation, s.x[1] + gain[1] * innovation];
        let p = std::array::from_fn(|i| std::array::from_fn(|j| s.p[i][j] - gain[i] * s.p[0][j]));
        (
            State { x, p },
            -0.5 * (innovation * innovation / variance + variance.ln()),
        )
    }

    #[differentiable]
    pub fn log_likelihood(theta: &[f64], #[constant] measurements: &[Option<f64>]) -> f64 {
        let (q, r) = (theta[0].exp(), theta[1].exp());
        let start = State {
            x: [theta[2], 0.0],
            p: [[1.0, 0.0], [0.0, 1.0]],
        };
        let (_, total) = measurements.iter().fold((start, 0.0), |(state, total), z| {
            let state = predict(state, 0.5, q);
            match z {
                Some(z) => {
                    let (state, ll) = update(state, *z, r);
                    (state, total + ll)
                }
                None => (state, total),
            }
        });
        total
    }

    #[test]
    fn kalman() {
        scalar!(
            log_likelihood,
            (&[Some(0.3), None, Some(0.9), Some(1.1)]),
            &[-1.0, -0.5, 0.2]
        );
    }
}

/// Bar elements: assembly with `chunks`, conjugate gradients with an iterator-made dot product closure.
mod bars {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn conjugate_gradient(apply: impl Fn(&[f64]) -> Vec<f64>, b: &[f64]) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut d = r.clone();
        let mut rr = dot(&r, &r);
        for _ in 0..b.len() {
            if rr < 1e-24 {
                break;
            }
            let ad = apply(&d);
            let alpha = rr / dot(&d, &ad);
            x.iter_mut().zip(&d).for_each(|(x, d)| *x += alpha * d);
            r.iter_mut().zip(&ad).for_each(|(r, a)| *r -= alpha * a);
            let next = dot(&r, &r);
            let beta = next / rr;
            d = r.iter().zip(&d).map(|(r, d)| r + beta * d).collect();
            rr = next;
        }
        x
    }

    #[differentiable]
    pub fn compliance(area: &[f64], #[constant] load: &[f64]) -> f64 {
        let stiffness = |u: &[f64]| {
            let mut out = vec![0.0; u.len()];
            for (e, a) in area.iter().enumerate() {
                let left = if e == 0 { 0.0 } else { u[e - 1] };
                let force = a * (u[e] - left);
                out[e] += force;
                if e > 0 {
                    out[e - 1] -= force;
                }
            }
            out
        };
        let u = conjugate_gradient(stiffness, load);
        u.iter().zip(load).map(|(u, f)| u * f).sum()
    }

    #[test]
    fn bars() {
        scalar!(compliance, (&[0.1, 0.2, 1.0]), &[1.0, 0.8, 0.6]);
    }
}

/// Binomial tree, `rev` loops, early exercise; nested iterators over layers.
mod binomial {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    pub fn american_put(p: &[f64], #[constant] steps: usize) -> f64 {
        let &[spot, strike, vol, rate] = p else {
            unreachable!()
        };
        let dt = 1.0 / steps as f64;
        let up = (vol * dt.sqrt()).exp();
        let prob = ((rate * dt).exp() - 1.0 / up) / (up - 1.0 / up);
        let discount = (-rate * dt).exp();
        let price = |step: usize, ups: usize| spot * up.powi(2 * ups as i32 - step as i32);
        let exercise = |s: f64| (strike - s).max(0.0);
        let leaves: Vec<f64> = (0..=steps).map(|i| exercise(price(steps, i))).collect();
        let root = (0..steps).rev().fold(leaves, |values, step| {
            values
                .windows(2)
                .enumerate()
                .map(|(i, pair)| {
                    let hold = discount * (prob * pair[1] + (1.0 - prob) * pair[0]);
                    hold.max(exercise(price(step, i)))
                })
                .collect()
        });
        root[0]
    }

    #[test]
    fn binomial() {
        scalar!(american_put, (4), &[1.0, 1.03, 0.3, 0.05]);
    }
}

/// Gaussian mixture with log-sum-exp over iterators by reference and `fold(f64::NEG_INFINITY, f64::max)`.
mod mixture {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn log_sum_exp(terms: impl Iterator<Item = f64> + Clone) -> f64 {
        let max = terms.clone().fold(f64::NEG_INFINITY, f64::max);
        max + terms.map(|t| (t - max).exp()).sum::<f64>().ln()
    }

    #[differentiable]
    pub fn nll(p: &[f64], #[constant] data: &[f64], #[constant] k: usize) -> f64 {
        let (logits, rest) = p.split_at(k);
        let (means, log_sds) = rest.split_at(k);
        let norm = log_sum_exp(logits.iter().copied());
        let components = logits.iter().zip(means).zip(log_sds);
        let per_point = data.iter().map(|x| {
            let terms: Vec<f64> = components
                .clone()
                .map(|((w, m), s)| w - norm - s - 0.5 * ((x - m) / s.exp()).powi(2))
                .collect();
            log_sum_exp(terms.into_iter())
        });
        -per_point.sum::<f64>() / data.len() as f64
    }

    #[test]
    fn mixture() {
        scalar!(
            nll,
            (&[0.1, 1.2, -0.3, 2.0], 2),
            &[0.2, -0.1, 0.0, 1.1, -0.3, 0.1]
        );
    }
}

/// Pharmacokinetics: doses as constant structs, superposition with `filter`, closures chosen by `if`.
mod pharma {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy)]
    pub struct Dose {
        pub time: f64,
        pub amount: f64,
    }

    #[differentiable]
    fn unit_response(ka: f64, ke: f64, v: f64) -> impl Fn(f64) -> f64 {
        let scale = ka / (v * (ka - ke));
        move |t| scale * ((-ke * t).exp() - (-ka * t).exp())
    }

    #[differentiable]
    pub fn concentration(
        p: &[f64],
        #[constant] doses: &[Dose],
        #[constant] times: &[f64],
    ) -> Vec<f64> {
        let (ka, ke, v) = (p[0].exp(), p[1].exp(), p[2].exp());
        let response = unit_response(ka, ke, v);
        let at = |t: f64| {
            doses
                .iter()
                .filter(|d| d.time < t)
                .map(|d| d.amount * response(t - d.time))
                .sum::<f64>()
        };
        times.iter().map(|&t| at(t)).collect()
    }

    #[test]
    fn pharma() {
        let doses = [
            Dose {
                time: 0.0,
                amount: 1.0,
            },
            Dose {
                time: 1.5,
                amount: 0.5,
            },
        ];
        vector!(
            concentration,
            (&doses, &[0.5, 1.0, 2.0, 3.0]),
            &[0.4, -1.0, 0.2]
        );
    }
}

/// Bundle-like reprojection with matrices as type aliases, `use` of an alias from a submodule, const generics.
mod camera {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    mod linalg {
        use di::prelude::*;

        pub type Vector = [f64; 3];
        pub type Matrix = [Vector; 3];

        #[differentiable]
        pub const fn identity<const N: usize>() -> [[f64; N]; N] {
            let mut m = [[0.0; N]; N];
            let mut i = 0;
            while i < N {
                m[i][i] = 1.0;
                i += 1;
            }
            m
        }

        #[differentiable]
        pub fn mul(m: &Matrix, v: &Vector) -> Vector {
            m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
        }

        #[differentiable]
        pub fn rodrigues(w: &Vector) -> Matrix {
            let angle = w.iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut m: Matrix = identity();
            let k = [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]];
            let (a, b) = (angle.sin() / angle, (1.0 - angle.cos()) / (angle * angle));
            for i in 0..3 {
                for j in 0..3 {
                    let square: f64 = (0..3).map(|l| k[i][l] * k[l][j]).sum();
                    m[i][j] += a * k[i][j] + b * square;
                }
            }
            m
        }
    }

    use linalg::{Matrix, Vector, mul, rodrigues};

    #[differentiable]
    fn project(
        rotation: &Matrix,
        translation: &Vector,
        focal: f64,
        point: &Vector,
    ) -> Option<[f64; 2]> {
        let mut q = mul(rotation, point);
        for (q, t) in q.iter_mut().zip(translation) {
            *q += t;
        }
        let [x, y, z] = q;
        (z > 0.0).then(|| [focal * x / z, focal * y / z])
    }

    #[differentiable]
    pub fn error(
        camera: &[f64],
        #[constant] points: &[Vector],
        #[constant] seen: &[[f64; 2]],
    ) -> f64 {
        let rotation = rodrigues(&[camera[0], camera[1], camera[2]]);
        let translation: Vector = camera[3..6].try_into().unwrap();
        points
            .iter()
            .zip(seen)
            .filter_map(|(p, s)| {
                let [u, v] = project(&rotation, &translation, camera[6], p)?;
                Some((u - s[0]).powi(2) + (v - s[1]).powi(2))
            })
            .sum()
    }

    #[test]
    fn camera() {
        scalar!(
            error,
            (
                &[[0.1, 0.2, 1.0], [-0.4, 0.3, 1.5]],
                &[[0.1, 0.2], [-0.2, 0.1]]
            ),
            &[0.1, -0.2, 0.3, 0.05, 0.02, 0.4, 1.1]
        );
    }
}

/// Lotka-Volterra fitted by trajectories kept in iterators: `std::iter::successors`, `skip`, `step_by`, `take`.
mod ecology {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn step([x, y]: [f64; 2], p: &[f64], dt: f64) -> [f64; 2] {
        let rate = |x: f64, y: f64| (p[0] * x - p[1] * x * y, p[1] * x * y - p[2] * y);
        let (dx, dy) = rate(x, y);
        let (mx, my) = rate(x + 0.5 * dt * dx, y + 0.5 * dt * dy);
        [x + dt * mx, y + dt * my]
    }

    #[differentiable]
    pub fn misfit(p: &[f64], #[constant] data: &[[f64; 2]]) -> f64 {
        let path = std::iter::successors(Some([1.0, 0.5]), |&s| Some(step(s, p, 0.1)));
        let sampled = path.skip(5).step_by(5).take(data.len());
        sampled
            .zip(data)
            .map(|([x, y], [u, v])| (x.ln() - u.ln()).powi(2) + (y.ln() - v.ln()).powi(2))
            .sum()
    }

    #[test]
    fn ecology() {
        scalar!(
            misfit,
            (&[[1.1, 0.5], [1.3, 0.6], [1.2, 0.8]]),
            &[0.9, 0.7, 0.5]
        );
    }
}

/// Heat conduction, explicit, with material layers as constant pairs, swap of buffers, boundary closures.
mod heat {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn advance(u: &[f64], next: &mut [f64], k: impl Fn(usize) -> f64, r: f64) {
        let n = u.len();
        for (i, w) in u.windows(3).enumerate() {
            let (left, right) = (0.5 * (k(i) + k(i + 1)), 0.5 * (k(i + 1) + k(i + 2)));
            next[i + 1] = w[1] + r * (right * (w[2] - w[1]) - left * (w[1] - w[0]));
        }
        next[0] = u[0];
        next[n - 1] = u[n - 2];
    }

    #[differentiable]
    pub fn final_profile(
        p: &[f64],
        #[constant] layers: &[(usize, usize)],
        #[constant] n: usize,
    ) -> Vec<f64> {
        let layer_of = |i: usize| {
            layers
                .iter()
                .position(|&(a, b)| (a..b).contains(&i))
                .unwrap_or(0)
        };
        let conductivity = |i: usize| p[1 + layer_of(i)];
        let mut u = vec![0.0; n];
        u[0] = p[0];
        let mut next = u.clone();
        for _ in 0..12 {
            advance(&u, &mut next, conductivity, 0.2);
            std::mem::swap(&mut u, &mut next);
        }
        u
    }

    #[test]
    fn heat() {
        vector!(final_profile, (&[(0, 3), (3, 6)], 6), &[1.0, 0.8, 1.4]);
    }
}

/// Time series: ARMA with conditional least squares, a `VecDeque`-free lag buffer, cumulative sums, `rposition`.
mod arma {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    pub fn css(p: &[f64], #[constant] y: &[f64], #[constant] (ar, ma): (usize, usize)) -> f64 {
        let (phi, rest) = p.split_at(ar);
        let (theta, tail) = rest.split_at(ma);
        let [mean, ..] = tail else { panic!("no mean") };
        let centred: Vec<f64> = y.iter().map(|v| v - mean).collect();
        let mut e: Vec<f64> = vec![];
        for t in 0..centred.len() {
            let past = centred[..t].iter().rev();
            let shocks = e.iter().rev();
            let forecast = phi.iter().zip(past).map(|(a, b)| a * b).sum::<f64>()
                + theta.iter().zip(shocks).map(|(a, b)| a * b).sum::<f64>();
            e.push(centred[t] - forecast);
        }
        e.iter().skip(ar.max(ma)).map(|v| v.powi(2)).sum()
    }

    #[test]
    fn arma() {
        scalar!(
            css,
            (&[0.3, 0.5, -0.2, 0.1, 0.7], (2, 1)),
            &[0.4, -0.2, 0.3, 0.1]
        );
    }
}
