//! Geometry.

/// Great-circle distances of a tour over latitudes and longitudes.
mod haversine_tour {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Place {
        lat: f64,
        lon: f64,
    }

    #[differentiable]
    fn haversine(a: &Place, b: &Place) -> f64 {
        let dlat = (b.lat - a.lat) / 2.0;
        let dlon = (b.lon - a.lon) / 2.0;
        let h = dlat.sin().powi(2) + a.lat.cos() * b.lat.cos() * dlon.sin().powi(2);
        2.0 * h.sqrt().asin()
    }

    #[differentiable]
    pub fn tour_length(x: &[f64]) -> f64 {
        let places: Vec<Place> = x
            .chunks(2)
            .map(|c| Place {
                lat: c[0],
                lon: c[1],
            })
            .collect();
        let mut length = 0.0;
        for pair in places.windows(2) {
            length += haversine(&pair[0], &pair[1]);
        }
        length + haversine(&places[places.len() - 1], &places[0])
    }

    #[test]
    fn haversine_tour() {
        scalar!(tour_length, (), &[0.9, 0.1, 0.6, 0.8, 0.2, 0.4, 0.5, -0.3]);
    }
}

/// Bezier curve by de Casteljau, arc length by chords.
mod bezier_length {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod problem {
        fn de_casteljau(ctrl: &[[f64; 2]], t: f64) -> [f64; 2] {
            let mut pts = ctrl.to_vec();
            let n = pts.len();
            for level in 1..n {
                for i in 0..n - level {
                    for k in 0..2 {
                        pts[i][k] = (1.0 - t) * pts[i][k] + t * pts[i + 1][k];
                    }
                }
            }
            pts[0]
        }

        pub fn length(x: &[f64], segments: usize) -> f64 {
            let ctrl = [[0.0, 0.0], [x[0], x[1]], [x[2], x[3]], [x[4], x[5]]];
            let mut prev = de_casteljau(&ctrl, 0.0);
            let mut sum = 0.0;
            for s in 1..=segments {
                let p = de_casteljau(&ctrl, s as f64 / segments as f64);
                let (dx, dy) = (p[0] - prev[0], p[1] - prev[1]);
                sum += (dx * dx + dy * dy).sqrt();
                prev = p;
            }
            sum
        }
    }

    #[test]
    fn bezier_length() {
        scalar!(problem::length, (10), &[0.4, 1.2, 1.1, -0.6, 1.8, 0.7]);
    }
}

/// Distance from a point to an ellipse by Newton on the parameter.
mod ellipse_distance {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn closest_angle(a: f64, b: f64, px: f64, py: f64) -> f64 {
        let mut t = (a * py).atan2(b * px);
        let mut iter = 0;
        loop {
            let (s, c) = t.sin_cos();
            let g = (b * b - a * a) * s * c + a * px * s - b * py * c;
            let dg = (b * b - a * a) * (c * c - s * s) + a * px * c + b * py * s;
            let dt = g / dg;
            t -= dt;
            iter += 1;
            if dt.abs() < 1e-13 || iter > 40 {
                return t;
            }
        }
    }

    #[differentiable]
    pub fn distance(x: &[f64; 4]) -> f64 {
        let [a, b, px, py] = *x;
        let t = closest_angle(a, b, px, py);
        let (qx, qy) = (a * t.cos(), b * t.sin());
        ((px - qx).powi(2) + (py - qy).powi(2)).sqrt()
    }

    #[test]
    fn ellipse_distance() {
        scalar!(distance, (), &[1.5, 1.0, 1.6, 1.4]);
    }
}

/// Trilateration: ranges to beacons, gradient of least squares by a closure.
mod trilateration {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    static BEACONS: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.5]];

    #[differentiable]
    pub fn misfit(x: &[f64], #[constant] ranges: &[f64]) -> f64 {
        let (px, py, bias) = (x[0], x[1], x[2]);
        let range = |b: &[f64; 2]| ((px - b[0]).powi(2) + (py - b[1]).powi(2)).sqrt() + bias;
        BEACONS
            .iter()
            .zip(ranges)
            .map(|(b, r)| {
                let e = range(b) - r;
                0.5 * e * e
            })
            .sum()
    }

    #[test]
    fn trilateration() {
        scalar!(misfit, (&[1.2, 1.5, 1.3, 1.6]), &[0.8, 1.1, 0.05]);
    }
}
