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

/// Surface mesh: total area and enclosed volume with index triples, in place.
mod mesh_properties {
    use crate::check::{inplace, scalar};
    use di::prelude::*;

    const FACES: [(usize, usize, usize); 4] = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)];

    #[differentiable]
    fn sub(a: &[f64], b: &[f64]) -> [f64; 3] {
        [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
    }

    #[differentiable]
    fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }

    #[differentiable]
    pub fn properties(x: &[f64], out: &mut [f64]) {
        for o in out.iter_mut() {
            *o = 0.0;
        }
        let v: Vec<&[f64]> = x.chunks_exact(3).collect();
        for &(i, j, k) in FACES.iter() {
            let n = cross(&sub(v[j], v[i]), &sub(v[k], v[i]));
            out[0] += 0.5 * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            out[1] += (n[0] * v[i][0] + n[1] * v[i][1] + n[2] * v[i][2]) / 6.0;
        }
    }

    #[test]
    fn mesh_properties() {
        inplace!(
            properties,
            (),
            &[0.0, 0.1, 0.0, 1.0, 0.0, 0.2, 0.1, 1.3, 0.0, 0.3, 0.2, 1.1],
            2
        );
    }
}

// E0446 private type `Observation` in public interface
/// Pinhole camera, reprojection errors of many points.
mod reprojection {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    struct Observation {
        point: [f64; 3],
        pixel: (f64, f64),
        weight: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Camera {
        focal: f64,
        k1: f64,
        yaw: f64,
        t: [f64; 3],
    }

    #[differentiable]
    impl Camera {
        fn from_slice(x: &[f64]) -> Self {
            Camera {
                focal: x[0],
                k1: x[1],
                yaw: x[2],
                t: [x[3], x[4], x[5]],
            }
        }

        fn project(&self, #[constant] p: &[f64; 3]) -> (f64, f64) {
            let (s, c) = self.yaw.sin_cos();
            let xc = c * p[0] + s * p[2] + self.t[0];
            let yc = p[1] + self.t[1];
            let zc = -s * p[0] + c * p[2] + self.t[2];
            let (u, v) = (xc / zc, yc / zc);
            let r2 = u * u + v * v;
            let d = 1.0 + self.k1 * r2;
            (self.focal * d * u, self.focal * d * v)
        }
    }

    #[differentiable]
    pub fn residuals(x: &[f64], #[constant] obs: &[Observation]) -> Vec<f64> {
        let cam = Camera::from_slice(x);
        let mut r = Vec::with_capacity(2 * obs.len());
        for o in obs {
            let (u, v) = cam.project(&o.point);
            r.push(o.weight * (u - o.pixel.0));
            r.push(o.weight * (v - o.pixel.1));
        }
        r
    }

    #[test]
    fn reprojection() {
        let obs = vec![
            Observation {
                point: [0.2, 0.1, 2.0],
                pixel: (0.3, 0.1),
                weight: 1.0,
            },
            Observation {
                point: [-0.4, 0.5, 2.5],
                pixel: (-0.1, 0.4),
                weight: 0.5,
            },
            Observation {
                point: [0.6, -0.3, 1.8],
                pixel: (0.5, -0.3),
                weight: 2.0,
            },
        ];
        vector!(residuals, (&obs), &[1.2, 0.1, 0.2, 0.1, -0.1, 0.4]);
    }
}
