//! The intelligent driver model on a ring road.
use di::prelude::*;
use traffic::flow;

#[differentiable]
pub mod traffic {
    use std::collections::VecDeque;

    #[derive(Debug, Clone, Copy)]
    pub struct Driver {
        pub desired: f64,
        pub headway: f64,
        pub accel: f64,
        pub brake: f64,
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Car {
        pub x: f64,
        pub v: f64,
    }

    pub struct Road {
        length: f64,
        gap: f64,
    }

    impl Road {
        pub const fn new(length: f64) -> Self {
            Road { length, gap: 2.0 }
        }

        fn ahead(&self, from: f64, to: f64) -> f64 {
            let d = to - from;
            if d < 0.0 { d + self.length } else { d }
        }
    }

    fn acceleration(driver: &Driver, car: Car, leader: Car, road: &Road) -> f64 {
        let s = (road.ahead(car.x, leader.x) - 5.0).max(0.1);
        let dv = car.v - leader.v;
        let wanted = road.gap + car.v * driver.headway + car.v * dv / (2.0 * (driver.accel * driver.brake).sqrt());
        driver.accel * (1.0 - (car.v / driver.desired).powi(4) - (wanted / s).powi(2))
    }

    fn step(cars: &mut Vec<Car>, driver: &Driver, road: &Road, dt: f64) {
        let n = cars.len();
        let acc: Vec<f64> = (0..n).map(|i| acceleration(driver, cars[i], cars[(i + 1) % n], road)).collect();
        for (car, a) in cars.iter_mut().zip(acc) {
            car.x = (car.x + car.v * dt) % road.length;
            car.v = (car.v + a * dt).max(0.0);
        }
    }

    /// Mean speed, as a moving average over the last steps, and a penalty for uneven speeds.
    pub fn flow(p: &[f64], n: usize, steps: usize) -> f64 {
        let road = Road::new(200.0);
        let driver = Driver { desired: p[0], headway: p[1], accel: p[2], brake: p[3] };
        let mut cars: Vec<Car> = (0..n).map(|i| Car { x: 200.0 * i as f64 / n as f64 + (i as f64).sin(), v: 8.0 }).collect();
        let mut history: VecDeque<f64> = VecDeque::with_capacity(5);
        for _ in 0..steps {
            step(&mut cars, &driver, &road, 0.5);
            if history.len() == 5 {
                history.pop_front();
            }
            history.push_back(cars.iter().map(|c| c.v).sum::<f64>() / n as f64);
        }
        let mean = history.iter().sum::<f64>() / history.len() as f64;
        let spread = cars.iter().map(|c| (c.v - mean).powi(2)).sum::<f64>() / n as f64;
        mean - 0.1 * spread.sqrt()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [15.0, 1.4, 1.1, 1.6];
    let g = gradient(flow::AD.with(8, 12), NoPrep, &AutoSource::new(), &x)?;
    super::check_of("ring_road", &g, &x, |x| flow(x, 8, 12));
    Ok(())
}
