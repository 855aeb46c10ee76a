//! Geometry. Refused: each with what the compiler says.

// [DI0503] a field of type `(f64, f64)` cannot be differentiated
// E0080 [DI0341] the types of this do not fit, as far as they can be told
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

// [DI0501] `#[derive(Differentiable)]` goes on a struct with fields
// E0080 [DI0125] `Shape` is an alias of a type with floats, which nobody sees through here
// E0080 [DI0216] `Sphere` makes a value of an enum, which cannot be differentiated
// E0080 [DI0216] `Plane` makes a value of an enum, which cannot be differentiated
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
