//! Geometry. Refused: each with what the compiler says.

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
