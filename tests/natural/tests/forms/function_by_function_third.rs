//! Programs annotated function by function, a third collection.

/// A particle filter with given draws, resampled by cumulative weights.
mod particle_filter {
    use di::prelude::*;
    #[derive(Clone, Differentiable)]
    struct Particle {
        position: f64,
        velocity: f64,
        weight: f64,
        ancestor: usize,
    }

    #[differentiable]
    fn propagate(p: &Particle, noise: f64, drag: f64) -> Particle {
        let velocity = p.velocity * (1.0 - drag) + 0.1 * noise;
        Particle {
            position: p.position + velocity,
            velocity,
            ..p.clone()
        }
    }

    #[differentiable]
    fn normalise(particles: &mut [Particle]) -> f64 {
        let total: f64 = particles.iter().map(|p| p.weight).sum();
        for p in particles.iter_mut() {
            p.weight /= total;
        }
        total
    }

    #[differentiable]
    fn effective_size(particles: &[Particle]) -> f64 {
        1.0 / particles.iter().map(|p| p.weight * p.weight).sum::<f64>()
    }

    #[differentiable]
    fn log_evidence(
        theta: &[f64],
        #[constant] draws: &[Vec<f64>],
        #[constant] observations: &[f64],
    ) -> f64 {
        let n = draws[0].len();
        let mut particles: Vec<Particle> = (0..n)
            .map(|i| Particle {
                position: theta[2] * i as f64,
                velocity: 0.1,
                weight: 1.0 / n as f64,
                ancestor: i,
            })
            .collect();
        let mut log_z = 0.0;
        for (z, noise) in observations.iter().zip(draws) {
            particles = particles
                .iter()
                .zip(noise)
                .map(|(p, e)| propagate(p, *e, theta[0]))
                .collect();
            for p in particles.iter_mut() {
                let r = (z - p.position) / theta[1];
                p.weight *= (-0.5 * r * r).exp() / theta[1];
            }
            log_z += normalise(&mut particles).ln();
            if effective_size(&particles) < 0.3 * n as f64 {
                let best = particles[0].clone();
                particles = vec![best; n];
            }
        }
        log_z
    }

    #[test]
    fn particle_filter() {
        let draws = vec![vec![0.1, -0.4, 0.9], vec![0.5, 0.2, -0.3]];
        crate::check::scalar!(log_evidence, (&draws, &[0.2, 0.5]), &[0.1, 0.8, 0.15]);
    }
}

/// Heat equation with Crank-Nicolson, identification of conductivity by sensors.
mod heat {
    use di::prelude::*;
    #[derive(Debug, Clone, Copy)]
    pub enum Boundary {
        Dirichlet(f64),
        Neumann { flux: f64 },
    }

    #[derive(Debug, Clone)]
    pub struct Grid {
        n: usize,
        dx: f64,
        dt: f64,
        left: Boundary,
        right: Boundary,
    }

    #[derive(Debug, Clone, Differentiable)]
    pub struct Tridiagonal {
        lower: Vec<f64>,
        diag: Vec<f64>,
        upper: Vec<f64>,
    }

    #[differentiable]
    impl Tridiagonal {
        fn zeros(n: usize) -> Self {
            Tridiagonal {
                lower: vec![0.0; n],
                diag: vec![0.0; n],
                upper: vec![0.0; n],
            }
        }

        fn solve(&self, rhs: &[f64]) -> Vec<f64> {
            let n = rhs.len();
            let mut diag = self.diag.clone();
            let mut x = rhs.to_vec();
            for i in 1..n {
                let m = self.lower[i] / diag[i - 1];
                diag[i] -= m * self.upper[i - 1];
                x[i] -= m * x[i - 1];
            }
            x[n - 1] /= diag[n - 1];
            for i in (0..n - 1).rev() {
                x[i] = (x[i] - self.upper[i] * x[i + 1]) / diag[i];
            }
            x
        }
    }

    #[differentiable]
    fn conductivity(t: f64, k: &[f64]) -> f64 {
        k[0] + k[1] * t + k[2] * t * t
    }

    #[differentiable]
    fn advance(u: &[f64], k: &[f64], grid: &Grid) -> Vec<f64> {
        let n = grid.n;
        let r = grid.dt / (grid.dx * grid.dx);
        let mut m = Tridiagonal::zeros(n);
        let mut rhs = vec![0.0; n];
        for i in 1..n - 1 {
            let west = r * conductivity(0.5 * (u[i - 1] + u[i]), k);
            let east = r * conductivity(0.5 * (u[i] + u[i + 1]), k);
            m.lower[i] = -0.5 * west;
            m.upper[i] = -0.5 * east;
            m.diag[i] = 1.0 + 0.5 * (west + east);
            rhs[i] = u[i] + 0.5 * (west * (u[i - 1] - u[i]) + east * (u[i + 1] - u[i]));
        }
        m.diag[0] = 1.0;
        m.diag[n - 1] = 1.0;
        match grid.left {
            Boundary::Dirichlet(v) => rhs[0] = v,
            Boundary::Neumann { flux } => {
                m.upper[0] = -1.0;
                rhs[0] = flux * grid.dx;
            }
        }
        match grid.right {
            Boundary::Dirichlet(v) => rhs[n - 1] = v,
            Boundary::Neumann { flux } => {
                m.lower[n - 1] = -1.0;
                rhs[n - 1] = flux * grid.dx;
            }
        }
        m.solve(&rhs)
    }

    #[differentiable]
    fn misfit(
        k: &[f64],
        #[constant] grid: &Grid,
        #[constant] sensors: &[(usize, usize, f64)],
    ) -> f64 {
        let mut u: Vec<f64> = (0..grid.n).map(|i| (i as f64 * grid.dx).sin()).collect();
        let last = sensors.iter().map(|s| s.0).max().unwrap_or(0);
        let mut total = 0.0;
        for step in 1..=last {
            u = advance(&u, k, grid);
            for &(_, place, value) in sensors.iter().filter(|(when, _, _)| *when == step) {
                total += (u[place] - value).powi(2);
            }
        }
        total
    }

    #[test]
    fn heat() {
        let grid = Grid {
            n: 6,
            dx: 0.4,
            dt: 0.05,
            left: Boundary::Dirichlet(0.1),
            right: Boundary::Neumann { flux: 0.2 },
        };
        crate::check::scalar!(
            misfit,
            (&grid, &[(1, 2, 0.3), (2, 3, 0.8), (3, 1, 0.2)]),
            &[1.0, 0.2, 0.1]
        );
    }
}

/// Gaussian process with a choice of kernels.
mod gaussian_process {
    use di::prelude::*;
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Kernel {
        Rbf,
        Matern32,
        Periodic { period: f64 },
    }

    pub struct Dataset {
        x: Vec<Vec<f64>>,
        y: Vec<f64>,
        kernel: Kernel,
        jitter: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Hyper {
        log_length: Vec<f64>,
        log_variance: f64,
        log_noise: f64,
    }

    #[differentiable]
    fn distance(a: &[f64], b: &[f64], log_length: &[f64]) -> f64 {
        a.iter()
            .zip(b.iter())
            .zip(log_length.iter())
            .map(|((a, b), l)| ((a - b) / l.exp()).powi(2))
            .sum::<f64>()
    }

    #[differentiable]
    fn covariance(kernel: Kernel, a: &[f64], b: &[f64], h: &Hyper) -> f64 {
        let r2 = distance(a, b, &h.log_length);
        let k = match kernel {
            Kernel::Rbf => (-0.5 * r2).exp(),
            Kernel::Matern32 => {
                let r = (3.0 * r2 + 1e-12).sqrt();
                (1.0 + r) * (-r).exp()
            }
            Kernel::Periodic { period } => {
                let r = (r2 + 1e-12).sqrt();
                (-2.0 * (std::f64::consts::PI * r / period).sin().powi(2)).exp()
            }
        };
        h.log_variance.exp() * k
    }

    #[differentiable]
    fn cholesky(a: &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let n = a.len();
        let mut l = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let s: f64 = l[i].iter().zip(&l[j]).take(j).map(|(x, y)| x * y).sum();
                if i == j {
                    l[i][j] = (a[i][i] - s).sqrt();
                } else {
                    l[i][j] = (a[i][j] - s) / l[j][j];
                }
            }
        }
        l
    }

    #[differentiable]
    pub fn negative_log_likelihood(h: &Hyper, #[constant] data: &Dataset) -> f64 {
        let n = data.x.len();
        let mut k = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                k[i][j] = covariance(data.kernel, &data.x[i], &data.x[j], h);
            }
            k[i][i] += h.log_noise.exp() + data.jitter;
        }
        let l = cholesky(&k);
        let mut z = Vec::with_capacity(n);
        for i in 0..n {
            let mut s = data.y[i];
            for j in 0..i {
                s -= l[i][j] * z[j];
            }
            z.push(s / l[i][i]);
        }
        let fit = 0.5 * z.iter().map(|v| v * v).sum::<f64>();
        let logdet: f64 = l.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
        fit + logdet + 0.5 * n as f64 * (2.0 * std::f64::consts::PI).ln()
    }

    #[test]
    fn gaussian_process() {
        let data = Dataset {
            x: vec![vec![0.0, 0.3], vec![0.5, 0.1], vec![1.0, 0.9]],
            y: vec![0.1, 0.8, -0.4],
            kernel: Kernel::Matern32,
            jitter: 1e-3,
        };
        crate::check::made!(
            negative_log_likelihood::AD.with(&data),
            |h: &Hyper| negative_log_likelihood(h, &data),
            |q: &Vec<f64>| Hyper {
                log_length: q[..2].to_vec(),
                log_variance: q[2],
                log_noise: q[3]
            },
            |h: &Hyper| vec![
                h.log_length[0],
                h.log_length[1],
                h.log_variance,
                h.log_noise
            ],
            &vec![0.1, -0.2, 0.3, -1.0]
        );
    }
}
