//! Climate, seismology, heat, traffic and images: models as structs.

/// Two boxes with feedbacks and a carbon cycle, fit with a prior of default parameters.
mod climate {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod climate {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Parameters {
            pub feedback: f64,
            pub heat_capacity: [f64; 2],
            pub exchange: f64,
            pub forcing_2x: f64,
        }

        impl Default for Parameters {
            fn default() -> Self {
                Parameters {
                    feedback: 1.2,
                    heat_capacity: [8.0, 100.0],
                    exchange: 0.7,
                    forcing_2x: 3.7,
                }
            }
        }

        #[derive(Clone, Copy, Debug, Default)]
        pub struct State {
            pub surface: f64,
            pub deep: f64,
            pub carbon: f64,
        }

        const PREINDUSTRIAL: f64 = 280.0;

        fn forcing(p: &Parameters, co2: f64) -> f64 {
            p.forcing_2x * (co2 / PREINDUSTRIAL).log2()
        }

        fn albedo_feedback(t: f64) -> f64 {
            0.3 * (1.0 + (t - 2.0).tanh())
        }

        fn tendency(p: &Parameters, s: &State, emission: f64) -> State {
            let co2 = PREINDUSTRIAL + s.carbon;
            let flux = p.exchange * (s.surface - s.deep);
            let net = forcing(p, co2) - p.feedback * s.surface + albedo_feedback(s.surface) - flux;
            State {
                surface: net / p.heat_capacity[0],
                deep: flux / p.heat_capacity[1],
                carbon: emission - 0.02 * s.carbon,
            }
        }

        fn advance(p: &Parameters, s: State, emission: f64, dt: f64) -> State {
            let k = tendency(p, &s, emission);
            State {
                surface: s.surface + dt * k.surface,
                deep: s.deep + dt * k.deep,
                carbon: s.carbon + dt * k.carbon,
            }
        }

        pub fn trajectory(p: &Parameters, #[constant] emissions: &[f64]) -> Vec<f64> {
            let mut s = State::default();
            emissions
                .iter()
                .map(|&e| {
                    for _ in 0..4 {
                        s = advance(p, s, e, 0.25);
                    }
                    s.surface
                })
                .collect()
        }

        pub fn score(
            p: &Parameters,
            #[constant] emissions: &[f64],
            #[constant] observed: &[f64],
        ) -> f64 {
            let prior = Parameters::default();
            let t = trajectory(p, emissions);
            let fit: f64 = t.iter().zip(observed).map(|(a, b)| (a - b) * (a - b)).sum();
            let penalty =
                (p.feedback - prior.feedback).powi(2) + (p.exchange - prior.exchange).powi(2);
            fit + 0.1 * penalty
        }
    }

    #[test]
    fn climate() {
        use climate::{Parameters, score};
        let (emissions, observed) = ([2.0, 3.0, 4.0], [0.2, 0.4, 0.7]);
        let make = |q: &[f64; 5]| Parameters {
            feedback: q[0],
            heat_capacity: [q[1], q[2]],
            exchange: q[3],
            forcing_2x: q[4],
        };
        let list = |p: &Parameters| {
            vec![
                p.feedback,
                p.heat_capacity[0],
                p.heat_capacity[1],
                p.exchange,
                p.forcing_2x,
            ]
        };
        let call = |p: &Parameters| score(p, &emissions, &observed);
        made!(
            score::AD.with(&emissions, &observed),
            call,
            make,
            list,
            &[1.0, 6.0, 50.0, 0.5, 3.4]
        );
    }
}

/// Rays through layers by shooting, and the misfit of picks.
mod travel_time {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod seismic {
        #[derive(Debug, Clone)]
        pub struct Model {
            pub slowness: Vec<f64>,
            #[constant]
            pub thickness: Vec<f64>,
        }

        pub struct Station {
            pub offset: f64,
            pub pick: Option<f64>,
        }

        impl Model {
            fn offset(&self, p: f64) -> f64 {
                let mut x = 0.0;
                for (u, h) in self.slowness.iter().zip(&self.thickness) {
                    x += h * p / (u * u - p * p).sqrt();
                }
                x
            }

            fn offset_slope(&self, p: f64) -> f64 {
                self.slowness
                    .iter()
                    .zip(&self.thickness)
                    .map(|(u, h)| h * u * u / (u * u - p * p).powf(1.5))
                    .sum()
            }

            fn ray_parameter(&self, x: f64) -> f64 {
                let min_u = self.slowness.iter().copied().fold(f64::INFINITY, f64::min);
                let mut p = 0.5 * min_u;
                for _ in 0..20 {
                    let step = (self.offset(p) - x) / self.offset_slope(p);
                    let mut next = p - step;
                    if next >= min_u {
                        next = 0.5 * (p + min_u);
                    } else if next < 0.0 {
                        next = 0.5 * p;
                    }
                    p = next;
                    if step.abs() < 1e-14 {
                        break;
                    }
                }
                p
            }

            pub fn travel_time(&self, x: f64) -> f64 {
                let p = self.ray_parameter(x);
                let mut t = 0.0;
                for (u, h) in self.slowness.iter().zip(&self.thickness) {
                    t += h * u * u / (u * u - p * p).sqrt();
                }
                t
            }
        }

        pub fn misfit(model: &Model, #[constant] stations: &[Station]) -> f64 {
            let mut sum = 0.0;
            let mut count = 0usize;
            for s in stations {
                let Some(pick) = s.pick else { continue };
                let r = model.travel_time(s.offset) - pick;
                sum += r * r;
                count += 1;
            }
            if count == 0 {
                return 0.0;
            }
            (sum / count as f64).sqrt()
        }
    }

    #[test]
    fn travel_time() {
        use seismic::{Model, Station, misfit};
        let stations = [
            Station {
                offset: 2.0,
                pick: Some(1.9),
            },
            Station {
                offset: 5.0,
                pick: None,
            },
            Station {
                offset: 6.0,
                pick: Some(3.0),
            },
        ];
        let thickness = || vec![1.0, 2.0, 1.5];
        let make = |q: &[f64; 3]| Model {
            slowness: q.to_vec(),
            thickness: thickness(),
        };
        let list = |m: &Model| m.slowness.clone();
        let call = |m: &Model| misfit(m, &stations);
        made!(
            misfit::AD.with(&stations),
            call,
            make,
            list,
            &[0.5, 0.4, 0.3]
        );
    }
}

/// Implicit heat conduction with a conductivity that depends on temperature.
mod heat {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    fn thomas(lower: &[f64], diag: &[f64], upper: &[f64], rhs: &[f64]) -> Vec<f64> {
        let n = diag.len();
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        c[0] = upper[0] / diag[0];
        d[0] = rhs[0] / diag[0];
        for i in 1..n {
            let m = 1.0 / (diag[i] - lower[i] * c[i - 1]);
            c[i] = upper[i] * m;
            d[i] = (rhs[i] - lower[i] * d[i - 1]) * m;
        }
        for i in (0..n - 1).rev() {
            d[i] -= c[i] * d[i + 1];
        }
        d
    }

    #[differentiable]
    fn conductivity(k: &[f64; 2], t: f64) -> f64 {
        k[0] * (1.0 + k[1] * t)
    }

    #[derive(Clone, Copy)]
    pub struct Grid {
        pub dx: f64,
        pub dt: f64,
        pub steps: usize,
    }

    #[differentiable]
    pub fn solve(k: &[f64; 2], u0: &[f64], #[constant] grid: Grid) -> Vec<f64> {
        let Grid { dx, dt, steps } = grid;
        let n = u0.len();
        let mut u = u0.to_vec();
        for _ in 0..steps {
            let kk: Vec<f64> = u.iter().map(|&t| conductivity(k, t)).collect();
            let (mut lower, mut diag, mut upper) = (vec![0.0; n], vec![1.0; n], vec![0.0; n]);
            for i in 1..n - 1 {
                let west = 0.5 * (kk[i - 1] + kk[i]);
                let east = 0.5 * (kk[i] + kk[i + 1]);
                let r = dt / (dx * dx);
                lower[i] = -r * west;
                upper[i] = -r * east;
                diag[i] += r * (west + east);
            }
            u = thomas(&lower, &diag, &upper, &u);
        }
        u
    }

    #[differentiable]
    pub fn misfit(
        k: &[f64; 2],
        u0: &[f64],
        #[constant] grid: Grid,
        #[constant] sensors: &[(usize, f64)],
    ) -> f64 {
        let u = solve(k, u0, grid);
        sensors
            .iter()
            .map(|&(i, value)| (u[i] - value).powi(2))
            .sum::<f64>()
            * 0.5
    }

    #[test]
    fn heat() {
        let grid = Grid {
            dx: 0.25,
            dt: 0.05,
            steps: 3,
        };
        let sensors = [(1, 0.3), (2, 0.6)];
        let make = |q: &[f64; 7]| ([q[0], q[1]], q[2..].to_vec());
        let list = |(k, u): &([f64; 2], Vec<f64>)| [k.to_vec(), u.clone()].concat();
        let call = |(k, u): &([f64; 2], Vec<f64>)| misfit(k, u, grid, &sensors);
        made!(
            misfit::AD.with(grid, &sensors),
            call,
            make,
            list,
            &[0.8, 0.3, 0.0, 0.5, 1.0, 0.4, 0.1]
        );
    }
}

/// Godunov fluxes of traffic with demand and supply.
mod traffic {
    use crate::check::made;
    use di::prelude::*;

    #[differentiable]
    pub mod traffic {
        #[derive(Clone, Debug)]
        pub struct Road {
            pub free_speed: f64,
            pub jam_density: f64,
            pub capacity: f64,
        }

        impl Road {
            fn wave_speed(&self) -> f64 {
                let critical = self.capacity / self.free_speed;
                self.capacity / (self.jam_density - critical)
            }

            fn demand(&self, rho: f64) -> f64 {
                (self.free_speed * rho).min(self.capacity)
            }

            fn supply(&self, rho: f64) -> f64 {
                (self.wave_speed() * (self.jam_density - rho)).min(self.capacity)
            }

            fn flux(&self, left: f64, right: f64) -> f64 {
                self.demand(left).min(self.supply(right))
            }
        }

        pub fn simulate(
            road: &Road,
            initial: &[f64],
            #[constant] inflow: &[f64],
            #[constant] cfl: f64,
        ) -> Vec<f64> {
            let n = initial.len();
            let mut rho = initial.to_owned();
            for &q in inflow {
                let mut fluxes = vec![0.0; n + 1];
                fluxes[0] = road.supply(rho[0]).min(q);
                for i in 1..n {
                    fluxes[i] = road.flux(rho[i - 1], rho[i]);
                }
                fluxes[n] = road.demand(rho[n - 1]);
                for (i, r) in rho.iter_mut().enumerate() {
                    *r += cfl * (fluxes[i] - fluxes[i + 1]);
                }
            }
            rho
        }

        pub fn total_time(
            road: &Road,
            #[constant] initial: &[f64],
            #[constant] inflow: &[f64],
        ) -> f64 {
            let mut density = initial.to_vec();
            let mut total = 0.0;
            for chunk in inflow.chunks(5) {
                density = simulate(road, &density, chunk, 0.4);
                total += density.iter().sum::<f64>();
            }
            total
        }
    }

    #[test]
    fn traffic() {
        use traffic::{Road, total_time};
        let (initial, inflow) = ([0.2, 0.5, 0.3, 0.1], [0.3, 0.5, 0.2, 0.4, 0.3, 0.2]);
        let make = |q: &[f64; 3]| Road {
            free_speed: q[0],
            jam_density: q[1],
            capacity: q[2],
        };
        let list = |r: &Road| vec![r.free_speed, r.jam_density, r.capacity];
        let call = |r: &Road| total_time(r, &initial, &inflow);
        made!(
            total_time::AD.with(&initial, &inflow),
            call,
            make,
            list,
            &[1.1, 1.4, 0.35]
        );
    }
}

/// Rigid registration of images by bilinear interpolation.
mod registration {
    use crate::check::scalar;
    use di::prelude::*;

    pub struct Image {
        pub width: usize,
        pub height: usize,
        pub pixels: Vec<f64>,
    }

    impl Image {
        pub fn at(&self, x: isize, y: isize) -> f64 {
            let x = x.clamp(0, self.width as isize - 1) as usize;
            let y = y.clamp(0, self.height as isize - 1) as usize;
            self.pixels[y * self.width + x]
        }
    }

    #[differentiable]
    fn bilinear(#[constant] img: &Image, x: f64, y: f64) -> f64 {
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let (ix, iy) = (x.floor() as isize, y.floor() as isize);
        let top = (1.0 - fx) * img.at(ix, iy) + fx * img.at(ix + 1, iy);
        let bottom = (1.0 - fx) * img.at(ix, iy + 1) + fx * img.at(ix + 1, iy + 1);
        (1.0 - fy) * top + fy * bottom
    }

    #[differentiable]
    fn warp(
        pose: &[f64; 3],
        #[constant] x: f64,
        #[constant] y: f64,
        #[constant] center: (f64, f64),
    ) -> (f64, f64) {
        let [angle, tx, ty] = *pose;
        let (s, c) = angle.sin_cos();
        let (dx, dy) = (x - center.0, y - center.1);
        (
            c * dx - s * dy + center.0 + tx,
            s * dx + c * dy + center.1 + ty,
        )
    }

    #[differentiable]
    pub fn ncc(pose: &[f64; 3], #[constant] fixed: &Image, #[constant] moving: &Image) -> f64 {
        let center = (fixed.width as f64 / 2.0, fixed.height as f64 / 2.0);
        let mut warped = Vec::new();
        for j in 0..fixed.height {
            for i in 0..fixed.width {
                let (x, y) = warp(pose, i as f64, j as f64, center);
                warped.push(bilinear(moving, x, y));
            }
        }
        let n = warped.len() as f64;
        let mean_w = warped.iter().sum::<f64>() / n;
        let mean_f = fixed.pixels.iter().sum::<f64>() / n;
        let mut num = 0.0;
        let mut var_w = 0.0;
        let mut var_f = 0.0;
        for (w, f) in warped.iter().zip(fixed.pixels.iter()) {
            num += (w - mean_w) * (f - mean_f);
            var_w += (w - mean_w).powi(2);
            var_f += (f - mean_f).powi(2);
        }
        1.0 - num / (var_w * var_f).sqrt()
    }

    #[test]
    fn registration() {
        let pixels = |shift: f64| {
            (0..30)
                .map(|k| ((k % 6) as f64 * 0.9 + shift).sin() + 0.1 * ((k / 6) as f64).powi(2))
                .collect()
        };
        let fixed = Image {
            width: 6,
            height: 5,
            pixels: pixels(0.0),
        };
        let moving = Image {
            width: 6,
            height: 5,
            pixels: pixels(0.4),
        };
        scalar!(ncc, (&fixed, &moving), &[0.05, 0.33, -0.27]);
    }
}
