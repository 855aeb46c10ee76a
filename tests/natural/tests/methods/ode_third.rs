//! Ode: programs of a third collection.

/// Lotka-Volterra, integrated by RK4 and compared with counts of hares and lynxes.
mod lotka_volterra {
    use di::prelude::*;

    #[differentiable]
    fn rhs(u: &[f64], p: &[f64]) -> Vec<f64> {
        let (prey, pred) = (u[0], u[1]);
        vec![
            p[0] * prey - p[1] * prey * pred,
            p[2] * prey * pred - p[3] * pred,
        ]
    }

    #[differentiable]
    fn axpy(u: &[f64], k: &[f64], h: f64) -> Vec<f64> {
        u.iter().zip(k).map(|(a, b)| a + h * b).collect()
    }

    #[differentiable]
    fn rk4_step(u: &[f64], p: &[f64], h: f64) -> Vec<f64> {
        let k1 = rhs(u, p);
        let k2 = rhs(&axpy(u, &k1, h / 2.0), p);
        let k3 = rhs(&axpy(u, &k2, h / 2.0), p);
        let k4 = rhs(&axpy(u, &k3, h), p);
        let mut next = Vec::with_capacity(u.len());
        for i in 0..u.len() {
            next.push(u[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        next
    }

    #[differentiable]
    fn lotka_loss(p: &[f64], #[constant] data: &[[f64; 2]], #[constant] dt: f64) -> f64 {
        let substeps = 4;
        let mut u = vec![data[0][0], data[0][1]];
        let mut loss = 0.0;
        for obs in &data[1..] {
            for _ in 0..substeps {
                u = rk4_step(&u, p, dt / substeps as f64);
            }
            for (a, b) in u.iter().zip(obs.iter()) {
                loss += (a.ln() - b.ln()).powi(2);
            }
        }
        loss
    }

    #[test]
    fn lotka_volterra() {
        let data = [[3.0, 0.4], [3.5, 0.7], [3.1, 1.3], [2.0, 1.8]];
        crate::check::scalar!(lotka_loss, (&data, 0.4), &vec![0.55, 0.28, 0.24, 0.8]);
    }
}

/// Parameters of the Lorenz system by a generic RK4.
mod lorenz_parameters {
    use di::prelude::*;

    #[differentiable]
    mod model {
        type State = [f64; 3];

        fn rk4<F: Fn(&State) -> State>(f: F, s: &State, h: f64) -> State {
            let add =
                |a: &State, k: &State, c: f64| [a[0] + c * k[0], a[1] + c * k[1], a[2] + c * k[2]];
            let k1 = f(s);
            let k2 = f(&add(s, &k1, h / 2.0));
            let k3 = f(&add(s, &k2, h / 2.0));
            let k4 = f(&add(s, &k3, h));
            let mut out = *s;
            for i in 0..3 {
                out[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
            }
            out
        }

        pub fn misfit(p: &[f64], #[constant] obs: &[[f64; 3]], #[constant] h: f64) -> f64 {
            let (sigma, rho, beta) = (p[0], p[1], p[2]);
            let lorenz = |s: &State| {
                [
                    sigma * (s[1] - s[0]),
                    s[0] * (rho - s[2]) - s[1],
                    s[0] * s[1] - beta * s[2],
                ]
            };
            let mut s = obs[0];
            let mut err = 0.0;
            for o in obs.iter().skip(1) {
                for _ in 0..3 {
                    s = rk4(&lorenz, &s, h);
                }
                err += s.iter().zip(o).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            }
            err
        }
    }

    #[test]
    fn lorenz_parameters() {
        let obs = [[1.0, 0.5, 2.0], [0.9, 0.9, 1.8], [1.0, 1.4, 1.7]];
        crate::check::scalar!(model::misfit, (&obs, 0.02), &vec![10.0, 28.0, 2.6]);
    }
}
