//! Structs with options of numbers that constant code makes: `new()` with `None`, defaults, and constants.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[1.3, 0.4]];

#[differentiable]
mod control {
    #[derive(Clone)]
    pub struct Pid {
        pub sum: f64,
        pub last: Option<f64>,
    }

    impl Pid {
        pub fn new() -> Self {
            Pid {
                sum: 0.3,
                last: None,
            }
        }

        pub fn started() -> Self {
            Self {
                last: Some(0.4),
                ..Self::new()
            }
        }

        fn step(&mut self, error: f64) -> f64 {
            let slope = match self.last {
                Some(last) => error - last,
                None => error,
            };
            self.sum += error;
            self.last = Some(error);
            self.sum * slope
        }
    }

    #[derive(Clone, Default)]
    pub struct Gains {
        pub kp: f64,
        pub tau: Option<f64>,
        pub limit: Option<f64>,
        pub order: Option<usize>,
    }

    impl Gains {
        fn of(k: f64) -> Self {
            Gains {
                kp: k,
                limit: Some(k * k),
                ..Self::default()
            }
        }
    }

    #[derive(Clone, Default)]
    pub struct Loop {
        pub gains: Gains,
        pub weight: f64,
    }

    pub fn run(x: &[f64]) -> f64 {
        let mut fresh = Pid::new();
        let mut pid = Pid::started();
        let mut total = 0.0;
        for v in x {
            total += fresh.step(v.sin()) + pid.step(v * v);
        }
        total * pid.last.unwrap_or(1.0)
    }

    pub fn defaults(x: &[f64]) -> f64 {
        let gains = Gains {
            kp: x[0],
            ..Default::default()
        };
        let own = Gains::of(x[1]);
        let mut all = Loop::default();
        all.weight = x[0] * x[1];
        let before = all.gains.tau.is_none();
        all.gains.tau = Some(x[1].exp());
        let mut given = Gains::default();
        given.limit = own.limit;
        let scale = if before && own.order.is_none() {
            2.0
        } else {
            1.0
        };
        let first = gains.kp * gains.tau.unwrap_or(1.5) * own.limit.unwrap_or(0.0);
        scale * first
            + all.weight * all.gains.tau.unwrap_or(0.0)
            + given.limit.map_or(0.0, f64::sin)
    }
}

#[test]
fn made_by_functions_without_arguments() {
    scalar!(control::run::AD, control::run)
        .row(399)
        .check(&POINTS);
}

#[test]
fn defaults() {
    scalar!(control::defaults::AD, control::defaults)
        .row(399)
        .check(&POINTS);
}

#[derive(Clone, Default, Differentiable)]
struct Filter {
    rate: f64,
    last: Option<f64>,
}

const STARTED: Filter = Filter {
    rate: 0.5,
    last: Some(1.5),
};

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let mut filter = Filter::default();
    let mut started = STARTED;
    for v in x {
        filter.rate += v * started.rate;
        let last = started.last.unwrap_or(0.0);
        started.last = Some(last * v + filter.last.unwrap_or(0.2));
        filter.last = started.last.map(|l| l * filter.rate);
    }
    filter.last.unwrap_or(0.0)
}

#[test]
fn outside_of_modules() {
    scalar!(filtered).row(399).check(&POINTS);
}
