//! Geometry.

/// Vec3 with operators, area of a triangle and volume of a tetrahedron.
mod vec3_area {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod system {
        use std::ops::{Add, Mul, Neg, Sub};

        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Vec3 {
            x: f64,
            y: f64,
            z: f64,
        }

        impl Vec3 {
            fn new(x: f64, y: f64, z: f64) -> Self {
                Self { x, y, z }
            }
            fn dot(self, o: Vec3) -> f64 {
                self.x * o.x + self.y * o.y + self.z * o.z
            }
            fn cross(self, o: Vec3) -> Vec3 {
                Vec3::new(
                    self.y * o.z - self.z * o.y,
                    self.z * o.x - self.x * o.z,
                    self.x * o.y - self.y * o.x,
                )
            }
            fn norm(self) -> f64 {
                self.dot(self).sqrt()
            }
        }

        impl Add for Vec3 {
            type Output = Vec3;
            fn add(self, o: Vec3) -> Vec3 {
                Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
            }
        }

        impl Sub for Vec3 {
            type Output = Vec3;
            fn sub(self, o: Vec3) -> Vec3 {
                Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
            }
        }

        impl Mul<f64> for Vec3 {
            type Output = Vec3;
            fn mul(self, s: f64) -> Vec3 {
                Vec3::new(self.x * s, self.y * s, self.z * s)
            }
        }

        impl Neg for Vec3 {
            type Output = Vec3;
            fn neg(self) -> Vec3 {
                self * -1.0
            }
        }

        fn point(x: &[f64], i: usize) -> Vec3 {
            Vec3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])
        }

        pub fn area_volume(x: &[f64]) -> [f64; 2] {
            let (a, b, c, d) = (point(x, 0), point(x, 1), point(x, 2), point(x, 3));
            let n = (b - a).cross(c - a);
            let centre = (a + b + c) * (1.0 / 3.0);
            [0.5 * n.norm(), -n.dot(centre + -d) / 6.0]
        }
    }

    #[test]
    fn vec3_area() {
        vector!(
            system::area_volume,
            (),
            &[0.1, 0.2, 0.0, 1.2, 0.1, 0.3, 0.4, 1.1, -0.2, 0.5, 0.6, 1.5]
        );
    }
}

/// Ray against a sphere: hit distance as an option, shading by Lambert.
mod ray_sphere {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    mod tracer {
        use std::ops::{Add, Mul, Sub};

        #[derive(Clone, Copy, Debug, Default)]
        pub struct V3(pub f64, pub f64, pub f64);

        impl Add for V3 {
            type Output = Self;
            fn add(self, o: Self) -> Self {
                V3(self.0 + o.0, self.1 + o.1, self.2 + o.2)
            }
        }

        impl Sub for V3 {
            type Output = Self;
            fn sub(self, o: Self) -> Self {
                V3(self.0 - o.0, self.1 - o.1, self.2 - o.2)
            }
        }

        impl Mul<V3> for f64 {
            type Output = V3;
            fn mul(self, v: V3) -> V3 {
                V3(self * v.0, self * v.1, self * v.2)
            }
        }

        impl V3 {
            pub fn dot(&self, o: &V3) -> f64 {
                self.0 * o.0 + self.1 * o.1 + self.2 * o.2
            }
            pub fn unit(self) -> V3 {
                (1.0 / self.dot(&self).sqrt()) * self
            }
        }

        pub struct Sphere {
            centre: V3,
            radius: f64,
        }

        struct Ray {
            origin: V3,
            dir: V3,
        }

        impl Sphere {
            fn hit(&self, ray: &Ray) -> Option<f64> {
                let oc = ray.origin - self.centre;
                let b = oc.dot(&ray.dir);
                let c = oc.dot(&oc) - self.radius * self.radius;
                let disc = b * b - c;
                if disc < 0.0 {
                    return None;
                }
                let t = -b - disc.sqrt();
                if t > 1e-6 { Some(t) } else { None }
            }
        }

        pub fn shade(x: &[f64], px: usize, py: usize) -> f64 {
            let s = Sphere {
                centre: V3(x[0], x[1], x[2]),
                radius: x[3],
            };
            let light = V3(x[4], x[5], x[6]).unit();
            let u = (px as f64 - 1.5) * 0.1;
            let v = (py as f64 - 1.5) * 0.1;
            let ray = Ray {
                origin: V3::default(),
                dir: V3(u, v, 1.0).unit(),
            };
            if let Some(t) = s.hit(&ray) {
                let p = ray.origin + t * ray.dir;
                let n = (p - s.centre).unit();
                0.1 + n.dot(&light).max(0.0)
            } else {
                0.0
            }
        }

        pub fn image(x: &[f64]) -> Vec<f64> {
            let mut pixels = Vec::new();
            for py in 0..3 {
                for px in 0..3 {
                    pixels.push(shade(x, px, py));
                }
            }
            pixels
        }
    }

    #[test]
    fn ray_sphere() {
        vector!(tracer::image, (), &[0.1, -0.1, 3.0, 1.0, 0.4, 0.7, -1.0]);
        scalar!(
            tracer::shade,
            (1, 2),
            &[0.1, -0.1, 3.0, 1.0, 0.4, 0.7, -1.0]
        );
    }
}

/// Rotation by Rodrigues' formula, point registration error.
mod rodrigues_registration {
    use crate::check::{scalar, vector};
    use di::prelude::*;

    #[differentiable]
    fn rotation(w: [f64; 3]) -> [[f64; 3]; 3] {
        let angle = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let k = [w[0] / angle, w[1] / angle, w[2] / angle];
        let (s, c) = angle.sin_cos();
        let v = 1.0 - c;
        [
            [
                c + k[0] * k[0] * v,
                k[0] * k[1] * v - k[2] * s,
                k[0] * k[2] * v + k[1] * s,
            ],
            [
                k[1] * k[0] * v + k[2] * s,
                c + k[1] * k[1] * v,
                k[1] * k[2] * v - k[0] * s,
            ],
            [
                k[2] * k[0] * v - k[1] * s,
                k[2] * k[1] * v + k[0] * s,
                c + k[2] * k[2] * v,
            ],
        ]
    }

    #[differentiable]
    fn apply(r: &[[f64; 3]; 3], #[constant] p: &[f64; 3], t: &[f64]) -> [f64; 3] {
        let mut q = [t[0], t[1], t[2]];
        for i in 0..3 {
            for j in 0..3 {
                q[i] += r[i][j] * p[j];
            }
        }
        q
    }

    #[differentiable]
    pub fn cost(pose: &[f64], #[constant] src: &[[f64; 3]], #[constant] dst: &[[f64; 3]]) -> f64 {
        let r = rotation([pose[0], pose[1], pose[2]]);
        let mut total = 0.0;
        for (p, q) in src.iter().zip(dst.iter()) {
            let m = apply(&r, p, &pose[3..6]);
            for k in 0..3 {
                total += (m[k] - q[k]) * (m[k] - q[k]);
            }
        }
        total / src.len() as f64
    }

    #[test]
    fn rodrigues_registration() {
        let src = [
            [0.1, 0.4, 0.9],
            [1.0, -0.3, 0.2],
            [-0.5, 0.8, 0.1],
            [0.3, 0.3, -0.7],
        ];
        let dst = [
            [0.3, 0.2, 1.0],
            [1.1, 0.4, 0.0],
            [-0.8, 0.5, 0.3],
            [0.4, 0.2, -0.4],
        ];
        scalar!(cost, (&src, &dst), &[0.3, -0.4, 0.6, 0.1, 0.2, -0.1]);
    }
}

/// Quaternion product by the Mul operator, chain of attitudes.
mod quaternion_chain {
    use crate::check::{scalar, vector};
    use di::prelude::*;
    use std::ops::Mul;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct Quat {
        w: f64,
        v: [f64; 3],
    }

    #[differentiable]
    impl Mul for Quat {
        type Output = Quat;
        fn mul(self, r: Quat) -> Quat {
            let (a, b) = (self.v, r.v);
            Quat {
                w: self.w * r.w - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
                v: [
                    self.w * b[0] + r.w * a[0] + a[1] * b[2] - a[2] * b[1],
                    self.w * b[1] + r.w * a[1] + a[2] * b[0] - a[0] * b[2],
                    self.w * b[2] + r.w * a[2] + a[0] * b[1] - a[1] * b[0],
                ],
            }
        }
    }

    #[differentiable]
    impl Quat {
        fn about(axis: usize, angle: f64) -> Quat {
            let mut v = [0.0; 3];
            v[axis] = (0.5 * angle).sin();
            Quat {
                w: (0.5 * angle).cos(),
                v,
            }
        }

        fn conj(self) -> Quat {
            Quat {
                w: self.w,
                v: [-self.v[0], -self.v[1], -self.v[2]],
            }
        }

        fn rotate(self, p: [f64; 3]) -> [f64; 3] {
            (self * Quat { w: 0.0, v: p } * self.conj()).v
        }
    }

    #[differentiable]
    pub fn direction(angles: &[f64]) -> [f64; 3] {
        let mut q = Quat {
            w: 1.0,
            v: [0.0, 0.0, 0.0],
        };
        for (i, a) in angles.iter().enumerate() {
            q = q * Quat::about(i % 3, *a);
        }
        q.rotate([0.6, 0.0, 0.8])
    }

    #[test]
    fn quaternion_chain() {
        vector!(direction, (), &[0.4, -0.7, 1.1, 0.3]);
    }
}

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
        Moments {
            area: a,
            perimeter: per,
            centroid: (cx / (6.0 * a), cy / (6.0 * a)),
        }
    }

    #[differentiable]
    pub fn isoperimetric(x: &[f64]) -> f64 {
        let m = moments(x);
        let (cx, cy) = m.centroid;
        4.0 * std::f64::consts::PI * m.area / m.perimeter.powi(2) - 0.01 * (cx * cx + cy * cy)
    }

    #[test]
    fn polygon_moments() {
        scalar!(
            isoperimetric,
            (),
            &[0.0, 0.1, 1.2, 0.0, 1.6, 0.9, 0.8, 1.5, -0.2, 0.8]
        );
    }
}

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
            Shape::Sphere {
                centre: [x[3], 0.5, 0.2],
                radius: x[4],
            },
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
