//! Drone camera: vectors tagged with their coordinate frame by PhantomData.
use di::prelude::*;

#[differentiable]
mod frames {
    use std::marker::PhantomData;
    use std::ops::Sub;

    #[derive(Clone, Copy)]
    pub struct World;
    #[derive(Clone, Copy)]
    pub struct Camera;

    #[derive(Clone, Copy)]
    pub struct Vec3<F> {
        x: f64,
        y: f64,
        z: f64,
        frame: PhantomData<F>,
    }

    impl<F> Vec3<F> {
        pub fn new(x: f64, y: f64, z: f64) -> Self {
            Vec3 { x, y, z, frame: PhantomData }
        }
    }
    impl<F> Sub for Vec3<F> {
        type Output = Vec3<F>;
        fn sub(self, o: Vec3<F>) -> Vec3<F> {
            Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
        }
    }

    fn to_camera(v: Vec3<World>, yaw: f64) -> Vec3<Camera> {
        let (s, c) = yaw.sin_cos();
        Vec3::new(c * v.x + s * v.y, -s * v.x + c * v.y, v.z)
    }

    fn project(v: Vec3<Camera>, f: f64) -> (f64, f64) {
        (f * v.y / v.x, f * v.z / v.x)
    }

    pub fn reprojection(pose: &[f64]) -> f64 {
        let at = Vec3::<World>::new(pose[0], pose[1], pose[2]);
        let marks = [(10.0, 1.0, 0.0, 0.05, -0.12), (12.0, -2.0, 1.0, -0.2, -0.04)];
        let mut sum = 0.0;
        for (x, y, z, u, v) in marks {
            let (a, b) = project(to_camera(Vec3::new(x, y, z) - at, pose[3]), pose[4]);
            sum += (a - u).powi(2) + (b - v).powi(2);
        }
        sum
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [0.2, -0.1, 1.5, 0.05, 1.1];
    let g = gradient(frames::reprojection::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("frames", &g, &x, |x| frames::reprojection(x));
    Ok(())
}
