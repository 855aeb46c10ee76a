//! Quadrature, with functions as parameters.

/// Trapezoid rule over a function parameter.
mod trapezoid_rule {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        fn trapezoid(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
            let h = (b - a) / n as f64;
            let mut s = 0.5 * (f(a) + f(b));
            for i in 1..n {
                s += f(a + i as f64 * h);
            }
            s * h
        }

        pub fn damped_wave(x: &[f64]) -> f64 {
            let (decay, freq, end) = (x[0], x[1], x[2]);
            trapezoid(|t| (-decay * t).exp() * (freq * t).cos(), 0.0, end, 30)
        }
    }

    #[test]
    fn trapezoid_rule() {
        scalar!(model::damped_wave, (), &[0.7, 1.9, 1.5]);
    }
}

/// Simpson with a generic function type and several integrands.
mod simpson_generic {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn simpson<F>(f: F, a: f64, b: f64, n: usize) -> f64
    where
        F: Fn(f64) -> f64,
    {
        let n = if n % 2 == 0 { n } else { n + 1 };
        let h = (b - a) / n as f64;
        let mut sum = f(a) + f(b);
        for k in 1..n {
            let w = if k % 2 == 1 { 4.0 } else { 2.0 };
            sum += w * f(a + k as f64 * h);
        }
        sum * h / 3.0
    }

    #[differentiable]
    pub fn bessel_and_ellipse(x: &[f64]) -> [f64; 2] {
        let z = x[0];
        let m = x[1];
        let bessel =
            simpson(|t| (z * t.sin()).cos(), 0.0, std::f64::consts::PI, 20) / std::f64::consts::PI;
        let ellipse = simpson(
            |t| (1.0 - m * t.sin() * t.sin()).sqrt(),
            0.0,
            std::f64::consts::FRAC_PI_2,
            21,
        );
        [bessel, ellipse]
    }

    #[test]
    fn simpson_generic() {
        vector!(bessel_and_ellipse, (), &[1.4, 0.4]);
    }
}

/// Gauss-Legendre with a static table of nodes; moments of a parametrised density.
mod gauss_legendre {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    static NODES: [(f64, f64); 5] = [
        (-0.906179845938664, 0.23692688505618908),
        (-0.5384693101056831, 0.47862867049936647),
        (0.0, 0.5688888888888889),
        (0.5384693101056831, 0.47862867049936647),
        (0.906179845938664, 0.23692688505618908),
    ];

    #[differentiable]
    fn gauss(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
        let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
        half * NODES
            .iter()
            .map(|&(x, w)| w * f(mid + half * x))
            .sum::<f64>()
    }

    #[differentiable]
    pub fn moments(x: &[f64], panels: usize) -> Vec<f64> {
        let (a, b) = (x[0], x[1]);
        let density = |t: f64| t.powf(a) * (1.0 - t).powf(b);
        let h = 1.0 / panels as f64;
        let mut m = vec![0.0; 3];
        for p in 0..panels {
            let (lo, hi) = (p as f64 * h, (p + 1) as f64 * h);
            m[0] += gauss(|t| density(t), lo, hi);
            m[1] += gauss(|t| t * density(t), lo, hi);
            m[2] += gauss(|t| t * t * density(t), lo, hi);
        }
        let (mean, second) = (m[1] / m[0], m[2] / m[0]);
        vec![m[0], mean, second - mean * mean]
    }

    #[test]
    fn gauss_legendre() {
        vector!(moments, (3), &[1.5, 2.2]);
    }
}

/// Romberg table as vectors of vectors.
mod romberg {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn integrand(t: f64, p: &[f64]) -> f64 {
        p[0] / (1.0 + p[1] * t * t) + (p[2] * t).sin()
    }

    #[differentiable]
    fn romberg(p: &[f64], a: f64, b: f64, levels: usize) -> f64 {
        let mut table = vec![vec![0.0; levels]; levels];
        let mut h = b - a;
        table[0][0] = 0.5 * h * (integrand(a, p) + integrand(b, p));
        for i in 1..levels {
            h *= 0.5;
            let mut sum = 0.0;
            for k in 0..1 << (i - 1) {
                sum += integrand(a + (2 * k + 1) as f64 * h, p);
            }
            table[i][0] = 0.5 * table[i - 1][0] + h * sum;
            for j in 1..=i {
                let f = 4f64.powi(j as i32);
                table[i][j] = (f * table[i][j - 1] - table[i - 1][j - 1]) / (f - 1.0);
            }
        }
        table[levels - 1][levels - 1]
    }

    #[differentiable]
    pub fn area(x: &[f64]) -> f64 {
        romberg(&x[..3], x[3], x[4], 5)
    }

    #[test]
    fn romberg_area() {
        scalar!(area, (), &[1.2, 0.8, 1.5, 0.1, 1.7]);
    }
}

/// Adaptive Simpson by recursion with a fixed tolerance.
mod adaptive_simpson {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod model {
        fn f(t: f64, p: &[f64]) -> f64 {
            (-p[0] * (t - p[1]) * (t - p[1])).exp() + 0.2 * t
        }

        fn simpson(p: &[f64], a: f64, b: f64) -> f64 {
            (b - a) / 6.0 * (f(a, p) + 4.0 * f(0.5 * (a + b), p) + f(b, p))
        }

        fn adapt(p: &[f64], a: f64, b: f64, whole: f64, tol: f64, depth: usize) -> f64 {
            let m = 0.5 * (a + b);
            let (left, right) = (simpson(p, a, m), simpson(p, m, b));
            let err = left + right - whole;
            if depth == 0 || err.abs() < 15.0 * tol {
                return left + right + err / 15.0;
            }
            adapt(p, a, m, left, 0.5 * tol, depth - 1) + adapt(p, m, b, right, 0.5 * tol, depth - 1)
        }

        pub fn integral(x: &[f64]) -> f64 {
            let (a, b) = (0.0, x[2]);
            let whole = simpson(x, a, b);
            adapt(x, a, b, whole, 1e-3, 8)
        }
    }

    #[test]
    fn adaptive_simpson() {
        scalar!(model::integral, (), &[2.5, 0.6, 2.0]);
    }
}

/// Tabulated data: cumulative trapezoid over samples in place, and interpolation.
mod cumulative_table {
    use crate::check::{inplace, scalar};
    use di::prelude::*;

    struct Table {
        x: Vec<f64>,
        y: Vec<f64>,
    }

    impl Table {
        fn segment(&self, t: f64) -> usize {
            self.x
                .iter()
                .rposition(|&v| v <= t)
                .unwrap_or(0)
                .min(self.x.len() - 2)
        }
    }

    #[differentiable]
    fn interpolate(#[constant] t: &Table, at: f64) -> f64 {
        let k = t.segment(at);
        let w = (at - t.x[k]) / (t.x[k + 1] - t.x[k]);
        t.y[k] + w * (t.y[k + 1] - t.y[k])
    }

    #[differentiable]
    pub fn cumulative(p: &[f64], #[constant] table: &Table, out: &mut [f64]) {
        let (stretch, power) = (p[0], p[1]);
        let n = out.len();
        let value = |i: usize| {
            let t = stretch * (i as f64 + 0.3) / n as f64;
            interpolate(table, t).powf(power)
        };
        let mut acc = 0.0;
        for i in 0..n {
            acc += 0.5 * (value(i) + value(i + 1)) / n as f64;
            out[i] = acc;
        }
    }

    #[test]
    fn cumulative_table() {
        let table = Table {
            x: vec![0.0, 0.5, 1.1, 1.6, 2.4],
            y: vec![0.4, 1.0, 1.3, 0.8, 0.6],
        };
        inplace!(cumulative, (&table), &[1.37, 1.2], 6);
    }
}
