//! Geometry: programs of a third collection.

/// Shape of a closed curve: area, perimeter and the isoperimetric quotient.
mod isoperimetric {
    use di::prelude::*;

    #[differentiable]
    fn area(pts: &[[f64; 2]]) -> f64 {
        let n = pts.len();
        let mut twice = 0.0;
        for i in 0..n {
            let [x0, y0] = pts[i];
            let [x1, y1] = pts[(i + 1) % n];
            twice += x0 * y1 - x1 * y0;
        }
        0.5 * twice
    }

    #[differentiable]
    fn perimeter(pts: &[[f64; 2]]) -> f64 {
        pts.iter()
            .zip(pts.iter().cycle().skip(1))
            .map(|(a, b)| f64::hypot(b[0] - a[0], b[1] - a[1]))
            .sum()
    }

    #[differentiable]
    fn quotient(coords: &[f64]) -> f64 {
        let pts: Vec<[f64; 2]> = coords.chunks(2).map(|c| [c[0], c[1]]).collect();
        let p = perimeter(&pts);
        let mut q = 4.0 * std::f64::consts::PI * area(&pts) / (p * p);
        // Keep the centroid near the origin.
        let mut centroid = [0.0; 2];
        for p in &pts {
            centroid[0] += p[0] / pts.len() as f64;
            centroid[1] += p[1] / pts.len() as f64;
        }
        q -= 0.1 * centroid.iter().map(|c| c * c).sum::<f64>();
        q
    }

    #[test]
    fn isoperimetric() {
        crate::check::scalar!(
            quotient,
            (),
            &vec![1.0, 0.1, 0.3, 1.2, -0.9, 0.2, -0.2, -0.8]
        );
    }
}

/// Pinhole camera with radial distortion: reprojection errors.
mod pinhole_camera {
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Camera {
        rotation: [f64; 3],
        translation: [f64; 3],
        focal: f64,
        distortion: (f64, f64),
    }

    fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }

    #[differentiable]
    impl Camera {
        fn rotate(&self, p: &[f64; 3]) -> [f64; 3] {
            let theta2: f64 = self.rotation.iter().map(|r| r * r).sum();
            let r = &self.rotation;
            let c = [
                r[1] * p[2] - r[2] * p[1],
                r[2] * p[0] - r[0] * p[2],
                r[0] * p[1] - r[1] * p[0],
            ];
            if theta2 < 1e-12 {
                return [p[0] + c[0], p[1] + c[1], p[2] + c[2]];
            }
            let theta = theta2.sqrt();
            let k = r.iter().zip(p).map(|(a, b)| a * b).sum::<f64>() * (1.0 - theta.cos()) / theta2;
            std::array::from_fn(|i| p[i] * theta.cos() + c[i] * theta.sin() / theta + r[i] * k)
        }

        fn project(&self, point: &[f64; 3]) -> [f64; 2] {
            let mut p = self.rotate(point);
            for (p, t) in p.iter_mut().zip(&self.translation) {
                *p += t;
            }
            let (x, y) = (-p[0] / p[2], -p[1] / p[2]);
            let n = x * x + y * y;
            let (k1, k2) = self.distortion;
            let d = 1.0 + n * (k1 + k2 * n);
            [self.focal * d * x, self.focal * d * y]
        }

        fn reprojection(
            &self,
            #[constant] points: &[[f64; 3]],
            #[constant] pixels: &[[f64; 2]],
        ) -> f64 {
            let mut cost = 0.0;
            for (point, pixel) in points.iter().zip(pixels) {
                let [u, v] = self.project(point);
                let r2 = (u - pixel[0]).powi(2) + (v - pixel[1]).powi(2);
                cost += (1.0 + r2).ln();
            }
            cost
        }
    }

    #[test]
    fn pinhole_camera() {
        assert_eq!(cross(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        let points = [[0.3, 0.5, -2.0], [-0.4, 0.2, -3.0]];
        let pixels = [[0.2, 0.3], [-0.1, 0.1]];
        let make = |q: &[f64; 9]| Camera {
            rotation: [q[0], q[1], q[2]],
            translation: [q[3], q[4], q[5]],
            focal: q[6],
            distortion: (q[7], q[8]),
        };
        let list = |c: &Camera| -> Vec<f64> {
            let mut v = c.rotation.to_vec();
            v.extend(c.translation);
            v.extend([c.focal, c.distortion.0, c.distortion.1]);
            v
        };
        let q = [0.1, -0.2, 0.3, 0.1, 0.0, -0.2, 1.1, 0.05, 0.01];
        crate::check::made!(
            Camera::reprojection_ad.with(&points, &pixels),
            |c: &Camera| c.reprojection(&points, &pixels),
            make,
            list,
            &q
        );
    }
}

/// Position from ranges to beacons on a sphere; robust loss.
mod trilateration {
    use di::prelude::*;

    #[differentiable]
    mod geodesy {
        const EARTH: f64 = 6.371;

        #[derive(Debug, Clone, Copy)]
        pub struct Beacon {
            pub lat: f64,
            pub lon: f64,
            pub range: f64,
        }

        fn haversine(lat1: f64, lon1: f64, lat2: f64, lon2: f64) -> f64 {
            let dlat = (lat2 - lat1).to_radians();
            let dlon = (lon2 - lon1).to_radians();
            let a = (dlat / 2.0).sin().powi(2)
                + lat1.to_radians().cos() * lat2.to_radians().cos() * (dlon / 2.0).sin().powi(2);
            2.0 * EARTH * a.sqrt().min(1.0).asin()
        }

        fn huber(r: f64, delta: f64) -> f64 {
            match r.abs() {
                a if a <= delta => 0.5 * r * r,
                a => delta * (a - 0.5 * delta),
            }
        }

        pub fn cost(p: &[f64; 3], #[constant] beacons: &[Beacon]) -> f64 {
            let &[lat, lon, bias] = p;
            let residuals = beacons
                .iter()
                .map(|b| haversine(lat, lon, b.lat, b.lon) + bias - b.range);
            let loss: f64 = residuals.map(|r| huber(r, 0.3)).sum();
            let worst = beacons
                .iter()
                .filter(|b| b.range > 1.0)
                .map(|b| (haversine(lat, lon, b.lat, b.lon) - b.range).abs())
                .fold(0.0_f64, |a, b| a.max(b));
            loss + 0.1 * worst + 0.5 * bias.powi(2)
        }
    }

    #[test]
    fn trilateration() {
        use geodesy::Beacon;
        let beacons = [
            Beacon {
                lat: 48.0,
                lon: 11.0,
                range: 0.4,
            },
            Beacon {
                lat: 40.0,
                lon: 2.0,
                range: 1.1,
            },
            Beacon {
                lat: 52.0,
                lon: 13.0,
                range: 0.6,
            },
        ];
        crate::check::scalar!(geodesy::cost, (&beacons), &[47.0, 8.0, 0.1]);
    }
}
