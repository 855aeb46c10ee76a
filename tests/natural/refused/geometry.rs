//! Geometry. Refused: each with what the compiler says.

// 298 None [DI0503] a field of type `(f64, f64)` cannot be differentiated
// 325 E0080 [DI0341] the types of this do not fit, as far as they can be told
/// Shoelace area, perimeter and centroid of a polygon as a struct of results.
mod polygon_moments {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Moments {
        area: f64,
        perimeter: f64,
        centroid: (f64, f64),
    }

    #[differentiable]
    fn vertex(x: &[f64], i: usize) -> (f64, f64) {
        let n = x.len() / 2;
        let k = i % n;
        (x[2 * k], x[2 * k + 1])
    }

    #[differentiable]
    fn moments(x: &[f64]) -> Moments {
        let n = x.len() / 2;
        let (mut a, mut per, mut cx, mut cy) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let (x0, y0) = vertex(x, i);
            let (x1, y1) = vertex(x, i + 1);
            let w = x0 * y1 - x1 * y0;
            a += 0.5 * w;
            per += (x1 - x0).hypot(y1 - y0);
            cx += (x0 + x1) * w;
            cy += (y0 + y1) * w;
        }
        Moments { area: a, perimeter: per, centroid: (cx / (6.0 * a), cy / (6.0 * a)) }
    }

    #[differentiable]
    pub fn isoperimetric(x: &[f64]) -> f64 {
        let m = moments(x);
        let (cx, cy) = m.centroid;
        4.0 * std::f64::consts::PI * m.area / m.perimeter.powi(2) - 0.01 * (cx * cx + cy * cy)
    }

    #[test]
    fn polygon_moments() {
        scalar!(isoperimetric, (), &[0.0, 0.1, 1.2, 0.0, 1.6, 0.9, 0.8, 1.5, -0.2, 0.8]);
    }
}

// 514 None [DI0501] `#[derive(Differentiable)]` goes on a struct with fields
// 521 E0080 [DI0125] `Shape` is an alias of a type with floats, which nobody sees through here
// 543 E0080 [DI0216] `Sphere` makes a value of an enum, which cannot be differentiated
/// Signed distance of a scene: union, smooth minimum, enum of shapes.
mod sdf_scene {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    enum Shape {
        Sphere { centre: [f64; 3], radius: f64 },
        Plane { height: f64 },
        Torus(f64, f64),
    }

    #[differentiable]
    fn distance(shape: &Shape, p: [f64; 3]) -> f64 {
        match shape {
            Shape::Sphere { centre, radius } => {
                let d2 = (0..3).map(|i| (p[i] - centre[i]).powi(2)).sum::<f64>();
                d2.sqrt() - radius
            }
            Shape::Plane { height } => p[1] - height,
            Shape::Torus(big, small) => {
                let q = (p[0] * p[0] + p[2] * p[2]).sqrt() - big;
                (q * q + p[1] * p[1]).sqrt() - small
            }
        }
    }

    #[differentiable]
    fn smooth_min(a: f64, b: f64, k: f64) -> f64 {
        -((-k * a).exp() + (-k * b).exp()).ln() / k
    }

    #[differentiable]
    pub fn scene(x: &[f64]) -> f64 {
        let shapes = vec![
            Shape::Sphere { centre: [x[3], 0.5, 0.2], radius: x[4] },
            Shape::Plane { height: -0.4 },
            Shape::Torus(x[5], 0.2),
        ];
        let p = [x[0], x[1], x[2]];
        let mut d = distance(&shapes[0], p);
        for s in &shapes[1..] {
            d = smooth_min(d, distance(s, p), 3.0);
        }
        d
    }

    #[test]
    fn sdf_scene() {
        scalar!(scene, (), &[0.7, 0.9, -0.6, -0.3, 0.5, 1.0]);
    }
}

// 610 E0080 [DI0301] the type of this cannot be told
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
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
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
        inplace!(properties, (), &[0.0, 0.1, 0.0, 1.0, 0.0, 0.2, 0.1, 1.3, 0.0, 0.3, 0.2, 1.1], 2);
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
