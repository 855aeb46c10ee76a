//! Programs annotated function by function. Refused: each with what the compiler says.

// E0614 type `u32` cannot be dereferenced
/// Item response and matrix factorisation with biases.
mod matrix_factors {
    use di::prelude::*;
    use std::collections::HashMap;

    #[derive(Debug, Clone, Differentiable)]
    pub struct Factors {
        users: Vec<Vec<f64>>,
        items: Vec<Vec<f64>>,
        user_bias: Vec<f64>,
        global: f64,
        rank: usize,
    }

    pub struct Rating {
        user: usize,
        item: u32,
        stars: f64,
    }

    pub struct Ratings {
        list: Vec<Rating>,
        weights: HashMap<u32, f64>,
    }

    impl Ratings {
        fn weight(&self, item: u32) -> f64 {
            *self.weights.get(&item).unwrap_or(&1.0)
        }
    }

    #[differentiable]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    #[differentiable]
    impl Factors {
        fn unpack(x: &[f64], users: usize, items: usize, rank: usize) -> Self {
            let mut chunks = x.chunks_exact(rank);
            let u: Vec<Vec<f64>> = chunks.by_ref().take(users).map(|c| c.to_vec()).collect();
            let v: Vec<Vec<f64>> = chunks.by_ref().take(items).map(|c| c.to_vec()).collect();
            let rest = &x[(users + items) * rank..];
            Factors { users: u, items: v, user_bias: rest[..users].to_vec(), global: rest[users], rank }
        }

        fn predict(&self, user: usize, item: u32) -> f64 {
            self.global + self.user_bias[user] + dot(&self.users[user], &self.items[item as usize])
        }
    }

    #[differentiable]
    fn loss(x: &[f64], #[constant] ratings: &Ratings, users: usize, items: usize, #[constant] decay: f64) -> f64 {
        let f = Factors::unpack(x, users, items, 2);
        let mut sum = 0.0;
        for Rating { user, item, stars } in &ratings.list {
            let e = f.predict(*user, *item) - stars;
            sum += ratings.weight(*item) * e * e;
        }
        let norm: f64 = f.users.iter().chain(f.items.iter()).map(|row| dot(row, row)).sum();
        sum + decay * norm
    }

    #[test]
    fn matrix_factors() {
        let ratings = Ratings {
            list: vec![Rating { user: 0, item: 1, stars: 4.0 }, Rating { user: 1, item: 0, stars: 2.5 }, Rating { user: 1, item: 1, stars: 3.0 }],
            weights: HashMap::from([(1, 0.5)]),
        };
        let x: Vec<f64> = (0..11).map(|i| 0.3 * i as f64 - 1.0).collect();
        crate::check::scalar!(loss, (&ratings, 2, 2, 0.1), &x);
    }
}

// E0446 private type `Intrinsics` in public interface
/// Bundle adjustment of a camera, with a robust loss and closures.
mod camera {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Camera {
        pub rotation: [f64; 3],
        pub translation: [f64; 3],
        pub intrinsics: Intrinsics,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Intrinsics {
        focal: f64,
        k1: f64,
        k2: f64,
    }

    #[derive(Clone, Copy, Debug)]
    pub enum Loss {
        Squared,
        Huber(f64),
        Cauchy { scale: f64 },
    }

    #[differentiable]
    impl Loss {
        fn apply(&self, r2: f64) -> f64 {
            match *self {
                Loss::Squared => r2,
                Loss::Huber(delta) => {
                    let r = (r2 + 1e-12).sqrt();
                    if r <= delta { r2 } else { 2.0 * delta * r - delta * delta }
                }
                Loss::Cauchy { scale } => scale * scale * (r2 / (scale * scale)).ln_1p(),
            }
        }
    }

    #[differentiable]
    fn rotate(w: &[f64; 3], p: &[f64; 3]) -> [f64; 3] {
        let theta2 = w.iter().map(|v| v * v).sum::<f64>();
        let theta = theta2.sqrt();
        let axis = w.map(|v| v / theta);
        let (s, c) = theta.sin_cos();
        let dot: f64 = axis.iter().zip(p).map(|(a, b)| a * b).sum();
        let cross = [axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0]];
        let mut out = [0.0; 3];
        for i in 0..3 {
            out[i] = p[i] * c + cross[i] * s + axis[i] * dot * (1.0 - c);
        }
        out
    }

    #[differentiable]
    impl Camera {
        fn project(&self, point: &[f64; 3]) -> (f64, f64) {
            let mut p = rotate(&self.rotation, point);
            for (p, t) in p.iter_mut().zip(self.translation) {
                *p += t;
            }
            let (u, v) = (-p[0] / p[2], -p[1] / p[2]);
            let r2 = u * u + v * v;
            let Intrinsics { focal, k1, k2 } = self.intrinsics;
            let distortion = 1.0 + r2 * (k1 + k2 * r2);
            (focal * distortion * u, focal * distortion * v)
        }
    }

    #[differentiable]
    fn cost(camera: &Camera, #[constant] observations: &[([f64; 3], (f64, f64))], #[constant] loss: Loss) -> f64 {
        let error = |point: &[f64; 3], seen: (f64, f64)| {
            let (u, v) = camera.project(point);
            (u - seen.0).powi(2) + (v - seen.1).powi(2)
        };
        observations.iter().map(|(point, seen)| loss.apply(error(point, *seen))).sum()
    }

    #[test]
    fn camera() {
        let obs = [([0.3, 0.2, 2.0], (0.1, -0.2)), ([-0.4, 0.5, 3.0], (0.3, 0.1))];
        crate::check::made!(
            cost::AD.with(&obs, Loss::Cauchy { scale: 0.5 }),
            |c: &Camera| cost(c, &obs, Loss::Cauchy { scale: 0.5 }),
            |q: &[f64; 9]| Camera {
                rotation: [q[0], q[1], q[2]],
                translation: [q[3], q[4], q[5]],
                intrinsics: Intrinsics { focal: q[6], k1: q[7], k2: q[8] },
            },
            |c: &Camera| {
                let mut v = c.rotation.to_vec();
                v.extend(c.translation);
                v.extend([c.intrinsics.focal, c.intrinsics.k1, c.intrinsics.k2]);
                v
            },
            &[0.2, -0.1, 0.3, 0.1, 0.2, 0.5, 1.1, 0.05, -0.02]
        );
    }
}
