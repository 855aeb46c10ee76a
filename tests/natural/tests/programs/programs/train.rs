//! Engineer: train running-time with a route profile; BTreeMap of speed limits, labelled loop.

use di::prelude::*;
use super::{check, fd};
use std::collections::BTreeMap;

struct Route {
    limits: BTreeMap<u32, f64>,
    gradient_permille: Vec<f64>,
}

impl Route {
    fn limit_at(&self, s: u32) -> f64 {
        self.limits.range(..=s).next_back().map(|(_, &v)| v).unwrap_or(20.0)
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Train {
    mass: f64,
    power: f64,
    davis: [f64; 3],
}

#[differentiable]
impl Train {
    fn resistance(&self, v: f64) -> f64 {
        self.davis[0] + v * (self.davis[1] + v * self.davis[2])
    }
    fn tractive(&self, v: f64) -> f64 {
        (self.power / v.max(1.0)).min(0.25 * self.mass * 9.81)
    }
}

#[differentiable]
fn travel_time(train: &Train, #[constant] route: &Route) -> f64 {
    let ds = 50.0;
    let mut v2: f64 = 1.0;
    let mut time = 0.0;
    let mut s = 0u32;
    'route: for (i, slope) in route.gradient_permille.iter().enumerate() {
        for _ in 0..10 {
            let v = v2.sqrt();
            let force = train.tractive(v) - train.resistance(v) - train.mass * 9.81 * slope / 1000.0;
            let next = v2 + 2.0 * force / train.mass * ds;
            if next <= 0.01 {
                time += 1e4;
                break 'route;
            }
            let limit = route.limit_at(s);
            v2 = if next > limit * limit { limit * limit } else { next };
            time += 2.0 * ds / (v + v2.sqrt());
            s += ds as u32;
        }
        if i > 100 {
            continue;
        }
    }
    time
}

pub(super) fn main() -> Result<(), di::Error> {
    let route = Route { limits: BTreeMap::from([(0, 25.0), (1500, 22.0), (2500, 40.0)]), gradient_permille: vec![0.0, 5.0, 10.0, -3.0, 2.0, 8.0] };
    let t = Train { mass: 4e5, power: 2e6, davis: [5e3, 60.0, 7.0] };
    let g = gradient(travel_time::AD.with(&route), NoPrep, &AutoSource::new(), &t)?;
    let got = [g.mass, g.power, g.davis[0], g.davis[1], g.davis[2]];
    let want = fd(|x| travel_time(&Train { mass: x[0], power: x[1], davis: [x[2], x[3], x[4]] }, &route), &[4e5, 2e6, 5e3, 60.0, 7.0]);
    check("28", &got, &want);
    Ok(())
}
