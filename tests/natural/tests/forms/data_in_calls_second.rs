//! Data and structs in calls, and traits: programs of a fourth collection.

/// Optics: ray tracing through surfaces; enum with floats in variants, constants.
mod rays_through_surfaces {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod optics {
        pub enum Surface {
            Plane,
            Sphere { radius: f64 },
            Conic { radius: f64, k: f64 },
        }
        pub struct Element {
            pub surface: Surface,
            pub index: f64,
        }

        #[derive(Clone, Copy)]
        pub struct Ray {
            pub y: f64,
            pub u: f64,
        }

        impl Ray {
            fn refract(self, n1: f64, n2: f64, power: f64) -> Ray {
                Ray {
                    y: self.y,
                    u: (n1 * self.u - self.y * power) / n2,
                }
            }
            fn transfer(self, d: f64) -> Ray {
                Ray {
                    y: self.y + d * self.u,
                    ..self
                }
            }
        }

        fn power(surface: &Surface, n1: f64, n2: f64, y: f64) -> f64 {
            match *surface {
                Surface::Plane => 0.0,
                Surface::Sphere { radius } => (n2 - n1) / radius,
                Surface::Conic { radius, k } => {
                    let sag = 1.0 + (1.0 - (1.0 + k) * y * y / (radius * radius)).sqrt();
                    (n2 - n1) * 2.0 / (radius * sag)
                }
            }
        }

        pub fn trace(
            gaps: &[f64],
            #[constant] elements: &[Element],
            #[constant] height: f64,
        ) -> f64 {
            let mut ray = Ray { y: height, u: 0.0 };
            let mut n = 1.0;
            for (i, e) in elements.iter().enumerate() {
                let p = power(&e.surface, n, e.index, ray.y);
                ray = ray.refract(n, e.index, p).transfer(gaps[i]);
                n = e.index;
            }
            ray.y
        }

        pub fn spot(gaps: &[f64], #[constant] elements: &[Element]) -> f64 {
            [0.1, 0.3, 0.5]
                .iter()
                .map(|&h| trace(gaps, elements, h).powi(2))
                .sum()
        }
    }
    use optics::{Element, Surface};

    #[test]
    fn rays_through_surfaces() {
        let el = vec![
            Element {
                surface: Surface::Sphere { radius: 3.0 },
                index: 1.5,
            },
            Element {
                surface: Surface::Conic {
                    radius: -4.0,
                    k: -0.7,
                },
                index: 1.0,
            },
            Element {
                surface: Surface::Plane,
                index: 1.6,
            },
        ];
        scalar!(optics::spot, (&el), &[0.4, 1.0, 2.5]);
    }
}

/// HMM forward algorithm; struct that is built inside and borrowed; &Hmm helper; struct with lifetime.
mod hidden_markov {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Differentiable)]
    struct Hmm {
        start: Vec<f64>,
        trans: Vec<Vec<f64>>,
        emit: Vec<Vec<f64>>,
    }

    struct Sequence<'a> {
        symbols: &'a [usize],
        weight: f64,
    }

    #[differentiable]
    fn softmax(z: &[f64]) -> Vec<f64> {
        let m = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let e: Vec<f64> = z.iter().map(|v| (v - m).exp()).collect();
        let s: f64 = e.iter().sum();
        e.into_iter().map(|v| v / s).collect()
    }

    #[differentiable]
    fn unpack(theta: &[f64], n: usize, m: usize) -> Hmm {
        let start = softmax(&theta[..n]);
        let trans = (0..n)
            .map(|i| softmax(&theta[n + i * n..n + (i + 1) * n]))
            .collect();
        let base = n + n * n;
        let emit = (0..n)
            .map(|i| softmax(&theta[base + i * m..base + (i + 1) * m]))
            .collect();
        Hmm { start, trans, emit }
    }

    #[differentiable]
    fn log_likelihood(hmm: &Hmm, seq: &Sequence) -> f64 {
        let n = hmm.start.len();
        let mut alpha: Vec<f64> = (0..n)
            .map(|i| hmm.start[i] * hmm.emit[i][seq.symbols[0]])
            .collect();
        let mut ll = 0.0;
        for &o in &seq.symbols[1..] {
            let mut next = vec![0.0; n];
            for j in 0..n {
                for i in 0..n {
                    next[j] += alpha[i] * hmm.trans[i][j];
                }
                next[j] *= hmm.emit[j][o];
            }
            let c: f64 = next.iter().sum();
            ll += c.ln();
            alpha = next.iter().map(|a| a / c).collect();
        }
        seq.weight * ll
    }

    #[differentiable]
    fn objective(theta: &[f64], #[constant] seqs: &[Sequence]) -> f64 {
        let hmm = unpack(theta, 2, 3);
        -seqs.iter().map(|s| log_likelihood(&hmm, s)).sum::<f64>()
    }

    #[test]
    fn hidden_markov() {
        let a = [0, 1, 2, 1, 0];
        let b = [2, 2, 1];
        let seqs = vec![
            Sequence {
                symbols: &a,
                weight: 1.0,
            },
            Sequence {
                symbols: &b,
                weight: 0.5,
            },
        ];
        let theta: Vec<f64> = (0..12).map(|i| (i as f64 * 0.9).sin()).collect();
        scalar!(objective, (&seqs), &theta);
    }
}

/// Cubic spline: struct Spline built from active values, evaluated; Result of methods outside annotated modules.
mod spline_by_values {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Spline {
        knots: Vec<f64>,
        values: Vec<f64>,
        m: Vec<f64>,
    }

    #[differentiable]
    impl Spline {
        fn natural(knots: &[f64], values: &[f64]) -> Spline {
            let n = knots.len();
            let mut m = vec![0.0; n];
            let mut c = vec![0.0; n];
            let mut d = vec![0.0; n];
            for i in 1..n - 1 {
                let h0 = knots[i] - knots[i - 1];
                let h1 = knots[i + 1] - knots[i];
                let rhs =
                    6.0 * ((values[i + 1] - values[i]) / h1 - (values[i] - values[i - 1]) / h0);
                let den = 2.0 * (h0 + h1) - h0 * c[i - 1];
                c[i] = h1 / den;
                d[i] = (rhs - h0 * d[i - 1]) / den;
            }
            for i in (1..n - 1).rev() {
                m[i] = d[i] - c[i] * m[i + 1];
            }
            Spline {
                knots: knots.to_vec(),
                values: values.to_vec(),
                m,
            }
        }

        fn segment(&self, x: f64) -> usize {
            let mut i = 0;
            while i + 2 < self.knots.len() && x > self.knots[i + 1] {
                i += 1;
            }
            i
        }

        fn eval(&self, x: f64) -> f64 {
            let i = self.segment(x);
            let h = self.knots[i + 1] - self.knots[i];
            let (a, b) = ((self.knots[i + 1] - x) / h, (x - self.knots[i]) / h);
            a * self.values[i]
                + b * self.values[i + 1]
                + ((a.powi(3) - a) * self.m[i] + (b.powi(3) - b) * self.m[i + 1]) * h * h / 6.0
        }

        fn ends(&self) -> (f64, f64) {
            let n = self.values.len();
            (self.values[0], self.values[n - 1])
        }
    }

    #[differentiable]
    fn roughness(
        values: &[f64],
        #[constant] knots: &[f64],
        #[constant] data: &[(f64, f64)],
    ) -> f64 {
        let s = Spline::natural(knots, values);
        let mut misfit = 0.0;
        for (x, y) in data.iter() {
            misfit += (s.eval(*x) - y).powi(2);
        }
        let ends = s.ends();
        misfit + 0.1 * s.m.iter().map(|m| m * m).sum::<f64>() + (ends.0 - ends.1).powi(2)
    }

    #[test]
    fn spline_by_values() {
        scalar!(
            roughness,
            (
                &[0.0, 1.0, 2.0, 3.5, 4.0],
                &[(0.5, 1.0), (1.7, 0.3), (3.8, 0.9)]
            ),
            &[0.1, 0.9, 0.4, 0.8, 1.2]
        );
    }
}

/// Circuit: netlist of an enum of components as constants; params by index; MNA.
mod netlist {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug)]
    enum Component {
        Resistor { a: usize, b: usize, param: usize },
        CurrentSource { a: usize, b: usize, amps: f64 },
        Diode { a: usize, b: usize, is: f64 },
    }

    #[differentiable]
    fn stamp(g: &mut Vec<Vec<f64>>, a: usize, b: usize, value: f64) {
        if a > 0 {
            g[a - 1][a - 1] += value;
        }
        if b > 0 {
            g[b - 1][b - 1] += value;
        }
        if a > 0 && b > 0 {
            g[a - 1][b - 1] -= value;
            g[b - 1][a - 1] -= value;
        }
    }

    #[differentiable]
    fn voltage(v: &[f64], node: usize) -> f64 {
        if node == 0 { 0.0 } else { v[node - 1] }
    }

    #[differentiable]
    fn newton_step(p: &[f64], v: &[f64], netlist: &[Component]) -> Vec<f64> {
        let n = v.len();
        let mut g = vec![vec![0.0; n]; n];
        let mut i = vec![0.0; n];
        for c in netlist {
            match c {
                Component::Resistor { a, b, param } => stamp(&mut g, *a, *b, 1.0 / p[*param]),
                Component::CurrentSource { a, b, amps } => {
                    if *a > 0 {
                        i[*a - 1] -= amps;
                    }
                    if *b > 0 {
                        i[*b - 1] += amps;
                    }
                }
                Component::Diode { a, b, is } => {
                    let vd = voltage(v, *a) - voltage(v, *b);
                    let e = is * (vd / 0.5).exp();
                    let gd = e / 0.5;
                    stamp(&mut g, *a, *b, gd);
                    let ieq = e - is - gd * vd;
                    if *a > 0 {
                        i[*a - 1] -= ieq;
                    }
                    if *b > 0 {
                        i[*b - 1] += ieq;
                    }
                }
            }
        }
        solve(g, i)
    }

    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
        let n = b.len();
        for p in 0..n {
            for r in p + 1..n {
                let f = a[r][p] / a[p][p];
                for c in p..n {
                    a[r][c] = a[r][c] - f * a[p][c];
                }
                b[r] -= f * b[p];
            }
        }
        for r in (0..n).rev() {
            for c in r + 1..n {
                b[r] = b[r] - a[r][c] * b[c];
            }
            b[r] /= a[r][r];
        }
        b
    }

    #[differentiable]
    fn operating_point(p: &[f64], #[constant] netlist: &[Component], nodes: usize) -> Vec<f64> {
        let mut v = vec![0.1; nodes];
        for _ in 0..25 {
            v = newton_step(p, &v, netlist);
        }
        v
    }

    #[test]
    fn netlist() {
        let net = vec![
            Component::CurrentSource {
                a: 0,
                b: 1,
                amps: 0.5,
            },
            Component::Resistor {
                a: 1,
                b: 2,
                param: 0,
            },
            Component::Diode {
                a: 2,
                b: 0,
                is: 0.1,
            },
            Component::Resistor {
                a: 1,
                b: 0,
                param: 1,
            },
        ];
        vector!(operating_point, (&net, 2), &[1.0, 2.0]);
    }
}

/// Aerodynamics/vehicle: optional active values: Option<f64> parameter and field, let else, map, unwrap_or.
mod optional_drag {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Wheel {
        radius: f64,
        slip: Option<f64>,
    }

    #[differentiable]
    fn drag(v: f64, cd: Option<f64>, area: f64) -> f64 {
        let cd = cd.unwrap_or(0.3);
        0.5 * 1.2 * cd * area * v * v
    }

    #[differentiable]
    fn lift(v: f64, alpha: f64, stall: Option<f64>) -> f64 {
        match stall {
            Some(limit) if alpha > limit => 0.5 * v * v * limit,
            _ => v * v * alpha,
        }
    }

    #[differentiable]
    fn traction(w: &Wheel, load: f64) -> f64 {
        match w.slip {
            Some(s) => load * w.radius * (10.0 * s).tanh(),
            None => load * w.radius,
        }
    }

    #[differentiable]
    fn net_force(x: &[f64]) -> f64 {
        let front = Wheel {
            radius: x[0],
            slip: Some(x[1]),
        };
        let rear = Wheel {
            radius: x[0] * 1.1,
            slip: None,
        };
        let wheels = [front, rear];
        let mut f = 0.0;
        for w in &wheels {
            f += traction(w, x[2]);
        }
        f - drag(x[3], Some(x[1]), 2.0) - drag(x[3], None, x[0])
            + lift(x[3], x[1], Some(0.5 * x[0]))
            + lift(x[3], x[1], None)
    }

    #[test]
    fn optional_drag() {
        scalar!(net_force, (), &[0.3, 0.1, 5.0, 2.0]);
    }
}
