//! Types that programs of other files and of another crate import.

pub mod activation;
pub mod cells;
pub mod complex;
pub mod links;
pub mod matrices;
pub mod systems;
pub mod tree;
pub mod weights;

use di::prelude::*;

/// Points of the plane.
#[differentiable]
pub mod plane {
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct P {
        pub x: f64,
        pub y: f64,
    }

    impl P {
        pub fn new(x: f64, y: f64) -> P {
            P { x, y }
        }
        pub fn polar(r: f64, phi: f64) -> P {
            P::new(r * phi.cos(), r * phi.sin())
        }
        pub fn dot(self, o: P) -> f64 {
            self.x * o.x + self.y * o.y
        }
        pub fn cross(self, o: P) -> f64 {
            self.x * o.y - self.y * o.x
        }
        pub fn norm(self) -> f64 {
            self.dot(self).sqrt()
        }
        pub fn angle_to(self, o: P) -> f64 {
            self.cross(o).atan2(self.dot(o))
        }
        pub fn rotated(self, phi: f64) -> P {
            let (s, c) = phi.sin_cos();
            P::new(c * self.x - s * self.y, s * self.x + c * self.y)
        }
    }

    impl Add for P {
        type Output = P;
        fn add(self, o: P) -> P {
            P::new(self.x + o.x, self.y + o.y)
        }
    }
    impl Sub for P {
        type Output = P;
        fn sub(self, o: P) -> P {
            P::new(self.x - o.x, self.y - o.y)
        }
    }
    impl Mul<P> for f64 {
        type Output = P;
        fn mul(self, p: P) -> P {
            P::new(self * p.x, self * p.y)
        }
    }

    pub fn area(points: &[P]) -> f64 {
        let n = points.len();
        (0..n)
            .map(|i| points[i].cross(points[(i + 1) % n]))
            .sum::<f64>()
            / 2.0
    }
}

/// Grey images, which are data.
pub mod image {
    use di::prelude::*;

    pub struct Image {
        pub width: usize,
        pub pixels: Vec<f64>,
    }

    impl Image {
        pub fn get(&self, i: isize, j: isize) -> f64 {
            let height = self.pixels.len() / self.width;
            let i = i.clamp(0, self.width as isize - 1) as usize;
            let j = j.clamp(0, height as isize - 1) as usize;
            self.pixels[j * self.width + i]
        }
    }

    #[differentiable]
    pub fn cubic(p: [f64; 4], t: f64) -> f64 {
        let a = -0.5 * p[0] + 1.5 * p[1] - 1.5 * p[2] + 0.5 * p[3];
        let b = p[0] - 2.5 * p[1] + 2.0 * p[2] - 0.5 * p[3];
        ((a * t + b) * t + 0.5 * (p[2] - p[0])) * t + p[1]
    }

    #[differentiable]
    pub fn sample(image: &Image, x: f64, y: f64) -> f64 {
        let (i, j) = (x.floor() as isize, y.floor() as isize);
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let mut column = [0.0; 4];
        for (k, c) in column.iter_mut().enumerate() {
            let row = [-1, 0, 1, 2].map(|d| image.get(i + d, j + k as isize - 1));
            *c = cubic(row, fx);
        }
        cubic(column, fy)
    }
}
